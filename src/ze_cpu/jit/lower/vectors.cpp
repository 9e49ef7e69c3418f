// Vectors: relational instructions, loads and stores of packed vectors, shuffles by variable masks.
#include "builtins.h"
#include "rounding.h"

#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

// Truth of SPIR-V comes as i1, or as integers of other widths where LLVM has no vector of i1 in
// calls.
Value *as_condition(Builder &b, Value *value) {
  return value->getType()->getScalarSizeInBits() == 1
             ? value
             : b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

Value *from_condition(Builtin &call, Value *condition) {
  llvm::Type *type = call.type();
  if (type == condition->getType())
    return condition;
  return type->isVectorTy() ? call.builder.CreateSExt(condition, type)
                            : call.builder.CreateZExt(condition, type);
}

Lower reduce_condition(bool all) {
  return [all](Builtin &call) -> Value * {
    Builder &b = call.builder;
    Value *condition = as_condition(b, call.argument(0));
    if (condition->getType()->isVectorTy())
      condition = all ? b.CreateAndReduce(condition) : b.CreateOrReduce(condition);
    return from_condition(call, condition);
  };
}

Lower classify(unsigned classes) {
  return [classes](Builtin &call) {
    Value *value = call.argument(0);
    Value *is = call.builder.createIsFPClass(value, classes);
    return from_condition(call, is);
  };
}

Lower compare(llvm::CmpInst::Predicate predicate) {
  return [predicate](Builtin &call) {
    return from_condition(call,
                          call.builder.CreateFCmp(predicate, call.argument(0), call.argument(1)));
  };
}

Value *sign_bit(Builtin &call) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  llvm::Type *integer = bits_type(value->getType());
  return from_condition(call, b.CreateICmpSLT(b.CreateBitCast(value, integer),
                                              llvm::Constant::getNullValue(integer)));
}

Value *dot(Builtin &call) {
  Builder &b = call.builder;
  Value *x = call.argument(0), *y = call.argument(1);
  Value *sum = nullptr;
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements(); ++i) {
    Value *product = b.CreateFMul(b.CreateExtractElement(x, i), b.CreateExtractElement(y, i));
    sum = sum ? b.CreateFAdd(sum, product) : product;
  }
  return sum;
}

Value *vector_times_scalar(Builtin &call) {
  Builder &b = call.builder;
  unsigned count = llvm::cast<llvm::FixedVectorType>(call.type())->getNumElements();
  return b.CreateFMul(call.argument(0), b.CreateVectorSplat(count, call.argument(1)));
}

// select(a, b, c): c ? b : a for scalars, the most significant bit of each element of c for
// vectors.
Value *select(Builtin &call) {
  Builder &b = call.builder;
  Value *condition = call.argument(2);
  if (condition->getType()->getScalarSizeInBits() != 1) {
    auto *zero = llvm::Constant::getNullValue(condition->getType());
    condition = condition->getType()->isVectorTy() ? b.CreateICmpSLT(condition, zero)
                                                   : b.CreateICmpNE(condition, zero);
  }
  return b.CreateSelect(condition, call.argument(1), call.argument(0));
}

// Bits of b where c has ones, of a elsewhere.
Value *bit_select(Builtin &call) {
  Builder &b = call.builder;
  llvm::Type *type = call.type(), *integer = bits_type(type);
  auto bits = [&](unsigned i) { return b.CreateBitCast(call.argument(i), integer); };
  Value *mask = bits(2);
  return b.CreateBitCast(
      b.CreateOr(b.CreateAnd(bits(1), mask), b.CreateAnd(bits(0), b.CreateNot(mask))), type);
}

// The mask's low bits choose elements of one vector or of two in a row.
Value *shuffle(Builtin &call, unsigned sources) {
  Builder &b = call.builder;
  unsigned count = llvm::cast<llvm::FixedVectorType>(call.argument(0)->getType())->getNumElements();
  auto *type = llvm::cast<llvm::FixedVectorType>(call.type());
  Value *mask = call.argument(sources);
  unsigned power = llvm::PowerOf2Ceil(count);
  Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *index = b.CreateZExtOrTrunc(b.CreateExtractElement(mask, i), b.getInt32Ty());
    Value *within = b.CreateAnd(index, power - 1);
    Value *element = b.CreateExtractElement(call.argument(0), within);
    if (sources == 2) {
      Value *second = b.CreateExtractElement(call.argument(1), within);
      element =
          b.CreateSelect(b.CreateICmpEQ(b.CreateAnd(index, power), b.getInt32(0)), element, second);
    }
    result = b.CreateInsertElement(result, element, i);
  }
  return result;
}

// OpVectorExtractDynamic and OpVectorInsertDynamic.
Value *extract_dynamic(Builtin &call) {
  return call.builder.CreateExtractElement(call.argument(0), call.argument(1));
}
Value *insert_dynamic(Builtin &call) {
  return call.builder.CreateInsertElement(call.argument(0), call.argument(1), call.argument(2));
}

