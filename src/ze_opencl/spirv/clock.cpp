#include "clock.h"

#include "opcodes.h"

#include <algorithm>

namespace ze_opencl {

using namespace spirv;

ClockReads::ClockReads(std::span<const ParsedInstruction> module, uint64_t address)
    : address_(address),
      any_(address != 0 && std::ranges::any_of(module, [](const ParsedInstruction &instruction) {
             return instruction.op == op_read_clock;
           })) {}

void ClockReads::declare(Assembler &out, TypeTable &types, uint32_t type_u64) {
  type_u64_ = type_u64;
  const uint32_t type_u32 = types.find(out, op_type_int, {32, 0});
  type_pointer_ = types.find(out, op_type_pointer, {storage_cross_workgroup, type_u64});
  scope_ = out.make(op_constant, type_u32, {scope_device});
  semantics_ = out.make(op_constant, type_u32, {0}); // relaxed
  number_ = out.make(op_constant, type_u64, {uint32_t(address_), uint32_t(address_ >> 32)});
}

void ClockReads::read(Assembler &out, const ParsedInstruction &read) const {
  const uint32_t pointer = out.make(op_convert_u_to_ptr, type_pointer_, {number_});
  if (read.type == type_u64_) {
    out.add(op_atomic_i_increment, {read.type, read.result, pointer, scope_, semantics_});
    return;
  }
  // Two halves.
  const uint32_t time = out.make(op_atomic_i_increment, type_u64_, {pointer, scope_, semantics_});
  out.add(op_bitcast, {read.type, read.result, time});
}

} // namespace ze_opencl
