// Sub-groups on devices that have none: work-items that follow each other in a work-group, 32 of them as in HIP's warps unless
// the kernel asks for another size. What a work-item is within its sub-group is computed; lane_exchange.h has what passes
// values between them.
#pragma once

#include "../abilities.h"
#include "../assembly.h"
#include "../opcodes.h"

#include <map>
#include <set>

namespace ze_opencl {

/// That of kernels which ask for none.
inline constexpr uint32_t default_sub_group_size = 32;

/// Built-in variables of sub-groups, computed from the work-item's number in its group.
class ComputedBuiltIns {
public:
  /// Those of `module` that the device has not.
  ComputedBuiltIns(std::span<const ParsedInstruction> module, const Abilities &abilities);

  /// place() will be called too.
  void need_place(std::span<const ParsedInstruction> module);
  bool contains(uint32_t variable) const { return variables_.contains(variable); }
  bool empty() const { return variables_.empty() && !needs_place_; }
  /// Whether the instruction uses one of them in another way than by loading it.
  bool is_otherwise_used(const ParsedInstruction &instruction) const {
    return instruction.function != 0 && instruction.op != op_load &&
           instruction.uses([&](uint32_t id) { return variables_.contains(id); });
  }

  /// Decorations of what declare() makes.
  void decorate(Assembler &out);
  /// Adds types, constants and variables behind those of the module, for sub-groups of these sizes.
  /// Ids of variables are in interface().
  void declare(Assembler &out, TypeTable &types, uint32_t type_u64,
               const std::set<uint32_t> &sizes);
  std::span<const uint32_t> interface() const { return interface_; }
  /// Instructions in the place of a load of one of the variables, for sub-groups of `size`.
  void load(Assembler &out, const ParsedInstruction &load, uint32_t size) const;
  /// Where a work-item is, as values of 64 bits: its number in its work-group, that in its sub-group, that of the sub-group's
  /// first work-item, and how many the sub-group has.
  struct Place {
    uint32_t index, lane, first, count;
  };
  Place place(Assembler &out, uint32_t size) const;

private:
  /// Constants of 64 bits that a size of sub-groups needs.
  struct Numbers {
    uint32_t size, size_minus_1, logarithm, mask;
  };
  void find_given(std::span<const ParsedInstruction> module);
  uint32_t work_items(Assembler &out) const;
  uint32_t count(Assembler &out, uint32_t first, const Numbers &numbers) const;

  std::map<uint32_t, uint32_t> variables_; // to which built-in
  bool needs_size_ = false, needs_place_ = false;
  std::vector<uint32_t> interface_;
  uint32_t
      index_ = 0,
      size_ =
          0; // variables: local invocation index, work-group size; the module's own if it has them
  bool has_index_ = false, has_size_ = false;
  // What is made for them.
  uint32_t type_u64_ = 0, type_v3_ = 0, type_bool_ = 0;
  std::map<uint32_t, Numbers> numbers_; // by the size of sub-groups
};

} // namespace ze_opencl
