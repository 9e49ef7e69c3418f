// Values of random kernels: in 64 bits, floats as the integers that they are.
#pragma once

#include "kernel.h"

#include <algorithm>
#include <bit>

namespace random_kernels {

/// What a variable of the type keeps of the value.
inline uint64_t narrow(Type type, uint64_t value) {
  switch (type) {
  case Type::boolean:
    return value & 1;
  case Type::u32:
    return static_cast<uint32_t>(value);
  case Type::u64:
    return value;
  case Type::f32:
    return value & float_mask;
  }
  return value;
}

/// The value as a signed number of its width.
inline int64_t as_signed(Type type, uint64_t value) {
  return type == Type::u64 ? static_cast<int64_t>(value) : static_cast<int32_t>(value);
}

/// Whether `a` is below `b`.
inline bool is_below(Below how, Type type, uint64_t a, uint64_t b) {
  switch (how) {
  case Below::less:
    return a < b;
  case Below::less_signed:
    return as_signed(type, a) < as_signed(type, b);
  case Below::less_equal:
    return a <= b;
  case Below::less_equal_signed:
    return as_signed(type, a) <= as_signed(type, b);
  }
  return false;
}

/// How a value is written.
inline uint64_t output_bits(Type type, uint64_t value) {
  return type == Type::f32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : value;
}

/// `a` combined with `b`; floats are the integers that they hold.
inline uint64_t combine(Combine how, Type type, uint64_t a, uint64_t b) {
  switch (how) {
  case Combine::add:
    return narrow(type, a + b);
  case Combine::multiply:
    return narrow(type, a * b);
  case Combine::umin:
    return std::min(a, b);
  case Combine::umax:
    return std::max(a, b);
  case Combine::smin:
    return as_signed(type, a) < as_signed(type, b) ? a : b;
  case Combine::smax:
    return as_signed(type, a) > as_signed(type, b) ? a : b;
  case Combine::bit_and:
    return a & b;
  case Combine::bit_or:
    return a | b;
  case Combine::bit_xor:
    return a ^ b;
  }
  return a;
}

/// What an exclusive scan gives the first lane.
inline uint64_t identity(Combine how, Type type) {
  uint64_t all = type == Type::u64 ? UINT64_MAX : UINT32_MAX;
  switch (how) {
  case Combine::multiply:
    return 1;
  case Combine::umin:
  case Combine::bit_and:
    return type == Type::f32 ? float_mask : all;
  case Combine::smin:
    return all >> 1;
  case Combine::smax:
    return all - (all >> 1);
  default:
    return 0;
  }
}

} // namespace random_kernels
