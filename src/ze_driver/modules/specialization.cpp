#include "specialization.h"

#include "../../common/spirv.h"

namespace ze_driver {

std::map<uint32_t, size_t> specialization_constant_sizes(std::span<const std::byte> bytes) {
  using namespace spirv;
  std::map<uint32_t, size_t> sizes;
  // By the constant's result id; decorations come first in a module.
  std::map<uint32_t, uint32_t> spec_ids;
  std::map<uint32_t, size_t> type_bytes;
  for_each_instruction(words_of(bytes), [&](const Instruction &instruction) {
    const auto operands = instruction.operands;
    switch (instruction.op) {
    case op_decorate:
      if (operands.size() >= 3 && operands[1] == decoration_spec_id)
        spec_ids[operands[0]] = operands[2];
      break;
    case op_type_int:
    case op_type_float:
      // No constant is wider; what the program passes is read before anybody validates the module.
      if (operands.size() >= 2 && operands[1] <= 64)
        type_bytes[operands[0]] = (operands[1] + 7) / 8;
      break;
    case op_spec_constant_true:
    case op_spec_constant_false:
      if (operands.size() >= 2)
        if (const auto id = spec_ids.find(operands[1]); id != spec_ids.end())
          sizes[id->second] = 1;
      break;
    case op_spec_constant:
      if (operands.size() >= 2) {
        const auto type = type_bytes.find(operands[0]);
        const auto id = spec_ids.find(operands[1]);
        if (type != type_bytes.end() && id != spec_ids.end())
          sizes[id->second] = type->second;
      }
      break;
    default:
      break;
    }
    return instruction.op != op_function; // constants come before functions
  });
  return sizes;
}

} // namespace ze_driver
