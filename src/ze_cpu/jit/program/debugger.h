// Tells debuggers about compiled code (GDB's JIT interface), so that a backtrace names kernels, and
// the lines of their source where the SPIR-V has them.
#pragma once

#include <cstdint>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace llvm::jitlink {
class LinkGraph;
}

namespace ze_cpu {

/// What debuggers know of one program. Safe from any thread.
class DebuggedObjects {
public:
  /// Announces what `jit`, which this must outlive, links.
  explicit DebuggedObjects(llvm::orc::LLJIT &jit);
  DebuggedObjects(const DebuggedObjects &) = delete;
  DebuggedObjects &operator=(const DebuggedObjects &) = delete;

  /// A copy of `object` to link; it is the original that debuggers will read.
  std::unique_ptr<llvm::MemoryBuffer> add(std::unique_ptr<llvm::MemoryBuffer> object);

  /// Debuggers forget the objects: to be called before their memory is freed.
  void withdraw();

private:
  class Plugin;
  void announce(llvm::jitlink::LinkGraph &graph);

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> waiting_; // by the copy's name
  std::vector<uint64_t> announced_;
};

} // namespace ze_cpu
