#include "program.h"

#include "../memory/access.h"
#include "../platform/error.h"
#include "../queue/unfinished.h"
#include "../spirv/module.h"
#include "kernel.h"
#include "kernel_clock.h"
#include "variables.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <format>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace ze_opencl {

using namespace ze_driver;

namespace {

/// Level Zero's build flags that OpenCL knows: under the same name, or under its own. The others are hints of other drivers.
std::string options_of(std::string_view flags, const Device &device) {
  std::string options;
  while (!flags.empty()) {
    const size_t begin = flags.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos)
      break;
    flags.remove_prefix(begin);
    std::string_view flag = flags.substr(0, flags.find_first_of(" \t\n"));
    flags.remove_prefix(flag.size());
    if (flag == "-ze-opt-disable" || flag == "-ze-opt-level=0" || flag == "-O0")
      flag = "-cl-opt-disable";
    if (!flag.starts_with("-cl-"))
      continue;
    // An option that the device has not is an error.
    if (flag == "-cl-fp32-correctly-rounded-divide-sqrt" &&
        !(device.facts.fp32 & ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT))
      continue;
    options.append(options.empty() ? "" : " ").append(flag);
  }
  return options;
}

class ClProgram final : public Program {
public:
  ClProgram(const Device &device, Module module, std::string flags)
      : device_(device), module_(std::move(module)), flags_(std::move(flags)) {
    for (const ModuleKernel &kernel : module_.kernels())
      infos_.push_back(kernel.info);
    made_.resize(infos_.size());
  }
  ~ClProgram() override {
    made_.clear(); // kernels keep their program
    if (program_)
      api().ReleaseProgram(program_);
  }

  /// Places variables and builds; `given` has addresses of those that are elsewhere, else 0.
  std::expected<void, std::string> build(std::span<const uint64_t> given);

  size_t variable_count() const { return module_.variables().size(); }

  std::span<const KernelInfo> kernels() const override { return infos_; }
  std::expected<const CompiledKernel *, std::string> kernel(size_t index) override;
  std::optional<GlobalVariable> global(std::string_view name) override;
  std::vector<ProgramVariable> variables() override;
  void *function(std::string_view) override {
    return nullptr;
  } // OpenCL has no addresses of functions
  std::span<const std::string> imports() const override { return module_.imports(); }
  std::expected<std::unique_ptr<Program>, std::string>
  link(std::span<const Program *const> others, std::span<Program *const> providers) const override;

private:
  std::expected<void, std::string> build_for(const Abilities &abilities);
  std::string build_log() const;

  const Device &device_;
  const Module module_;
  const std::string flags_;
  std::vector<KernelInfo> infos_;
  Variables variables_;
  cl_program program_ = nullptr;
  bool reads_clock_ = false;
  std::set<std::string> with_slots_;           // LoweredModule's
  std::map<std::string, std::string> refused_; // kernels that the device cannot run, and why

  std::mutex mutex_; // guards what follows
  std::vector<std::unique_ptr<Kernel>> made_;
};

std::expected<void, std::string> ClProgram::build(std::span<const uint64_t> given) {
  const std::span<const uint32_t> words = module_.words();
  if (auto placed = variables_.place(device_, module_.variables(), given,
                                     XXH3_64bits(words.data(), words.size_bytes()));
      !placed)
    return placed;
  // Implementations may compute with half precision that do not announce it (PoCL 7.1), but have no functions of it then.
  Abilities with_half = device_.abilities;
  with_half.fp16 = true;
  with_half.half_functions = false;
  if (!device_.abilities.fp16 && build_for(with_half))
    return {};
  return build_for(device_.abilities);
}

std::expected<void, std::string> ClProgram::build_for(const Abilities &abilities) {
  if (program_)
    api().ReleaseProgram(std::exchange(program_, nullptr));
  auto lowered = module_.lower(abilities, variables_.addresses(),
                               KernelClock::instance().address_for(device_));
  if (!lowered)
    return std::unexpected(std::move(lowered.error()));
  refused_ = std::move(lowered->refused);
  reads_clock_ = lowered->reads_clock;
  with_slots_ = std::move(lowered->with_slots);
  if (refused_.size() == infos_.size())
    return {}; // there is nothing to build
  cl_int error = CL_SUCCESS;
  program_ = api().CreateProgramWithIL(device_.platform->context, lowered->words.data(),
                                       lowered->words.size() * sizeof(uint32_t), &error);
  if (error != CL_SUCCESS) {
    program_ = nullptr;
    return std::unexpected(
        std::format("{} does not take the module: {}", device_.facts.name, error_name(error)));
  }
  error = api().BuildProgram(program_, 1, &device_.id, options_of(flags_, device_).c_str(), nullptr,
                             nullptr);
  if (error != CL_SUCCESS)
    return std::unexpected(std::format("{} does not build the module: {}\n{}", device_.facts.name,
                                       error_name(error), build_log()));
  Unfinished::instance().wait_at_exit();
  return {};
}

