#include "diagnostics.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

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

} // namespace

std::unique_ptr<llvm::DiagnosticHandler> silent_diagnostics(std::string &log) {
  return std::make_unique<SilentDiagnostics>(log);
}

} // namespace ze_cpu
