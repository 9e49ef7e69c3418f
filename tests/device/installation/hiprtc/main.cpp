#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <string>

static bool answers() {
  hiprtcProgram program;
  const char *source = "extern \"C\" __global__ void write(int *p) { *p = 7; }";
  size_t size = 0;
  if (hiprtcCreateProgram(&program, source, "write.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS ||
      hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS)
    return false;
  std::string code(size, '\0');
  hipModule_t module;
  hipFunction_t function;
  int *p = nullptr;
  if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS ||
      hipModuleLoadData(&module, code.data()) != hipSuccess ||
      hipModuleGetFunction(&function, module, "write") != hipSuccess ||
      hipMallocManaged(reinterpret_cast<void **>(&p), sizeof *p, hipMemAttachGlobal) != hipSuccess)
    return false;
  void *arguments[] = {&p};
  return hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ==
             hipSuccess &&
         hipDeviceSynchronize() == hipSuccess && *p == 7;
}

int main() {
  std::puts(answers() ? "ok" : "wrong");
  return 0;
}
