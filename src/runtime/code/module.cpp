#include "module.h"
#include "../../common/device_contract.h"
#include "../../common/handle_pool.h"
#include "../../common/handle_table.h"
#include "../../common/processor/float_environment.h"
#include "../../common/readable_name.h"
#include "../../common/uncancelled.h"
#include "../../ze/log.h"
#include "../memory/memory.h"
#include "../operations/copy.h"
#include "../operations/launch.h"
#include "../platform/device_services.h"
#include "../platform/platform.h"
#include "../textures/texture_reference.h"
#include "library.h"
#include "module_cache.h"
#include "program.h"
#include "shared_memory.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <format>
#include <fstream>

/// One load of a module.
struct ihipModule_t {
  std::shared_ptr<chip::BuiltModule> built;

  explicit ihipModule_t(std::span<const std::byte> spirv)
      : built(chip::ModuleCache::instance().acquire(chip::Platform::current_device(), spirv)) {}
  ~ihipModule_t() {
    try {
      chip::forget_texture_references(this);
    } catch (const std::bad_alloc &) {
      // The places of their textures are not used again.
    }
    chip::ModuleCache::instance().release(built);
  }
  ihipModule_t(const ihipModule_t &) = delete;
};

namespace chip {
namespace {

using device_contract::init_kernel;

// HIP promises correctly rounded division and square root of floats by default; OpenCL code, as which drivers see ours, not.
constexpr const char *build_flags = "-cl-fp32-correctly-rounded-divide-sqrt";

/// A module with more in its variables is built again at each load instead of keeping a copy of them.
constexpr size_t largest_snapshot = 16 << 20;

using Load = ihipModule_t;
/// Outlives static destructors, which may unload modules.
common::HandleTable<Load> &loads() {
  static auto &all = *new common::HandleTable<Load>;
  return all;
}

/// The driver's compiler is loaded with the first module.
ze::Module build_module(Device &device, const CodeObject &code) {
  const common::Uncancelled uncancelled;
  const common::DefaultFloatEnvironment environment; // compilers compute
  static constinit std::atomic<bool> compiler_is_there{false};
  const auto build = [&] {
    log(LogLevel::info, [&] {
      return std::format("a module of {} bytes of SPIR-V is built by the driver for device {}",
                         code.spirv.size(), device.ordinal());
    });
    return ze::build_module(device.driver(), device.info(), code.spirv, build_flags);
  };
  if (compiler_is_there.load(std::memory_order_relaxed))
    return build();
  ze::Module module = Platform::load_libraries(build);
  compiler_is_there.store(true, std::memory_order_relaxed);
  return module;
}

/// Once a kernel, since each is found once.
void tell_spills(const KernelTarget &kernel) {
  log(LogLevel::warn, [&] {
    size_t bytes = 0;
    for (const Parameter &parameter : kernel.parameters)
      if (parameter.kind == ParameterKind::spilled)
        bytes += parameter.bytes;
    return bytes == 0
               ? std::string()
               : std::format("kernel {} takes {} bytes of its arguments from memory, since "
                             "the device's parameter memory cannot hold them: pass them as a "
                             "pointer to make its launches cheaper",
                             common::readable_name(kernel.name), bytes);
  });
}

// Lives as long as the process: handles may come late.
constinit LastingHandlePool<Kernel> functions;

hipModule_t load(const void *image, size_t available) {
  return loads().add(std::make_shared<Load>(find_spirv(image, available).spirv));
}

} // namespace

hipModule_t load_module_data(const void *image) { return load(image, SIZE_MAX); }

std::vector<char> read_code_file(const char *path) {
  const common::Uncancelled uncancelled;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::error_code error;
  if (!file || std::filesystem::is_directory(path, error)) // which a stream opens all the same
    throw Error(hipErrorFileNotFound, std::format("cannot open {}", path));
  auto size = file.tellg();
  std::vector<char> bytes(size > 0 ? size_t(size) : 0);
  file.seekg(0);
  if (!file.read(bytes.data(), std::streamsize(bytes.size())))
    throw Error(hipErrorFileNotFound, std::format("cannot read {}", path));
  if (bytes.size() < 4)
    throw Error(hipErrorInvalidImage, std::format("{} holds no device code", path));
  return bytes;
}

hipModule_t load_module_file(const char *path) {
  const std::vector<char> bytes = read_code_file(path);
  return load(bytes.data(), bytes.size());
}

std::shared_ptr<BuiltModule> find_module(hipModule_t module) {
  auto load = loads().find(module);
  if (!load)
    throw Error(hipErrorInvalidResourceHandle, "`module` is not a loaded hipModule_t");
  BuiltModule *built = load->built.get();
  return {std::move(load), built};
}

Kernel &find_function(hipFunction_t function) {
  Kernel *kernel = functions->find(function);
  if (!kernel) [[unlikely]]
    kernel = find_library_kernel(function);
  if (!kernel)
    throw Error(hipErrorInvalidResourceHandle,
                "`function` is not a hipFunction_t of a loaded module");
  return *kernel;
}

void unload_module(hipModule_t module) {
  // AMD's runtime tells them apart, here alone.
  if (!module)
    throw Error(hipErrorInvalidResourceHandle, "`module` is null");
  if (!loads().take(module))
    throw Error(hipErrorNotFound, "`module` is not a loaded hipModule_t");
}

bool is_programs_kernel(std::string_view name) { return name != init_kernel; }

std::vector<std::string> kernel_names(const CodeObject &code) {
  std::vector<std::string> names;
  for (const auto &[name, signature] : code.contents.signatures)
    if (is_programs_kernel(name))
      names.push_back(name);
  return names;
}

void release_all_modules() {
  release_all_libraries();
  loads().take_all_if([](const Load &) { return true; });
  ModuleCache::instance().clear();
  release_program_modules();
}

/// Runs `work(queue)` on a queue that is ordered after nothing, and waits for it.
template <class Work> void BuiltModule::run_alone(Work &&work) {
  InternalQueue queue(device_.scheduler());
  try {
    work(*queue);
    queue->finish();
  } catch (...) {
    queue->settle(); // what was submitted uses memory of the caller
    throw;
  }
}

BuiltModule::BuiltModule(Device &device, std::shared_ptr<const CodeObject> code)
    : device_(device), code_(std::move(code)),
      module_(device.scheduler().noticing_loss([&] { return build_module(device, *code_); })) {
  const SpirvContents &contents = code_->contents;
  try {
    if (contents.signatures.contains(init_kernel)) {
      Kernel &init = find_kernel(init_kernel);
      run_alone([&](Queue &queue) {
        queue.submit(
            operations::Launch{init, {.groups = {1, 1, 1}, .group_size = {1, 1, 1}}, nullptr});
      });
    }
    std::vector<std::pair<std::string, void *>> services;
    device_.scheduler().noticing_loss([&] {
      if (contents.uses_messages)
        services.emplace_back(device_contract::messages_variable, device_.services().messages());
      if (contents.uses_heap)
        services.emplace_back(device_contract::heap_variable, device_.services().heap());
    });
    if (!services.empty())
      set_pointers(services);
  } catch (...) {
    release(); // no destructor runs for what was not constructed
    throw;
  }
}

BuiltModule::~BuiltModule() { release(); }

void BuiltModule::release() {
  if (in_use_.load(std::memory_order_relaxed))
    device_.scheduler().settle();
  retire_handles();
  for (const auto &[name, variable] : managed_)
    try {
      free_allocation(variable.memory.address);
    } catch (const Error &) {
      // Freed although the device is lost, or else at the end of the process.
    }
  const auto found = found_.lock();
  for (auto &[name, variable] : found->variables)
    remove_variable(variable.address);
  for (auto &[name, kernel] : found->kernels) {
    device_.scheduler().remove_kernel(kernel->target.id);
    functions->give_back(*kernel);
  }
}

void BuiltModule::retire_handles() {
  for (auto &[name, kernel] : found_.lock()->kernels)
    kernel->mark.store(0, std::memory_order_release);
}

void BuiltModule::allocate_managed_variables() {
  for (const std::string &name : code_->contents.variables) {
    if (!name.ends_with(device_contract::managed_suffix))
      continue;
    const std::string own_name =
        name.substr(0, name.size() - device_contract::managed_suffix.size());
    const ze::Variable initial = find_variable(name.c_str());
    const ze::Variable pointer = find_variable(own_name.c_str());
    if (!initial.address || !pointer.address)
      continue;
    void *const memory =
        allocate(AllocationKind::managed, initial.bytes, hipMemAttachGlobal, 256, true);
    managed_.emplace(own_name, ManagedVariable{{memory, initial.bytes}, initial, pointer});
  }
  if (!managed_.empty())
    run_alone([&](Queue &queue) { submit_initial_values(queue); });
}

void BuiltModule::submit_initial_values(Queue &queue) {
  for (const auto &[name, variable] : managed_) {
    const auto &[memory, initial, pointer] = variable;
    queue.submit(operations::Copy{memory.address, initial.address, initial.bytes});
    queue.submit(operations::Copy{pointer.address, &memory.address, sizeof memory.address});
  }
}

bool BuiltModule::remember_variables() {
  const SpirvContents &contents = code_->contents;
  if (contents.has_hidden_variables)
    return false;
  std::vector<ze::Variable> variables;
  for (const std::string &name : contents.variables) {
    variables.push_back(find_variable(name.c_str()));
    if (!variables.back().address)
      return false;
  }
  // Variables that lie in one allocation are one copy.
  std::ranges::sort(variables, {}, &ze::Variable::address);
  std::vector<Snapshot> snapshots;
  void *last_base = nullptr;
  size_t total = 0;
  for (const ze::Variable &variable : variables) {
    auto *end = static_cast<std::byte *>(variable.address) + variable.bytes;
    void *base = device_.scheduler().noticing_loss(
        [&] { return ze::allocation_base(device_.driver(), variable.address); });
    if (!base || base != last_base)
      snapshots.push_back({variable.address, {}});
    last_base = base;
    Snapshot &snapshot = snapshots.back();
    const size_t bytes = size_t(end - static_cast<std::byte *>(snapshot.address));
    total += bytes - snapshot.bytes.size();
    if (total > largest_snapshot)
      return false;
    snapshot.bytes.resize(bytes);
  }
  run_alone([&](Queue &queue) {
    for (Snapshot &snapshot : snapshots)
      queue.submit(
          operations::Copy{snapshot.bytes.data(), snapshot.address, snapshot.bytes.size()});
  });
  initial_ = std::move(snapshots);
  return true;
}

void BuiltModule::reset() {
  run_alone([&](Queue &queue) {
    for (const Snapshot &snapshot : initial_)
      queue.submit(
          operations::Copy{snapshot.address, snapshot.bytes.data(), snapshot.bytes.size()});
    submit_initial_values(queue);
  });
  in_use_.store(false, std::memory_order_relaxed);
}

void BuiltModule::set_pointers(const std::vector<std::pair<std::string, void *>> &values) {
  run_alone([&](Queue &queue) {
    for (auto &[name, value] : values)
      if (ze::Variable variable = find_variable(name.c_str()); variable.address)
        queue.submit(operations::Copy{variable.address, &value, sizeof value});
  });
}

Kernel &BuiltModule::kernel(const std::string &name) {
  in_use_.store(true, std::memory_order_relaxed);
  Kernel &found = find_kernel(name);
  found.mark.store(Kernel::alive_mark, std::memory_order_release);
  return found;
}

ze::Variable BuiltModule::variable(const char *name) {
  in_use_.store(true, std::memory_order_relaxed);
  if (const auto managed = managed_.find(std::string_view(name)); managed != managed_.end())
    return managed->second.memory;
  return find_variable(name);
}

Kernel &BuiltModule::find_kernel(const std::string &name) {
  const auto all = found_.lock();
  if (auto found = all->kernels.find(name); found != all->kernels.end())
    return *found->second;
  auto signature = code_->contents.signatures.find(name);
  if (signature == code_->contents.signatures.end())
    throw Error(hipErrorNotFound, std::format("the module has no kernel '{}'", name));
  device_.scheduler().check_alive();
  const common::Uncancelled uncancelled; // a driver may compile only now
  const common::DefaultFloatEnvironment environment;
  KernelTarget target;
  target.module = module_.get();
  target.name = name;
  target.parameters = signature->second;
  for (const Parameter &parameter : target.parameters) {
    target.needs_copies |=
        parameter.kind == ParameterKind::local || parameter.kind == ParameterKind::spilled;
    if (parameter.kind == ParameterKind::spilled &&
        !(device_.info().access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW))
      throw Error(
          hipErrorNotSupported,
          std::format("kernel {} has larger parameters than the device takes, and no memory "
                      "of the host to pass them through",
                      common::readable_name(name)));
  }
  try {
    target.properties = device_.scheduler().noticing_loss([&] {
      return ze::kernel_properties(device_.info(),
                                   ze::create_kernel(device_.driver(), target.module, name).get());
    });
  } catch (const Error &error) {
    if (error.code() != hipErrorSharedObjectInitFailed)
      throw;
    throw KernelRefused(error.code(), all->refused.insert(name).second
                                          ? std::format("kernel {} cannot be launched: {}",
                                                        common::readable_name(name), error.what())
                                          : "");
  }
  const uint32_t device_group_size = target.properties.max_group_size;
  if (auto bound = code_->contents.launch_bounds.find(name);
      bound != code_->contents.launch_bounds.end())
    target.properties.max_group_size = std::min(target.properties.max_group_size, bound->second);
  Kernel *&kernel = all->kernels[name];
  try {
    kernel = &functions->take();
    target.id = device_.scheduler().add_kernel();
  } catch (...) {
    if (kernel)
      functions->give_back(*kernel);
    all->kernels.erase(name);
    throw;
  }
  kernel->target = std::move(target);
  kernel->device = &device_;
  kernel->module = this;
  kernel->device_group_size = device_group_size;
  const ze_device_compute_properties_t &limits = device_.info().compute;
  kernel->usual_grid =
      std::min({limits.maxGroupCountX, limits.maxGroupCountY, limits.maxGroupCountZ});
  kernel->usual_threads =
      std::min({limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ,
                kernel->target.properties.max_group_size});
  tell_spills(kernel->target);
  if (taken_shared_bytes(*kernel, 0) > limits.maxSharedLocalMemory)
    kernel->usual_threads = 0; // no launch is usual
  kernel->usual_shared_bytes = most_dynamic_shared_bytes(*kernel);
  kernel->max_dynamic_shared_bytes = kernel->shared_carveout = -1;
  kernel->constant_bytes = 0;
  return *kernel;
}

ze::Variable BuiltModule::find_variable(const char *name) {
  const auto all = found_.lock();
  if (auto found = all->variables.find(name); found != all->variables.end())
    return found->second;
  ze::Variable variable =
      device_.scheduler().noticing_loss([&] { return ze::find_variable(module_.get(), name); });
  if (variable.address) {
    add_variable(device_, variable.address, variable.bytes);
    all->variables.emplace(name, variable);
  }
  return variable;
}

} // namespace chip
