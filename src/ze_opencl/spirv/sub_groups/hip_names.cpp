#include "hip_names.h"

#include "../opcodes.h"

#include <format>
#include <iterator>
#include <spirv-tools/libspirv.h>

namespace ze_opencl {

std::string hip_name(uint16_t op) {
  // After OpAtomicStore, in the order of their numbers.
  constexpr const char *atomics[] = {
      "atomicExch", "atomicCAS", "atomicCAS", "atomicAdd", "atomicSub", "atomicAdd", "atomicSub",
      "atomicMin",  "atomicMin", "atomicMax", "atomicMax", "atomicAnd", "atomicOr",  "atomicXor"};
  constexpr uint16_t first_atomic = op_atomic_store + 1;
  static_assert(first_atomic + std::size(atomics) == op_atomic_xor + 1);
  if (op >= first_atomic && op <= op_atomic_xor)
    return atomics[op - first_atomic];
  switch (op) {
  case op_atomic_f_add:
    return "atomicAdd";
  case op_atomic_f_min:
    return "atomicMin";
  case op_atomic_f_max:
    return "atomicMax";
  case op_read_clock:
    return "clock64";
  case op_control_barrier:
    return "__syncwarp";
  case op_group_all:
  case op_group_non_uniform_all:
    return "__all";
  case op_group_any:
  case op_group_non_uniform_any:
    return "__any";
  case op_group_non_uniform_ballot:
    return "__ballot (or __any_sync, __all_sync, __match_*, which are made of it)";
  case op_group_non_uniform_shuffle:
  case op_subgroup_shuffle:
    return "__shfl (or __shfl_*, __reduce_*, __match_*, which are made of it)";
  case op_group_non_uniform_shuffle_xor:
  case op_subgroup_shuffle_xor:
    return "__shfl_xor";
  case op_group_non_uniform_shuffle_up:
    return "__shfl_up";
  case op_group_non_uniform_shuffle_down:
    return "__shfl_down";
  default:
    return std::format("Op{}", spvOpcodeString(op));
  }
}

const std::string &SourceLines::of(const ParsedInstruction &instruction) {
  if (instruction.op == spirv::op_string)
    files_[instruction.result] = spirv::checked_text(instruction.operands().subspan(1));
  if (instruction.op == op_line)
    line_ = std::format("{}:{}: ", files_[instruction.operand(0)], instruction.operand(1));
  if (instruction.op == op_no_line || instruction.op == op_label)
    line_.clear();
  return line_;
}

} // namespace ze_opencl
