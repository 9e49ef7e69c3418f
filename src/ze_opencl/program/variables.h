// The memory of a program's variables.
#pragma once

#include "../memory/access.h"
#include "../spirv/module.h"

#include <expected>
#include <span>
#include <string>
#include <vector>

namespace ze_opencl {

class Variables {
public:
  Variables() = default;
  Variables(const Variables &) = delete;
  Variables &operator=(const Variables &) = delete;
  ~Variables();

  /// Allocates those whose address in `given` is 0, and writes their initial values. The error is text for a build log.
  std::expected<void, std::string> place(const Device &device,
                                         std::span<const ModuleVariable> variables,
                                         std::span<const uint64_t> given);
  /// In the order of the variables.
  std::span<const uint64_t> addresses() const { return addresses_; }

private:
  MemoryAccess *memory_ = nullptr;
  void *block_ = nullptr; // all that were allocated
  std::vector<uint64_t> addresses_;
};

} // namespace ze_opencl
