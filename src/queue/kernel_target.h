// What a queue needs to know to launch a kernel: the module's kernel on one device and the shape of its parameters.
#pragma once

#include "../ze/kernel.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace chip {

enum class ParameterKind : uint8_t {
  value,   // passed by value
  pointer, // a pointer to global memory, passed by value
  local,   // dynamic work-group memory: HIP's dynamic shared memory, always the last
  spilled, // declared by value, but so large that the device compiler passes a pointer to a copy
};

struct Parameter {
  ParameterKind kind;
  /// Of the value that the caller passes; 8 for pointers. For local: beyond what a launch asks for.
  uint32_t bytes;
  /// Of that value, in a buffer of arguments.
  uint32_t alignment;

  /// Bytes that the driver's kernel handle is given; a size_t for local.
  size_t bytes_in_handle() const {
    return kind == ParameterKind::local || kind == ParameterKind::spilled ? 8 : bytes;
  }
};

struct KernelTarget {
  ze_module_handle_t module = nullptr; // borrowed: outlives the target
  std::string name;
  std::vector<Parameter> parameters;
  ze::KernelProperties properties;
  uint32_t id = 0; // index of the kernel's instance in each queue
  /// Has a local or spilled parameter: arguments cannot be passed on as they are.
  bool needs_copies = false;

  /// Parameters that the caller of a launch gives a value for.
  size_t argument_count() const {
    return parameters.size() -
           (!parameters.empty() && parameters.back().kind == ParameterKind::local);
  }
};

struct LaunchShape {
  ze_group_count_t groups{};
  ze_group_size_t group_size{};
  size_t dynamic_local_bytes = 0;
  bool cooperative = false; // all groups run at once

  friend bool operator==(const LaunchShape &a, const LaunchShape &b) {
    const auto fields = [](const LaunchShape &s) {
      return std::tuple(s.groups.groupCountX, s.groups.groupCountY, s.groups.groupCountZ,
                        s.group_size.groupSizeX, s.group_size.groupSizeY, s.group_size.groupSizeZ,
                        s.dynamic_local_bytes, s.cooperative);
    };
    return fields(a) == fields(b);
  }
};

} // namespace chip