std::string ClProgram::build_log() const {
  size_t bytes = 0;
  if (api().GetProgramBuildInfo(program_, device_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) !=
          CL_SUCCESS ||
      bytes == 0)
    return "";
  std::string log(bytes, '\0');
  api().GetProgramBuildInfo(program_, device_.id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  log.resize(log.find_last_not_of(" \n\0") + 1);
  return log;
}

std::expected<const CompiledKernel *, std::string> ClProgram::kernel(size_t index) {
  const KernelInfo &info = infos_[index];
  if (const auto refused = refused_.find(info.name); refused != refused_.end())
    return std::unexpected(
        std::format("{} (OpenCL device {})", refused->second, device_.facts.name));
  if (info.argument_bytes > device_.facts.max_argument_bytes)
    return std::unexpected(std::format("its parameters take {} bytes, and {} has room for {}",
                                       info.argument_bytes, device_.facts.name,
                                       device_.facts.max_argument_bytes));
  const std::lock_guard lock(mutex_);
  if (!made_[index]) {
    cl_int error = CL_SUCCESS;
    const cl_kernel kernel = api().CreateKernel(program_, info.name.c_str(), &error);
    if (error != CL_SUCCESS)
      return std::unexpected(
          std::format("{} makes no kernel of it: {}", device_.facts.name, error_name(error)));
    auto made = Kernel::make(kernel, info, with_slots_.contains(info.name), device_);
    if (!made)
      return std::unexpected(std::move(made.error()));
    (*made)->reads_clock = reads_clock_;
    made_[index] = std::move(*made);
  }
  return made_[index].get();
}

std::optional<GlobalVariable> ClProgram::global(std::string_view name) {
  const auto variables = module_.variables();
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].is_exported && variables[i].name == name)
      return GlobalVariable{reinterpret_cast<void *>(variables_.addresses()[i]), variables[i].size};
  return std::nullopt;
}

std::vector<ProgramVariable> ClProgram::variables() {
  std::vector<ProgramVariable> all;
  const auto variables = module_.variables();
  for (size_t i = 0; i < variables_.addresses().size(); ++i)
    all.push_back({variables[i].name, reinterpret_cast<const void *>(variables_.addresses()[i]),
                   variables[i].size});
  return all;
}

std::expected<std::unique_ptr<Program>, std::string>
ClProgram::link(std::span<const Program *const> others, std::span<Program *const> providers) const {
  // One module of all. What providers have already stays where it is: their variables are not made a second time.
  std::vector<const ClProgram *> parts = {this};
  for (const Program *const other : others)
    parts.push_back(static_cast<const ClProgram *>(other));
  const size_t own = parts.size();
  for (const Program *const provider : providers)
    parts.push_back(static_cast<const ClProgram *>(provider));
  std::vector<std::span<const uint32_t>> words;
  for (const ClProgram *const part : parts)
    words.push_back(part->module_.words());
  const LinkResult linked = ze_opencl::link(words);
  if (!linked)
    return std::unexpected(linked.error());
  auto module = Module::read(*linked, {});
  if (!module)
    return std::unexpected(std::move(module.error().log));
  if (!module->imports().empty())
    return std::unexpected(std::format("unresolved import {}", module->imports().front()));

  // The linker keeps the order of modules and of their variables, without the imported ones.
  std::vector<uint64_t> given;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto variables = parts[i]->module_.variables();
    for (size_t v = 0; v < variables.size(); ++v)
      if (!variables[v].is_imported)
        given.push_back(i < own ? 0 : parts[i]->variables_.addresses()[v]);
  }
  const auto variables = module->variables();
  if (given.size() != variables.size())
    return std::unexpected("the linked module has other variables than its parts");

  auto program = std::make_unique<ClProgram>(device_, std::move(*module), flags_);
  if (auto built = program->build(given); !built)
    return std::unexpected(std::move(built.error()));
  return program;
}

} // namespace

BuildResult build_program(const Device &device, std::span<const std::byte> spirv,
                          std::string_view build_flags,
                          std::span<const SpecializationConstant> constants) {
  auto module = Module::read(spirv, constants);
  if (!module)
    return std::unexpected(std::move(module.error()));
  auto program = std::make_unique<ClProgram>(device, std::move(*module), std::string(build_flags));
  if (program->imports().empty()) {
    const std::vector<uint64_t> none(program->variable_count());
    if (auto built = program->build(none); !built)
      return std::unexpected(BuildError{BuildError::Kind::failed, std::move(built.error())});
  }
  return program;
}

LinkResult join_modules(std::span<const std::span<const std::byte>> modules) {
  std::vector<Module> read;
  for (const auto &bytes : modules) {
    auto module = Module::read(bytes, {});
    if (!module)
      return std::unexpected(std::move(module.error().log));
    read.push_back(std::move(*module));
  }
  std::vector<std::span<const uint32_t>> words;
  for (const Module &module : read)
    words.push_back(module.words());
  LinkResult linked = link(words);
  if (linked)
    if (const auto module = Module::read(*linked, {}); module && !module->imports().empty())
      return std::unexpected(std::format("unresolved import {}", module->imports().front()));
  return linked;
}

} // namespace ze_opencl
