// The compiler runs beside the program: what happens to one does not happen to the other.
#include "support.h"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace rtc;

namespace {

const char *const source = "extern \"C\" __global__ void kernel(int *p) { *p = 17; }";

class CurrentDirectory {
public:
  explicit CurrentDirectory(const fs::path &path) : old_(fs::current_path()) {
    fs::current_path(path);
  }
  CurrentDirectory(const CurrentDirectory &) = delete;
  CurrentDirectory &operator=(const CurrentDirectory &) = delete;
  ~CurrentDirectory() { fs::current_path(old_); }

private:
  fs::path old_;
};

class ChildSignal {
public:
  explicit ChildSignal(void (*handler)(int)) : old_(std::signal(SIGCHLD, handler)) {}
  ChildSignal(const ChildSignal &) = delete;
  ChildSignal &operator=(const ChildSignal &) = delete;
  ~ChildSignal() { std::signal(SIGCHLD, old_); }

private:
  void (*old_)(int);
};

} // namespace

TEST_CASE(
    "hiprtc process: a compiler that crashes is an error with a message, and leaves nothing") {
  NothingLeft place;
  CompilerInstead compiler("[ -n \"$TMPDIR\" ] || echo no place\ntouch "
                           "\"$TMPDIR/left-behind\"\necho about to crash\nkill -SEGV $$\n");
  Program program(source);
  REQUIRE(program.compile() == HIPRTC_ERROR_COMPILATION);
  CAPTURE(program.log());
  CHECK(program.log().find("no place") == std::string::npos);
  CHECK(program.log().find("about to crash") != std::string::npos);
  CHECK(program.log().find("signal 11") != std::string::npos);
}

TEST_CASE("hiprtc process: a compiler that is not there, or makes nothing, is an error") {
  NothingLeft place;
  Program program(source);
  {
    Variable variable("HIP_CLANG_PATH", "/no/such/directory");
    REQUIRE(program.compile() == HIPRTC_ERROR_COMPILATION);
    CHECK(program.log().find("/no/such/directory/clang++") != std::string::npos);
  }
  {
    CompilerInstead compiler("exit 0\n");
    REQUIRE(program.compile() == HIPRTC_ERROR_COMPILATION);
    CHECK_FALSE(program.log().empty());
  }
  REQUIRE_COMPILED(program);
}

TEST_CASE("hiprtc process: a program compiles in a directory where nothing can be written",
          "[results]") {
  NothingLeft place;
  CurrentDirectory directory("/proc");
  Program program(source);
  REQUIRE_COMPILED(program);
  CHECK(result_of(program) == 17);
}

TEST_CASE("hiprtc process: a program compiles in a directory that was removed", "[results]") {
  NothingLeft place;
  CurrentDirectory restored(fs::current_path());
  {
    Directory directory;
    fs::current_path(directory.path);
  }
  Program program(source);
  REQUIRE_COMPILED(program, {"-I."});
  CHECK(result_of(program) == 17);
}

TEST_CASE("hiprtc process: paths in options are relative to the current directory") {
  NothingLeft place;
  Directory directory;
  fs::create_directory(directory.path / "include");
  write_file(directory.path / "include" / "here.h", "\n");
  Program program("#include <here.h>\n");
  CHECK(program.compile({"-Iinclude"}) == HIPRTC_ERROR_COMPILATION);
  CurrentDirectory current(directory.path);
  REQUIRE_COMPILED(program, {"-Iinclude"});
}

TEST_CASE("hiprtc process: a file of the current directory is not taken for one of HIP's") {
  NothingLeft place;
  Directory directory;
  fs::create_directory(directory.path / "hip");
  write_file(directory.path / "hip" / "hip_runtime.h", "#error \"not this one\"\n");
  CurrentDirectory current(directory.path);
  Program program(source);
  REQUIRE_COMPILED(program);
}

TEST_CASE("hiprtc process: a program compiles where TMPDIR is not there, or no directory") {
  Variable cache("CHIP_RTC_CACHE", "0");
  for (const char *place : {"/no/such/directory", "/dev/null", "relative", "", "/proc"}) {
    CAPTURE(place);
    Variable variable("TMPDIR", place);
    Program program(source);
    REQUIRE_COMPILED(program);
  }
}

