// HIP API reference: Peer to peer device memory access.
#include "../runtime/memory/peer.h"
#include "entry.h"

using namespace chip;
using chip::hip::device_of;
using chip::hip::entry;
using chip::hip::required;

namespace {

hipError_t copy_between(void *dst, int dst_device, const void *src, int src_device, size_t bytes,
                        hipStream_t stream, Completion completion,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, capture_rule(completion), [&] {
    copy_between_devices(dst, device_of(dst_device), src, device_of(src_device), bytes,
                         resolve(stream), completion);
  });
}

} // namespace

hipError_t hipDeviceCanAccessPeer(int *can_access, int device, int peer) {
  return entry([&] { required(can_access) = can_access_peer(device_of(device), device_of(peer)); });
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return entry([&] {
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` must be 0");
    enable_peer_access(Platform::current_device(), device_of(peer));
  });
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  return entry([&] { disable_peer_access(Platform::current_device(), device_of(peer)); });
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int src_device,
                                    int dst_device) {
  return entry([&] {
    required(value);
    const Device &from = device_of(src_device), &to = device_of(dst_device);
    if (&from == &to)
      throw Error(hipErrorInvalidDevice, "`src_device` and `dst_device` are the same");
    switch (attribute) {
    case hipDevP2PAttrPerformanceRank: // Level Zero ranks no connections: each is as good as the best
      *value = 0;
      return;
    case hipDevP2PAttrAccessSupported:
      *value = can_access_peer(from, to);
      return;
    case hipDevP2PAttrNativeAtomicSupported:
      *value = has_peer_atomics(from, to);
      return;
    case hipDevP2PAttrHipArrayAccessSupported: // an image is of one device in Level Zero
      *value = 0;
      return;
    }
    throw Error(hipErrorInvalidValue, "`attribute` is not known");
  });
}

hipError_t hipExtGetLinkTypeAndHopCount(int first, int second, uint32_t *link_type,
                                        uint32_t *hop_count) {
  return entry([&] {
    required(link_type);
    required(hop_count);
    if (first < 0 || second < 0 || first == second)
      throw Error(hipErrorInvalidValue, "`first` or `second` is negative, or both are the same");
    const bool is_direct = can_access_peer(device_of(first), device_of(second));
    *link_type = 2; // HSA's number for PCI Express; Level Zero names no kinds
    *hop_count = is_direct ? 1 : 2;
  });
}

hipError_t hipMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes) {
  return copy_between(dst, dst_device, src, src_device, bytes, nullptr, Completion::wait);
}

hipError_t hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                              size_t bytes, hipStream_t stream) {
  return copy_between(dst, dst_device, src, src_device, bytes, stream, Completion::async);
}
