// LLVM's messages: into the build log, never to the terminal.
#pragma once

#include <llvm/IR/DiagnosticHandler.h>
#include <memory>
#include <string>

namespace ze_cpu {

/// A handler for a context that appends errors to `log`, which must outlive it, and drops
/// everything else.
std::unique_ptr<llvm::DiagnosticHandler> silent_diagnostics(std::string &log);

/// Makes LLVM's fatal errors quiet on threads that catch them (see ExpectFatalErrors); once per
/// process.
void install_fatal_error_handling();

/// While an object of it lives, a fatal error of LLVM on this thread stores its message in
/// `message` and aborts without printing: the caller has arranged for the abort to be caught.
class ExpectFatalErrors {
public:
  explicit ExpectFatalErrors(std::string &message);
  ~ExpectFatalErrors();
  ExpectFatalErrors(const ExpectFatalErrors &) = delete;
  ExpectFatalErrors &operator=(const ExpectFatalErrors &) = delete;

private:
  std::string *outer_;
};

} // namespace ze_cpu
