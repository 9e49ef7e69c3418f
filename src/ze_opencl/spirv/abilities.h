// What SPIR-V an OpenCL device takes: what lowering (module.h) has to know of it.
#pragma once

#include <cstdint>

namespace ze_opencl {

/// Atomics on floating-point numbers in global memory (cl_ext_float_atomics).
struct FloatAtomics {
  bool add = true, min_max = true;
};

struct Abilities {
  uint32_t spirv_version = 0x10000; // the newest, as in a module's header: 0x10400 is 1.4
  /// Sub-groups, and kernels can ask for 32 work-items in each: HIP kernels are compiled for that. A
  /// device with others only is as good as one without.
  bool sub_groups = false;
  bool sub_group_ballot = false;     // cl_khr_subgroup_ballot
  bool sub_group_shuffle = false;    // cl_khr_subgroup_shuffle and _shuffle_relative
  bool sub_group_arithmetic = false; // cl_khr_subgroup_non_uniform_arithmetic
  bool sub_group_vote = false;       // cl_khr_subgroup_non_uniform_vote
  bool clock = false;                // cl_khr_kernel_clock
  bool int64_atomics = false;
  bool fp16 = true, fp64 = true;
  bool half_functions = true; // OpenCL's functions also in half precision
  FloatAtomics fp16_atomics, fp32_atomics, fp64_atomics;
  bool all_devices_scope = true; // atomics and fences with the host and other devices
  bool generic_pointers = true;  // that point to any address space
};

} // namespace ze_opencl
