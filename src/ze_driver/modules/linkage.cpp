#include "linkage.h"

#include "../../common/spirv.h"

namespace ze_driver {

Linkage linkage_of(std::span<const std::byte> bytes) {
  using namespace spirv;
  Linkage linkage;
  for_each_instruction(words_of(bytes), [&](const Instruction &instruction) {
    // OpDecorate target LinkageAttributes name... type
    const auto operands = instruction.operands;
    if (instruction.op == op_decorate && operands.size() >= 4 && operands[1] == decoration_linkage)
      if (const auto name = text_of(operands.subspan(2, operands.size() - 3)))
        (operands.back() == linkage_import ? linkage.imports : linkage.exports).emplace_back(*name);
    return instruction.op != op_function; // decorations come before functions
  });
  return linkage;
}

} // namespace ze_driver
