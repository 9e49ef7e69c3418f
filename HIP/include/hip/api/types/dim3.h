/// dim3: the size of a grid in blocks, or of a block in threads.
#pragma once

#include <hip/api/types/integers.h>
#include <hip/api/types/qualifiers.h>

typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
#ifdef __cplusplus
  /// Sizes that are left out are 1.
  constexpr __host__ __device__ dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1)
      : x(x_), y(y_), z(z_) {}
#endif
} dim3;
