// Answers for clang's SPIR-V targets what they answer otherwise than HIP needs.
//
// The classes of these targets are private to clang, and the target is in use by many parts of the compiler when a plugin is
// first called, so that it can neither be derived from nor exchanged. But what it says is said by virtual functions: the entry of
// one in the table of the target's class is replaced. clang loads plugins with -fplugin, which it does not take for one side of
// a compilation only; who calls this leaves the host's side alone, and checks that it took effect.
#pragma once

#include <clang/Basic/TargetInfo.h>
#include <clang/Basic/Version.h>

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace chip {

/// Lets `answer` stand for the virtual function `member`, for all targets of the same class. Returns what prevents it, or null.
template <typename Member, typename Answer>
const char *replace_target_function(const clang::TargetInfo &target, Member member,
                                    Answer *answer) {
  // Their classes stay the same within a minor version.
  if (!llvm::StringRef(clang::getClangFullVersion())
           .contains("clang version " CHIP_CLANG_VERSION "."))
    return "it was built for clang " CHIP_CLANG_VERSION;
  // Itanium C++ ABI, 2.3: a pointer to a virtual member function is the offset of its entry in the table, and an adjustment of
  // `this`. A bit tells it from others: the lowest one of the offset, or, as ARM's processors have it, of the adjustment.
  struct {
    uintptr_t function;
    ptrdiff_t adjustment;
  } pointer;
  static_assert(sizeof pointer == sizeof member,
                "pointers to members are not those of the Itanium C++ ABI");
  std::memcpy(&pointer, &member, sizeof pointer);
  if (pointer.function % sizeof answer + pointer.adjustment != 1)
    return "the target's table of virtual functions is not as expected";
  // The object begins with the address of the table.
  char *table;
  std::memcpy(&table, static_cast<const void *>(&target), sizeof table);
  char *entry = table + pointer.function / sizeof answer * sizeof answer;
  // The table is in memory that the dynamic linker made read-only when it was done. An entry is aligned, so that it is in one page.
  const uintptr_t page_bytes = uintptr_t(sysconf(_SC_PAGESIZE)),
                  address = reinterpret_cast<uintptr_t>(entry);
  void *page = reinterpret_cast<void *>(address / page_bytes * page_bytes);
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
    return "the target's table of virtual functions cannot be written";
  std::memcpy(entry, &answer, sizeof answer);
  if (mprotect(page, page_bytes, PROT_READ) != 0)
    return "the target's table of virtual functions cannot be protected again";
  return nullptr;
}

} // namespace chip
