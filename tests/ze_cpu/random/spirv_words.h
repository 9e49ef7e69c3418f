// The instructions of SPIR-V that random kernels are made of, and a module as a list of words.
#pragma once

#include "kernel.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

namespace random_kernels {

/// Named and numbered as in the specification's section 3.
enum Op : uint32_t {
  OpExtension = 10,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeVoid = 19,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeArray = 28,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpConstantTrue = 41,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpConstantComposite = 44,
  OpConstantNull = 46,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpVariable = 59,
  OpLoad = 61,
  OpStore = 62,
  OpInBoundsAccessChain = 66,
  OpInBoundsPtrAccessChain = 70,
  OpDecorate = 71,
  OpCompositeExtract = 81,
  OpConvertFToU = 109,
  OpConvertUToF = 112,
  OpUConvert = 113,
  OpSConvert = 114,
  OpPtrCastToGeneric = 121,
  OpBitcast = 124,
  OpIAdd = 128,
  OpFAdd = 129,
  OpISub = 130,
  OpIMul = 132,
  OpFMul = 133,
  OpUDiv = 134,
  OpUMod = 137,
  OpLogicalEqual = 164,
  OpLogicalOr = 166,
  OpLogicalAnd = 167,
  OpLogicalNot = 168,
  OpSelect = 169,
  OpIEqual = 170,
  OpINotEqual = 171,
  OpULessThan = 176,
  OpSLessThan = 177,
  OpULessThanEqual = 178,
  OpSLessThanEqual = 179,
  OpFOrdEqual = 180,
  OpFOrdLessThan = 184,
  OpShiftRightLogical = 194,
  OpShiftRightArithmetic = 195,
  OpShiftLeftLogical = 196,
  OpBitwiseOr = 197,
  OpBitwiseXor = 198,
  OpBitwiseAnd = 199,
  OpControlBarrier = 224,
  OpMemoryBarrier = 225,
  OpAtomicLoad = 227,
  OpAtomicStore = 228,
  OpAtomicExchange = 229,
  OpAtomicCompareExchange = 230,
  OpAtomicIAdd = 234,
  OpAtomicSMin = 236,
  OpAtomicUMin = 237,
  OpAtomicSMax = 238,
  OpAtomicUMax = 239,
  OpAtomicAnd = 240,
  OpAtomicOr = 241,
  OpAtomicXor = 242,
  OpLabel = 248,
  OpBranch = 249,
  OpBranchConditional = 250,
  OpReturn = 253,
  OpGroupAll = 261,
  OpGroupAny = 262,
  OpGroupBroadcast = 263,
  OpGroupIAdd = 264,
  OpGroupFAdd = 265,
  OpGroupFMin = 266,
  OpGroupUMin = 267,
  OpGroupSMin = 268,
  OpGroupFMax = 269,
  OpGroupUMax = 270,
  OpGroupSMax = 271,
  OpGroupNonUniformElect = 333,
  OpGroupNonUniformAll = 334,
  OpGroupNonUniformAny = 335,
  OpGroupNonUniformAllEqual = 336,
  OpGroupNonUniformBroadcast = 337,
  OpGroupNonUniformBroadcastFirst = 338,
  OpGroupNonUniformBallot = 339,
  OpGroupNonUniformShuffle = 345,
  OpGroupNonUniformShuffleXor = 346,
  OpGroupNonUniformShuffleUp = 347,
  OpGroupNonUniformShuffleDown = 348,
  OpGroupNonUniformIAdd = 349,
  OpGroupNonUniformFAdd = 350,
  OpGroupNonUniformIMul = 351,
  OpGroupNonUniformSMin = 353,
  OpGroupNonUniformUMin = 354,
  OpGroupNonUniformFMin = 355,
  OpGroupNonUniformSMax = 356,
  OpGroupNonUniformUMax = 357,
  OpGroupNonUniformFMax = 358,
  OpGroupNonUniformBitwiseAnd = 359,
  OpGroupNonUniformBitwiseOr = 360,
  OpGroupNonUniformBitwiseXor = 361,
  OpGroupNonUniformLogicalAnd = 362,
  OpGroupNonUniformLogicalOr = 363,
  OpGroupNonUniformLogicalXor = 364,
  OpGroupNonUniformRotateKHR = 4431,
};

enum StorageClass : uint32_t {
  Input = 1,
  Workgroup = 4,
  CrossWorkgroup = 5,
  Function = 7,
  Generic = 8
};

enum BuiltIn : uint32_t {
  NumWorkgroups = 24,
  WorkgroupSize = 25,
  WorkgroupId = 26,
  LocalInvocationId = 27,
  GlobalInvocationId = 28,
  LocalInvocationIndex = 29,
  NumSubgroups = 38,
  SubgroupId = 40,
  SubgroupLocalInvocationId = 41,
};

/// The instructions that combine values of a type: atomically (u32), in a sub-group, in a work-group.
Op atomic_code(Combine combine);
Op sub_group_code(Combine combine, Type type);
Op work_group_code(Combine combine, Type type);

using Id = uint32_t;
using Words = std::vector<uint32_t>;

/// Appends an instruction.
inline void put(Words &to, Op op, std::initializer_list<uint32_t> operands) {
  to.push_back(uint32_t(operands.size() + 1) << 16 | op);
  to.insert(to.end(), operands);
}

/// Appends an instruction that ends with a string and further operands.
inline void put(Words &to, Op op, Words operands, std::string_view text, const Words &rest = {}) {
  for (size_t i = 0; i <= text.size(); i += 4) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4 && i + j < text.size(); ++j)
      word |= uint32_t(uint8_t(text[i + j])) << 8 * j;
    operands.push_back(word);
  }
  operands.insert(operands.end(), rest.begin(), rest.end());
  to.push_back(uint32_t(operands.size() + 1) << 16 | op);
  to.insert(to.end(), operands.begin(), operands.end());
}

/// The parts of a module in the order that the specification wants; types, constants and built-in
/// variables are declared once.
class ModuleWords {
public:
  Words head, entry_points, modes, decorations, globals, functions;

  Id make_id() { return next_id_++; }

  /// A type or constant: the one that is there, or a new one. The result's place is after `before`
  /// operands (types 0, constants 1).
  Id declare(Op op, size_t before, const Words &operands) {
    Words key = {op};
    key.insert(key.end(), operands.begin(), operands.end());
    auto [found, is_new] = declared_.try_emplace(key, next_id_);
    if (is_new) {
      ++next_id_;
      globals.push_back(uint32_t(operands.size() + 2) << 16 | op);
      globals.insert(globals.end(), operands.begin(), operands.begin() + ptrdiff_t(before));
      globals.push_back(found->second);
      globals.insert(globals.end(), operands.begin() + ptrdiff_t(before), operands.end());
    }
    return found->second;
  }

  Words assemble() const {
    Words all = {0x07230203, 0x00010300, 0, next_id_, 0};
    for (const Words *part : {&head, &entry_points, &modes, &decorations, &globals, &functions})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }

private:
  Id next_id_ = 1;
  std::map<Words, Id> declared_;
};

} // namespace random_kernels
