// Errors inside libCHIP are exceptions of one type that carry HIP's code; they end at the entry points of src/hip.
#pragma once

#include <hip/hip_runtime_api.h>
#include <level_zero/ze_api.h>

#include <stdexcept>
#include <string>

namespace chip {

class Error : public std::runtime_error {
public:
  explicit Error(hipError_t code, const std::string &what = {})
      : std::runtime_error(what), code_(code) {}
  hipError_t code() const { return code_; }

private:
  hipError_t code_;
};

/// A driver call said that the device is lost. Who knows the device marks it (Scheduler), and may know a better code.
class DeviceLost : public Error {
public:
  explicit DeviceLost(const std::string &what, hipError_t code = hipErrorLaunchFailure)
      : Error(code, what) {}
};

/// Whether the code says that a device is lost.
inline bool tells_of_loss(hipError_t code) {
  return code == hipErrorLaunchFailure || code == hipErrorAssert;
}

/// The HIP code for a Level Zero result, where the call has no better one of its own.
hipError_t to_hip(ze_result_t result);

[[noreturn]] void throw_ze(ze_result_t result, const char *call);
/// The same with a message of the caller's own.
[[noreturn]] void throw_ze(ze_result_t result, const std::string &what);

/// Throws Error unless `result` is success. `call` names the driver call for the message.
inline void check(ze_result_t result, const char *call) {
  if (result != ZE_RESULT_SUCCESS) [[unlikely]]
    throw_ze(result, call);
}

/// The same, where more than there can be is out of memory, in HIP's terms.
inline void check_size(ze_result_t result, const char *call) {
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_SIZE) [[unlikely]]
    throw Error(hipErrorOutOfMemory, call);
  check(result, call);
}
/// Throws hipErrorOutOfMemory for more bytes than a process has addresses: not all drivers look for that themselves.
void check_addressable(size_t bytes);

/// Says `text` on stderr once a process: for what a user has to mend on the machine, such as a missing driver.
void tell_user_once(const std::string &text);

} // namespace chip
