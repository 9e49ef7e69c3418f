// What a debugger shows of kernels: runs GDB on a program that launches one.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdio>
#include <string>

using Catch::Matchers::ContainsSubstring;

namespace {

// The output of GDB when it runs `kernel` of `module` with pointers that are `good` or `bad`.
std::string debug(const std::string &commands, const std::string &module, const std::string &kernel,
                  const std::string &rest) {
  const std::string line = "ZE_CPU_THREADS=1 gdb -nx -batch -iex 'set debuginfod enabled off' "
                           "-iex 'set breakpoint pending on' -iex 'set confirm off' " +
                           commands + " --args '" DEBUGGED_PROGRAM "' '" KERNEL_DIRECTORY "/" +
                           module + ".spv' " + kernel + " " + rest + " 2>&1 < /dev/null";
  FILE *pipe = popen(line.c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, count);
  const int status = pclose(pipe);
  INFO(output);
  REQUIRE(status == 0); // 127: there is no GDB
  return output;
}

} // namespace

TEST_CASE("ze_cpu: debugger: a fault in a kernel shows its name, and who launched it") {
  std::string output = debug("-ex run -ex bt", "coordinates", "count", "bad");
  CHECK_THAT(output, ContainsSubstring("SIGSEGV"));
  CHECK_THAT(output, ContainsSubstring(" in count"));
  CHECK_THAT(output, ContainsSubstring("ze_cpu::execute"));
  CHECK_THAT(output, ContainsSubstring(" main "));
  output = debug("-ex run -ex bt", "barriers", "reverse", "bad");
  CHECK_THAT(output, ContainsSubstring(" in reverse"));
}

TEST_CASE("ze_cpu: debugger: kernels of destroyed modules are forgotten") {
  const std::string first = "-ex 'print *(void **)((char *)&__jit_debug_descriptor + 16)' ";
  const std::string output =
      debug("-ex 'break count.kernel' -ex run " + first + "-ex 'break exit' -ex continue " + first,
            "coordinates", "count", "good");
  CHECK_THAT(output,
             ContainsSubstring("$1 = (void *) 0x5") || ContainsSubstring("$1 = (void *) 0x7"));
  CHECK_THAT(output, ContainsSubstring("$2 = (void *) 0x0"));
}

TEST_CASE("ze_cpu: debugger: a fault in a kernel shows the line of its source") {
  const std::string output = debug("-ex run -ex bt", "lines", "store_twice", "bad");
  CHECK_THAT(output, ContainsSubstring("#0  store_twice () at lines.cl:21"));
  CHECK_THAT(output, ContainsSubstring("ze_cpu::execute"));
}

TEST_CASE("ze_cpu: debugger: breakpoints at lines and functions of kernels are hit") {
  const std::string at_line = debug("-ex 'break lines.cl:11' -ex run -ex bt -ex continue", "lines",
                                    "store_twice", "good -ze-opt-disable");
  CHECK_THAT(at_line, ContainsSubstring("#0  store_value () at lines.cl:11"));
  CHECK_THAT(at_line, ContainsSubstring("store_twice () at lines.cl:22"));
  CHECK_THAT(at_line, ContainsSubstring("ze_cpu::execute"));
  CHECK_THAT(at_line, ContainsSubstring("number is 7"));

  const std::string at_kernel =
      debug("-ex 'break store_twice' -ex run -ex bt -ex continue", "lines", "store_twice", "good");
  CHECK_THAT(at_kernel, ContainsSubstring("#0  store_twice () at lines.cl:"));
  CHECK_THAT(at_kernel, ContainsSubstring("number is 7"));
}
