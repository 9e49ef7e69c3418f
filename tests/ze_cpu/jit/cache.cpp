// What is kept between processes: entries by themselves, and what the compiler makes of them.
#include "harness/cache_directory.h"

#include <atomic>
#include <catch2/catch_session.hpp>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace test;
using disk_cache::hash_of;

namespace {

std::string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

void write_file(const fs::path &path, const std::string &content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

fs::path only_new(const std::set<fs::path> &before, const std::set<fs::path> &after) {
  std::vector<fs::path> added;
  std::ranges::set_difference(after, before, std::back_inserter(added));
  REQUIRE(added.size() == 1);
  return added[0];
}

void age(const fs::path &file, int hours) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= hours * 3600;
  const timespec times[] = {now, now};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

// 6, 4, 1 as the module has it; 100 first with `constants`.
uint64_t first_value(std::span<const ze_cpu::SpecializationConstant> constants = {}) {
  auto built = ze_cpu::build_program(spirv("specialized"), "", constants);
  REQUIRE(built);
  std::vector<uint64_t> out(3);
  REQUIRE(!try_run(**built, "values", line(1, 1), out.data()).happened);
  return out[0];
}

} // namespace

TEST_CASE("cache: a directory that was named and cannot be used is told of once") {
  const Directory directory;
  const fs::path text = directory.path / "text";
  const auto said_for = [&](const char *value, int times) {
    const Variable variable("ZE_CPU_CACHE", value);
    const int stderr_copy = dup(STDERR_FILENO);
    const int file = open(text.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    for (int i = 0; i < times; ++i)
      ObjectCache(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu")).store({}, "content");
    dup2(stderr_copy, STDERR_FILENO);
    close(stderr_copy);
    close(file);
    std::ifstream stream(text);
    return std::string(std::istreambuf_iterator(stream), {});
  };
  CHECK(said_for("0", 1) == "");
  CHECK(said_for(directory.path.c_str(), 1) == "");
  const std::string said = said_for("/proc/none", 2);
  CHECK(said.starts_with("cache of compiled code: ZE_CPU_CACHE='/proc/none' is ignored"));
  CHECK(std::ranges::count(said, '\n') == 1);
}

TEST_CASE("ze_cpu: cache: what was stored is found, whole, under its own key") {
  Directory directory;
  const ObjectCache cache = directory.cache();
  const Hash a = hash_of({"a"}), b = hash_of({"b"});
  std::string content(100'000, 'x');
  content[5] = 0;
  CHECK(!cache.find(a));
  cache.store(a, content);
  CHECK(cache.find(a) == content);
  CHECK(!cache.find(b));
  cache.store(a, "");
  CHECK(cache.find(a) == "");
  CHECK(directory.cache().find(a) == "");
  CHECK(directory.unfinished().empty());
}

TEST_CASE("ze_cpu: cache: keys do not depend on how parts are joined") {
  CHECK(hash_of({"ab", "c"}) != hash_of({"a", "bc"}));
  CHECK(hash_of({"ab"}) != hash_of({"ab", ""}));
}

TEST_CASE("ze_cpu: cache: directory and entries are private") {
  Directory directory;
  const fs::path below = directory.path / "new" / "deeper";
  const ObjectCache cache({below, megabyte});
  const mode_t old = umask(0);
  cache.store(hash_of({"a"}), "content");
  umask(old);
  struct stat status;
  for (const fs::path &made : {below, below.parent_path()}) {
    REQUIRE(stat(made.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
  }
  int files = 0;
  for (const auto &file : fs::directory_iterator(below)) {
    REQUIRE(stat(file.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    ++files;
  }
  CHECK(files == 2); // the entry, and when the directory was last looked over
}

TEST_CASE("ze_cpu: cache: a changed entry is not found") {
  Directory directory;
  const ObjectCache cache = directory.cache();
  const Hash key = hash_of({"a"});
  cache.store(key, "some content to be changed");
  const fs::path file = *directory.entries().begin();
  const std::string whole = read_file(file);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write_file(file, changed);
    INFO("byte " << at);
    CHECK(!cache.find(key));
    write_file(file, whole.substr(0, at));
    CHECK(!cache.find(key));
  }
  write_file(file, whole + "x");
  CHECK(!cache.find(key));
  write_file(file, whole);
  CHECK(cache.find(key));
}

TEST_CASE("ze_cpu: cache: an entry of another key, a link and other kinds of file are not found") {
  Directory directory;
  const ObjectCache cache = directory.cache();
  const Hash key = hash_of({"a"});
  cache.store(key, "content");
  const fs::path file = *directory.entries().begin();
  cache.store(hash_of({"b"}), "content");
  const fs::path other = only_new({file}, directory.entries());

  fs::copy_file(other, file, fs::copy_options::overwrite_existing);
  CHECK(!cache.find(key));
  fs::remove(file);
  cache.store(key, "content");
  const fs::path moved = directory.path / "moved";
  fs::rename(file, moved);
  fs::create_symlink(moved, file);
  CHECK(!cache.find(key));
  fs::remove(file);
  fs::create_directory(file);
  CHECK(!cache.find(key));
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(!cache.find(key)); // and does not wait for a writer
}

TEST_CASE("ze_cpu: cache: what others can write, or own, is not read") {
  Directory directory;
  const ObjectCache cache = directory.cache();
  const Hash key = hash_of({"a"});
  cache.store(key, "content");
  const fs::path file = *directory.entries().begin();
  for (mode_t mode : {0620u, 0602u}) {
    REQUIRE(chmod(file.c_str(), mode) == 0);
    CHECK(!cache.find(key));
  }
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  CHECK(cache.find(key));
  if (chown(file.c_str(), 12345, static_cast<gid_t>(-1)) == 0) // needs rights
    CHECK(!cache.find(key));
}

TEST_CASE("ze_cpu: cache: a directory that others can write is not used") {
  Directory directory;
  REQUIRE(chmod(directory.path.c_str(), 0777) == 0);
  directory.cache().store(hash_of({"a"}), "content");
  CHECK(fs::is_empty(directory.path));
}

TEST_CASE("ze_cpu: cache: the least recently used entries go when it is full") {
  Directory directory;
  const ObjectCache cache = directory.cache(megabyte);
  const fs::path foreign = directory.path / "foreign";
  write_file(foreign, std::string(megabyte, 'f'));
  age(foreign, 1000);
  const auto key = [](int i) { return hash_of({std::to_string(i)}); };
  const std::string content(50'000, 'x');
  for (int i = 0; i < 100; ++i) {
    const auto before = directory.entries();
    cache.store(key(i), content);
    if (i < 10) {
      age(only_new(before, directory.entries()), 100 - i);
      CHECK(cache.find(key(0))); // used again each time
    }
    CHECK(directory.bytes() <= megabyte + megabyte / 4);
  }
  CHECK(cache.find(key(99)));
  CHECK(!cache.find(key(1)));
  CHECK(fs::exists(foreign));
}

TEST_CASE("ze_cpu: cache: finding an entry makes it recently used") {
  Directory directory;
  const ObjectCache cache = directory.cache(megabyte);
  const Hash used = hash_of({"used"});
  const std::string content(100'000, 'x');
  cache.store(used, content);
  age(*directory.entries().begin(), 50);
  for (int i = 0; i < 4; ++i) {
    const auto before = directory.entries();
    cache.store(hash_of({std::to_string(i)}), content);
    age(only_new(before, directory.entries()), 10);
  }
  REQUIRE(cache.find(used));
  directory.cache(400'000).sweep();
  CHECK(directory.entries().size() == 2);
  CHECK(cache.find(used));
}

TEST_CASE("ze_cpu: cache: what a dead process left unfinished is removed later") {
  Directory directory;
  const fs::path old = directory.path / "unfinished.123",
                 recent = directory.path / "unfinished.456";
  write_file(old, "x");
  write_file(recent, "x");
  age(old, 2);
  directory.cache().store(hash_of({"a"}), "content");
  CHECK(!fs::exists(old));
  CHECK(fs::exists(recent));
}

TEST_CASE("ze_cpu: cache: what is larger than the cache, or than files may be, is not stored") {
  Directory directory;
  directory.cache(megabyte).store(hash_of({"a"}), std::string(megabyte + 1, 'x'));
  CHECK(fs::is_empty(directory.path));
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &small);
    directory.cache().store(hash_of({"a"}), std::string(1000, 'x'));
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(directory.entries().empty());
  CHECK(directory.unfinished().empty());
}

TEST_CASE(
    "ze_cpu: cache: entries stay whole when processes write at the same time and some are killed") {
  Directory directory;
  const auto key = [](unsigned i) { return hash_of({std::to_string(i % 5)}); };
  const auto content = [](unsigned i) { return std::string(200'000 + i % 5, 'a'); };
  std::vector<pid_t> children;
  for (unsigned c = 0; c < 6; ++c) {
    const pid_t child = fork();
    if (child == 0) {
      const ObjectCache cache = directory.cache(megabyte);
      bool wrong = false;
      for (unsigned i = c; i < 300 + c; ++i) {
        cache.store(key(i), content(i));
        if (const auto found = cache.find(key(i * 7)))
          wrong |= *found != content(i * 7);
      }
      _exit(wrong);
    }
    children.push_back(child);
  }
  usleep(20'000);
  for (size_t c = 0; c < 2; ++c)
    kill(children[c], SIGKILL);
  for (size_t c = 0; c < children.size(); ++c) {
    int status = 0;
    REQUIRE(waitpid(children[c], &status, 0) == children[c]);
    CHECK((c < 2 || status == 0));
  }
  const ObjectCache cache = directory.cache(megabyte);
  for (unsigned i = 0; i < 5; ++i) {
    cache.store(key(i), content(i));
    CHECK(cache.find(key(i)) == content(i));
  }
  CHECK(directory.unfinished().size() <= 2);
}

TEST_CASE("ze_cpu: cache: the environment says where, and how much") {
  Variable cache("ZE_CPU_CACHE", nullptr), limit("ZE_CPU_CACHE_MB", nullptr),
      caches("XDG_CACHE_HOME", "/caches"), home("HOME", "/home/me");
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory == "/caches/ze_cpu");
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").limit == 1024 * megabyte);
  caches.set("relative");
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory == "/home/me/.cache/ze_cpu");
  caches.set(nullptr);
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory == "/home/me/.cache/ze_cpu");
  cache.set("/somewhere");
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory == "/somewhere");
  for (const char *off : {"0", "off", "relative/path"}) {
    cache.set(off);
    CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory.empty());
  }
  cache.set("");
  home.set(nullptr);
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").directory.empty());
  limit.set("5");
  CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").limit == 5 * megabyte);
  for (const char *bad : {"", "0", "-1", "5x", "99999999999999999999", "20000000000000"}) {
    limit.set(bad);
    CHECK(ObjectCache::settings("ZE_CPU_CACHE", "ze_cpu").limit == 1024 * megabyte);
  }
}

TEST_CASE("ze_cpu: cache: the compiler keeps the module and each kernel that is asked for") {
  Directory directory;
  const auto module = fresh_program("barriers");
  CHECK(directory.entries().size() == 1);
  code(*module, "reduce");
  CHECK(directory.entries().size() == 2);
  code(*module, "reduce");
  CHECK(directory.entries().size() == 2);
  code(*module, "ring");
  CHECK(directory.entries().size() == 3);

  // Another build finds all of it, and adds what it needs besides.
  const auto again = fresh_program("barriers");
  code(*again, "reduce");
  CHECK(directory.entries().size() == 3);
  code(*again, "reverse");
  CHECK(directory.entries().size() == 4);
  std::vector<uint32_t> in(64, 3), out(2);
  REQUIRE(!try_run(*again, "reduce", line(2, 32), in.data(), out.data(), Local{32 * 4}).happened);
  CHECK(out == std::vector<uint32_t>{96, 96});
}

TEST_CASE("ze_cpu: cache: a kernel that is found is not compiled") {
  Directory directory;
  const uint32_t number = 50;
  const ze_cpu::SpecializationConstant constant = {7, std::as_bytes(std::span(&number, 1))};
  CHECK(first_value() == 6);
  const auto plain = directory.entries();
  CHECK(first_value({&constant, 1}) == 100);
  const auto both = directory.entries();
  REQUIRE(both.size() == 2 * plain.size());

  // Exchange the larger entries' partners, which are the kernels' code: whoever compiles would not
  // notice.
  const ObjectCache cache = directory.cache();
  for (const fs::path &mine : plain) {
    const auto content = cache.find(key_of(mine));
    REQUIRE(content);
    if (content->find("\x7f"
                      "ELF") == std::string::npos)
      continue;
    for (const fs::path &entry : both) {
      if (plain.contains(entry))
        continue;
      const auto old = cache.find(key_of(entry));
      REQUIRE(old);
      if (old->find("\x7f"
                    "ELF") != std::string::npos)
        cache.store(key_of(entry), *content);
    }
  }
  CHECK(first_value({&constant, 1}) == 6);
}

TEST_CASE("ze_cpu: cache: flags and constants tell entries apart") {
  Directory directory;
  const auto built = [](const char *flags) {
    REQUIRE(ze_cpu::build_program(spirv("barriers"), flags, {}));
  };
  built("");
  built("-unknown-flag"); // changes nothing
  CHECK(directory.entries().size() == 1);
  built("-ze-opt-disable");
  CHECK(directory.entries().size() == 2);
  built("-cl-finite-math-only");
  CHECK(directory.entries().size() == 3);
  for (const uint32_t number : {50u, 51u}) {
    const ze_cpu::SpecializationConstant constant = {7, std::as_bytes(std::span(&number, 1))};
    CHECK(first_value({&constant, 1}) == 2 * number);
  }
}

TEST_CASE("ze_cpu: cache: damaged entries are compiled anew and replaced") {
  Directory directory;
  const auto result = [] {
    const auto module = fresh_program("functions");
    std::string all;
    for (size_t k = 0; k < module->kernels().size(); ++k) {
      const auto compiled = module->kernel(k);
      all += compiled ? "compiled " + std::to_string((*compiled)->local_bytes) : compiled.error();
      all += '\n';
    }
    return all;
  };
  const std::string expected = result();
  const auto entries = directory.entries();
  REQUIRE(entries.size() > 2);
  std::map<fs::path, std::string> contents;
  for (const fs::path &entry : entries)
    contents[entry] = read_file(entry);
  const auto damage_all = [&](const auto &damage) {
    for (const auto &[entry, content] : contents) {
      fs::remove_all(entry);
      damage(entry, content);
    }
    CHECK(result() == expected);
    CHECK(directory.entries() == entries);
    const ObjectCache cache = directory.cache();
    for (const fs::path &entry : entries)
      CHECK(cache.find(key_of(entry)));
  };
  damage_all([](const fs::path &entry, const std::string &content) {
    write_file(entry, content.substr(0, content.size() / 2));
  });
  damage_all([](const fs::path &entry, const std::string &) { write_file(entry, ""); });
  damage_all([](const fs::path &entry, std::string content) {
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 0x40);
    write_file(entry, content);
  });
  damage_all([](const fs::path &, const std::string &) {});
  // Whole, and yet nothing of ours.
  damage_all([&](const fs::path &entry, const std::string &) {
    directory.cache().store(key_of(entry), "nonsense");
  });
}

TEST_CASE("ze_cpu: cache: threads build the same module and create its kernels at the same time") {
  Directory directory;
  const std::vector<std::byte> source = spirv("barriers");
  std::atomic<int> wrong = 0;
  std::vector<std::unique_ptr<ze_cpu::Program>> modules(2);
  for (auto &module : modules)
    module = fresh_program("barriers");
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      ze_cpu::Program *module = modules[t % 2].get(); // shared with two others
      auto own = ze_cpu::build_program(source, "", {});
      if (t >= 4)
        module = own ? own->get() : nullptr;
      if (!module) {
        ++wrong;
        return;
      }
      const size_t count = module->kernels().size();
      for (size_t k = 0; k < count; ++k)
        wrong += !module->kernel((k + t) % count);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(directory.entries().size() == 1 + modules[0]->kernels().size());
  CHECK(directory.unfinished().empty());
}

TEST_CASE("ze_cpu: cache: variables have their initial values in each module") {
  Directory directory;
  for (int round = 0; round < 2; ++round) {
    const auto module = fresh_program("memory");
    std::vector<std::string> names;
    for (const auto &variable : module->variables())
      names.push_back(variable.name);
    CHECK(!names.empty());
    for (const std::string &name : names)
      if (const auto variable = module->global(name))
        std::memset(variable->address, 0x55, variable->size); // only this module's
    const auto other = fresh_program("memory");
    for (const std::string &name : names)
      if (const auto variable = other->global(name)) {
        const std::string_view bytes(static_cast<const char *>(variable->address), variable->size);
        CHECK(bytes.find_first_not_of('\x55') != std::string_view::npos);
      }
  }
}

TEST_CASE("ze_cpu: cache: without a usable directory everything is compiled") {
  Directory directory;
  const fs::path file = directory.path / "file";
  write_file(file, "");
  for (const std::string &place :
       {file.string(), file.string() + "/below", std::string("/proc/no/such"),
        std::string("/dev/null"), std::string("0")}) {
    const Variable variable("ZE_CPU_CACHE", place.c_str());
    CHECK(first_value() == 6);
  }
  CHECK(directory.entries().empty());
}

int main(int argc, char **argv) {
  // Asked for once in a process: not among what the tests count.
  if (std::find(argv, argv + argc, std::string_view("[.builds]")) == argv + argc) {
    const Variable nowhere("ZE_CPU_CACHE", "0");
    (void)ze_cpu::link_programs({});
  }
  return Catch::Session().run(argc, argv);
}
