// The kernels of kernels.cl as a C++ programmer would write them with OpenMP: what their time is compared with.
#pragma once

#include <cstdint>

namespace bench::native {

void add(const float *a, const float *b, float *c, int n);
void exp_add(const float *a, const float *b, float *c, int n);
void multiply_matrices(const float *a, const float *b, float *c, int n);
float sum(const float *in, int n);
void transpose(const float *in, float *out, int n);
void stencil(const float *in, float *out, int n);
void nbody(const float *bodies, float *accelerations, int n);
void histogram(const uint32_t *in, uint32_t *bins, int n);

} // namespace bench::native
