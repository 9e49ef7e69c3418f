// Initial values of variables: constants of a module, as bytes.
#pragma once

#include "../../common/spirv_types.h"
#include "module.h"

#include <unordered_map>

namespace ze_opencl {

/// The constants of a module. Functions throw spirv::Malformed.
class InitialValues {
public:
  explicit InitialValues(const spirv::Types &types) : types_(types) {}

  /// Remembers the instruction if it makes a constant.
  void take(const spirv::Instruction &instruction);
  /// Remembers variable `index` of the module, whose address other values may hold.
  void add_variable(uint32_t id, size_t index) { variables_[id] = index; }
  /// Writes constant `id` into the initial value of `variable`, whose size is known.
  void write(uint32_t id, ModuleVariable &variable) const;

private:
  struct Constant {
    uint16_t op;
    uint32_t type;
    std::vector<uint32_t> operands;
  };
  /// A number, or that many bytes behind a variable.
  struct Address {
    std::optional<size_t> variable;
    uint64_t value;
  };

  const Constant &constant(uint32_t id) const;
  void write(uint32_t id, ModuleVariable &variable, uint64_t offset, int depth) const;
  Address evaluate(uint32_t id, int depth) const;
  uint64_t offset_of_chain(const Constant &chain, int depth) const;

  const spirv::Types &types_;
  std::unordered_map<uint32_t, Constant> constants_;
  std::unordered_map<uint32_t, uint32_t> variable_types_;
  std::unordered_map<uint32_t, size_t> variables_;
};

} // namespace ze_opencl
