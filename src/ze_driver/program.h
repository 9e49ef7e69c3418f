// What a device makes of a SPIR-V module: kernels as code of its own, and program-scope variables.
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

namespace ze_driver {

/// How a kernel parameter is passed. `local` is a pointer to work-group memory: the argument given
/// is a size in bytes. `image` and `sampler` are given as handles.
enum class ArgumentKind : uint8_t { value, pointer, local, image, sampler };

struct Argument {
  ArgumentKind kind;
  uint32_t size; // in bytes, as zeKernelSetArgumentValue must be given it (all but `local`); 8 for
                 // `local`
  uint32_t offset; // in the argument buffer; a `local` argument's slot holds its 64-bit offset in
                   // work-group memory, an image's or a sampler's the number that its backend gave
                   // it (ImageBackend)
  uint32_t alignment = 1; // of what a `local` argument points to
};

/// Work-group memory begins at such addresses at least, and so does the part of each `local` argument
/// in it: the largest alignment an OpenCL type has.
inline constexpr size_t local_alignment = 128;

/// What is known of a kernel before it is compiled.
struct KernelInfo {
  std::string name;
  std::vector<Argument> arguments;
  uint32_t argument_bytes = 0;                 // size of the argument buffer
  uint32_t required_group_size[3] = {0, 0, 0}; // zero: none required
  uint32_t required_sub_group_size = 0;        // the same
  std::string attributes;                      // as zeKernelGetSourceAttributes returns them
};

/// A compiled kernel, as launches name it. The device derives from this what it needs to run it; the
/// front reads these members and never destroys one.
struct CompiledKernel {
  std::string name;
  uint32_t local_bytes = 0;   // work-group memory of variables declared in the kernel; dynamic
                              // memory follows it
  uint32_t private_bytes = 0; // per work-item
  uint32_t sub_group_size = 32;
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

  /// Kernel `index`, compiled at the first call; safe from any thread. It lives as long as the
  /// program. The error is text for the build log.
  virtual std::expected<const CompiledKernel *, std::string> kernel(size_t index) = 0;

  /// What is to run for work-groups of that size, of kernel `index`, which kernel() has compiled: the same, or code of its own for them,
  /// compiled at the first call. It lives as long as the program; the error is as kernel()'s.
  virtual std::expected<const CompiledKernel *, std::string>
  kernel_for(size_t index, const uint32_t (& /*group_size*/)[3]) {
    return kernel(index);
  }

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

using BuildResult = std::expected<std::unique_ptr<Program>, BuildError>;

/// One SPIR-V module of several, whose imports and exports are joined; or why there is none.
using LinkResult = std::expected<std::vector<std::byte>, std::string>;

} // namespace ze_driver
