// HIP API reference: Module management.
#include "../runtime/code/module.h"
#include "../runtime/code/program.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::required;

hipError_t hipModuleLoad(hipModule_t *module, const char *file) {
  return entry([&] {
    required(module);
    if (required(file) == '\0')
      throw Error(hipErrorInvalidValue, "`file` is empty");
    *module = load_module_file(file);
  });
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return entry([&] {
    make_into(module,
              [&] { return load_module_data(&required(static_cast<const char *>(image))); });
  });
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int, hipJitOption *,
                               void **) {
  // The options tune AMD's and NVIDIA's compilers; none changes what the code does.
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleUnload(hipModule_t module) {
  return entry([&] { unload_module(module); });
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  return entry([&] {
    required(function);
    *function = &find_module(module)->kernel(&required(name));
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *bytes, hipModule_t module,
                              const char *name) {
  return entry([&] {
    ze::Variable variable = find_module(module)->variable(&required(name));
    if (!variable.address)
      throw Error(hipErrorNotFound, "`module` has no variable `name`");
    if (address)
      *address = variable.address;
    if (bytes)
      *bytes = variable.bytes;
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol) {
  return entry([&] { required(function) = &find_kernel(symbol, Platform::current_device()); });
}
