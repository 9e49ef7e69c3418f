// A relocatable ELF file as the compiler makes them, read with checks: an object may come from a file.
#pragma once

#include <elf.h>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace ze_cpu {

class ObjectFile {
public:
  struct Section {
    Elf64_Shdr header;
    std::string_view name;
    std::string_view content; // empty if the file has none of it
    /// What is to be changed in it, each within it.
    std::vector<Elf64_Rela> relocations;
  };
  struct Symbol {
    std::string_view name;
    Elf64_Sym entry; // of a section that is there, within it, or of none
    bool is_local() const { return ELF64_ST_BIND(entry.st_info) == STB_LOCAL; }
    bool is_weak() const { return ELF64_ST_BIND(entry.st_info) == STB_WEAK; }
  };

  /// `bytes` must outlive the result. The error says what is wrong with the file.
  static std::expected<ObjectFile, std::string> read(std::string_view bytes);

  std::vector<Section> sections;
  std::vector<Symbol> symbols; // the first is none

  /// Where the address of section `index` stands in the file: for debuggers.
  static size_t place_of_address(std::string_view bytes, size_t index);
};

} // namespace ze_cpu
