// Which compiler there is, as it is kept between processes.
#include "harness/cache_directory.h"
#include "program/serialize.h"

using namespace test;

// Hidden: a program of its own, which has everything that the next test wants of it in the cache.
TEST_CASE("builds and takes a kernel", "[.builds]") { CHECK(fresh_program("barriers")->kernel(0)); }

TEST_CASE("ze_cpu: cache: which compiler there is is kept, and asked anew when it has changed") {
  Directory directory;
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const auto build = [&] {
    return std::system(("'" + program + "' '[.builds]' > /dev/null").c_str());
  };
  REQUIRE(build() == 0);
  const ObjectCache cache = directory.cache();
  // The entry that names the files of the compiler. Others may be read as if they did, as entries do not say what they are.
  std::optional<Hash> key;
  ze_cpu::Compiler compiler;
  for (const fs::path &entry : directory.entries())
    if (const auto found = ze_cpu::deserialize<ze_cpu::Compiler>(*cache.find(key_of(entry)));
        found && !found->files.empty() && found->files[0].path.ends_with("/libze_cpu_jit.so")) {
      key = key_of(entry);
      compiler = *found;
    }
  REQUIRE(key);
  CHECK(compiler.files.size() == 3);
  for (const ze_cpu::FileVersion &file : compiler.files)
    CHECK(ze_cpu::FileVersion::of(file.path) == file);

  // What is kept is believed: nothing that another compiler has made is found.
  const size_t entries = directory.entries().size();
  ze_cpu::Compiler other = compiler;
  other.identity += "other";
  cache.store(*key, ze_cpu::serialize(other));
  CHECK(build() != 0); // which the one that there is refuses to be
  CHECK(directory.entries().size() == entries);
  // Unless a file has changed since.
  other.files[1].size += 1;
  cache.store(*key, ze_cpu::serialize(other));
  REQUIRE(build() == 0);
  CHECK(directory.entries().size() == entries);
  CHECK(cache.find(*key) == ze_cpu::serialize(compiler));
}