TEST_CASE("hiprtc process: a program compiles without any environment") {
  NothingLeft place;
  Program program(source);
  const pid_t child = fork();
  if (child == 0) {
    clearenv();
    _exit(program.compile());
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("hiprtc process: the environment does not change what a program means") {
  NothingLeft place;
  Directory directory;
  write_file(directory.path / "found.h", "\n");
  Variable first("CPATH", directory.path.string()),
      second("CPLUS_INCLUDE_PATH", directory.path.string());
  Program program("#if __has_include(<found.h>)\n#error \"found\"\n#endif\n");
  REQUIRE_COMPILED(program);
}

TEST_CASE("hiprtc process: a program may ignore the end of its children, or wait for all of them") {
  NothingLeft place;
  {
    ChildSignal ignored(SIG_IGN);
    Program program(source), broken("nonsense");
    REQUIRE_COMPILED(program);
    CHECK(broken.compile() == HIPRTC_ERROR_COMPILATION);
  }
  {
    ChildSignal reaper([](int) {
      const int error = errno;
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      errno = error;
    });
    Program program(source), broken("nonsense");
    REQUIRE_COMPILED(program);
    CHECK(broken.compile() == HIPRTC_ERROR_COMPILATION);
  }
}

TEST_CASE("hiprtc process: the compiler sees no open file of the program and no ignored signal") {
  NothingLeft place;
  Directory directory;
  const std::string seen = (directory.path / "seen").string();
  CompilerInstead compiler("ls /proc/self/fd | wc -l > " + seen +
                           "\ngrep -E 'SigIgn' /proc/self/status >> " + seen + "\nexit 1\n");
  const int open = dup(0);
  void (*const handler)(int) = std::signal(SIGUSR1, SIG_IGN);
  Program program(source);
  const hiprtcResult result = program.compile();
  std::signal(SIGUSR1, handler);
  close(open);
  REQUIRE(result == HIPRTC_ERROR_COMPILATION);
  // 0, 1, 2 and the directory that ls reads.
  CHECK(read_file(seen) == "4\nSigIgn:\t0000000000000000\n");
}

TEST_CASE("hiprtc process: threads compile at once", "[results]") {
  NothingLeft place;
  std::vector<std::vector<char>> codes(4);
  std::vector<hiprtcResult> results(4, HIPRTC_ERROR_INTERNAL_ERROR);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < codes.size(); ++i)
    threads.emplace_back([&, i] {
      const std::string text =
          "extern \"C\" __global__ void kernel(int *p) { *p = " + std::to_string(i) + " + 100; }";
      hiprtcProgram program = nullptr;
      size_t size = 0;
      if (hiprtcCreateProgram(&program, text.c_str(), "a.cu", 0, nullptr, nullptr) !=
          HIPRTC_SUCCESS)
        return;
      results[i] = hiprtcCompileProgram(program, 0, nullptr);
      if (hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS) {
        codes[i].resize(size);
        (void)hiprtcGetCode(program, codes[i].data());
      }
      (void)hiprtcDestroyProgram(&program);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < codes.size(); ++i) {
    REQUIRE_RTC(results[i]);
    CHECK(Module(codes[i].data()).result_of("kernel") == int(i) + 100);
  }
}

TEST_CASE("hiprtc process: threads use one program, and one destroys it") {
  NothingLeft place;
  hiprtcProgram program = nullptr;
  REQUIRE_RTC(hiprtcCreateProgram(&program, source, "a.cu", 0, nullptr, nullptr));
  hiprtcProgram copy = program;
  hiprtcResult results[2];
  std::thread first([&] { results[0] = hiprtcCompileProgram(program, 0, nullptr); });
  std::thread second([&] { results[1] = hiprtcCompileProgram(program, 0, nullptr); });
  REQUIRE_RTC(hiprtcDestroyProgram(&copy));
  first.join();
  second.join();
  for (hiprtcResult result : results)
    CHECK((result == HIPRTC_SUCCESS || result == HIPRTC_ERROR_INVALID_PROGRAM));
}
