// What was compiled is kept, and used again only where it is still right.
#include "support.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rtc;

namespace {

const char *const source = "extern \"C\" __global__ void kernel(int *p) { int unused; *p = 23; }";

struct Fixture {
  Directory directory;
  Variable place{"CHIP_RTC_CACHE", directory.path.string()};
  RunCounter counter;

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(directory.path))
      if (entry.path().extension() == ".entry")
        found.push_back(entry.path());
    return found;
  }
};

} // namespace

TEST_CASE_METHOD(Fixture, "hiprtc cache: the second time the compiler does not run", "[results]") {
  for (int i = 0; i < 2; ++i) {
    Program program(source);
    REQUIRE_RTC(hiprtcAddNameExpression(program, "kernel"));
    REQUIRE_COMPILED(program, {"-Wall"});
    CHECK(counter.runs() == 1);
    CHECK(program.lowered("kernel") == "kernel");
    CHECK(program.log().find("unused variable") != std::string::npos);
    CHECK(result_of(program) == 23);
  }
  CHECK(entries().size() == 1);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: whatever a compilation depends on tells programs apart") {
  const auto compile = [&](const char *text, const char *name, const Headers &headers,
                           const Options &options, const char *expression) {
    Program program(text, name, headers);
    if (expression)
      REQUIRE_RTC(hiprtcAddNameExpression(program, expression));
    REQUIRE_COMPILED(program, options);
    return counter.runs();
  };
  const std::string other = std::string(source) + " ";
  for (int round = 0; round < 2; ++round) {
    size_t runs = 0;
    const auto expect = [&](size_t seen) { CHECK(seen == (round == 0 ? ++runs : 6)); };
    expect(compile(source, "a", {}, {}, nullptr));
    expect(compile(other.c_str(), "a", {}, {}, nullptr));
    expect(compile(source, "b", {}, {}, nullptr));
    expect(compile(source, "a", {{"h", ""}}, {}, nullptr));
    expect(compile(source, "a", {}, {"-O1"}, nullptr));
    expect(compile(source, "a", {}, {}, "kernel"));
  }
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: a changed file that was included is noticed",
                 "[results]") {
  Directory include;
  const std::string option = "-I" + include.path.string();
  const auto result = [&](const char *value) {
    write_file(include.path / "value.h", value);
    Program program(
        "#include \"middle.h\"\nextern \"C\" __global__ void kernel(int *p) { *p = VALUE; }", "a",
        {{"middle.h", "#include <value.h>\n"}});
    REQUIRE_COMPILED(program, {option.c_str()});
    return result_of(program);
  };
  CHECK(result("#define VALUE 1\n") == 1);
  CHECK(result("#define VALUE 2\n") == 2);
  CHECK(counter.runs() == 2);
  CHECK(result("#define VALUE 2\n") == 2); // another time, the same contents
  CHECK(counter.runs() == 2);
  fs::remove(include.path / "value.h");
  Program program(
      "#include \"middle.h\"\nextern \"C\" __global__ void kernel(int *p) { *p = VALUE; }", "a",
      {{"middle.h", "#include <value.h>\n"}});
  CHECK(program.compile({option.c_str()}) == HIPRTC_ERROR_COMPILATION);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: file names with spaces and other signs are noticed too") {
  Directory include;
  const std::string option = "-I" + include.path.string();
  for (int i = 0; i < 2; ++i) {
    write_file(include.path / "a b#$.h", "#define VALUE " + std::to_string(i) + "\n");
    Program program("#include \"a b#$.h\"\nint values[VALUE + 1];\n");
    REQUIRE_COMPILED(program, {option.c_str()});
    CHECK(counter.runs() == size_t(i) + 1);
  }
  Program program("#include \"a b#$.h\"\nint values[VALUE + 1];\n");
  REQUIRE_COMPILED(program, {option.c_str()});
  CHECK(counter.runs() == 2);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: another compiler is noticed") {
  {
    Program program(source);
    REQUIRE_COMPILED(program);
  }
  RunCounter other;
  Program program(source);
  REQUIRE_COMPILED(program);
  CHECK(other.runs() == 1);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: another plugin of the compiler is noticed") {
  Dl_info info{};
  REQUIRE(dladdr(reinterpret_cast<void *>(&hiprtcCompileProgram), &info) != 0);
  const fs::path library = fs::canonical(info.dli_fname),
                 installed = library.parent_path().parent_path();
  // An installation whose files are links, but for the library, which finds the others from its own place.
  Directory prefix;
  const fs::path tools = prefix.path / "lib/chip";
  fs::create_directories(tools);
  for (const char *folder : {"", "lib", "lib/chip"})
    for (const auto &entry : fs::directory_iterator(installed / folder))
      if (const fs::path name = entry.path().filename();
          name != "lib" && name != "chip" && name != library.filename())
        fs::create_symlink(entry.path(), prefix.path / folder / name);
  fs::copy_file(library, prefix.path / "lib" / library.filename());
  void *const copy = dlopen((prefix.path / "lib" / library.filename()).c_str(), RTLD_NOW);
  REQUIRE(copy != nullptr);
  const auto create =
      reinterpret_cast<decltype(&hiprtcCreateProgram)>(dlsym(copy, "hiprtcCreateProgram"));
  const auto compile =
      reinterpret_cast<decltype(&hiprtcCompileProgram)>(dlsym(copy, "hiprtcCompileProgram"));
  const auto destroy =
      reinterpret_cast<decltype(&hiprtcDestroyProgram)>(dlsym(copy, "hiprtcDestroyProgram"));
  const auto runs = [&] {
    hiprtcProgram program = nullptr;
    REQUIRE_RTC(create(&program, source, "a", 0, nullptr, nullptr));
    REQUIRE_RTC(compile(program, 0, nullptr));
    REQUIRE_RTC(destroy(&program));
    return counter.runs();
  };
  REQUIRE(runs() == 1);
  REQUIRE(runs() == 1);
  size_t expected = 1;
  for (const auto &entry : fs::directory_iterator(installed / "lib/chip")) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("libchip-") && !name.starts_with("llvm-spirv-"))
      continue;
    INFO(name);
    fs::remove(tools / name);
    fs::copy_file(entry.path(), tools / name);
    CHECK(runs() == ++expected);
  }
  CHECK(expected == 4); // the plugins for clang and for opt, and what writes SPIR-V
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: damaged entries are compiled anew", "[results]") {
  {
    Program program(source);
    REQUIRE_COMPILED(program);
  }
  REQUIRE(entries().size() == 1);
  const fs::path entry = entries()[0];
  const std::string good = read_file(entry);
  size_t runs = 1;
  for (const std::string &bad :
       {std::string(), good.substr(0, good.size() / 2), good + "x",
        good.substr(0, good.size() / 2) + "?" + good.substr(good.size() / 2 + 1)}) {
    write_file(entry, bad);
    Program program(source);
    REQUIRE_COMPILED(program);
    CHECK(counter.runs() == ++runs);
    CHECK(result_of(program) == 23);
  }
  CHECK(read_file(entry).size() == good.size());
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: failures are not kept") {
  Directory include;
  const std::string option = "-I" + include.path.string();
  Program program("#include <later.h>\n");
  CHECK(program.compile({option.c_str()}) == HIPRTC_ERROR_COMPILATION);
  CHECK(entries().empty());
  write_file(include.path / "later.h", "\n");
  REQUIRE_COMPILED(program, {option.c_str()});
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: processes may compile at once") {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      hiprtcProgram program = nullptr;
      size_t size = 0;
      const bool good =
          hiprtcCreateProgram(&program, source, "a", 0, nullptr, nullptr) == HIPRTC_SUCCESS &&
          hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_SUCCESS &&
          hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS && size > 0;
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(entries().size() == 1);
  const size_t runs = counter.runs();
  Program program(source, "a");
  REQUIRE_COMPILED(program);
  CHECK(counter.runs() == runs);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: it stays below its limit") {
  Variable limit("CHIP_RTC_CACHE_MB", "1");
  const std::string bulk(80 * 1024, 'x');
  for (int i = 0; i < 5; ++i) {
    const std::string text = "__device__ const char kept_" + std::to_string(i) + "[] = \"" + bulk +
                             "\";\nextern \"C\" __global__ void kernel(char *p) { *p = kept_" +
                             std::to_string(i) + "[*p]; }";
    Program program(text.c_str());
    REQUIRE_COMPILED(program);
  }
  uintmax_t bytes = 0;
  for (const fs::path &entry : entries())
    bytes += fs::file_size(entry);
  CHECK(bytes > 0);
  CHECK(bytes <= 1 << 20);
}

TEST_CASE_METHOD(Fixture, "hiprtc cache: it can be turned off, and need not work") {
  for (const char *value : {"0", "relative", "/proc/no/such", "/dev/null/x"}) {
    CAPTURE(value);
    Variable off("CHIP_RTC_CACHE", value);
    const size_t runs = counter.runs();
    for (int i = 0; i < 2; ++i) {
      Program program(source);
      REQUIRE_COMPILED(program);
    }
    CHECK(counter.runs() == runs + 2);
  }
  CHECK(entries().empty());
}
