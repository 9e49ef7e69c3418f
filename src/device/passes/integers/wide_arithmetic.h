// Arithmetic of 128-bit integers as pairs of 64-bit integers.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace chip {

/// The halves of a 128-bit integer, each an i64.
struct Pair {
  llvm::Value *low = nullptr, *high = nullptr;
  explicit operator bool() const { return low; }
};

/// Writes code for operations on pairs where the builder stands. Operations mean what LLVM's of the
/// same names mean for an i128; what is poison there is any value here.
class WideArithmetic {
public:
  explicit WideArithmetic(llvm::IRBuilder<> &builder) : builder_(builder) {}

  /// The value of 64 bits, or fewer, with zeros or copies of its sign above.
  Pair zero_extended(llvm::Value *value);
  Pair sign_extended(llvm::Value *value);
  Pair constant(const llvm::APInt &value);

  Pair add(Pair a, Pair b);
  Pair subtract(Pair a, Pair b);
  Pair multiply(Pair a, Pair b);
  Pair negated(Pair a) { return subtract(zero(), a); }
  Pair bitwise(llvm::Instruction::BinaryOps operation, Pair a, Pair b);
  /// Shl, LShr or AShr.
  Pair shifted(llvm::Instruction::BinaryOps operation, Pair a, llvm::Value *amount);
  Pair select(llvm::Value *condition, Pair yes, Pair no);
  llvm::Value *compare(llvm::CmpInst::Predicate predicate, Pair a, Pair b);

  struct Checked {
    Pair value;
    llvm::Value *overflow;
  };
  /// Add, Sub or Mul.
  Checked checked(llvm::Instruction::BinaryOps operation, bool is_signed, Pair a, Pair b);

  /// Null halves for an intrinsic that this class does not know. `arguments` are those of the call;
  /// halves are null for those that are no 128-bit integers.
  Pair intrinsic(const llvm::IntrinsicInst &call, llvm::ArrayRef<Pair> arguments);

  /// From and to half, float and double, rounded as the smaller types are; null for other types.
  llvm::Value *to_floating_point(Pair value, bool is_signed, llvm::Type *type);
  Pair from_floating_point(llvm::Value *value, bool is_signed);

private:
  Pair zero() { return {builder_.getInt64(0), builder_.getInt64(0)}; }
  llvm::Value *is_negative(Pair a);
  Pair magnitude(Pair a) { return select(is_negative(a), negated(a), a); }
  llvm::Value *upper_half_of_product(llvm::Value *a, llvm::Value *b);
  llvm::Value *is_nonzero(llvm::Value *a);
  Pair shifted_by_constant(llvm::Instruction::BinaryOps operation, Pair a, unsigned amount);
  Pair funnel_shifted(bool left, Pair a, Pair b, llvm::Value *amount);
  Checked checked_unsigned_product(Pair a, Pair b);
  Checked checked_signed_product(Pair a, Pair b);
  Pair saturated(llvm::Intrinsic::ID id, Pair a, Pair b);
  llvm::Value *unsigned_to_floating_point(Pair value, llvm::Type *type);

  llvm::IRBuilder<> &builder_;
};

} // namespace chip
