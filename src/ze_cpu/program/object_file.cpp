#include "object_file.h"

#include "processor/relocations.h"

#include <cstring>

namespace ze_cpu {
namespace {

struct Malformed {
  const char *what;
};

void check(bool holds, const char *what) {
  if (!holds)
    throw Malformed{what};
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
  check(offset <= bytes.size() && size <= bytes.size() - offset, "a section passes its end");
  return bytes.substr(offset, size);
}

template <class Entry> std::vector<Entry> entries(std::string_view bytes, size_t count) {
  check(count <= bytes.size() / sizeof(Entry), "a table passes its end");
  std::vector<Entry> all(count);
  if (count != 0)
    std::memcpy(all.data(), bytes.data(), count * sizeof(Entry));
  return all;
}

std::string_view text_at(std::string_view table, size_t offset) {
  check(offset < table.size() && table.back() == 0, "a name passes the table of names");
  return table.data() + offset;
}

Elf64_Ehdr header_of(std::string_view bytes) {
  Elf64_Ehdr header;
  check(bytes.size() >= sizeof header, "it is too short");
  std::memcpy(&header, bytes.data(), sizeof header);
  check(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
            header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
            header.e_type == ET_REL && header.e_machine == this_machine &&
            header.e_shentsize == sizeof(Elf64_Shdr),
        "it is none of this machine");
  return header;
}

void read_sections(ObjectFile &file, std::string_view bytes) {
  const Elf64_Ehdr header = header_of(bytes);
  check(header.e_shoff <= bytes.size(), "its sections pass its end");
  const auto headers = entries<Elf64_Shdr>(bytes.substr(header.e_shoff), header.e_shnum);
  check(header.e_shstrndx < headers.size(), "its sections have no names");
  const Elf64_Shdr &of_names = headers[header.e_shstrndx];
  const std::string_view names = part(bytes, of_names.sh_offset, of_names.sh_size);
  for (const Elf64_Shdr &section : headers) {
    check((section.sh_addralign & (section.sh_addralign - 1)) == 0,
          "an alignment is no power of two");
    const bool is_in_file = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    file.sections.push_back(
        {section,
         text_at(names, section.sh_name),
         is_in_file ? part(bytes, section.sh_offset, section.sh_size) : std::string_view(),
         {}});
  }
}

void read_symbols(ObjectFile &file, const ObjectFile::Section &table) {
  check(table.header.sh_link < file.sections.size(), "its symbols have no names");
  const std::string_view names = file.sections[table.header.sh_link].content;
  for (const Elf64_Sym &symbol :
       entries<Elf64_Sym>(table.content, table.content.size() / sizeof(Elf64_Sym))) {
    if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE) {
      check(symbol.st_shndx < file.sections.size(), "a symbol is in no section");
      check(symbol.st_value <= file.sections[symbol.st_shndx].header.sh_size,
            "a symbol lies outside of its section");
    } else {
      check(symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS,
            "a symbol is of an unknown kind");
    }
    file.symbols.push_back({text_at(names, symbol.st_name), symbol});
  }
}

void read_relocations(ObjectFile &file, const ObjectFile::Section &table) {
  check(table.header.sh_info < file.sections.size(), "relocations are of no section");
  ObjectFile::Section &section = file.sections[table.header.sh_info];
  section.relocations =
      entries<Elf64_Rela>(table.content, table.content.size() / sizeof(Elf64_Rela));
  for (const Elf64_Rela &relocation : section.relocations)
    check(ELF64_R_SYM(relocation.r_info) < file.symbols.size() &&
              relocation.r_offset < section.content.size(),
          "a relocation lies outside of its section, or has no symbol");
}

} // namespace

std::expected<ObjectFile, std::string> ObjectFile::read(std::string_view bytes) try {
  ObjectFile file;
  read_sections(file, bytes);
  // One table of symbols, which all relocations refer to.
  for (const Section &section : file.sections)
    if (section.header.sh_type == SHT_SYMTAB && file.symbols.empty())
      read_symbols(file, section);
  for (size_t i = 0; i < file.sections.size(); ++i)
    if (file.sections[i].header.sh_type == SHT_RELA)
      read_relocations(file, file.sections[i]);
  return file;
} catch (const Malformed &malformed) {
  return std::unexpected(std::string("an object is malformed: ") + malformed.what);
}

size_t ObjectFile::place_of_address(std::string_view bytes, size_t index) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.e_shoff + index * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr);
}

} // namespace ze_cpu
