#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <cstdio>

int main() {
  int devices = 0, major = 0, minor = 0;
  std::puts(hipGetDeviceCount(&devices) == hipSuccess && devices > 0 &&
                    hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS && major == HIP_VERSION_MAJOR
                ? "ok"
                : "wrong");
  return 0;
}
