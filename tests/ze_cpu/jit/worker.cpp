// The process that compiles, seen from the program that it compiles for. A program of its own: it
// finds that process by having no other children.
#include "harness/harness.h"

#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

private:
  const char *name_;
};

// Processes that nobody is the parent of become children of this one, and can be found.
const int adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);

// Those that live.
std::vector<pid_t> workers() {
  while (waitpid(-1, nullptr, WNOHANG) > 0)
    ;
  std::vector<pid_t> found;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;)
      found.push_back(child);
  }
  return found;
}

void end_workers() {
  for (const pid_t worker : workers()) {
    kill(worker, SIGKILL);
    waitpid(worker, nullptr, 0);
  }
}

std::string error_of(const std::vector<std::byte> &module) {
  auto built = ze_cpu::build_program(module, "", {});
  if (!built)
    return built.error().log;
  for (size_t i = 0; i < (*built)->kernels().size(); ++i)
    if (auto compiled = (*built)->kernel(i); !compiled)
      return compiled.error();
  return {};
}

// kernel k(uint *data) { value = *data; ... *data = value; } with many times
// value = (value * 77 ^ value) + value in between.
std::vector<std::byte> long_kernel(uint32_t pieces) {
  std::vector<uint32_t> words;
  for (const uint32_t word : {0x07230203u, 0x10400u, 0u, 11 + 3 * pieces, 0u})
    words.push_back(word);
  const auto op = [&](uint32_t opcode, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words.insert(words.end(), operands);
  };
  enum : uint32_t { nothing = 1, uint, pointer, function, factor, kernel, data, block, first };
  op(17, {4});              // capability Addresses
  op(17, {6});              // Kernel
  op(14, {2, 2});           // Physical64, OpenCL
  op(15, {6, kernel, 'k'}); // entry point
  op(19, {nothing});        // types
  op(21, {uint, 32, 0});
  op(32, {pointer, 5, uint});
  op(33, {function, nothing, pointer});
  op(43, {uint, factor, 77});
  op(54, {nothing, kernel, 0, function});
  op(55, {pointer, data});
  op(248, {block});
  op(61, {uint, first, data, 2, 4});
  uint32_t value = first;
  for (uint32_t i = 0; i < pieces; ++i) {
    op(132, {uint, value + 1, value, factor});
    op(198, {uint, value + 2, value + 1, value});
    op(128, {uint, value + 3, value + 2, value});
    value += 3;
  }
  op(62, {data, value, 2, 4});
  op(253, {});
  op(56, {});
  std::vector<std::byte> bytes(words.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

} // namespace

TEST_CASE("ze_cpu: jit: the process that compiles is not a child of the program") {
  const pid_t child = fork(); // which adopts nobody
  REQUIRE(child >= 0);
  if (child == 0) {
    const bool built = error_of(spirv("coordinates")).empty();
    _exit(built && waitpid(-1, nullptr, 0) == -1 && errno == ECHILD ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("ze_cpu: jit: one process compiles for a thread, and another one when it was killed") {
  REQUIRE(adopts == 0);
  end_workers();
  REQUIRE(error_of(spirv("coordinates")).empty());
  const auto first = workers();
  REQUIRE(first.size() == 1);
  REQUIRE(error_of(spirv("late_block")).empty());
  CHECK(workers() == first);
  end_workers();
  REQUIRE(error_of(spirv("late_block")).empty());
  CHECK(workers().size() == 1);
}

TEST_CASE("ze_cpu: jit: the process that compiles holds no file of the program") {
  end_workers();
  int ends[2];
  REQUIRE(pipe(ends) == 0); // without close-on-exec
  REQUIRE(error_of(spirv("coordinates")).empty());
  REQUIRE(workers().size() == 1);
  close(ends[1]);
  char byte;
  CHECK(read(ends[0], &byte, 1) == 0);
  close(ends[0]);
}

TEST_CASE("ze_cpu: jit: a module that the translator crashes on does not build, and others do") {
  // Arrays become longer than their initial values.
  std::vector<std::byte> module = spirv("tables");
  constexpr uint32_t op_constant = 43;
  for (size_t at = 20; at + 16 <= module.size();) {
    uint32_t words[4];
    std::memcpy(words, &module[at], sizeof words);
    if ((words[0] & 0xffff) == op_constant && words[3] == 2)
      module[at + 12] = std::byte(17);
    at += (words[0] >> 16) * size_t(4);
  }
  for (int round = 0; round < 3; ++round) {
    CHECK(error_of(module) != "");
    CHECK(error_of(spirv("tables")) == "");
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they need all addresses
TEST_CASE("ze_cpu: jit: a module that the compiler has no memory for does not build") {
  end_workers();
  {
    const Variable limit("ZE_CPU_COMPILER_MB", "1");
    CHECK_THAT(error_of(long_kernel(5000)), ContainsSubstring("ZE_CPU_COMPILER_MB"));
  }
  CHECK(error_of(spirv("late_block")) == "");
}
#endif

// Hidden: a program of its own.
TEST_CASE("builds with a worker", "[.first]") {
  CHECK(error_of(spirv("barriers")) == "");
  CHECK(!workers().empty());
}
TEST_CASE("builds without a worker", "[.kept]") {
  CHECK(error_of(spirv("barriers")) == "");
  CHECK(workers().empty());
  // Nor is LLVM loaded, which is large.
  std::ifstream maps("/proc/self/maps");
  const std::string text((std::istreambuf_iterator<char>(maps)), {});
  CHECK(text.find("LLVM") == text.npos);
  CHECK(text.find("ze_cpu_jit.so") == text.npos);
}

TEST_CASE("ze_cpu: jit: a program whose kernels are kept starts no process and loads no compiler") {
  namespace fs = std::filesystem;
  const fs::path place =
      fs::temp_directory_path() / ("ze_cpu_worker_test." + std::to_string(getpid()));
  const Variable cache("ZE_CPU_CACHE", place.c_str());
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  for (const char *test : {"[.first]", "[.kept]"}) {
    INFO(test);
    CHECK(std::system(("'" + program + "' '" + test + "' > /dev/null").c_str()) == 0);
  }
  fs::remove_all(place);
}

TEST_CASE("ze_cpu: jit: a kernel that compiles for too long fails") {
  end_workers();
  {
    const Variable limit("ZE_CPU_COMPILER_SECONDS", "1");
    CHECK_THAT(error_of(long_kernel(100'000)), ContainsSubstring("ZE_CPU_COMPILER_SECONDS"));
  }
  CHECK(error_of(spirv("late_block")) == "");
}

TEST_CASE("ze_cpu: jit: a child of fork and its parent compile at the same time") {
  REQUIRE(error_of(spirv("coordinates")) == ""); // a worker is idle
  const pid_t child = fork();
  REQUIRE(child >= 0);
  bool correct = true;
  for (int round = 0; round < 5; ++round)
    correct &= error_of(spirv(child == 0 ? "coordinates" : "cooperative")).empty();
  if (child == 0)
    _exit(!correct);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(correct);
}
