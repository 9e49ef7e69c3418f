#include "spirv_words.h"

namespace random_kernels {

Op atomic_code(Combine combine) {
  static const std::map<Combine, Op> codes = {
      {Combine::add, OpAtomicIAdd},  {Combine::umin, OpAtomicUMin},
      {Combine::umax, OpAtomicUMax}, {Combine::smin, OpAtomicSMin},
      {Combine::smax, OpAtomicSMax}, {Combine::bit_and, OpAtomicAnd},
      {Combine::bit_or, OpAtomicOr}, {Combine::bit_xor, OpAtomicXor}};
  return codes.at(combine);
}

Op sub_group_code(Combine combine, Type type) {
  static const std::map<Combine, Op> integer = {{Combine::add, OpGroupNonUniformIAdd},
                                                {Combine::umin, OpGroupNonUniformUMin},
                                                {Combine::umax, OpGroupNonUniformUMax},
                                                {Combine::smin, OpGroupNonUniformSMin},
                                                {Combine::smax, OpGroupNonUniformSMax},
                                                {Combine::bit_and, OpGroupNonUniformBitwiseAnd},
                                                {Combine::bit_or, OpGroupNonUniformBitwiseOr},
                                                {Combine::bit_xor, OpGroupNonUniformBitwiseXor},
                                                {Combine::multiply, OpGroupNonUniformIMul}};
  static const std::map<Combine, Op> logical = {{Combine::bit_and, OpGroupNonUniformLogicalAnd},
                                                {Combine::bit_or, OpGroupNonUniformLogicalOr},
                                                {Combine::bit_xor, OpGroupNonUniformLogicalXor}};
  static const std::map<Combine, Op> floating = {{Combine::add, OpGroupNonUniformFAdd},
                                                 {Combine::umin, OpGroupNonUniformFMin},
                                                 {Combine::umax, OpGroupNonUniformFMax}};
  const auto &codes = type == Type::f32 ? floating : type == Type::boolean ? logical : integer;
  return codes.at(combine);
}

Op work_group_code(Combine combine, Type type) {
  static const std::map<Combine, Op> integer = {{Combine::add, OpGroupIAdd},
                                                {Combine::umin, OpGroupUMin},
                                                {Combine::umax, OpGroupUMax},
                                                {Combine::smin, OpGroupSMin},
                                                {Combine::smax, OpGroupSMax}};
  static const std::map<Combine, Op> floating = {
      {Combine::add, OpGroupFAdd}, {Combine::umin, OpGroupFMin}, {Combine::umax, OpGroupFMax}};
  const auto &codes = type == Type::f32 ? floating : integer;
  return codes.at(combine);
}

} // namespace random_kernels
