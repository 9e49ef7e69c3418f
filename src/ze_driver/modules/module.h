// What the handles of modules, their build logs and kernels stand for.
#pragma once

#include "../api/entry.h"
#include "../backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ze_driver {

struct BuildLog : Handle {
  using HandleType = ze_module_build_log_handle_t;
  std::string text;
};

/// A program in memory.
struct LoadedProgram {
  explicit LoadedProgram(std::unique_ptr<Program> program,
                         std::vector<std::shared_ptr<LoadedProgram>> providers = {});
  LoadedProgram(const LoadedProgram &) = delete;
  LoadedProgram &operator=(const LoadedProgram &) = delete;
  ~LoadedProgram();

  std::vector<std::shared_ptr<LoadedProgram>> providers; // whose variables it uses
  std::unique_ptr<Program> program;
  std::vector<ProgramVariable> checked_variables; // that Allocations knows of
};

/// A program and what is needed to give it away as a native binary. Kernels keep it alive.
struct ModuleContent {
  /// What runs: null as long as imports are not resolved.
  Program *program() const { return linked ? linked->program.get() : nullptr; }
  /// For an error of before: which imports those are.
  std::string unresolved_imports() const;

  DeviceBackend *device;
  std::shared_ptr<LoadedProgram> built;
  std::shared_ptr<LoadedProgram> linked; // `built` if it imports nothing
  std::vector<std::byte> spirv;
  std::string build_flags;
  std::vector<std::byte> constants; // serialized as in the native binary: see native_binary.h
};

struct Module : Handle {
  using HandleType = ze_module_handle_t;
  std::shared_ptr<ModuleContent> content;
};

struct Kernel : Handle {
  using HandleType = ze_kernel_handle_t;

  std::shared_ptr<ModuleContent> module;
  const KernelInfo *info;
  const CompiledKernel *code;
  uint32_t max_group_size, max_local_bytes; // the device's

  uint32_t group_size[3] = {1, 1, 1};
  uint32_t global_offset[3] = {0, 0, 0};
  std::vector<std::byte> arguments;  // as Argument::offset lays them out
  std::vector<uint32_t> local_sizes; // per argument; 0 for what is not local
  uint32_t local_bytes;              // static and dynamic together
  ze_kernel_indirect_access_flags_t indirect_access = 0;

  /// zeKernelSetGroupSize.
  ze_result_t set_group_size(uint32_t x, uint32_t y, uint32_t z);
  /// zeKernelSetArgumentValue.
  ze_result_t set_argument(uint32_t index, size_t size, const void *value);
  /// All arguments at once, of the sizes the kernel declares; a local one points to its size
  /// (size_t).
  ze_result_t set_arguments(void *const *values);
  /// zeKernelSuggestMaxCooperativeGroupCount.
  uint32_t max_cooperative_groups() const;
  /// For work-groups of that size.
  ze_result_t choose_code(const uint32_t (&size)[3]);

private:
  void lay_out_local_memory();
};

/// The scheduling hints that kernels take: all that there are, and none changes anything.
inline constexpr ze_scheduling_hint_exp_flags_t all_scheduling_hints =
    ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST | ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
    ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN;

} // namespace ze_driver
