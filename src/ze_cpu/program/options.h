// The build flags that change code, out of those that OpenCL and Level Zero define.
#pragma once

#include "processor/architecture.h"
#include "processor/gathers.h"

#include <string_view>

namespace ze_cpu {

/// All that changes code: what compiled units are kept under is made of these fields.
struct BuildOptions {
  bool optimise = true;      // -ze-opt-disable, -cl-opt-disable, -ze-opt-level=0, -O0 turn it off
  bool finite_math = false;  // no NaN, no infinity
  bool relaxed_math = false; // reassociation, reciprocals, no signed zeros
  bool contract_always = false; // multiply-add even where the module says no
  bool fibers = false;          // -ze-cpu-fibers: a fiber per work-item, the reference
  bool interchange = false;     // -ze-cpu-interchange: of all loops, whether it pays or not
  bool lock_step = true;        // -ze-cpu-no-lock-step: only for comparison (lock_step.h)
  bool check_memory = false;    // no flag: ZE_CPU_CHECK
  bool trace_accesses =
      false; // no flag either: its other classes, which want accesses and barriers
  bool trace_barriers = false; // or barriers alone
  /// Whether accesses are told of one by one.
  bool checks() const { return check_memory || trace_accesses || trace_barriers; }

  Architecture architecture = Architecture::native; // -ze-cpu-arch=name, else ZE_CPU_ARCH
  Gathers gathers = Gathers::measured;              // -ze-cpu-gathers=name, else ZE_CPU_GATHERS
};

/// Unknown flags are ignored, as GPU drivers do. `-ze-cpu-arch` is obeyed even if this processor
/// cannot execute the code: for looking at it.
BuildOptions parse_build_flags(std::string_view flags);

} // namespace ze_cpu
