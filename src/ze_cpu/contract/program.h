// What a SPIR-V module becomes: kernels as native code, and its program-scope variables.
//
// The implementation, and LLVM with it, lives in a shared library of its own (libze_cpu_jit.so)
// that is loaded when the first module is built, so that a process that builds none stays small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ze_cpu {

/// How a kernel parameter is passed. `local` is a pointer to work-group memory: the argument given
/// is a size in bytes. `image` and `sampler` are given as handles.
enum class ArgumentKind : uint8_t { value, pointer, local, image, sampler };

struct Argument {
  ArgumentKind kind;
  uint32_t size; // in bytes, as zeKernelSetArgumentValue must be given it (all but `local`); 8 for
                 // `local`
  uint32_t offset; // in the argument buffer; a `local` argument's slot holds its 64-bit offset in
                   // work-group memory, an image's the address of its ImageData, a sampler's its
                   // number (contract/image_data.h)
  uint32_t alignment = 1; // of what a `local` argument points to
};

/// Work-items that a group may have: checked before a launch, and relied upon by generated code.
inline constexpr uint32_t max_group_size = 1024;

struct KernelCode; // the generated code and how to run it: contract/kernel_code.h

/// What is known of a kernel before it is compiled.
struct KernelInfo {
  std::string name;
  std::vector<Argument> arguments;
  uint32_t argument_bytes = 0;                 // size of the argument buffer
  uint32_t required_group_size[3] = {0, 0, 0}; // zero: none required
  uint32_t required_sub_group_size = 0;        // the same
  std::string attributes;                      // as zeKernelGetSourceAttributes returns them
};

struct GlobalVariable {
  void *address;
  size_t size;
};

struct SpecializationConstant {
  uint32_t id;
  std::span<const std::byte> value;
};

/// Memory of the program that its kernels may touch.
struct ProgramVariable {
  std::string name; // may be empty
  const void *address;
  size_t size;
};

class Program {
public:
  virtual ~Program() = default;

  /// All kernels of the module, in the module's order.
  virtual std::span<const KernelInfo> kernels() const = 0;

  /// The code of kernel `index`, compiled at the first call; safe from any thread. The error is
  /// text for the build log. Includes how much work-group and private memory the kernel takes.
  virtual std::expected<const KernelCode *, std::string> code(size_t index) = 0;

  /// A program-scope variable or nothing. The memory lives as long as the program; its initial
  /// value is there.
  virtual std::optional<GlobalVariable> global(std::string_view name) = 0;

  /// All program-scope variables and constants, also those that have no name to be found by.
  virtual std::vector<ProgramVariable> variables() = 0;

  /// The address of a function by name (zeModuleGetFunctionPointer) or nullptr.
  virtual void *function(std::string_view name) = 0;

  /// Names of functions and variables that it uses and another program has to have. While there are
  /// some, only kernels() and what is below can be asked for.
  virtual std::span<const std::string> imports() const = 0;

  /// One program of this and `others`, which import from each other and from `providers`; these
  /// have no imports, and must live as long as it. The error is text for the link log.
  virtual std::expected<std::unique_ptr<Program>, std::string>
  link(std::span<const Program *const> others, std::span<Program *const> providers) const = 0;
};

/// Why a build failed: `invalid` input is not SPIR-V at all, `failed` does not translate, link or
/// compile.
struct BuildError {
  enum class Kind { invalid, failed } kind;
  std::string log;
};

/// Validates `spirv` and makes a program of it. Never aborts on bad input.
using BuildResult = std::expected<std::unique_ptr<Program>, BuildError>;
BuildResult build_program(std::span<const std::byte> spirv, std::string_view build_flags,
                          std::span<const SpecializationConstant> constants);

/// One SPIR-V module of several, whose imports and exports are joined; or why there is none.
using LinkResult = std::expected<std::vector<std::byte>, std::string>;
LinkResult link_programs(std::span<const std::span<const std::byte>> programs);

} // namespace ze_cpu
