// What SPIR-V an OpenCL device takes: what lowering (module.h) has to know of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ze_opencl {

struct Abilities {
  uint32_t spirv_version = 0x10000;          // the newest, as in a module's header: 0x10400 is 1.4
  std::vector<std::string> spirv_extensions; // SPV_... that may be declared
  bool sub_groups = false;                   // cl_khr_subgroups: sizes, ids, barriers
  bool sub_group_ballot = false;             // cl_khr_subgroup_ballot
  bool sub_group_shuffle = false;            // cl_khr_subgroup_shuffle and _shuffle_relative
  bool sub_group_arithmetic = false;         // cl_khr_subgroup_non_uniform_arithmetic
  bool sub_group_vote = false;               // cl_khr_subgroup_non_uniform_vote
  /// Kernels can ask for sub-groups of 32 (cl_intel_required_subgroup_size). Without it sub-groups are `sub_group_size` wide.
  bool required_sub_group_size_32 = false;
  uint32_t sub_group_size = 1; // work-items of the device's own sub-groups; 1 if it has none
  bool clock = false;          // cl_khr_kernel_clock
  bool fp64 = false, fp16 = false, int64_atomics = false, generic_address_space = false;
};

} // namespace ze_opencl
