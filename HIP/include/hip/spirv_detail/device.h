/// All that kernels use. hip_runtime.h includes it where a HIP compiler reads it.
#pragma once

#include <hip/spirv_detail/runtime_wrapper.h>

// What kernels call as isnan(x), functions of the host may call so too.
#ifndef __HIPCC_RTC__
#include <math.h>
#endif

#include <hip/spirv_detail/amd/coordinates.h>
#include <hip/spirv_detail/amd/counters.h>
#include <hip/spirv_detail/amd/functions.h>
#include <hip/spirv_detail/amd/order.h>
#include <hip/spirv_detail/atomics.h>
#include <hip/spirv_detail/clock.h>
#include <hip/spirv_detail/coordinates.h>
#include <hip/spirv_detail/load.h>
#include <hip/spirv_detail/math/complex_arithmetic.h>
#include <hip/spirv_detail/math/directed_rounding.h>
#include <hip/spirv_detail/math/integer.h>
#include <hip/spirv_detail/sync.h>
#include <hip/spirv_detail/textures/surface.h>
#include <hip/spirv_detail/textures/texture.h>
#include <hip/spirv_detail/types/conversion.h>
#include <hip/spirv_detail/warp.h>
#include <hip/spirv_detail/warp_sync.h>
