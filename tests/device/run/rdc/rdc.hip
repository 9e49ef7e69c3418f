// Relocatable device code: functions, variables and kernels across files (-fgpu-rdc).
#include "rdc.h"

#include "../device_test.h"

static constexpr int file = 1;
#include "rdc_statics.h"

using namespace device_test;

__global__ void here(int *out) { out[0] = doubled(21) + shared_number; }

int main() {
  Array<int> out(2);
  here<<<1, 1>>>(out.get());
  launch_other(out.get() + 1);
  wait();
  CHECK(out[0] == 142);
  CHECK(out[1] == 7);
  int value = 200;
  CALL(hipMemcpyToSymbol(shared_number, &value, sizeof value));
  here<<<1, 1>>>(out.get());
  wait();
  CHECK(out[0] == 242);
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(inline_number), &value, sizeof value));
  CHECK(inline_number_for_other() == 200);
  check_statics();
  check_statics_of_other();
  return result();
}
