#include "linker.h"

#include "../../contract/jit_host.h"
#include "../codegen/codegen.h"
#include "../llvm_use.h"
#include "../runtime/functions.h"
#include "../runtime/images.h"

#include <dlfcn.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/Support/DynamicLibrary.h>
#include <vector>

namespace ze_cpu {
namespace {

// Only objects are added, so that no code generator is set up, which takes longer than all of the
// linking.
struct NoCompiler : llvm::orc::IRCompileLayer::IRCompiler {
  NoCompiler() : IRCompiler({}) {}
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> operator()(llvm::Module &) override {
    return llvm::createStringError("the linker compiles nothing");
  }
};

// What LLVM makes calls of: mathematics, memory functions, arithmetic on types the machine lacks.
// Never closed, as kernels may run until the process is gone. LLVM's own way to load libraries has
// a list of them that is destroyed, and closes them, while other threads link and kernels run.
std::span<const llvm::sys::DynamicLibrary> libraries() {
  static const auto &opened = *new std::vector<llvm::sys::DynamicLibrary>([] {
    std::vector<llvm::sys::DynamicLibrary> opened;
    // One that is not there is missed only by kernels that need it, and named then.
    for (const char *name : {"libm.so.6", "libmvec.so.1", "libc.so.6", "libgcc_s.so.1"})
      if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
        opened.emplace_back(library);
    return opened;
  }());
  return opened;
}

// How ELF writes symbols: nothing is put before a name.
constexpr const char *elf_names = "m:e";

// Where those who look for leaks find what is not destroyed any more.
void leave(std::unique_ptr<llvm::orc::LLJIT> jit) {
  static constinit std::mutex mutex;
  static auto &left = *new std::vector<std::unique_ptr<llvm::orc::LLJIT>>;
  const std::lock_guard lock(mutex);
  left.push_back(std::move(jit));
}

} // namespace

std::expected<std::unique_ptr<Linker>, std::string> Linker::create(const JitHost &host) {
  const LlvmUse llvm;
  if (!llvm)
    return std::unexpected(LlvmUse::refusal);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(host_processor())
                 .setDataLayout(llvm::DataLayout(elf_names))
                 .setCompileFunctionCreator([](auto) {
                   return llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>>(
                       std::make_unique<NoCompiler>());
                 })
                 .create();
  if (!jit)
    return std::unexpected(llvm::toString(jit.takeError()));
  // Lookups that fail say so to their caller; the session need not print it too.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  llvm::orc::JITDylib &dylib = (*jit)->getMainJITDylib();

  llvm::orc::SymbolMap symbols;
  auto define = [&](const char *name, void *address) {
    symbols[(*jit)->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                              llvm::JITSymbolFlags::Exported |
                                                  llvm::JITSymbolFlags::Callable};
  };
  define("ze_cpu_sync", reinterpret_cast<void *>(host.sync));
  define("ze_cpu_run_diverged", reinterpret_cast<void *>(host.run_diverged));
  define("ze_cpu_exchange", reinterpret_cast<void *>(host.exchange));
  define("ze_cpu_wait", reinterpret_cast<void *>(host.wait));
  if (host.check)
    define("ze_cpu_check", reinterpret_cast<void *>(host.check));
  for (const auto functions : {runtime_functions(), image_functions()})
    for (const RuntimeFunction &function : functions)
      define(function.name, function.address);
  if (llvm::Error error = dylib.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::unexpected(llvm::toString(std::move(error)));

  const char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  for (const llvm::sys::DynamicLibrary &library : libraries())
    dylib.addGenerator(std::make_unique<llvm::orc::DynamicLibrarySearchGenerator>(library, prefix));
  return std::unique_ptr<Linker>(new Linker(std::move(*jit)));
}

Linker::~Linker() {
  const LlvmUse llvm;
  if (llvm.is_last()) {
    leave(std::move(jit_));
    return;
  }
  debugged_.withdraw();
  jit_.reset();
}

std::string Linker::add(std::unique_ptr<llvm::MemoryBuffer> object) {
  if (!object)
    return {};
  const LlvmUse llvm;
  if (!llvm)
    return LlvmUse::refusal;
  if (llvm::Error error = jit_->addObjectFile(debugged_.add(std::move(object))))
    return llvm::toString(std::move(error));
  return {};
}

std::string Linker::define(std::span<const std::pair<std::string, void *>> symbols) {
  const LlvmUse llvm;
  if (!llvm)
    return LlvmUse::refusal;
  llvm::orc::SymbolMap map;
  for (const auto &[name, address] : symbols)
    map[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                        llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(map))))
    return llvm::toString(std::move(error));
  return {};
}

void *Linker::find(const std::string &symbol) {
  const LlvmUse llvm;
  if (!llvm) {
    std::lock_guard lock(mutex_);
    error_ = LlvmUse::refusal;
    return nullptr;
  }
  auto address = jit_->lookup(symbol);
  if (address)
    return address->toPtr<void *>();
  std::lock_guard lock(mutex_);
  error_ = "linking: " + llvm::toString(address.takeError());
  return nullptr;
}

std::string Linker::error() const {
  std::lock_guard lock(mutex_);
  return error_;
}

} // namespace ze_cpu
