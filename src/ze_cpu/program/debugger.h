// Tells debuggers about compiled code (GDB's JIT interface), so that a backtrace names kernels, and
// the lines of their source where the SPIR-V has them.
#pragma once

#include <memory>
#include <string>

namespace ze_cpu {

/// Debuggers know of an object, an ELF file whose sections have the addresses that they lie at, as long as one of these is there.
/// Safe from any thread.
class DebuggedObject {
public:
  explicit DebuggedObject(std::string object);
  ~DebuggedObject();
  DebuggedObject(const DebuggedObject &) = delete;
  DebuggedObject &operator=(const DebuggedObject &) = delete;

private:
  struct Entry;
  std::unique_ptr<Entry> entry_;
};

} // namespace ze_cpu
