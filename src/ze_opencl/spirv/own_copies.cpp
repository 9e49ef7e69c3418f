#include "own_copies.h"

#include "opcodes.h"

#include <set>

namespace ze_opencl {

using namespace spirv;

OwnCopies::OwnCopies(std::span<const ParsedInstruction> module) {
  std::set<uint32_t> kernels, by_val, read_only;
  std::map<uint32_t, uint32_t> alignments;
  for (const ParsedInstruction &instruction : module) {
    if (instruction.op == op_entry_point)
      kernels.insert(instruction.operand(1));
    if (instruction.op == op_decorate && instruction.operand(1) == decoration_function_parameter) {
      if (instruction.operand(2) == attribute_by_val)
        by_val.insert(instruction.operand(0));
      if (instruction.operand(2) == attribute_no_write)
        read_only.insert(instruction.operand(0));
    }
    if (instruction.op == op_decorate && instruction.operand(1) == decoration_alignment)
      alignments[instruction.operand(0)] = instruction.operand(2);
    if (instruction.op == op_function_parameter && kernels.contains(instruction.function) &&
        by_val.contains(instruction.result) && !read_only.contains(instruction.result)) {
      copies_[instruction.result] = {instruction.type, alignments[instruction.result], 0};
      parameters_[instruction.function].push_back(instruction.result);
    }
  }
}

void OwnCopies::decorate(Assembler &out) {
  for (auto &[parameter, copy] : copies_) {
    copy.variable = out.new_id();
    if (copy.alignment != 0)
      out.add(op_decorate, {copy.variable, decoration_alignment, copy.alignment});
  }
}

void OwnCopies::before(Assembler &out, const ParsedInstruction &instruction) {
  if (unfilled_.empty() || instruction.op == op_variable || instruction.op == op_line ||
      instruction.op == op_no_line)
    return;
  for (const uint32_t parameter : unfilled_)
    out.add(op_copy_memory, {copies_.at(parameter).variable, parameter});
  unfilled_.clear();
}

void OwnCopies::after(Assembler &out, const ParsedInstruction &instruction) {
  const auto found = parameters_.find(instruction.function);
  if (instruction.op != op_label || found == parameters_.end())
    return;
  unfilled_ = std::move(found->second);
  parameters_.erase(found);
  for (const uint32_t parameter : unfilled_) {
    const Copy &copy = copies_.at(parameter);
    out.add(op_variable, {copy.type, copy.variable, storage_function});
  }
}

} // namespace ze_opencl
