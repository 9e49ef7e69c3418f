// The kernels of a process that ends: of the program, and of a library that it loads.
#pragma once

#include <hip/hip_runtime.h>

namespace exits {

enum class Kernel { short_, long_, endless, printing };

/// Numbers of memory that kernels use.
struct Numbers {
  int count;
  volatile int never; // what an endless kernel waits for
};

static __global__ void add_one(Numbers *numbers) { atomicAdd(&numbers->count, 1); }
static __global__ void take_long(Numbers *numbers) {
  for (int i = 0; i < 1'000'000 && numbers->never == 0; ++i) {
  }
  atomicAdd(&numbers->count, 1);
}
static __global__ void spin(Numbers *numbers) {
  while (numbers->never == 0) {
  }
}
static __global__ void print(Numbers *numbers) {
  printf("printed %d\n", atomicAdd(&numbers->count, 1));
}

static inline void launch(Kernel kernel, Numbers *numbers, hipStream_t stream) {
  switch (kernel) {
  case Kernel::short_:
    add_one<<<4, 32, 0, stream>>>(numbers);
    break;
  case Kernel::long_:
    take_long<<<2, 1, 0, stream>>>(numbers);
    break;
  case Kernel::endless:
    spin<<<1, 1, 0, stream>>>(numbers);
    break;
  case Kernel::printing:
    print<<<1, 32, 0, stream>>>(numbers);
    break;
  }
}

using Launch = void(Kernel, Numbers *, hipStream_t);

} // namespace exits
