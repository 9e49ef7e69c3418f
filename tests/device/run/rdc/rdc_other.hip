#include "rdc.h"

static constexpr int file = 2;
#include "rdc_statics.h"

__device__ int shared_number = 100;
__device__ int doubled(int x) { return 2 * x; }

static __global__ void there(int *out) { *out = 7; }
void launch_other(int *out) { there<<<1, 1>>>(out); }

int inline_number_for_other() {
  int value = 0;
  (void)hipMemcpyFromSymbol(&value, HIP_SYMBOL(inline_number), sizeof value);
  return value;
}

void check_statics_of_other() { check_statics(); }
