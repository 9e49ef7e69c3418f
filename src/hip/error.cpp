// HIP API reference: Error handling.
#include "../common/uncancelled.h"
#include "../runtime/streams/callback.h"
#include "entry.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace chip::hip {
namespace {

thread_local hipError_t last_error = hipSuccess;

/// The entry point that the thread is in, or was in last, if calls are shown.
constinit thread_local const char *traced_call = nullptr;

/// Whether the function of that name frees what another one has made. Nodes of graphs that free something do not yet.
bool frees(std::string_view function) {
  constexpr std::array<std::string_view, 5> words = {"Free", "Destroy", "Release", "Unload",
                                                     "Unregister"};
  return !function.contains("MemFreeNode") &&
         std::ranges::any_of(words, [&](auto word) { return function.contains(word); });
}

struct ErrorText {
  hipError_t code;
  const char *name;
  const char *text;
};

constexpr ErrorText error_texts[] = {
#define CHIP_ERROR(name, text) {name, #name, text}
    CHIP_ERROR(hipSuccess, "no error"),
    CHIP_ERROR(hipErrorInvalidValue, "invalid argument"),
    CHIP_ERROR(hipErrorOutOfMemory, "out of memory"),
    CHIP_ERROR(hipErrorNotInitialized, "initialization error"),
    CHIP_ERROR(hipErrorDeinitialized, "driver shutting down"),
    CHIP_ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    CHIP_ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    CHIP_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    CHIP_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    CHIP_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    CHIP_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    CHIP_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    CHIP_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    CHIP_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    CHIP_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    CHIP_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    CHIP_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    CHIP_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    CHIP_ERROR(hipErrorNoDevice, "no HIP-capable device is detected"),
    CHIP_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    CHIP_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    CHIP_ERROR(hipErrorInvalidContext, "invalid device context"),
    CHIP_ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    CHIP_ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    CHIP_ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    CHIP_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    CHIP_ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    CHIP_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    CHIP_ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    CHIP_ERROR(hipErrorNotMapped, "resource not mapped"),
    CHIP_ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    CHIP_ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    CHIP_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    CHIP_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    CHIP_ERROR(hipErrorContextAlreadyInUse,
               "exclusive-thread device already in use by a different thread"),
    CHIP_ERROR(hipErrorPeerAccessUnsupported,
               "peer access is not supported between these two devices"),
    CHIP_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    CHIP_ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    CHIP_ERROR(hipErrorInvalidSource, "device kernel source is invalid"),
    CHIP_ERROR(hipErrorFileNotFound, "file not found"),
    CHIP_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    CHIP_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    CHIP_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    CHIP_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    CHIP_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    CHIP_ERROR(hipErrorNotFound, "named symbol not found"),
    CHIP_ERROR(hipErrorNotReady, "device not ready"),
    CHIP_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    CHIP_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    CHIP_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    CHIP_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    CHIP_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    CHIP_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    CHIP_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    CHIP_ERROR(hipErrorAssert, "device-side assert triggered"),
    CHIP_ERROR(hipErrorHostMemoryAlreadyRegistered,
               "part or all of the requested memory range is already mapped"),
    CHIP_ERROR(hipErrorHostMemoryNotRegistered,
               "pointer does not correspond to a registered memory region"),
    CHIP_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    CHIP_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    CHIP_ERROR(hipErrorNotSupported, "operation not supported"),
    CHIP_ERROR(hipErrorStreamCaptureUnsupported,
               "operation not permitted when stream is capturing"),
    CHIP_ERROR(hipErrorStreamCaptureInvalidated,
               "operation failed due to a previous error during capture"),
    CHIP_ERROR(hipErrorStreamCaptureMerge,
               "operation would result in a merge of separate capture sequences"),
    CHIP_ERROR(hipErrorStreamCaptureUnmatched,
               "capture was not ended in the same stream as it began"),
    CHIP_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    CHIP_ERROR(hipErrorStreamCaptureIsolation,
               "dependency created on uncaptured work in another stream"),
    CHIP_ERROR(hipErrorStreamCaptureImplicit,
               "operation would make the legacy stream depend on a capturing blocking stream"),
    CHIP_ERROR(hipErrorCapturedEvent,
               "operation not permitted on an event last recorded in a capturing stream"),
    CHIP_ERROR(hipErrorStreamCaptureWrongThread,
               "attempt to terminate a thread-local capture sequence from another thread"),
    CHIP_ERROR(hipErrorGraphExecUpdateFailure,
               "the graph update was not performed because it included changes which violated "
               "constraints specific to instantiated graph update"),
    CHIP_ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    CHIP_ERROR(hipErrorInvalidTexture, "invalid texture"),
    CHIP_ERROR(hipErrorUnknown, "unknown error"),
    CHIP_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    CHIP_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
#undef CHIP_ERROR
};

const ErrorText *find_text(hipError_t error) {
  for (const ErrorText &entry : error_texts)
    if (entry.code == error)
      return &entry;
  return nullptr;
}

} // namespace

hipError_t set_last_error(hipError_t error) noexcept {
  last_result = error;
  if (logs(LogLevel::trace) && traced_call) [[unlikely]]
    log(LogLevel::trace,
        [&] { return std::string(traced_call) + " returns " + hipGetErrorName(error); });
  if (error != hipErrorNotReady) // an answer, not a failure
    last_error = error;
  return error;
}

void look_closer(const char *function) {
  Platform::check_not_ended();
  if (!logs(LogLevel::trace))
    return;
  traced_call = function;
  log(LogLevel::trace, [&] { return function; });
}

hipError_t handle_exception(const char *function) noexcept {
  const common::Uncancelled uncancelled;
  hipError_t code = hipErrorUnknown;
  const char *text = "";
  try {
    throw;
  } catch (const Error &error) {
    code = error.code();
    text = error.what();
    if (*text)
      log(LogLevel::error, [&] { return std::string(hipGetErrorName(code)) + ": " + text; });
    if (tells_of_loss(code))
      call_lost_callbacks();
  } catch (const std::bad_alloc &) {
    code = hipErrorOutOfMemory;
  } catch (const std::exception &error) {
    log(LogLevel::error, [&] { return error.what(); });
  } catch (...) {
  }
  // Whatever a call stumbled over then.
  code = Platform::end().value_or(code);
  return code == hipErrorDeinitialized && frees(function) ? hipSuccess : set_last_error(code);
}

hipError_t unsupported(const char *function) noexcept {
  const common::Uncancelled uncancelled;
  log(LogLevel::error, [&] { return std::string(function) + " is not supported yet"; });
  return set_last_error(hipErrorNotSupported);
}

} // namespace chip::hip

using namespace chip::hip;

hipError_t hipGetLastError() { return std::exchange(last_error, hipSuccess); }

hipError_t hipExtGetLastError() { return std::exchange(last_result, hipSuccess); }

hipError_t hipPeekAtLastError() { return last_error; }

const char *hipGetErrorName(hipError_t error) {
  const ErrorText *entry = find_text(error);
  return entry ? entry->name : "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error) {
  const ErrorText *entry = find_text(error);
  return entry ? entry->text : "unrecognized error code";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **text) {
  return entry([&] {
    const ErrorText *known = find_text(error);
    chip::hip::required(text) = known ? known->name : nullptr;
    return known ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
  return entry([&] {
    const ErrorText *known = find_text(error);
    chip::hip::required(text) = known ? known->text : nullptr;
    return known ? hipSuccess : hipErrorInvalidValue;
  });
}
