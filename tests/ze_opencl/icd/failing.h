// Functions that fail, from the call on that SHIM_FAIL says.
#pragma once

#include "shim.h"

#include <atomic>
#include <cstdlib>
#include <tuple>
#include <type_traits>

namespace shim {

inline cl_int failure_code() {
  const std::string_view code = variable("SHIM_CODE");
  return code.empty() ? CL_OUT_OF_RESOURCES : std::atoi(code.data());
}

/// Puts a function in the place of `entry` that fails if SHIM_FAIL names it. That is read once, since what takes the place is
/// known for one function only.
template <class Result, class... Arguments>
void fail_if_asked(Result(CL_API_CALL *&entry)(Arguments...), std::string_view name) {
  static long first = 1;
  static std::atomic<long> calls{0};
  static Result(CL_API_CALL * before)(Arguments...);
  const std::string_view spec = variable("SHIM_FAIL");
  const size_t at = spec.find('@');
  if (spec.substr(0, at) != name || !entry)
    return;
  if (at != spec.npos)
    first = std::atol(spec.data() + at + 1);
  before = entry;
  entry = [](Arguments... arguments) -> Result {
    if (++calls < first)
      return before(arguments...);
    if constexpr (std::is_same_v<Result, cl_int>) {
      return failure_code();
    } else if constexpr (!std::is_void_v<Result>) {
      const auto last = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(last)>, cl_int *>)
        if (last)
          *last = failure_code();
      return Result{};
    }
  };
}

} // namespace shim
