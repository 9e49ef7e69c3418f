// How long modules take to build and kernels to compile. Not a test: numbers to read.
//
//     ze_cpu_compile_time FILE.spv...
#include "jit/program.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

class Watch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

std::vector<std::byte> read_file(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

} // namespace

int main(int argc, char **argv) {
  {
    Watch watch;
    (void)ze_cpu::build_program({}, "", {}); // loads the compiler
    std::printf("%-40s %8.2f ms\n", "loading the compiler", watch.milliseconds());
  }
  for (int i = 1; i < argc; ++i) {
    const auto spirv = read_file(argv[i]);
    Watch all;
    auto built = ze_cpu::build_program(spirv, "", {});
    if (!built) {
      std::printf("%s: %s\n", argv[i], built.error().log.c_str());
      return 1;
    }
    std::printf("%-40s %8.2f ms\n",
                argv[i] + (strrchr(argv[i], '/') ? strrchr(argv[i], '/') - argv[i] + 1 : 0),
                all.milliseconds());
    const auto kernels = (*built)->kernels();
    for (size_t k = 0; k < kernels.size(); ++k) {
      Watch watch;
      if (auto code = (*built)->code(k); !code)
        std::printf("%s\n", code.error().c_str());
      std::printf("  %-38s %8.2f ms\n", kernels[k].name.c_str(), watch.milliseconds());
    }
    std::printf("  %-38s %8.2f ms per kernel\n", "together",
                all.milliseconds() / static_cast<double>(kernels.size()));
  }
}
