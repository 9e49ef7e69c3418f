#include "this_compiler.h"

#include "../../program/serialize.h"
#include "../codegen/codegen.h"
#include "work.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <algorithm>
#include <elf.h>
#include <link.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

namespace ze_cpu {
namespace {

struct Library {
  uintptr_t inside; // an address in it
  std::string identity, path;
};

// The build id in a segment of notes, or nothing.
std::string build_id(const char *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const size_t name = sizeof note, id = name + (size_t(note.n_namesz) + 3) / 4 * 4;
    const size_t end = id + (size_t(note.n_descsz) + 3) / 4 * 4;
    if (end > size)
      break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + name, "GNU", 4) == 0)
      return {notes + id, note.n_descsz};
    notes += end;
    size -= end;
  }
  return {};
}

int identify(dl_phdr_info *info, size_t, void *argument) {
  Library &library = *static_cast<Library *>(argument);
  const std::span headers(info->dlpi_phdr, info->dlpi_phnum);
  if (std::ranges::none_of(headers, [&](const ElfW(Phdr) & header) {
        return header.p_type == PT_LOAD &&
               library.inside - (info->dlpi_addr + header.p_vaddr) < header.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) &header : headers)
    if (header.p_type == PT_NOTE && library.identity.empty())
      library.identity = build_id(reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr),
                                  header.p_memsz);
  library.path = info->dlpi_name;
  return 1;
}

// Adds the library that has `function`.
template <class Function> void add(Function *function, Writer &identity, Compiler &compiler) {
  Library library = {reinterpret_cast<uintptr_t>(function), {}, {}};
  dl_iterate_phdr(identify, &library);
  const FileVersion &file = compiler.files.emplace_back(FileVersion::of(std::move(library.path)));
  if (library.identity.empty()) // linked without one: then it is the file that it is
    identity.put(file);
  else
    identity.put(library.identity);
}

} // namespace

const Compiler &this_compiler() {
  static const Compiler compiler = [] {
    Compiler made;
    Writer identity;
    identity.put(protocol_version);
    identity.put(std::string(LLVM_VERSION_STRING));
    using Translate = bool(llvm::LLVMContext &, const SPIRV::TranslatorOpts &, std::istream &,
                           llvm::Module *&, std::string &);
    add(&do_work, identity, made);
    add(&llvm::sys::getHostCPUName, identity, made);
    add(static_cast<Translate *>(&llvm::readSpirv), identity, made);
    const llvm::orc::JITTargetMachineBuilder &host = host_processor();
    identity.put(host.getTargetTriple().str());
    identity.put(host.getCPU());
    identity.put(host.getFeatures().getString());
    made.identity = identity.take();
    return made;
  }();
  return compiler;
}

} // namespace ze_cpu
