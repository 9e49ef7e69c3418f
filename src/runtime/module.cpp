#include "module.h"
#include "memory.h"
#include "platform.h"
#include "program.h"

#include <format>
#include <fstream>
#include <unordered_map>

namespace chip {
namespace {

// The device compiler puts initialisers that hold addresses into a kernel of this name (src/device/passes).
constexpr const char *init_kernel = "__chip_init_globals";

// HIP promises correctly rounded division and square root of floats by default; OpenCL code, as which drivers see ours, not.
constexpr const char *build_flags = "-cl-fp32-correctly-rounded-divide-sqrt";

struct Modules {
  std::mutex mutex;
  std::unordered_map<Module *, std::unique_ptr<Module>> loaded;
};
Modules &modules() {
  static Modules *const all = new Modules; // outlives static destructors, which may unload modules
  return *all;
}

Module *add(std::unique_ptr<Module> module) {
  std::lock_guard lock(modules().mutex);
  Module *handle = module.get();
  modules().loaded.emplace(handle, std::move(module));
  return handle;
}

} // namespace

Module *load_module_data(const void *image) {
  return add(std::make_unique<Module>(Platform::current_device(), load_code_object(image, SIZE_MAX)));
}

Module *load_module_file(const char *path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    throw Error(hipErrorFileNotFound, std::format("cannot open {}", path));
  auto size = file.tellg();
  std::vector<char> bytes(size > 0 ? size_t(size) : 0);
  file.seekg(0);
  if (!file.read(bytes.data(), std::streamsize(bytes.size())))
    throw Error(hipErrorFileNotFound, std::format("cannot read {}", path));
  if (bytes.size() < 4)
    throw Error(hipErrorInvalidImage, std::format("{} holds no device code", path));
  return add(std::make_unique<Module>(Platform::current_device(),
                                      load_code_object(bytes.data(), bytes.size())));
}

Module &find_module(hipModule_t module) {
  std::lock_guard lock(modules().mutex);
  if (!modules().loaded.contains(module))
    throw Error(hipErrorInvalidResourceHandle, "the module handle is not valid");
  return *module;
}

void unload_module(Module *module) {
  std::unique_ptr<Module> unloaded;
  {
    std::lock_guard lock(modules().mutex);
    auto found = modules().loaded.find(module);
    if (found == modules().loaded.end())
      throw Error(hipErrorInvalidResourceHandle, "the module handle is not valid");
    unloaded = std::move(found->second);
    modules().loaded.erase(found);
  }
}

void release_all_modules() {
  {
    std::lock_guard lock(modules().mutex);
    modules().loaded.clear();
  }
  release_program_modules();
}

} // namespace chip

using namespace chip;

ihipModule_t::ihipModule_t(Device &device, std::shared_ptr<const CodeObject> code)
    : device_(device), code_(std::move(code)),
      module_(ze::build_module(device.driver(), device.info(), code_->spirv, build_flags)) {
  if (!code_->signatures.contains(init_kernel))
    return;
  Kernel &init = kernel(init_kernel);
  Queue &queue = device_.scheduler().acquire(Queue::Kind::non_blocking, ZE_COMMAND_QUEUE_PRIORITY_NORMAL);
  queue.launch(init.target, {.groups = {1, 1, 1}, .group_size = {1, 1, 1}}, nullptr);
  queue.finish();
  device_.scheduler().release(queue);
}

ihipModule_t::~ihipModule_t() {
  try {
    device_.scheduler().synchronize();
  } catch (const Error &) {
    // The device is lost; what was pending will not run any more.
  }
  for (auto &[name, variable] : variables_)
    remove_variable(variable.address);
  for (auto &[name, kernel] : kernels_)
    device_.scheduler().remove_kernel(kernel->target.id);
}

Kernel &ihipModule_t::kernel(const std::string &name) {
  std::lock_guard lock(mutex_);
  if (auto found = kernels_.find(name); found != kernels_.end())
    return *found->second;
  auto signature = code_->signatures.find(name);
  if (signature == code_->signatures.end())
    throw Error(hipErrorNotFound, std::format("the module has no kernel '{}'", name));
  auto kernel = std::make_unique<Kernel>();
  kernel->device = &device_;
  KernelTarget &target = kernel->target;
  target.module = module_.get();
  target.name = name;
  target.parameters = signature->second;
  for (const Parameter &parameter : target.parameters)
    target.needs_copies |=
        parameter.kind == ParameterKind::local || parameter.kind == ParameterKind::spilled;
  target.properties = ze::kernel_properties(device_.info(), ze::create_kernel(target.module, name).get());
  target.id = device_.scheduler().add_kernel();
  return *kernels_.emplace(name, std::move(kernel)).first->second;
}

ze::Variable ihipModule_t::variable(const char *name) {
  std::lock_guard lock(mutex_);
  if (auto found = variables_.find(name); found != variables_.end())
    return found->second;
  ze::Variable variable = ze::find_variable(module_.get(), name);
  if (variable.address) {
    add_variable(device_, variable.address, variable.bytes);
    variables_.emplace(name, variable);
  }
  return variable;
}
