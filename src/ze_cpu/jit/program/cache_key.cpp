#include "cache_key.h"

#include "../../contract/jit_host.h"
#include "../codegen/codegen.h"
#include "../llvm_use.h"
#include "../worker/serialize.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <algorithm>
#include <elf.h>
#include <link.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>
#include <stdexcept>
#include <sys/stat.h>

namespace ze_cpu {
namespace {

struct Library {
  uintptr_t inside; // an address in it
  std::string identity;
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
  // Linked without one: then it is the file that it is.
  struct stat status;
  if (library.identity.empty() && stat(info->dlpi_name, &status) == 0)
    library.identity = std::string(info->dlpi_name) + ' ' + std::to_string(status.st_ino) + ' ' +
                       std::to_string(status.st_size) + ' ' +
                       std::to_string(status.st_mtim.tv_sec) + '.' +
                       std::to_string(status.st_mtim.tv_nsec);
  return 1;
}

template <class Function> std::string identity_of_library(Function *function) {
  Library library = {reinterpret_cast<uintptr_t>(function), {}};
  dl_iterate_phdr(identify, &library);
  return library.identity;
}

} // namespace

const std::string &compiler_identity() {
  // Never destroyed: threads may build modules until the process is gone.
  static const auto &all = *new std::string([] {
    const LlvmUse llvm;
    if (!llvm)
      throw std::runtime_error(LlvmUse::refusal);
    Writer writer;
    writer.put(jit_interface_version);
    writer.put(std::string(LLVM_VERSION_STRING));
    writer.put(identity_of_library(&module_key));
    writer.put(identity_of_library(&llvm::sys::getHostCPUName));
    using Translate = bool(llvm::LLVMContext &, const SPIRV::TranslatorOpts &, std::istream &,
                           llvm::Module *&, std::string &);
    writer.put(identity_of_library(static_cast<Translate *>(&llvm::readSpirv)));
    const llvm::orc::JITTargetMachineBuilder &host = host_processor();
    writer.put(host.getTargetTriple().str());
    writer.put(host.getCPU());
    writer.put(host.getFeatures().getString());
    return writer.take();
  }());
  return all;
}

Hash module_key(std::span<const std::byte> spirv, const BuildOptions &options,
                std::span<const SpecializationConstant> constants) {
  Writer settings;
  settings.put(options);
  for (const SpecializationConstant &constant : constants) {
    settings.put(constant.id);
    settings.put(constant.value);
  }
  return hash_of({"module",
                  compiler_identity(),
                  settings.take(),
                  {reinterpret_cast<const char *>(spirv.data()), spirv.size()}});
}

Hash linked_key(std::span<const Hash> members, std::span<const Hash> providers) {
  Writer keys;
  keys.put(std::as_bytes(members));
  keys.put(std::as_bytes(providers));
  return hash_of({"linked", keys.take()});
}

Hash unit_key(const Hash &module, UnitKind kind, std::string_view symbol) {
  const auto number = static_cast<char>(kind);
  return hash_of({"unit", bytes_of(module), {&number, 1}, symbol});
}

} // namespace ze_cpu
