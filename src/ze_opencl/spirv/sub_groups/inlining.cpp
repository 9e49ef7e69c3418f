#include "inlining.h"

#include "../opcodes.h"

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include <algorithm>

namespace ze_opencl {

using namespace spirv;

namespace {

enum : uint32_t { dont_inline = 2 }; // of an OpFunction's control

bool is_valid(std::span<const uint32_t> words) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](auto &&...) {});
  return tools.Validate(words.data(), words.size());
}

std::vector<uint32_t> after(spvtools::Optimizer::PassToken &&pass, std::vector<uint32_t> words) {
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.SetMessageConsumer([](auto &&...) {});
  optimizer.RegisterPass(std::move(pass));
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> changed;
  return optimizer.Run(words.data(), words.size(), &changed, options) ? changed : words;
}

/// Calls `take` with the id and the control of each function.
void for_each_function(std::vector<uint32_t> &words, auto take) {
  for_each_instruction(words, [&](const Instruction &instruction) {
    if (instruction.op == op_function)
      take(instruction.operands[1], words[instruction.begin + 3]);
    return true;
  });
}

} // namespace

std::vector<uint32_t> with_inlined(std::span<const uint32_t> words,
                                   const std::set<uint32_t> &functions) {
  const std::vector<uint32_t> original(words.begin(), words.end());
  if (!is_valid(original))
    return original;
  std::set<uint32_t> others; // which the pass would inline as well
  std::vector<uint32_t> changed = after(spvtools::CreateMergeReturnPass(), original);
  for_each_function(changed, [&](uint32_t id, uint32_t &control) {
    if (functions.contains(id))
      control &= ~dont_inline;
    else if (!(control & dont_inline) && others.insert(id).second)
      control |= dont_inline;
  });
  // The pass leaves calls alone in modules that are not made for shaders.
  constexpr uint32_t for_shaders[] = {2u << 16 | op_capability, 1};
  changed.insert(changed.begin() + header_words, std::begin(for_shaders), std::end(for_shaders));
  changed = after(spvtools::CreateInlineExhaustivePass(), std::move(changed));
  const auto found = std::ranges::search(changed, for_shaders);
  changed.erase(found.begin(), found.end());
  for_each_function(changed, [&](uint32_t id, uint32_t &control) {
    if (others.contains(id))
      control &= ~dont_inline;
  });
  return is_valid(changed) ? changed : original;
}

} // namespace ze_opencl
