// The suite of kernels of which applications are made. Each file of this folder has some of a kind, each as a kernel in HIP,
// which OpenCL's compiler reads as well (kernel.h), and as the loop that an HPC programmer writes. hipcc compiles the first
// half of a file, and the host's compiler the second one.
#pragma once

#include "../data.h"
#include "../kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace bench {

/// How large the data of a case is: for being measured, or only for the result to be checked.
struct Scale {
  bool is_small = false;
  uint32_t operator()(uint32_t full, uint32_t small) const { return is_small ? small : full; }
};

using Cases = std::vector<Case>;
Cases scan_cases(Scale scale);
Cases reduction_cases(Scale scale);
Cases norm_cases(Scale scale);
Cases matrix_cases(Scale scale);
Cases sparse_cases(Scale scale);
Cases stencil_cases(Scale scale);
Cases image_cases(Scale scale);
Cases particle_cases(Scale scale);
Cases stream_cases(Scale scale);
Cases sort_cases(Scale scale);
Cases texture_cases(Scale scale);

/// The cases of one file, whose kernels are in a module of their own.
struct Family {
  const char *name; // of the file
  Cases (*cases)(Scale);
};
inline constexpr Family suite[] = {
    {"scans", scan_cases},      {"reductions", reduction_cases}, {"norms", norm_cases},
    {"matrices", matrix_cases}, {"sparse", sparse_cases},        {"stencils", stencil_cases},
    {"images", image_cases},    {"particles", particle_cases},   {"streams", stream_cases},
    {"sorts", sort_cases},      {"textures", texture_cases},
};

} // namespace bench
