// Device code on a device: what hipModule_t and hipFunction_t stand for.
#pragma once

#include "../../common/guarded.h"
#include "../platform/device.h"
#include "code_object.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace chip {
class BuiltModule;
}

/// A kernel of one module on one device.
struct ihipModuleSymbol_t {
  static constexpr uint32_t alive_mark = 0x4b65726e;
  /// Alive while the program may have the handle: it was given out, and a load of the module is left.
  std::atomic<uint32_t> mark{0};
  chip::KernelTarget target;
  chip::Device *device = nullptr;
  chip::BuiltModule *module = nullptr; // that it is part of
  // What hipFuncSetAttribute set; -1 where it did not.
  std::atomic<int> max_dynamic_shared_bytes{-1};
  std::atomic<int> shared_carveout{-1}; // per cent, a hint
  uint32_t device_group_size = 0;       // the limit without __launch_bounds__
  // A launch with less than so many blocks in each dimension, no more threads in a block, and no more dynamic shared memory is
  // within all limits.
  uint32_t usual_grid = 0, usual_threads = 0;
  size_t usual_shared_bytes = 0;
  // Of the program's own code: bytes of all its __constant__ variables, and the function of the host that stands for the kernel.
  std::atomic<size_t> constant_bytes{0};
  std::atomic<const void *> host_function{nullptr};
};

namespace chip {

using Kernel = ihipModuleSymbol_t;

/// The device cannot run a kernel: each attempt will fail. The text names the kernel and the reason; it is empty but for the
/// first time, so that nobody tells it at each launch.
class KernelRefused : public Error {
public:
  using Error::Error;
};

/// Device code built for one device.
class BuiltModule : public std::enable_shared_from_this<BuiltModule> {
public:
  /// Builds the code and runs the kernel that completes initialisers with addresses in them. Throws with the build log.
  BuiltModule(Device &device, std::shared_ptr<const CodeObject> code);
  /// Waits for work that may use the module.
  ~BuiltModule();
  BuiltModule(const BuiltModule &) = delete;
  BuiltModule &operator=(const BuiltModule &) = delete;

  Device &device() const { return device_; }
  const CodeObject &code() const { return *code_; }
  /// A kernel by its symbol name, the same object at each call. Throws hipErrorNotFound, and KernelRefused. Thread-safe.
  Kernel &kernel(const std::string &name);
  /// No handle of a kernel stands for anything from now on, until kernel() gives it out again.
  void retire_handles();
  /// A `__device__`, `__constant__` or `__managed__` variable; a null address if there is none of that name.
  ze::Variable variable(const char *name);

  /// Kernels can write nothing of the module: any number of loads may share it.
  bool is_stateless() const {
    return code_->contents.variables.empty() && !code_->contents.has_hidden_variables;
  }
  /// Gives each `__managed__` variable memory that the host can reach, and its initial value: for code that the program loads,
  /// since nothing in the program stands for these variables. Before remember_variables().
  void allocate_managed_variables();
  /// Takes a copy of the variables as they are now, so that reset() can set them to it. False if that cannot be done, or would
  /// need much memory.
  bool remember_variables();
  /// Sets variables that hold a pointer, those of them that the module has. Waits for no other work.
  void set_pointers(const std::vector<std::pair<std::string, void *>> &values);
  /// No work uses the module, as far as can be told without waiting.
  bool is_free() {
    return !in_use_.load(std::memory_order_relaxed) || device_.scheduler().is_idle();
  }
  /// Sets the variables of a module that is free as they were remembered.
  void reset();

private:
  struct Snapshot { // of variables that lie in one allocation of the driver
    void *address;
    std::vector<std::byte> bytes;
  };
  template <class Work> void run_alone(Work &&work);
  void release();
  Kernel &find_kernel(const std::string &name);
  ze::Variable find_variable(const char *name);

  Device &device_;
  std::shared_ptr<const CodeObject> code_;
  ze::Module module_;
  struct Found { // what was asked for, by name
    std::unordered_map<std::string, Kernel *> kernels;
    std::unordered_map<std::string, ze::Variable> variables;
    std::unordered_set<std::string> refused; // kernels
  };
  common::Guarded<Found> found_;
  struct ManagedVariable {
    ze::Variable memory, initial, pointer; // kernels find it by the pointer
  };
  void submit_initial_values(Queue &queue);

  std::vector<Snapshot> initial_;
  std::map<std::string, ManagedVariable, std::less<>> managed_; // allocate_managed_variables()
  std::atomic<bool> in_use_{
      false}; // somebody was given a kernel or a variable, so that work may use the module
};

/// hipModuleLoad and hipModuleLoadData: device code from a file or from memory, for the current device.
hipModule_t load_module_file(const char *path);
hipModule_t load_module_data(const void *image);
/// The bytes of a file with device code. Throws hipErrorFileNotFound, or hipErrorInvalidImage for one that is too short.
std::vector<char> read_code_file(const char *path);
/// Throws hipErrorNotFound for what is no loaded module, hipErrorInvalidResourceHandle for null.
void unload_module(hipModule_t module);
/// Throws hipErrorInvalidResourceHandle for what is no loaded module. What was found stays loaded while it is held.
std::shared_ptr<BuiltModule> find_module(hipModule_t module);
/// Throws hipErrorInvalidResourceHandle for what is no kernel of a loaded module, or of a library: that is its kernel on the
/// current device.
Kernel &find_function(hipFunction_t function);
/// The program's kernels in some code, in the order of their names.
std::vector<std::string> kernel_names(const CodeObject &code);
/// Whether a kernel of this name is the program's, not ours.
bool is_programs_kernel(std::string_view name);

/// Unloads everything, the program's own code included: the process is ending.
void release_all_modules();

} // namespace chip
