// The types, constants and built-in variables of a module, each declared where it is first asked for.
#pragma once

#include "kernel.h"
#include "spirv_words.h"

#include <bit>
#include <map>

namespace random_kernels {

struct Types {
  explicit Types(ModuleWords &module) : m(module) {}

  Id of(Type type) {
    switch (type) {
    case Type::boolean:
      return m.declare(OpTypeBool, 0, {});
    case Type::u32:
      return u32();
    case Type::u64:
      return u64();
    case Type::f32:
      return m.declare(OpTypeFloat, 0, {32});
    }
    return 0;
  }
  Id u32() { return m.declare(OpTypeInt, 0, {32, 0}); }
  Id u64() { return m.declare(OpTypeInt, 0, {64, 0}); }
  Id vector(Id element, uint32_t n) { return m.declare(OpTypeVector, 0, {element, n}); }
  Id array(uint32_t n) { return m.declare(OpTypeArray, 0, {u32(), number(n)}); }
  Id pointer(StorageClass storage, Id to) { return m.declare(OpTypePointer, 0, {storage, to}); }

  Id number(uint32_t value) { return m.declare(OpConstant, 1, {u32(), value}); }
  Id wide_number(uint64_t value) {
    return m.declare(OpConstant, 1, {u64(), uint32_t(value), uint32_t(value >> 32)});
  }
  Id constant(Type type, uint64_t value) {
    switch (type) {
    case Type::boolean:
      return m.declare(value ? OpConstantTrue : OpConstantFalse, 1, {of(type)});
    case Type::u32:
      return number(uint32_t(value));
    case Type::u64:
      return wide_number(value);
    case Type::f32:
      return m.declare(OpConstant, 1, {of(type), std::bit_cast<uint32_t>(float(value))});
    }
    return 0;
  }
  Id null(Id type) { return m.declare(OpConstantNull, 1, {type}); }

  ModuleWords &m;
};

struct BuiltInVariables {
  Id get(Types &types, BuiltIn which) {
    auto [found, is_new] = ids.try_emplace(which, 0);
    if (is_new) {
      ModuleWords &m = types.m;
      Id pointer = types.pointer(Input, type(types, which));
      found->second = m.make_id();
      put(m.globals, OpVariable, {pointer, found->second, Input});
      put(m.decorations, OpDecorate, {found->second, 11, which});
      put(m.decorations, OpDecorate, {found->second, 22}); // Constant
    }
    return found->second;
  }
  static Id type(Types &types, BuiltIn which) {
    if (which == NumSubgroups || which == SubgroupId || which == SubgroupLocalInvocationId)
      return types.u32();
    return which == LocalInvocationIndex ? types.u64() : types.vector(types.u64(), 3);
  }
  std::map<BuiltIn, Id> ids;
};

} // namespace random_kernels
