// The kernel that many_streams.hip launches and many_streams_kernel.hip defines.
#pragma once

#include <hip/hip_runtime.h>

// Adds `value` to each of the `length` elements of `array`.
__global__ void add(float *array, float value, int length);
