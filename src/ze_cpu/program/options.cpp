#include "options.h"

namespace ze_cpu {

BuildOptions parse_build_flags(std::string_view flags) {
  BuildOptions options;
  options.architecture = architecture_from_environment();
  options.gathers = gathers_from_environment();
  constexpr std::string_view architecture_flag = "-ze-cpu-arch=", gathers_flag = "-ze-cpu-gathers=";
  while (!flags.empty()) {
    size_t begin = flags.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos)
      break;
    flags.remove_prefix(begin);
    std::string_view flag = flags.substr(0, flags.find_first_of(" \t\n"));
    flags.remove_prefix(flag.size());
    if (flag == "-ze-opt-disable" || flag == "-cl-opt-disable" || flag == "-ze-opt-level=0" ||
        flag == "-O0")
      options.optimise = false;
    else if (flag == "-cl-finite-math-only")
      options.finite_math = true;
    else if (flag == "-cl-unsafe-math-optimizations" || flag == "-cl-no-signed-zeros")
      options.relaxed_math = true;
    else if (flag == "-cl-fast-relaxed-math")
      options.finite_math = options.relaxed_math = options.contract_always = true;
    else if (flag == "-cl-mad-enable")
      options.contract_always = true;
    else if (flag == "-ze-cpu-fibers")
      options.fibers = true;
    else if (flag == "-ze-cpu-interchange")
      options.interchange = true;
    else if (flag == "-ze-cpu-no-lock-step")
      options.lock_step = false;
    else if (flag.starts_with(architecture_flag))
      options.architecture =
          architecture_named(flag.substr(architecture_flag.size())).value_or(options.architecture);
    else if (flag.starts_with(gathers_flag))
      options.gathers = gathers_named(flag.substr(gathers_flag.size()), options.gathers);
  }
  return options;
}

} // namespace ze_cpu
