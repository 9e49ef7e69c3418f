#include "program.h"
#include "../../common/guarded.h"
#include "../../common/uncancelled.h"
#include "../../ze/log.h"
#include "../memory/memory.h"
#include "../platform/platform.h"
#include "function_table.h"
#include "launch.h"
#include "library.h"

#include <hip/api/registration.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <format>
#include <map>

namespace chip {

struct FatBinary {
  const void *image = nullptr;
  struct Built {
    std::shared_ptr<const CodeObject> code;
    std::map<int, std::shared_ptr<BuiltModule>> modules; // by device ordinal
    std::map<int, Error> errors;                         // what does not build once never will
  };
  common::Guarded<Built> built; // locked while code is built for a device

  struct Managed {
    std::string name;
    void **pointer; // the host's variable
    void *memory;   // of all binaries that register this variable
  };
  std::vector<Managed> managed;
  std::atomic<size_t> constant_bytes{0}; // of all __constant__ variables

  BuiltModule &module(Device &device);
};

namespace {

constexpr int max_devices = 64;

/// A kernel of one binary. Launches read it without a lock, so that it is used again but never destroyed.
struct Function {
  std::atomic<const void *> key{nullptr}; // the host function
  FatBinary *binary = nullptr;
  std::string name;
  std::atomic<Kernel *> on_device[max_devices]{};
};

struct VariableEntry {
  FatBinary *binary;
  std::string name;
  size_t bytes;
  bool is_texture = false;
};

struct ManagedMemory {
  void *memory;
  size_t users; // binaries
};

// Libraries share the host's half of what has the same name in several of them, as templates and inline variables do. The first
// registration is the one that counts while it lasts, and each library takes only its own away.
struct Registry {
  std::map<FatBinary *, std::unique_ptr<FatBinary>> binaries;
  std::unordered_map<const void *, std::vector<Function *>> functions;
  std::unordered_map<const void *, std::vector<VariableEntry>> variables;
  std::unordered_map<void **, ManagedMemory> managed;
  std::deque<Function> all_functions;
  std::vector<Function *> free_functions;
};
constinit FunctionTable<Function> function_table; // changed under the registry's lock
/// The process's end is seen before it unregisters what is registered by now.
constinit std::atomic<bool> exit_is_watched{false};

common::Guarded<Registry> &registry() {
  // Used before and after everything else in the process.
  static auto &all = *new common::Guarded<Registry>;
  return all;
}

Function *make_function(Registry &r) {
  if (r.free_functions.empty()) {
    r.free_functions.reserve(r.all_functions.size() + 1);
    return &r.all_functions.emplace_back();
  }
  Function *function = r.free_functions.back();
  r.free_functions.pop_back();
  return function;
}

} // namespace

BuiltModule &FatBinary::module(Device &device) {
  const auto all = built.lock();
  auto &[code, modules, errors] = *all;
  auto &module = modules[device.ordinal()];
  if (!module) {
    device.scheduler().check_alive();
    if (auto failed = errors.find(device.ordinal()); failed != errors.end())
      throw Error(failed->second);
    std::shared_ptr<BuiltModule> made;
    try {
      if (!code)
        code = load_code_object(image, SIZE_MAX);
      made = std::make_shared<BuiltModule>(device, code);
    } catch (const Error &error) {
      if (error.code() == hipErrorSharedObjectInitFailed || error.code() == hipErrorInvalidImage ||
          error.code() == hipErrorNoBinaryForGpu)
        errors.emplace(device.ordinal(), error);
      throw;
    }
    // On the device a managed variable is a pointer to the memory that host and devices share.
    std::vector<std::pair<std::string, void *>> pointers;
    for (const Managed &variable : managed)
      pointers.emplace_back(variable.name, variable.memory);
    if (!pointers.empty())
      made->set_pointers(pointers);
    module = std::move(made);
    // Unregistering begins after the functions that were registered after it.
    if (!exit_is_watched.exchange(true, std::memory_order_relaxed))
      Platform::watch_for_exit();
  }
  return *module;
}

FatBinary *register_fat_binary(const void *data) {
  auto *wrapper = static_cast<const hipFatBinaryWrapper *>(data);
  auto binary = std::make_unique<FatBinary>();
  // A wrapper that is not ours is remembered without an image: its kernels then answer with an error when used.
  if (wrapper && wrapper->magic == HIP_FAT_BINARY_MAGIC)
    binary->image = wrapper->binary;
  const auto r = registry().lock();
  FatBinary *handle = binary.get();
  r->binaries.emplace(handle, std::move(binary));
  exit_is_watched.store(false, std::memory_order_relaxed);
  return handle;
}

void register_function(FatBinary *binary, const void *host_function, const char *name) {
  const auto r = registry().lock();
  auto &registered = r->functions[host_function];
  registered.reserve(registered.size() + 1);
  Function *function = make_function(*r);
  for (auto &kernel : function->on_device)
    kernel.store(nullptr, std::memory_order_relaxed);
  function->key = host_function;
  function->binary = binary;
  function->name = name;
  registered.push_back(function);
  function_table.set(registered.front());
}

void register_variable(FatBinary *binary, const void *host_variable, const char *name, size_t bytes,
                       bool constant) {
  const auto r = registry().lock();
  if (constant)
    binary->constant_bytes += bytes;
  r->variables[host_variable].push_back({binary, name, bytes});
}

void register_texture(FatBinary *binary, const void *reference, const char *name) {
  const auto r = registry().lock();
  r->variables[reference].push_back({binary, name, sizeof(textureReference), true});
}

bool is_texture_reference(const void *host_variable) {
  const auto r = registry().lock();
  auto found = r->variables.find(host_variable);
  return found != r->variables.end() && found->second.front().is_texture;
}

void register_managed_variable(FatBinary *binary, void **pointer, const void *initial,
                               const char *name, size_t bytes, unsigned alignment) {
  void *memory = nullptr;
  const bool is_known = registry().lock()->managed.contains(pointer);
  if (!is_known) { // no other thread registers it meanwhile: libraries are loaded one at a time
    memory = allocate(AllocationKind::managed, bytes, hipMemAttachGlobal, alignment, true);
    std::memcpy(memory, initial, bytes);
    *pointer = memory;
  }
  const auto r = registry().lock();
  ManagedMemory &managed = r->managed.try_emplace(pointer, memory, 0).first->second;
  binary->managed.push_back({name, pointer, managed.memory});
  ++managed.users;
}

namespace {

// The next registration of the same host function, if there is one, counts from now on.
void remove_functions(Registry &r, const FatBinary *binary) {
  for (auto it = r.functions.begin(); it != r.functions.end();) {
    auto &[key, registered] = *it;
    const auto own = std::ranges::stable_partition(
        registered, [&](const Function *function) { return function->binary != binary; });
    r.free_functions.insert(r.free_functions.end(), own.begin(), own.end());
    const bool any = !own.empty();
    registered.erase(own.begin(), own.end());
    if (any && !registered.empty())
      function_table.set(registered.front());
    else if (any)
      function_table.remove(key);
    it = registered.empty() ? r.functions.erase(it) : std::next(it);
  }
}

void remove_variables(Registry &r, const FatBinary *binary) {
  std::erase_if(r.variables, [&](auto &entry) {
    std::erase_if(entry.second,
                  [&](const VariableEntry &variable) { return variable.binary == binary; });
    return entry.second.empty();
  });
}

/// The memory that no other binary has a variable in.
std::vector<void *> remove_managed_variables(Registry &r, const FatBinary &binary) {
  std::vector<void *> unused;
  for (const FatBinary::Managed &variable : binary.managed)
    if (auto found = r.managed.find(variable.pointer);
        found != r.managed.end() && --found->second.users == 0) {
      unused.push_back(variable.memory);
      r.managed.erase(found);
    }
  return unused;
}

} // namespace

void unregister_fat_binary(FatBinary *binary) {
  std::unique_ptr<FatBinary> removed;
  std::vector<void *> unused;
  {
    const auto r = registry().lock();
    auto found = r->binaries.find(binary);
    if (found == r->binaries.end())
      return;
    removed = std::move(found->second);
    r->binaries.erase(found);
    remove_functions(*r, binary);
    remove_variables(*r, binary);
    unused = remove_managed_variables(*r, *binary);
  }
  // Outside the lock: the modules wait for their work.
  for (void *memory : unused)
    try {
      free_allocation(memory);
    } catch (const Error &) {
      // Freed although the device is lost, or else at the end of the process.
    }
}

namespace {

/// As find_kernel, when something has to be made first. Of its own, so that find_kernel() needs no stack.
[[gnu::noinline]] Kernel &make_kernel(const void *host_function, Device &device) {
  Function *found = nullptr;
  {
    const auto r = registry().lock();
    if (auto registered = r->functions.find(host_function); registered != r->functions.end())
      found = registered->second.front();
  }
  if (!found) {
    if (Kernel *kernel = find_library_kernel(host_function, &device))
      return *kernel;
    throw Error(hipErrorInvalidDeviceFunction, "`function` is not a registered kernel");
  }
  if (device.ordinal() >= max_devices)
    throw Error(hipErrorInvalidDevice);
  Function &function = *found;
  if (!function.binary->image)
    throw Error(hipErrorNoBinaryForGpu, "the program's device code is not of this format");
  try {
    Kernel &kernel = function.binary->module(device).kernel(function.name);
    kernel.constant_bytes = function.binary->constant_bytes.load();
    kernel.host_function = host_function;
    function.on_device[device.ordinal()].store(&kernel, std::memory_order_release);
    return kernel;
  } catch (const KernelRefused &refused) {
    const common::Uncancelled uncancelled;
    if (*refused.what() && !logs(LogLevel::error)) // which shows it as the call's failure
      std::fprintf(stderr, "libCHIP: %s\n", refused.what());
    throw;
  } catch (const Error &error) {
    if (device.scheduler().error() == hipSuccess) // a loss is told where it happens
      tell_refusal(function.name, error);
    if (error.code() == hipErrorNotFound)
      throw Error(hipErrorInvalidDeviceFunction, error.what());
    throw;
  }
}

} // namespace

Kernel &find_kernel(const void *host_function, Device &device) {
  const auto ordinal = unsigned(device.ordinal());
  if (ordinal < max_devices) [[likely]]
    if (Function *function = function_table.find(host_function)) [[likely]]
      if (Kernel *kernel = function->on_device[ordinal].load(std::memory_order_acquire)) [[likely]]
        return *kernel;
  return make_kernel(host_function, device);
}

ze::Variable find_variable(const void *host_variable, Device &device) {
  VariableEntry entry;
  {
    const auto r = registry().lock();
    auto found = r->variables.find(host_variable);
    if (found == r->variables.end())
      throw Error(hipErrorInvalidSymbol, "`symbol` is not a registered variable of device code");
    entry = found->second.front();
  }
  ze::Variable variable = entry.binary->module(device).variable(entry.name.c_str());
  if (!variable.address)
    throw Error(hipErrorInvalidSymbol,
                std::format("the device code has no variable '{}'", entry.name));
  variable.bytes = entry.bytes;
  return variable;
}

void release_program_modules() {
  const auto r = registry().lock();
  for (auto &[handle, binary] : r->binaries) {
    binary->built.lock()->modules.clear();
    binary->managed.clear(); // their memory goes with all other
  }
  r->managed.clear();
  for (Function &function : r->all_functions)
    for (auto &kernel : function.on_device)
      kernel.store(nullptr, std::memory_order_release);
}

} // namespace chip
