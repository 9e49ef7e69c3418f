// Values that lanes of a sub-group tell each other, on devices without sub-groups: each work-item writes its own to work-group
// memory, all of the work-group wait for each other, and read what the others wrote. That is right only where all of them come
// (uniformity.h); elsewhere such instructions are refused.
#pragma once

#include "../assembly.h"
#include "built_ins.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace ze_opencl {

class UniformDeclarations;

class LaneExchange {
public:
  static constexpr uint32_t max_size = 64; // of sub-groups: as many bits as a slot has

  /// What `module` has of it. `numbers` are its constants of 32 bits; they and the module outlive this.
  LaneExchange(std::span<const ParsedInstruction> module,
               const std::map<uint32_t, uint32_t> &numbers, const Abilities &abilities);

  /// Why an instruction cannot be replaced.
  std::optional<std::string> refusal(const ParsedInstruction &instruction) const;
  /// What stands for a work-item that does not come to an operation which waits behind a branch.
  struct Neutral {
    size_t place;  // word of the instruction, a bool; 0: its values do not count
    uint32_t type; // of that
    bool value;
  };
  /// That of an instruction which is refused only because of the branches before it, and works behind none.
  std::optional<Neutral> in_branch(const ParsedInstruction &instruction) const;
  bool replaces(const ParsedInstruction &instruction) const {
    return replaced_.contains(key(instruction));
  }
  bool any() const { return !replaced_.empty(); }
  bool any_in_branches() const { return !in_branches_.empty(); }
  /// Functions that are no kernels and contain what could be replaced in one.
  const std::set<uint32_t> &called() const { return called_; }
  /// Whether the kernel gets one parameter more, behind its own: a pointer to work-group memory, with slot_bytes for each
  /// work-item.
  bool has_slots(uint32_t kernel) const { return slots_.contains(kernel); }

  /// Adds types and constants behind those of the module.
  void declare(Assembler &out, TypeTable &types, uint32_t type_u64);
  /// To be called before each instruction of a function is written: adds the parameter before the first block.
  void before(Assembler &out, const ParsedInstruction &instruction);
  /// The OpFunction of a kernel that has_slots().
  void write_function(Assembler &out, const ParsedInstruction &function) const;
  /// Instructions in the place of one that it replaces, in a kernel with sub-groups of `size`.
  void write(Assembler &out, const ParsedInstruction &instruction,
             const ComputedBuiltIns &built_ins, uint32_t size) const;
  /// Functions that write() calls, behind those of the module.
  void write_folds(Assembler &out) const;

private:
  enum class Kind {
    barrier,
    elect,
    shuffle,
    shuffle_xor,
    shuffle_up,
    shuffle_down,
    first,
    ballot,
    any,
    all,
    all_equal,
    fold
  };
  struct Operation {
    Kind kind;
    uint32_t value = 0, lane = 0;                   // ids
    uint16_t fold = 0;                              // as the instruction for non-uniform groups
    uint32_t group_operation = 0, cluster_size = 0; // of a fold
  };
  struct Type {
    uint16_t op;    // bool, int or float; 0: another
    uint32_t width; // in bits
  };
  struct Fold {
    uint32_t function, function_type, identity;
  };
  using Place = ComputedBuiltIns::Place;

  static const uint32_t *key(const ParsedInstruction &instruction) {
    return instruction.words.data();
  }
  std::optional<Operation> operation_of(const ParsedInstruction &instruction) const;
  std::string name_of(const ParsedInstruction &instruction) const;
  std::optional<std::string> unsupported(const ParsedInstruction &instruction,
                                         const std::optional<Operation> &operation) const;
  void take_function(std::span<const ParsedInstruction> function, bool is_kernel,
                     const UniformDeclarations &declarations);
  Type type_of(uint32_t value) const;
  std::optional<std::pair<uint16_t, uint32_t>> fold_of(const Operation &operation) const;

  void barrier(Assembler &out) const;
  uint32_t slot(Assembler &out, uint32_t slots, uint32_t index) const;
  void tell(Assembler &out, uint32_t slots, const Place &place, uint32_t value) const;
  uint32_t read(Assembler &out, uint32_t slots, const Place &place, uint32_t lane) const;
  uint32_t to_slot(Assembler &out, uint32_t value) const;
  void from_slot(Assembler &out, uint32_t slot, uint32_t type, uint32_t result) const;
  uint32_t binary(Assembler &out, uint16_t op, uint32_t a, uint32_t b) const {
    return out.make(op, type_u64_, {a, b});
  }
  uint32_t joined(Assembler &out, const Operation &operation, uint32_t slots, uint32_t begin,
                  uint32_t end) const;

  const std::map<uint32_t, uint32_t> &numbers_;
  std::unordered_map<uint32_t, Type> types_;           // by id
  std::unordered_map<uint32_t, uint32_t> value_types_; // of values
  std::unordered_set<uint32_t> used_;                  // values
  std::unordered_set<uint32_t> true_;                  // constants
  std::set<uint32_t> called_;
  std::map<const uint32_t *, std::string> refused_;
  std::map<const uint32_t *, Operation> replaced_, in_branches_;
  std::map<uint32_t, std::vector<uint32_t>>
      function_types_; // of functions: operands, then the new type of those with slots
  std::map<uint32_t, uint32_t> slots_, unwritten_; // parameters, by kernel
  // What is made for them.
  std::map<std::pair<uint16_t, uint32_t>, Fold> folds_;        // by operation and type
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> clusters_; // masks and sizes, by size
  uint32_t type_u64_ = 0, type_u32_ = 0, type_bool_ = 0, type_slots_ = 0;
  uint32_t zero_ = 0, one_ = 0, half_ = 0,
           none_ = 0; // numbers: half the bits of 64, and 0 of 32 bits
  uint32_t workgroup_ = 0, semantics_ = 0;
};

} // namespace ze_opencl
