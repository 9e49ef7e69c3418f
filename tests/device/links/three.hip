#include "parts.h"

static __device__ int scaled(int x) { return 1000 * x; }
__device__ int from_three(int x) { return scaled(x) + from_one(x); }
static __global__ void kernel_three(Seen *seen) { look(seen, from_three(1) + from_two(1), 2); }
void launch_three(Seen *seen) { kernel_three<<<1, 32>>>(seen); }
