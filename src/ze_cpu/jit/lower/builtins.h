// The functions that SPIR-V instructions turn into, by name, and what each becomes.
#pragma once

#include "work_item.h"

#include <functional>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <stdexcept>
#include <string>

namespace ze_cpu {

/// A builtin used in a way that is not supported: text for the build log.
struct LoweringError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The function that a call becomes which names lanes: void (i64 named, i64 those that have arrived).
inline constexpr const char *named_lanes_name = "ze_cpu.named_lanes";

/// What a unit (a kernel with its functions) is lowered for.
struct LoweringUnit {
  uint32_t sub_group_size = 32;
  uint32_t next_sync_id = 1;
  bool has_sync = false;
  bool has_grid_sync = false;
  bool checks_masks = false; // of lanes that are named as those that arrive
  bool of_columns = false;   // dimensions 0 and 1 of work-groups stand in each other's place
};

/// One call of a builtin. `builder` stands before it.
struct Builtin {
  llvm::CallInst &call;
  llvm::IRBuilder<> &builder;
  WorkItem &item;
  LoweringUnit &unit;
  llvm::StringRef name;   // "GroupNonUniformShuffle", "ocl_exp", "BuiltInWorkgroupId", ...
  llvm::StringRef suffix; // of names such as ConvertFToS_Rint_sat_rte: "int_sat_rte"

  llvm::Value *argument(unsigned index) const;
  unsigned arguments() const { return call.arg_size(); }
  llvm::Type *type() const { return call.getType(); }
  /// An argument that SPIR-V requires to be a constant.
  uint64_t constant(unsigned index) const;
  [[noreturn]] void unsupported(const std::string &why) const;
};

/// Emits the replacement and returns the value of the call (null for void).
using Lower = std::function<llvm::Value *(Builtin &)>;
using BuiltinTable = llvm::StringMap<Lower>;

/// Each fills in one chapter.
void add_coordinates(BuiltinTable &table);
void add_atomics(BuiltinTable &table);
void add_groups(BuiltinTable &table);
void add_integers(BuiltinTable &table);
void add_conversions(BuiltinTable &table);
void add_math(BuiltinTable &table);
void add_vectors(BuiltinTable &table);
void add_images(BuiltinTable &table);
void add_printf(BuiltinTable &table);

/// The name of the builtin that `function` (a mangled name) is, without suffix; empty for others.
llvm::StringRef builtin_name(llvm::StringRef function);

/// Whether `function` (a mangled name) is in the table.
bool is_builtin(llvm::StringRef function);

/// Replaces all builtins that `function` calls. Throws LoweringError.
void lower_builtins(llvm::Function &function, LoweringUnit &unit);

/// The elements of a vector, or the value itself.
llvm::SmallVector<llvm::Value *, 4> elements(llvm::IRBuilder<> &builder, llvm::Value *value);

/// Applies `scalar` to each element of a vector call, or to the scalars. Arguments that are not
/// vectors are the same for all.
llvm::Value *
for_each_element(Builtin &builtin,
                 const std::function<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> &scalar);

} // namespace ze_cpu
