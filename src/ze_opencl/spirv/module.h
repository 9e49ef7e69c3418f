// SPIR-V for OpenCL devices: what a module contains, and the same module as a device takes it.
#pragma once

#include "../../ze_driver/program.h"
#include "abilities.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ze_opencl {

struct ModuleVariable {
  /// An address of a variable within the initial value.
  struct Relocation {
    size_t offset;   // in `initial`; 8 bytes
    size_t variable; // index
    uint64_t addend; // bytes
  };

  uint32_t id;      // the result of its OpVariable
  std::string name; // of its linkage, else the debug name, which may be empty
  bool is_exported;
  bool is_imported; // another module has it: lower() wants its address
  size_t size, alignment;
  std::vector<std::byte> initial; // empty: zeros
  std::vector<Relocation> relocations;
};

struct ModuleKernel {
  ze_driver::KernelInfo info;
  uint32_t function; // its id
};

/// Of work-group memory, for a work-item of a kernel that passes values between lanes on a device without sub-groups.
inline constexpr uint32_t slot_bytes = 8;

/// A module for a device.
struct LoweredModule {
  std::vector<uint32_t> words;
  /// Kernels that the device cannot run, which are not in it, and what they need.
  std::map<std::string, std::string> refused;
  bool reads_clock; // at the address given
  /// Kernels that have one parameter more, behind their own: work-group memory, with slot_bytes for each work-item.
  std::set<std::string> with_slots;
};

/// A validated module.
class Module {
public:
  /// Checks the words, and fixes the specialization constants at the values given. The error is what DeviceBackend::build()
  /// returns.
  static std::expected<Module, ze_driver::BuildError>
  read(std::span<const std::byte> spirv,
       std::span<const ze_driver::SpecializationConstant> constants);

  std::span<const ModuleKernel> kernels() const { return kernels_; }
  std::span<const ModuleVariable> variables() const { return variables_; }
  /// Names of imported functions and variables.
  std::span<const std::string> imports() const { return imports_; }
  /// As it was read, in this machine's byte order, with the constants fixed.
  std::span<const uint32_t> words() const { return words_; }

  /// The module for a device: variables are constants with the given addresses (one for each of
  /// variables(), in order), the version and the capabilities are what the device takes, and
  /// sub-group built-ins that it lacks are computed. Clocks that it lacks are read at
  /// `clock_address`, if that is not 0. The error is what the device cannot do in any
  /// module.
  std::expected<LoweredModule, std::string> lower(const Abilities &abilities,
                                                  std::span<const uint64_t> variable_addresses,
                                                  uint64_t clock_address = 0) const;

private:
  std::vector<uint32_t> words_;
  std::vector<ModuleKernel> kernels_;
  std::vector<ModuleVariable> variables_;
  std::vector<std::string> imports_;
};

/// Joins modules into one, as a linker does: imports find exports of the same name. What is left without one stays an import.
ze_driver::LinkResult link(std::span<const std::span<const uint32_t>> modules);

} // namespace ze_opencl
