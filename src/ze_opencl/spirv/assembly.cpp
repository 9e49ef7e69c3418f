#include "assembly.h"

#include "opcodes.h"

#include <spirv-tools/libspirv.hpp>

namespace ze_opencl {

using namespace spirv;

namespace {

/// Of what is no result.
bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
         type == SPV_OPERAND_TYPE_SCOPE_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID;
}

} // namespace

std::vector<ParsedInstruction> parse(std::span<const uint32_t> words) {
  std::vector<ParsedInstruction> parsed;
  uint32_t function = 0;
  size_t at = header_words;
  const auto take = [&](const spv_parsed_instruction_t &instruction) {
    if (instruction.opcode == op_function)
      function = instruction.result_id;
    std::vector<size_t> id_places;
    for (uint16_t i = 0; i < instruction.num_operands; ++i) {
      const spv_parsed_operand_t &operand = instruction.operands[i];
      if (is_id(operand.type))
        id_places.push_back(operand.offset);
    }
    parsed.push_back({instruction.opcode, instruction.result_id, instruction.type_id, function,
                      words.subspan(at, instruction.num_words), std::move(id_places)});
    at += instruction.num_words;
    if (instruction.opcode == op_function_end)
      function = 0;
    return SPV_SUCCESS;
  };
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](auto &&...) {});
  if (!tools.Parse({words.begin(), words.end()}, [](auto &&...) { return SPV_SUCCESS; }, take))
    throw Malformed("the module cannot be read");
  return parsed;
}

std::map<uint32_t, uint32_t> numbers_of(std::span<const ParsedInstruction> module) {
  std::map<uint32_t, uint32_t> numbers;
  for (const ParsedInstruction &instruction : module)
    if (instruction.op == op_constant && instruction.words.size() == 4)
      numbers[instruction.result] = instruction.operand(2);
  return numbers;
}

} // namespace ze_opencl
