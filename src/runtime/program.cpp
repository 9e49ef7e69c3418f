#include "program.h"
#include "memory.h"
#include "platform.h"

#include <hip/api/registration.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <format>
#include <map>

namespace chip {

struct FatBinary {
  const void *image = nullptr;
  std::mutex mutex; // building for a device
  std::shared_ptr<const CodeObject> code;
  std::map<int, std::unique_ptr<BuiltModule>> modules; // by device ordinal
  std::map<int, Error> build_errors;                   // what does not build once never will

  std::vector<std::pair<std::string, void *>> managed; // names and memory
  std::atomic<size_t> constant_bytes{0};               // of all __constant__ variables

  BuiltModule &module(Device &device);
};

namespace {

constexpr int max_devices = 64;

struct Function {
  FatBinary *binary;
  std::string name;
  std::atomic<Kernel *> on_device[max_devices]{};
};

struct VariableEntry {
  FatBinary *binary;
  std::string name;
  size_t bytes;
  bool is_texture = false;
};

/// Host function to kernel: a hash table that is never changed once published, so that launches read it without a lock.
class FunctionTable {
public:
  explicit FunctionTable(const std::unordered_map<const void *, std::unique_ptr<Function>> &functions)
      : mask_(std::bit_ceil(functions.size() * 2 + 1) - 1), slots_(new Slot[mask_ + 1]) {
    for (auto &[key, function] : functions)
      find_slot(key) = {key, function.get()};
  }
  Function *find(const void *key) const { return find_slot(key).function; }

private:
  struct Slot {
    const void *key = nullptr;
    Function *function = nullptr;
  };
  Slot &find_slot(const void *key) const {
    size_t index = (reinterpret_cast<uintptr_t>(key) >> 3) * 0x9e3779b97f4a7c15ull >> 32;
    for (;; ++index) {
      Slot &slot = slots_[index & mask_];
      if (slot.key == key || !slot.function)
        return slot;
    }
  }
  const size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
};

struct Registry {
  std::mutex mutex;
  std::map<FatBinary *, std::unique_ptr<FatBinary>> binaries;
  std::unordered_map<const void *, std::unique_ptr<Function>> functions;
  std::unordered_map<const void *, VariableEntry> variables;
  // Tables and functions that a launch in another thread may still be reading.
  std::vector<std::unique_ptr<const FunctionTable>> retired_tables;
  std::vector<std::unique_ptr<Function>> retired_functions;
};
// Null: to be made anew.
constinit std::atomic<const FunctionTable *> function_table{nullptr};

Registry &registry() {
  static Registry *const all = new Registry; // used before and after everything else in the process
  return *all;
}

} // namespace

BuiltModule &FatBinary::module(Device &device) {
  std::lock_guard lock(mutex);
  auto &module = modules[device.ordinal()];
  if (!module) {
    device.scheduler().check_alive();
    if (auto failed = build_errors.find(device.ordinal()); failed != build_errors.end())
      throw Error(failed->second);
    std::unique_ptr<BuiltModule> built;
    try {
      if (!code)
        code = load_code_object(image, SIZE_MAX);
      built = std::make_unique<BuiltModule>(device, code);
    } catch (const Error &error) {
      if (error.code() == hipErrorSharedObjectInitFailed || error.code() == hipErrorInvalidImage ||
          error.code() == hipErrorNoBinaryForGpu)
        build_errors.emplace(device.ordinal(), error);
      throw;
    }
    // On the device a managed variable is a pointer to the memory that host and devices share.
    if (!managed.empty())
      built->set_pointers(managed);
    module = std::move(built);
  }
  return *module;
}

FatBinary *register_fat_binary(const void *data) {
  auto *wrapper = static_cast<const hipFatBinaryWrapper *>(data);
  auto binary = std::make_unique<FatBinary>();
  // A wrapper that is not ours is remembered without an image: its kernels then answer with an error when used.
  if (wrapper && wrapper->magic == HIP_FAT_BINARY_MAGIC)
    binary->image = wrapper->binary;
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  FatBinary *handle = binary.get();
  r.binaries.emplace(handle, std::move(binary));
  return handle;
}

void register_function(FatBinary *binary, const void *host_function, const char *name) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  auto function = std::make_unique<Function>();
  function->binary = binary;
  function->name = name;
  auto &slot = r.functions[host_function];
  if (slot)
    r.retired_functions.push_back(std::move(slot));
  slot = std::move(function);
  function_table.store(nullptr, std::memory_order_release);
}

void register_variable(FatBinary *binary, const void *host_variable, const char *name, size_t bytes,
                       bool constant) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  if (constant)
    binary->constant_bytes += bytes;
  r.variables.insert_or_assign(host_variable, VariableEntry{binary, name, bytes});
}

