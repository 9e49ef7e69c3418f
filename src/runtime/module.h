// Device code on a device: what hipModule_t and hipFunction_t stand for.
#pragma once

#include "code_object.h"
#include "device.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

/// A kernel of one module on one device.
struct ihipModuleSymbol_t {
  chip::KernelTarget target;
  chip::Device *device = nullptr;
};

/// Device code built for one device.
struct ihipModule_t {
public:
  /// Builds the code and runs the kernel that completes initialisers with addresses in them. Throws with the build log.
  ihipModule_t(chip::Device &device, std::shared_ptr<const chip::CodeObject> code);
  /// Waits for work that may use the module.
  ~ihipModule_t();
  ihipModule_t(const ihipModule_t &) = delete;
  ihipModule_t &operator=(const ihipModule_t &) = delete;

  chip::Device &device() const { return device_; }
  /// A kernel by its symbol name, the same object at each call. Throws hipErrorNotFound. Thread-safe.
  ihipModuleSymbol_t &kernel(const std::string &name);
  /// A `__device__` or `__constant__` variable; a null address if there is none of that name.
  chip::ze::Variable variable(const char *name);

private:
  chip::Device &device_;
  std::shared_ptr<const chip::CodeObject> code_;
  chip::ze::Module module_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<ihipModuleSymbol_t>> kernels_;
  std::unordered_map<std::string, chip::ze::Variable> variables_; // those that were asked for
};

namespace chip {

using Module = ihipModule_t;
using Kernel = ihipModuleSymbol_t;

/// hipModuleLoad and hipModuleLoadData: device code from a file or from memory, for the current device.
Module *load_module_file(const char *path);
Module *load_module_data(const void *image);
/// Throws hipErrorInvalidHandle for what is no loaded module.
void unload_module(Module *module);
Module &find_module(hipModule_t module);

/// Unloads everything, the program's own code included: the process is ending.
void release_all_modules();

} // namespace chip
