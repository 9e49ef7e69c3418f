// Variables of a file that has no kernel, and that no device code uses.
#include "../device_test.h"

using namespace device_test;

__device__ int numbers[4] = {1, 2, 3, 4};
__constant__ int factors[3] = {10, 20, 30};
__managed__ int managed = 5;

int main() {
  int read[4] = {}, written[4] = {5, 6, 7, 8};
  CALL(hipMemcpyFromSymbol(read, numbers, sizeof numbers));
  CHECK(read[0] == 1 && read[3] == 4);
  CALL(hipMemcpyToSymbol(numbers, written, sizeof numbers));
  CALL(hipMemcpyFromSymbol(read, numbers, sizeof numbers));
  CHECK(read[0] == 5 && read[3] == 8);
  CALL(hipMemcpyFromSymbol(read, factors, sizeof factors));
  CHECK(read[0] == 10 && read[2] == 30);
  void *address = nullptr;
  CALL(hipGetSymbolAddress(&address, factors));
  CHECK(address != nullptr);
  CHECK(managed == 5);
  return result();
}
