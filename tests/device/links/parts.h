// A program of relocatable device code: one.hip, and two.hip and three.hip out of a static library.
// Each has a kernel, calls functions of the others, and uses variables of all.
#pragma once

#include <hip/hip_runtime.h>

extern __device__ int counter;      // of one.hip
extern __constant__ int factors[4]; // of one.hip
extern __managed__ int managed;     // of two.hip
inline constexpr int offsets[4] = {10, 20, 30, 40};
inline __device__ int inline_counter = 5;

__device__ int from_one(int x);
__device__ int from_two(int x);
__device__ int from_three(int x);

/// What a kernel of one of the files saw.
struct Seen {
  int called;         // a function of that file that calls one of another
  int counted;        // counter, before it was raised
  int constants;      // of factors and offsets
  int inline_counted; // inline_counter, after it was raised
  int managed;
  unsigned int warp; // as a ballot of 32 threads
};

__device__ inline void look(Seen *seen, int called, int index) {
  const unsigned int warp = (unsigned int)__ballot(1);
  if (threadIdx.x == 0)
    *seen = {called, counter++, factors[index] + offsets[index], ++inline_counter, managed, warp};
}

__global__ void kernel_two(Seen *seen); // launched by one.hip, too
void launch_two(Seen *seen);
void launch_three(Seen *seen);
const int *managed_of_two();
