// Which parts of a kernel all work-items of a work-group reach alike: where they may wait for each other.
//
// A value is divergent if it may differ between work-items. A branch on one splits them, up to the block where its ways meet
// again: what lies between is divergent, and so is every value from there, since work-items get there at different times or
// not at all. Values and blocks make each other divergent until nothing changes any more. In doubt something is divergent.
#pragma once

#include "../assembly.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ze_opencl {

/// What declarations of a module say of values.
class UniformDeclarations {
public:
  explicit UniformDeclarations(std::span<const ParsedInstruction> module);

private:
  friend class Uniformity;

  std::map<uint32_t, uint32_t> built_ins_;  // variables, and which they are
  std::set<uint32_t> by_value_, read_only_; // parameters
  std::set<uint32_t> constant_pointers_;    // to memory that no kernel writes to
  std::set<uint32_t> pointer_types_;
  std::set<uint32_t> undefined_;   // values
  std::set<uint32_t> mathematics_; // instruction sets
};

class Uniformity {
public:
  static constexpr size_t none = ~size_t{0};

  struct Block {
    size_t begin = 0, end = 0;        // instructions
    std::vector<size_t> next, before; // blocks
    uint32_t selector = 0;            // what the branch at its end depends on; 0: nothing
    bool is_reached = false, is_divergent = false, is_spread = false;
    size_t meets = none; // the first block behind it that all ways from it lead to; none: the end
  };

  /// Of a kernel: from its OpFunction to its OpFunctionEnd. Throws spirv::Malformed.
  Uniformity(std::span<const ParsedInstruction> kernel, const UniformDeclarations &declarations);

  std::span<const Block> blocks() const { return blocks_; }
  /// That instruction `index` is in; none for those before the first.
  size_t block_of(size_t index) const { return block_of_[index]; }
  /// Whether all work-items of a work-group come to instruction `index` equally often.
  bool is_reached_alike(size_t index) const {
    return block_of_[index] != none && !blocks_[block_of_[index]].is_divergent;
  }

private:
  void find_blocks();
  void find_own_variables();
  void find_meetings();
  bool spread(Block &block);
  bool is_divergent(uint32_t id) const { return divergent_.contains(id); }
  bool is_divergent_branch(const Block &block) const {
    return block.selector != 0 && is_divergent(block.selector);
  }
  bool makes_divergent(const ParsedInstruction &instruction, const Block &block) const;
  bool chooses_divergently(const ParsedInstruction &phi, const Block &block) const;
  bool loads_divergent(const ParsedInstruction &load) const;

  const std::span<const ParsedInstruction> kernel_;
  const UniformDeclarations &declarations_;
  std::vector<Block> blocks_;
  std::vector<size_t> block_of_; // by instruction
  std::unordered_map<uint32_t, size_t> labels_;
  std::unordered_set<uint32_t> divergent_;
  std::unordered_map<uint32_t, uint32_t>
      private_; // pointers into a work-item's own memory, and to what: a variable or parameter
  std::unordered_set<uint32_t> whole_; // such variables that are only loaded and stored as a whole
};

} // namespace ze_opencl