unsigned elements_of(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// Vectors of n at p + offset * n, without padding: element by element. The "a" forms know three
// elements as four.
Value *packed_address(Builtin &call, Value *pointer, Value *offset, llvm::Type *element,
                      unsigned stride, unsigned i) {
  Builder &b = call.builder;
  Value *first = b.CreateMul(b.CreateZExtOrTrunc(offset, b.getInt64Ty()), b.getInt64(stride));
  return b.CreateGEP(element, pointer, b.CreateAdd(first, b.getInt64(i)));
}

llvm::Align element_alignment(Builtin &call, llvm::Type *element) {
  return call.call.getModule()->getDataLayout().getABITypeAlign(element);
}

// (offset, pointer [, n]) with elements of the result's type, or of half that become the result's.
Value *load(Builtin &call, bool half, bool aligned) {
  Builder &b = call.builder;
  llvm::Type *type = call.type(), *element = half ? b.getHalfTy() : type->getScalarType();
  unsigned count = elements_of(type), stride = aligned && count == 3 ? 4 : count;
  Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    Value *address = packed_address(call, call.argument(1), call.argument(0), element, stride, i);
    Value *value = b.CreateAlignedLoad(element, address, element_alignment(call, element));
    if (half)
      value = b.CreateFPCast(value, type->getScalarType());
    result = type->isVectorTy() ? b.CreateInsertElement(result, value, i) : value;
  }
  return result;
}

// (value, offset, pointer)
Value *store(Builtin &call, bool aligned) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  llvm::Type *element = value->getType()->getScalarType();
  unsigned count = elements_of(value->getType()), stride = aligned && count == 3 ? 4 : count;
  for (unsigned i = 0; i < count; ++i) {
    Value *part = value->getType()->isVectorTy() ? b.CreateExtractElement(value, i) : value;
    b.CreateAlignedStore(
        part, packed_address(call, call.argument(2), call.argument(1), element, stride, i),
        element_alignment(call, element));
  }
  return nullptr;
}

// (value, offset, pointer [, rounding mode])
Value *store_half(Builtin &call, bool aligned) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  uint64_t mode = call.arguments() > 3 ? call.constant(3) : 0;
  if (mode > static_cast<unsigned>(Rounding::down))
    call.unsupported("its rounding mode");
  unsigned count = elements_of(value->getType()), stride = aligned && count == 3 ? 4 : count;
  for (unsigned i = 0; i < count; ++i) {
    Value *part = value->getType()->isVectorTy() ? b.CreateExtractElement(value, i) : value;
    b.CreateAlignedStore(
        narrow_float(b, Rounding(mode), part, b.getHalfTy()),
        packed_address(call, call.argument(2), call.argument(1), b.getHalfTy(), stride, i),
        llvm::Align(2));
  }
  return nullptr;
}

void add_memory(BuiltinTable &table) {
  table["ocl_vloadn"] = [](Builtin &call) { return load(call, false, false); };
  table["ocl_vstoren"] = [](Builtin &call) { return store(call, false); };
  table["ocl_vload_half"] =
      table["ocl_vload_halfn"] = [](Builtin &call) { return load(call, true, false); };
  table["ocl_vloada_halfn"] = [](Builtin &call) { return load(call, true, true); };
  for (const char *name : {"vstore_half", "vstore_half_r", "vstore_halfn", "vstore_halfn_r"})
    table[std::string("ocl_") + name] = [](Builtin &call) { return store_half(call, false); };
  for (const char *name : {"vstorea_halfn", "vstorea_halfn_r"})
    table[std::string("ocl_") + name] = [](Builtin &call) { return store_half(call, true); };
  table["ocl_prefetch"] = [](Builtin &) -> Value * { return nullptr; };
}

} // namespace

void add_vectors(BuiltinTable &table) {
  table["Any"] = reduce_condition(false);
  table["All"] = reduce_condition(true);
  table["IsNan"] = classify(llvm::fcNan);
  table["IsInf"] = classify(llvm::fcInf);
  table["IsFinite"] = classify(llvm::fcFinite);
  table["IsNormal"] = classify(llvm::fcNormal);
  table["SignBitSet"] = sign_bit;
  table["LessOrGreater"] = compare(llvm::CmpInst::FCMP_ONE);
  table["Ordered"] = compare(llvm::CmpInst::FCMP_ORD);
  table["Unordered"] = compare(llvm::CmpInst::FCMP_UNO);
  table["Dot"] = dot;
  table["VectorTimesScalar"] = vector_times_scalar;
  table["ocl_select"] = select;
  table["ocl_bitselect"] = bit_select;
  table["ocl_shuffle"] = [](Builtin &call) { return shuffle(call, 1); };
  table["ocl_shuffle2"] = [](Builtin &call) { return shuffle(call, 2); };
  table["VectorExtractDynamic"] = extract_dynamic;
  table["VectorInsertDynamic"] = insert_dynamic;
  add_memory(table);
}

} // namespace ze_cpu
