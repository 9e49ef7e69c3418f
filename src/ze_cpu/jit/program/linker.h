// Puts the objects of one program into memory.
#pragma once

#include "debugger.h"

#include <expected>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace ze_cpu {

struct JitHost;

/// Safe from any thread.
class Linker {
public:
  static std::expected<std::unique_ptr<Linker>, std::string> create(const JitHost &host);
  ~Linker();

  /// Adds an object; symbols are resolved when they are looked up. The error is empty when there is
  /// none.
  std::string add(std::unique_ptr<llvm::MemoryBuffer> object);

  /// Makes symbols known that lie elsewhere.
  std::string define(std::span<const std::pair<std::string, void *>> symbols);

  /// The address of a symbol, or null with a reason in error().
  void *find(const std::string &symbol);

  std::string error() const;

private:
  explicit Linker(std::unique_ptr<llvm::orc::LLJIT> jit) : debugged_(*jit), jit_(std::move(jit)) {}

  DebuggedObjects debugged_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  mutable std::mutex mutex_;
  std::string error_;
};

} // namespace ze_cpu
