#include "diagnostics.h"

#include <cstdio>
#include <cstdlib>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>

namespace ze_cpu {
namespace {

struct SilentDiagnostics : llvm::DiagnosticHandler {
  explicit SilentDiagnostics(std::string &out) : log(out) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(log);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      log += '\n';
    }
    return true;
  }
  std::string &log;
};

constinit thread_local std::string *fatal_message = nullptr;

void on_fatal_error(void *, const char *reason, bool) {
  if (fatal_message)
    *fatal_message = reason;
  else
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
  std::abort();
}

} // namespace

std::unique_ptr<llvm::DiagnosticHandler> silent_diagnostics(std::string &log) {
  return std::make_unique<SilentDiagnostics>(log);
}

void install_fatal_error_handling() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(on_fatal_error); });
}

ExpectFatalErrors::ExpectFatalErrors(std::string &message) : outer_(fatal_message) {
  fatal_message = &message;
}
ExpectFatalErrors::~ExpectFatalErrors() { fatal_message = outer_; }

} // namespace ze_cpu
