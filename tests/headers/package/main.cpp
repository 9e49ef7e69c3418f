#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_AMD__
#error "the package says which platform this is"
#endif

int main() {
  int version = 0;
  if (hipRuntimeGetVersion(&version) != hipSuccess)
    return 1;
  return version == HIP_VERSION ? 0 : 2;
}
