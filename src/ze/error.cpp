#include "error.h"

#include "../common/uncancelled.h"

#include <atomic>
#include <cstdio>
#include <format>

namespace chip {

hipError_t to_hip(ze_result_t result) {
  switch (result) {
  case ZE_RESULT_SUCCESS:
    return hipSuccess;
  case ZE_RESULT_NOT_READY:
    return hipErrorNotReady;
  case ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY:
  case ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY:
    return hipErrorOutOfMemory;
  case ZE_RESULT_ERROR_UNINITIALIZED:
  case ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE:
    return hipErrorNoDevice;
  case ZE_RESULT_ERROR_DEVICE_LOST:
  case ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET:
    return hipErrorLaunchFailure;
  case ZE_RESULT_ERROR_MODULE_BUILD_FAILURE:
  case ZE_RESULT_ERROR_MODULE_LINK_FAILURE:
    return hipErrorSharedObjectInitFailed;
  case ZE_RESULT_ERROR_INVALID_NATIVE_BINARY:
    return hipErrorInvalidImage;
  case ZE_RESULT_ERROR_INVALID_KERNEL_NAME:
  case ZE_RESULT_ERROR_INVALID_FUNCTION_NAME:
  case ZE_RESULT_ERROR_INVALID_GLOBAL_NAME:
    return hipErrorNotFound;
  case ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION:
  case ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION:
    return hipErrorInvalidConfiguration;
  case ZE_RESULT_ERROR_UNSUPPORTED_FEATURE:
  case ZE_RESULT_ERROR_UNSUPPORTED_VERSION:
    return hipErrorNotSupported;
  case ZE_RESULT_ERROR_INVALID_ARGUMENT:
  case ZE_RESULT_ERROR_INVALID_NULL_HANDLE:
  case ZE_RESULT_ERROR_INVALID_NULL_POINTER:
  case ZE_RESULT_ERROR_INVALID_SIZE:
  case ZE_RESULT_ERROR_INVALID_ENUMERATION:
  case ZE_RESULT_ERROR_UNSUPPORTED_SIZE:
  case ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT:
  case ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX:
  case ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE:
    return hipErrorInvalidValue;
  default:
    return hipErrorUnknown;
  }
}

void throw_ze(ze_result_t result, const char *call) {
  const char *const cause =
      to_hip(result) == hipErrorLaunchFailure ? "an earlier kernel or copy has failed: " : "";
  throw_ze(result, std::format("{}{} answers 0x{:x}", cause, call, unsigned(result)));
}

void throw_ze(ze_result_t result, const std::string &what) {
  if (to_hip(result) == hipErrorLaunchFailure)
    throw DeviceLost(what);
  throw Error(to_hip(result), what);
}

void check_addressable(size_t bytes) {
  constexpr size_t addresses = size_t(1) << 47;
  if (bytes >= addresses)
    throw Error(hipErrorOutOfMemory, "`size` is more than there are addresses");
}

void tell_user_once(const std::string &text) {
  static std::atomic<bool> told{false};
  const common::Uncancelled uncancelled;
  if (!told.exchange(true))
    std::fprintf(stderr, "libCHIP: %s\n", text.c_str());
}

} // namespace chip
