// Two files of relocatable device code that use each other.
#pragma once

#include <hip/hip_runtime.h>

__device__ int doubled(int x);         // defined in rdc_other.hip
extern __device__ int shared_number;   // likewise
void launch_other(int *out);           // launches a kernel of the other file
inline __constant__ int inline_number; // of both, and of no kernel
int inline_number_for_other();
void check_statics_of_other(); // static variables named like those of rdc.hip, with other values
