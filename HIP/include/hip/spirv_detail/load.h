/// Loads that tell how the value should be cached. Devices decide that by themselves here.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

/// Of what nobody writes while the kernel runs.
template <typename T> CHIP_DEVICE T __ldg(const T *address) { return *address; }
template <typename T> CHIP_DEVICE T __ldca(const T *address) { return *address; }
template <typename T> CHIP_DEVICE T __ldcg(const T *address) { return *address; }
template <typename T> CHIP_DEVICE T __ldcs(const T *address) { return *address; }
