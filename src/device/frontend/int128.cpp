// Gives kernels __int128, as AMD's and NVIDIA's compilers do.
//
// clang's SPIR-V targets say of themselves that they lack the type, and no option changes that, though everything behind the
// front end can take it: our passes turn it into pairs of 64-bit integers (src/device/passes/wide_integers.cpp). The classes of
// these targets are private to clang, and the target is in use by many parts of the compiler when a plugin is first called, so
// that it can neither be derived from nor exchanged. But whether it has the type is one virtual function: the entry of this
// function in the table of the target's class is replaced, and whether that took effect is checked. clang loads the plugin with
// -fplugin, which it does not take for one side of a compilation only; the host's side is left alone. Can go when clang lets
// SPIR-V targets have the type.
#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace chip {
namespace {

using Answer = bool (*)(const clang::TargetInfo *);

bool yes(const clang::TargetInfo *) { return true; }

// Itanium C++ ABI, 2.3: a pointer to a virtual member function is one more than the offset of its entry in the table, and an
// adjustment of `this`. Null if it is not of this form.
Answer *entry_in_table(const clang::TargetInfo &target) {
  struct {
    uintptr_t function;
    ptrdiff_t adjustment;
  } member;
  const auto pointer = &clang::TargetInfo::hasInt128Type;
  static_assert(sizeof member == sizeof pointer,
                "pointers to members are not those of the Itanium C++ ABI");
  std::memcpy(&member, &pointer, sizeof member);
  if (member.adjustment != 0 || member.function % sizeof(Answer) != 1)
    return nullptr;
  // The object begins with the address of the table.
  char *table;
  std::memcpy(&table, static_cast<const void *>(&target), sizeof table);
  return reinterpret_cast<Answer *>(table + member.function - 1);
}

// The table is in memory that the dynamic linker made read-only when it was done.
bool replace(Answer *entry, Answer answer) {
  const uintptr_t page_bytes = uintptr_t(sysconf(_SC_PAGESIZE)),
                  address = reinterpret_cast<uintptr_t>(entry);
  // An entry is aligned, so that it is in one page.
  void *page = reinterpret_cast<void *>(address / page_bytes * page_bytes);
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  *entry = answer;
  return mprotect(page, page_bytes, PROT_READ) == 0;
}

// What prevents it, or null.
const char *give_int128(const clang::TargetInfo &target) {
  if (target.hasInt128Type())
    return nullptr;
  // Their classes stay the same within a minor version.
  if (!llvm::StringRef(clang::getClangFullVersion())
           .contains("clang version " CHIP_CLANG_VERSION "."))
    return "it was built for clang " CHIP_CLANG_VERSION;
  Answer *entry = entry_in_table(target);
  if (!entry || (*entry)(&target))
    return "the target's table of virtual functions is not as expected";
  if (!replace(entry, yes))
    return "the target's table of virtual functions cannot be written";
  if (!target.hasInt128Type())
    return "the target does not use its table of virtual functions";
  if (target.getInt128Align() != 128)
    return "the target does not align it to 16 bytes";
  return nullptr;
}

class Int128 : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice && compiler.getTarget().getTriple().isSPIRV())
      if (const char *obstacle = give_int128(compiler.getTarget())) {
        clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
        const unsigned id =
            diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                        "libCHIP's plugin cannot give device code __int128: %0");
        diagnostics.Report(id) << obstacle;
      }
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  // Before what parses the file.
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Int128> register_int128("chip-int128",
                                                                 "gives HIP device code __int128");

} // namespace
} // namespace chip
