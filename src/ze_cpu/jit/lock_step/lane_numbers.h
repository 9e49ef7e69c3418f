// What is known of the numbers that the lanes of a sub-group compute: how addresses depend on the
// lane, and what the conditions around an access say.
#pragma once

#include "../codegen/loop_analyses.h"
#include "../codegen/polynomial.h"
#include "../regions/uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <memory>
#include <vector>

namespace ze_cpu {

/// Numbers are taken to be as large as the program means them: that sums, products and conversions
/// do not wrap around where they end up in an address.
class LaneNumbers {
public:
  struct Symbol {
    /// A coordinate of the lane in the group, or its linear number there; the same number for all
    /// lanes; or one of each lane's own.
    enum class Kind { x, y, z, lane, uniform, varying } kind;
    const llvm::Instruction *definition = nullptr; // null: it never changes
    bool is_negative = true;                       // or may be
  };

  /// What is left of a division, of a number that is not negative or by a power of two. By zero
  /// that is the dividend.
  struct Remainder {
    Polynomial dividend, divisor;
  };

  struct Address {
    const llvm::Value *object = nullptr; // null: not known which
    Polynomial offset;                   // in bytes
  };

  /// What holds wherever a block is executed.
  struct Guards {
    std::vector<Polynomial> not_positive, zero;
    /// Pairs (a, b) of numbers of which a is greater, as they are written.
    llvm::SmallVector<std::pair<const llvm::Value *, const llvm::Value *>, 4> greater;
  };

  /// `function` has context parameters; of one that is not a `kernel` the arguments may vary.
  LaneNumbers(llvm::Function &function, uint32_t sub_group_size, bool is_kernel);

  Address address(const llvm::Value *pointer);
  Polynomial number(const llvm::Value *value);
  const Guards &guards(const llvm::BasicBlock *block);

  const Symbol &symbol(uint32_t number) const { return symbols_[number]; }
  /// What the symbol stands for, if it is that.
  const Remainder *remainder(uint32_t symbol) const {
    const auto found = remainders_.find(symbol);
    return found == remainders_.end() ? nullptr : &found->second;
  }
  size_t symbol_count() const { return symbols_.size(); }
  bool is_uniform(const llvm::Value *value) const;
  bool is_uniform(const llvm::BasicBlock *block) const {
    return is_kernel_ && uniformity_.is_uniform(block);
  }

  /// All work-items are told apart by their x alone.
  bool is_line() const { return is_line_; }
  bool uses(Symbol::Kind coordinate) const { return uses_[static_cast<size_t>(coordinate)]; }
  uint32_t sub_group_size() const { return sub_group_size_; }
  /// The size of the group in x.
  uint32_t group_width() { return member_symbol(width_offset()); }

private:
  enum Tag : uint64_t { itself, power, quotient = 64, member = 256 };
  static size_t width_offset();

  uint32_t symbol_for(const llvm::Value *value, uint64_t tag, Symbol symbol);
  uint32_t member_symbol(uint64_t offset);
  Polynomial leaf(const llvm::Value *value);
  Polynomial compute(const llvm::Value *value);
  Polynomial of_instruction(const llvm::Instruction &instruction);
  Polynomial power_of(const llvm::Value *exponent);
  Polynomial remainder(const llvm::Value *value, Remainder of);
  std::optional<Polynomial> end_of_mask(const llvm::Value *mask, bool is_of_coordinate);
  bool joins(const llvm::PHINode &phi) const;
  Polynomial number_of_phi(const llvm::PHINode &phi);
  std::optional<Polynomial> quotient_of(const llvm::Value *value, unsigned bits);
  Polynomial offset_of(const llvm::GEPOperator &gep);
  Polynomial offset_from(const llvm::Value *pointer, const llvm::Value *object);
  std::optional<std::pair<const llvm::Value *, Polynomial>>
  recurring_pointer(const llvm::PHINode &phi);
  void add_condition(const llvm::Value *condition, bool holds, Guards &guards);
  void add_comparison(const llvm::ICmpInst &comparison, bool holds, Guards &guards);
  bool is_natural(const Polynomial &number) const;
  bool is_exact(const llvm::Value *value, unsigned depth = 6);

  /// What values a number may have in loops, which takes long to find out.

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const uint32_t sub_group_size_;
  const bool is_kernel_;
  Uniformity uniformity_;
  llvm::DominatorTree dominators_;
  std::unique_ptr<LoopAnalyses> ranges_; // made when they are first needed
  bool uses_[4] = {};
  bool is_line_ = false;
  unsigned depth_ = 0;
  std::vector<Symbol> symbols_;
  std::map<uint32_t, Remainder> remainders_;
  std::map<std::pair<const llvm::Value *, uint64_t>, uint32_t> numbers_;
  std::map<const llvm::Value *, Polynomial> known_;
  std::map<const llvm::BasicBlock *, Guards> guards_;
};

} // namespace ze_cpu
