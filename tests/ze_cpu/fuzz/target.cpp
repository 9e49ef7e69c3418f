#include "target.h"

#include "../ze_driver/modules/linkage.h"
#include "../ze_driver/modules/native_binary.h"
#include "../ze_driver/modules/specialization.h"
#include "contract/program.h"
#include "exec/execute.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {
namespace {

void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

// Of LLVM's optimiser bad input finds out little, and it takes most of the time: one input in four is enough, always the same.
std::string_view flags_for(std::span<const std::byte> spirv) {
  unsigned sum = 0;
  for (const std::byte byte : spirv)
    sum += std::to_integer<unsigned>(byte);
  return sum % 4 == 0 ? "" : "-ze-opt-disable";
}

uint64_t ends = 0;

void check_log(const std::string &log, const char *what) {
  require(!log.empty(), what);
  ends += log.find("the compiler failed") != std::string::npos;
}

int build(std::span<const std::byte> spirv, std::string_view flags,
          std::span<const ze_cpu::SpecializationConstant> constants) {
  ze_cpu::BuildResult program = ze_cpu::build_program(spirv, flags, constants);
  if (!program) {
    check_log(program.error().log, "a build fails without a log");
    return 0;
  }
  int reached = 1;
  // Of large modules some, others for each input.
  constexpr size_t at_most = 4;
  const size_t kernels = (*program)->kernels().size();
  for (size_t i = 0; i < std::min(kernels, at_most); ++i) {
    const size_t kernel = (i + spirv.size()) % kernels;
    auto code = (*program)->kernel(kernel);
    if (code) {
      reached = 2;
      (void)(*program)->kernel_for(kernel, {5, 5, 5});
    } else {
      check_log(code.error(), "a kernel does not compile and nothing says why");
    }
  }
  (void)(*program)->variables();
  return reached;
}

} // namespace

int build_all(std::span<const std::byte> input) {
  if (auto content = ze_driver::read_binary({'Z', 'E', '_', 'C', 'P', 'U', '\1', '\n'}, input)) {
    auto constants = ze_driver::parse_constants(content->constants);
    return constants ? build(content->spirv, content->build_flags, *constants) : 0;
  }
  // What the driver reads of a module itself.
  (void)ze_driver::linkage_of(input);
  (void)ze_driver::specialization_constant_sizes(input);
  if (input.size() % 32 == 0) {
    const std::span<const std::byte> twice[] = {input, input};
    if (auto linked = ze_cpu::link_programs(twice); !linked)
      check_log(linked.error(), "programs do not link and nothing says why");
  }
  return build(input, flags_for(input), {});
}

uint64_t compiler_ends() { return ends; }

} // namespace fuzz
