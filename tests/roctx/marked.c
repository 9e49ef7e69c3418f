/* Marks in a program that uses HIP. */
#include <hip/hip_runtime_api.h>
#include <roctracer/roctx.h>

int main(void) {
  if (hipGetErrorName(hipSuccess) == 0)
    return 1;
  roctxMark("a mark");
  const int begun = roctxRangePush("range");
  const int ended = roctxRangePop();
  roctxRangeStop(roctxRangeStart("started"));
  return begun == 0 && ended == 0 ? 0 : 1;
}
