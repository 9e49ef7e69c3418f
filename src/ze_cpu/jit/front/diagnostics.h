// LLVM's messages: into the build log, never to the terminal.
#pragma once

#include <llvm/IR/DiagnosticHandler.h>
#include <memory>
#include <string>

namespace ze_cpu {

/// A handler for a context that appends errors to `log`, which must outlive it, and drops
/// everything else.
std::unique_ptr<llvm::DiagnosticHandler> silent_diagnostics(std::string &log);

} // namespace ze_cpu
