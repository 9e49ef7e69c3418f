// The kernels of kernels.cl as a C++ programmer would write them with OpenMP: what their time is compared with.
#pragma once

#include <cstdint>
#include <sched.h>

namespace bench::native {

/// While it lives, each of OpenMP's threads, the calling one among them, is kept on a processor of its own. The system often runs two
/// that have little to do one after the other on the same processor, where they take half of the processor time if its other half,
/// with which it shares its units, has nothing to do meanwhile.
class OnOwnProcessors {
public:
  OnOwnProcessors();
  ~OnOwnProcessors();
  OnOwnProcessors(const OnOwnProcessors &) = delete;

private:
  cpu_set_t before_;
};

void add(const float *a, const float *b, float *c, int n);
void exp_add(const float *a, const float *b, float *c, int n);
void multiply_matrices(const float *a, const float *b, float *c, int n);
float sum(const float *in, int n);
void transpose(const float *in, float *out, int n);
void stencil(const float *in, float *out, int n);
void nbody(const float *bodies, float *accelerations, int n);
void histogram(const uint32_t *in, uint32_t *bins, int n);

} // namespace bench::native
