// Compiles a kernel by a command, for the architecture that the device says, and loads the file.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>

static bool works() {
  hipDeviceProp_t properties;
  hipDevice_t device;
  if (hipInit(0) != hipSuccess || hipDeviceGet(&device, 0) != hipSuccess ||
      hipGetDeviceProperties(&properties, 0) != hipSuccess)
    return false;
  // A device of AMD's adds its features behind a colon.
  std::string name = properties.gcnArchName;
  name = name.substr(0, name.find(':'));
  const std::string command =
      "hipcc --genco -O3 --offload-arch=" + name + " -I. kernel.cpp -o binary 2>&1";
  hipModule_t module;
  hipFunction_t function;
  hipDeviceptr_t memory;
  if (name.empty() || std::system(command.c_str()) != 0 ||
      hipModuleLoad(&module, "binary") != hipSuccess ||
      hipModuleGetFunction(&function, module, "write") != hipSuccess ||
      hipMalloc(&memory, sizeof(int)) != hipSuccess)
    return false;
  int value = 5, result = 0;
  void *arguments[] = {&memory, &value};
  return hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ==
             hipSuccess &&
         hipMemcpyDtoH(&result, memory, sizeof result) == hipSuccess && result == value;
}

int main() {
  std::puts(works() ? "ok" : "wrong");
  return 0;
}
