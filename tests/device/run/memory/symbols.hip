// __device__ and __constant__ variables: initial values, writing and reading from the host, addresses in initialisers.
#include "../device_test.h"

using namespace device_test;

__device__ int number = 42;
__device__ float table[4] = {1, 2, 3, 4};
__constant__ int factors[3] = {10, 20, 30};
__device__ int target = 77;
__device__ int *pointer = &target;              // an address in an initialiser
__device__ const float *const rows[2] = {table, table + 2};
static __device__ int private_counter = 1;
__managed__ int managed = 5;
struct Padded {
  char first;
  alignas(16) int second;
};
__device__ Padded padded = {1, 6};

__global__ void read_all(int *out) {
  out[0] = number;
  out[1] = int(table[2]);
  out[2] = factors[1];
  out[3] = *pointer;
  out[4] = int(rows[1][1]);
  out[5] = private_counter++;
  out[6] = managed++;
  out[7] = padded.first + padded.second++;
}

int main() {
  Array<int> out(8);
  auto run = [&] {
    read_all<<<1, 1>>>(out.get());
    wait();
  };
  run();
  const int expected[] = {42, 3, 20, 77, 4, 1, 5, 7};
  for (size_t i = 0; i < 8; ++i)
    CHECK(out[i] == expected[i]);

  int value = 43;
  CALL(hipMemcpyToSymbol(number, &value, sizeof value));
  float third = 33;
  CALL(hipMemcpyToSymbol(table, &third, sizeof third, 2 * sizeof(float)));
  int new_factors[3] = {100, 200, 300};
  CALL(hipMemcpyToSymbol(factors, new_factors, sizeof new_factors));
  run();
  CHECK(out[0] == 43);
  CHECK(out[1] == 33);
  CHECK(out[2] == 200);
  CHECK(out[5] == 2);
  CHECK(managed == 7);

  float all[4] = {};
  CALL(hipMemcpyFromSymbol(all, table, sizeof all));
  CHECK(all[0] == 1);
  CHECK(all[2] == 33);
  CALL(hipMemcpyFromSymbol(&value, factors, sizeof value, sizeof(int)));
  CHECK(value == 200);
  void *address = nullptr;
  size_t size = 0;
  CALL(hipGetSymbolAddress(&address, table));
  CALL(hipGetSymbolSize(&size, table));
  CHECK(size == sizeof all);
  CALL(hipMemcpy(&third, static_cast<float *>(address) + 3, sizeof third, hipMemcpyDeviceToHost));
  CHECK(third == 4);
  CHECK(hipMemcpyToSymbol(number, &value, 8) == hipErrorInvalidValue);
  int not_a_symbol = 0;
  CHECK(hipGetSymbolAddress(&address, &not_a_symbol) == hipErrorInvalidSymbol);
  (void)hipGetLastError();
  return result();
}
