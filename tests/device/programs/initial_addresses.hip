// Variables whose initial values are addresses: of variables, of text, of functions.
#include "check.h"

__device__ int value = 3;
__device__ int *pointer = &value;
__device__ int array[4] = {10, 20, 30, 40};
__device__ int *inside[2] = {&array[1], array + 3};
__device__ const char *words[] = {"zero", "one", "two"};
struct Node {
  int number;
  Node *next;
};
extern __device__ Node second;
__device__ Node first = {1, &second};
__device__ Node second = {2, &first};
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int (*operations[])(int, int) = {add, multiply};

// Addresses of themselves.
__device__ void *self = &self;
__device__ Node ring = {3, &ring};
__device__ int *third = &array[2];

__global__ void read_all(int *p) {
  p[0] = *pointer;
  p[1] = *inside[0];
  p[2] = *inside[1];
  p[3] = words[p[15]][0];
  p[4] = words[2][2];
  p[5] = first.next->number;
  p[6] = first.next->next->number;
  p[7] = operations[p[15] - 1](3, 4);
  p[8] = operations[p[15]](3, 4);
  p[9] = self == static_cast<void *>(&self);
  p[10] = ring.next->next->number;
  p[11] = static_cast<int>(third - array);
  p[12] = *third;
}
__global__ void move_pointer() { pointer = &array[2]; }

int main() {
  std::vector<int> values(16);
  values[15] = 1;
  Buffer<int> p(values);
  read_all<<<1, 1>>>(p);
  launched();
  const int expected[] = {3, 20, 40, 'o', 'o', 2, 1, 7, 12, 1, 3, 2, 30};
  {
    const auto &r = p.read();
    for (int i = 0; i < 13; ++i)
      CHECK_AT(i, r[i] == expected[i]);
  }
  // They are set once, and not again at every launch.
  move_pointer<<<1, 1>>>();
  read_all<<<1, 1>>>(p);
  launched();
  CHECK(p.read()[0] == 30);
  return verdict();
}
