/// What kernels use of <string.h>. Declared before that header is read, so that std::memcpy is one
/// of these in device code.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

CHIP_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) {
  return __builtin_memcpy(to, from, bytes);
}
CHIP_DEVICE void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes) {
  return __builtin_memmove(to, from, bytes);
}
CHIP_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ bytes) {
  return __builtin_memset(to, value, bytes);
}
