// How the code of an object refers to what lies elsewhere: the part of linking that knows processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <string>

namespace ze_cpu {

/// The processor that this is compiled for, as ELF files name it.
#if defined(__x86_64__)
constexpr Elf64_Half this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half this_machine = EM_AARCH64;
#else
#error "linking: write the relocations of this machine"
#endif

/// What is to be changed in the code or data of an object, once everything has its address.
struct Relocation {
  uint32_t kind;
  uint64_t place; // of what is changed
  uint64_t symbol, addend;
  uint64_t table, entry; // the object's table of addresses, and where in it that of the symbol is
  uint64_t stub;         // code near the place that goes on at the symbol
};

/// Bytes of such a stub; 0 where calls reach every address.
size_t stub_bytes(Elf64_Half machine);

/// Makes the stub of a symbol.
void write_stub(Elf64_Half machine, std::byte *at, uint64_t symbol);

/// Changes what lies in memory at `at`, which its section has `room` bytes of. What it returns is wrong, if it is not empty.
std::string relocate(Elf64_Half machine, const Relocation &relocation, std::byte *at, size_t room);

} // namespace ze_cpu
