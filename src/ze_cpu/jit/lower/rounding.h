// Rounding modes other than to nearest, without touching the processor's mode: take the nearest
// and, where the exact value lies on the other side, its neighbour.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// The first four have the numbers of SPIR-V's FPRoundingMode.
enum class Rounding : unsigned { to_even, to_zero, up, down, unspecified };

/// `nearest` is the exact value rounded to the nearest; the conditions tell on which side of it the
/// exact value lies.
llvm::Value *apply_rounding(llvm::IRBuilder<> &b, Rounding rounding, llvm::Value *nearest,
                            llvm::Value *exact_is_below, llvm::Value *exact_is_above);

/// A floating-point value in a narrower floating-point type.
llvm::Value *narrow_float(llvm::IRBuilder<> &b, Rounding rounding, llvm::Value *value,
                          llvm::Type *type);

/// The integer type (or vector of it) with the bits of a floating-point type.
llvm::Type *bits_type(llvm::Type *type);

} // namespace ze_cpu
