// HIP API reference: Context management; Primary contexts.
#include "../../runtime/platform/context.h"
#include "../../runtime/devices.h"
#include "../../runtime/memory/peer.h"
#include "../../runtime/streams/stream.h"
#include "../entry.h"
#include "hints.h"

using namespace chip;
using chip::hip::device_of;
using chip::hip::entry;
using chip::hip::required;

hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device) {
  return entry([&] {
    required(ctx);
    Device &found = device_of(device);
    found.flags = checked_device_flags(flags);
    push_context(found);
    *ctx = context_of(found);
  });
}

hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return entry([&] {
    if (!ctx)
      throw Error(hipErrorInvalidValue, "`ctx` is null");
    if (&find_context(ctx) == &Platform::current_device() && has_pushed_context())
      pop_context();
  });
}

hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return entry([&] { push_context(find_context(ctx)); });
}

hipError_t hipCtxPopCurrent(hipCtx_t *ctx) {
  return entry([&] {
    Device &popped = pop_context();
    if (ctx)
      *ctx = context_of(popped);
  });
}

hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return entry([&] {
    if (ctx)
      replace_context(find_context(ctx));
    else if (Platform::get(); has_pushed_context())
      pop_context();
  });
}

hipError_t hipCtxGetCurrent(hipCtx_t *ctx) {
  return entry([&] { required(ctx) = context_of(Platform::current_device()); });
}

hipError_t hipCtxGetDevice(hipDevice_t *device) {
  return entry([&] { required(device) = Platform::current_device().ordinal(); });
}

hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *version) {
  return entry([&] {
    required(version);
    if (ctx)
      find_context(ctx);
    *version = 4; // which HIP's reference promises, whatever the version
  });
}

hipError_t hipCtxGetFlags(unsigned int *flags) {
  return entry([&] { required(flags) = Platform::current_device().flags; });
}

hipError_t hipCtxSynchronize() {
  return entry(CaptureRule::wide, [] { chip::synchronize(Platform::current_device()); });
}

hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) {
  return entry([&] { chip::hip::set_cache_config(config); });
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config) {
  return entry([&] { required(config) = Platform::current_device().cache_config; });
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return entry([&] { chip::hip::set_bank_width(config); });
}

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config) {
  return entry([&] { required(config) = chip::hip::bank_width(); });
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags) {
  return entry([&] {
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` must be 0");
    enable_peer_access(Platform::current_device(), find_context(peer, "peer"));
  });
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return entry(
      [&] { disable_peer_access(Platform::current_device(), find_context(peer, "peer")); });
}

// ---- Primary contexts

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active) {
  return entry([&] {
    const Device &found = device_of(device);
    if (flags)
      *flags = found.flags;
    if (active)
      *active = is_primary_context_active(found);
  });
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device) {
  return entry([&] {
    Device &found = device_of(device);
    required(ctx) = context_of(found);
    retain_primary_context(found);
  });
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return entry([&] { release_primary_context(device_of(device)); });
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return entry(CaptureRule::wide, [&] { reset_device(device_of(device)); });
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags) {
  return entry([&] {
    Device &found = device_of(device);
    if (is_primary_context_active(found))
      throw Error(hipErrorContextAlreadyInUse, "the primary context of `device` is in use");
    found.flags = checked_device_flags(flags);
  });
}
