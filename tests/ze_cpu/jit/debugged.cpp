// What the tests of debugging run inside a debugger: one kernel of a module, whose arguments are
// all pointers to the same number.
//
//     ze_cpu_debugged MODULE KERNEL good|bad [FLAGS]
#include "contract/program.h"
#include "exec/execute.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  auto built = ze_cpu::build_program(std::as_bytes(std::span(bytes)), argc > 4 ? argv[4] : "", {});
  if (!built) {
    std::puts(built.error().log.c_str());
    return 1;
  }
  const auto kernels = (*built)->kernels();
  for (size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].name != argv[2])
      continue;
    const auto code = (*built)->kernel(k);
    if (!code) {
      std::puts(code.error().c_str());
      return 1;
    }
    static uint64_t number = 0;
    uint64_t *const pointer = std::strcmp(argv[3], "bad") == 0 ? nullptr : &number;
    const std::vector<uint64_t *> arguments(kernels[k].arguments.size(), pointer);
    const ze_cpu::Launch launch = {&ze_cpu::code_of(**code),
                                   reinterpret_cast<const std::byte *>(arguments.data()),
                                   {1, 1, 1},
                                   {1, 1, 1},
                                   {},
                                   0};
    const ze_cpu::Fault fault = execute(launch);
    std::printf("%s, number is %d\n", fault.happened ? fault.description.c_str() : "done",
                static_cast<int>(number));
    return 0;
  }
  return 2;
}
