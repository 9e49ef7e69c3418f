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

  /// Allocates those whose address in `given` is 0, and writes their initial values. Where devices use the process's memory, the
  /// same `key` leads to the same addresses in each process. The error is text for a build log.
  std::expected<void, std::string> place(const Device &device,
                                         std::span<const ModuleVariable> variables,
                                         std::span<const uint64_t> given, uint64_t key);
  /// In the order of the variables.
  std::span<const uint64_t> addresses() const { return addresses_; }

private:
  MemoryAccess *memory_ = nullptr;
  void *block_ = nullptr;   // all that were allocated
  size_t mapped_bytes_ = 0; // of the block, if it is pages of the process
  std::vector<uint64_t> addresses_;
};

} // namespace ze_opencl
