// Compiled code put into memory, and files that are none.
#include "../harness/cache_directory.h"
#include "program/linker.h"
#include "program/requests.h"

#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <random>

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

// An object as the compiler makes it: of kernel `name`.
std::string object_of(const char *module, const char *name, const char *flags = "") {
  const auto compiler = ze_cpu::find_compiler(ObjectCache({}));
  REQUIRE(compiler);
  const ze_cpu::Requests requests(compiler->identity);
  const ze_cpu::BuildOptions options = ze_cpu::parse_build_flags(flags);
  const auto key = ze_cpu::module_key(compiler->identity, spirv(module), options, {});
  const auto ir = requests.ir(key, spirv(module), options, {});
  REQUIRE(ir);
  const auto unit = requests.unit(key, *ir, ze_cpu::UnitKind::kernel, name, {});
  REQUIRE(unit);
  return unit->object;
}

// Everything that the linker looks at is inside of `bytes`.
void look_at(const ze_cpu::ObjectFile &file, std::string_view bytes) {
  const auto is_inside = [&](std::string_view part) {
    return part.empty() || (part.data() >= bytes.data() &&
                            part.data() + part.size() <= bytes.data() + bytes.size());
  };
  for (const auto &section : file.sections) {
    CHECK(is_inside(section.name));
    CHECK(is_inside(section.content));
    for (const Elf64_Rela &relocation : section.relocations) {
      CHECK(ELF64_R_SYM(relocation.r_info) < file.symbols.size());
      CHECK(relocation.r_offset < section.content.size());
    }
  }
  for (const auto &symbol : file.symbols)
    CHECK(is_inside(symbol.name));
}

} // namespace

TEST_CASE("ze_cpu: objects: symbols are found once they are added, and errors name them") {
  const std::string object = object_of("coordinates", "count");
  ze_cpu::Linker linker;
  CHECK(linker.find("count.kernel") == nullptr);
  CHECK(linker.error() == "linking: there is no count.kernel");
  linker.add(object);
  void *const address = linker.find("count.kernel");
  CHECK(address);
  CHECK(linker.find("nobody") == nullptr);
  CHECK(linker.error() == "linking: there is no nobody");
  linker.add(object);
  CHECK(linker.find("nobody") == nullptr);
  CHECK(linker.error() == "linking: count.kernel is defined twice");
  CHECK(linker.find("count.kernel") == address); // what was there is kept
}

TEST_CASE(
    "ze_cpu: objects: what code needs and nobody has is named, and all of the object is left out") {
  std::string object = object_of("barriers", "ring", "-ze-cpu-fibers");
  const size_t name = object.find("ze_cpu_sync");
  REQUIRE(name != object.npos);
  object[name] = 'Z';
  ze_cpu::Linker linker;
  linker.add(object);
  CHECK(linker.find("ring.kernel") == nullptr);
  CHECK_THAT(linker.error(), ContainsSubstring("linking: there is no Ze_cpu_sync"));
  CHECK(linker.find("ring.kernel") == nullptr);
  CHECK(linker.error() == "linking: there is no ring.kernel");
  // It may lie elsewhere.
  const std::string missing = object.c_str() + name;
  linker.define({{{missing, &object}}});
  linker.add(object);
  CHECK(linker.find("ring.kernel"));
}

TEST_CASE("ze_cpu: objects: files that are damaged are refused, or read within their bounds") {
  const std::string object = object_of("coordinates", "count");
  REQUIRE(ze_cpu::ObjectFile::read(object));
  for (size_t size = 0; size < object.size(); size += 7) {
    const std::string part =
        object.substr(0, size); // of its own memory, whose end AddressSanitizer knows
    if (const auto file = ze_cpu::ObjectFile::read(part))
      look_at(*file, part);
  }
  std::mt19937 random(1);
  size_t refused = 0;
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = object;
    for (unsigned changes = 1 + random() % 3; changes-- != 0;) {
      // Mostly in the tables.
      const size_t begin = random() % 2 ? header.e_shoff : 0;
      changed[begin + random() % (object.size() - begin)] = static_cast<char>(random());
    }
    if (const auto file = ze_cpu::ObjectFile::read(changed)) {
      look_at(*file, changed);
    } else {
      ++refused;
      CHECK_THAT(file.error(), ContainsSubstring("an object is malformed: "));
    }
  }
  CHECK(refused > 1000);
  ze_cpu::Linker linker;
  linker.add("no ELF");
  CHECK(linker.find("count.kernel") == nullptr);
  CHECK(linker.error() == "linking: an object is malformed: it is too short");
}