void register_texture(FatBinary *binary, const void *reference, const char *name) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  r.variables.insert_or_assign(reference, VariableEntry{binary, name, sizeof(textureReference), true});
}

bool is_texture_reference(const void *host_variable) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  auto found = r.variables.find(host_variable);
  return found != r.variables.end() && found->second.is_texture;
}

void register_managed_variable(FatBinary *binary, void **pointer, const void *initial,
                               const char *name, size_t bytes, unsigned alignment) {
  void *memory = allocate(AllocationKind::managed, bytes, hipMemAttachGlobal, alignment);
  std::memcpy(memory, initial, bytes);
  *pointer = memory;
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  binary->managed.emplace_back(name, memory);
}

bool is_managed_variable(const void *address) {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  return std::ranges::any_of(r.binaries, [&](const auto &entry) {
    return std::ranges::any_of(entry.second->managed,
                               [&](const auto &variable) { return variable.second == address; });
  });
}

void unregister_fat_binary(FatBinary *binary) {
  Registry &r = registry();
  std::unique_ptr<FatBinary> removed;
  {
    std::lock_guard lock(r.mutex);
    auto found = r.binaries.find(binary);
    if (found == r.binaries.end())
      return;
    removed = std::move(found->second);
    r.binaries.erase(found);
    for (auto it = r.functions.begin(); it != r.functions.end();) {
      if (it->second->binary == binary) {
        r.retired_functions.push_back(std::move(it->second));
        it = r.functions.erase(it);
      } else {
        ++it;
      }
    }
    std::erase_if(r.variables, [&](auto &entry) { return entry.second.binary == binary; });
    function_table.store(nullptr, std::memory_order_release);
  }
  // Outside the lock: the modules wait for their work.
  for (auto &[name, memory] : removed->managed)
    try {
      free_allocation(memory);
    } catch (const Error &) {
      // Freed although the device is lost, or else at the end of the process.
    }
}

namespace {

/// As find_kernel, when something has to be made first.
Kernel &make_kernel(const void *host_function, Device &device) {
  Registry &r = registry();
  Function *found;
  {
    std::lock_guard lock(r.mutex);
    if (!function_table.load(std::memory_order_relaxed))
      function_table.store(
          r.retired_tables.emplace_back(std::make_unique<FunctionTable>(r.functions)).get(),
          std::memory_order_release);
    found = function_table.load(std::memory_order_relaxed)->find(host_function);
  }
  if (!found)
    throw Error(hipErrorInvalidDeviceFunction, "the launched function is no registered kernel");
  if (device.ordinal() >= max_devices)
    throw Error(hipErrorInvalidDevice);
  Function &function = *found;
  if (!function.binary->image)
    throw Error(hipErrorNoBinaryForGpu, "the program's device code is not of this format");
  BuiltModule &module = function.binary->module(device);
  try {
    Kernel &kernel = module.kernel(function.name);
    kernel.constant_bytes = function.binary->constant_bytes.load();
    function.on_device[device.ordinal()].store(&kernel, std::memory_order_release);
    return kernel;
  } catch (const Error &error) {
    if (error.code() == hipErrorNotFound)
      throw Error(hipErrorInvalidDeviceFunction, error.what());
    throw;
  }
}

} // namespace

Kernel &find_kernel(const void *host_function, Device &device) {
  const FunctionTable *table = function_table.load(std::memory_order_acquire);
  const auto ordinal = unsigned(device.ordinal());
  if (table && ordinal < max_devices) [[likely]]
    if (Function *function = table->find(host_function)) [[likely]]
      if (Kernel *kernel = function->on_device[ordinal].load(std::memory_order_acquire)) [[likely]]
        return *kernel;
  return make_kernel(host_function, device);
}

ze::Variable find_variable(const void *host_variable, Device &device) {
  Registry &r = registry();
  VariableEntry entry;
  {
    std::lock_guard lock(r.mutex);
    auto found = r.variables.find(host_variable);
    if (found == r.variables.end())
      throw Error(hipErrorInvalidSymbol, "the symbol is no registered device variable");
    entry = found->second;
  }
  ze::Variable variable = entry.binary->module(device).variable(entry.name.c_str());
  if (!variable.address)
    throw Error(hipErrorInvalidSymbol, std::format("the device code has no variable '{}'", entry.name));
  variable.bytes = entry.bytes;
  return variable;
}

void release_program_modules() {
  Registry &r = registry();
  std::lock_guard lock(r.mutex);
  for (auto &[handle, binary] : r.binaries) {
    binary->modules.clear();
    binary->managed.clear(); // their memory goes with all other
  }
  for (auto &[key, function] : r.functions)
    for (auto &kernel : function->on_device)
      kernel.store(nullptr, std::memory_order_release);
}

} // namespace chip
