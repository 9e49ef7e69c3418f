#include "parts.h"

__managed__ int managed = 3;

// Another of this name is in three.hip.
static __device__ int scaled(int x) { return 10 * x; }
__device__ int from_two(int x) { return scaled(from_one(x)); }
__global__ void kernel_two(Seen *seen) { look(seen, from_two(1), 1); }
void launch_two(Seen *seen) { kernel_two<<<1, 32>>>(seen); }
const int *managed_of_two() { return &managed; }
