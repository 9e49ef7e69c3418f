// What a source that hiprtc compiles may use without including anything but HIP. Not run.
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

texture<float> table;

extern "C" __global__ void kernel(uint32_t *numbers, size_t count, dim3 size,
                                  hipTextureObject_t object) {
  if (count > size.x && object != nullptr)
    numbers[0] = static_cast<std::uint32_t>(count);
}
