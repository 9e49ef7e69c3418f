#include "target.h"

#include "api/native_binary.h"
#include "exec/execute.h"
#include "jit/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace fuzz {
namespace {

void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

int build(std::span<const std::byte> spirv, std::string_view flags,
          std::span<const ze_cpu::SpecializationConstant> constants) {
  ze_cpu::BuildResult program = ze_cpu::build_program(spirv, flags, constants);
  if (!program) {
    require(!program.error().log.empty(), "a build fails without a log");
    return 0;
  }
  int reached = 1;
  // Of large modules some, others for each input.
  constexpr size_t at_most = 4;
  const size_t kernels = (*program)->kernels().size();
  for (size_t i = 0; i < std::min(kernels, at_most); ++i) {
    auto code = (*program)->code((i + spirv.size()) % kernels);
    if (code)
      reached = 2;
    else
      require(!code.error().empty(), "a kernel does not compile and nothing says why");
  }
  (void)(*program)->variables();
  return reached;
}

} // namespace

int build_all(std::span<const std::byte> input) {
  if (auto content = ze_cpu::read_binary(input)) {
    auto constants = ze_cpu::parse_constants(content->constants);
    return constants ? build(content->spirv, content->build_flags, *constants) : 0;
  }
  return build(input, "", {});
}

} // namespace fuzz
