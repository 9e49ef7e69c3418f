// Where a work-item is: the parameters that every compiled function begins with.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// All functions of a module take these first; calls between them pass them on.
namespace context_parameter {
enum : unsigned { group, group_x, local_x, local_y, local_z, lane, count };
}

/// Puts the parameters before those of `type`.
llvm::FunctionType *with_context(llvm::FunctionType *type);

class WorkItem {
public:
  using Builder = llvm::IRBuilder<>;

  /// `of_columns`: dimensions 0 and 1 of work-groups stand in each other's place.
  explicit WorkItem(llvm::Function &function, bool of_columns = false)
      : function_(function), of_columns_(of_columns) {}

  // 64-bit values in dimension 0, 1 or 2.
  llvm::Value *local_id(Builder &b, unsigned dimension);
  llvm::Value *group_id(Builder &b, unsigned dimension);
  llvm::Value *group_size(Builder &b, unsigned dimension);
  llvm::Value *groups(Builder &b, unsigned dimension);
  llvm::Value *global_offset(Builder &b, unsigned dimension);
  llvm::Value *global_id(Builder &b, unsigned dimension);
  llvm::Value *global_size(Builder &b, unsigned dimension);

  llvm::Value *work_dimensions(Builder &b);
  llvm::Value *lanes(Builder &b); // work-items in the group

  llvm::Value *lane() { return function_.getArg(context_parameter::lane); }
  llvm::Value *context() { return function_.getArg(context_parameter::group); }
  llvm::Value *local_memory(Builder &b);
  llvm::Value *local_bytes(Builder &b);
  llvm::Value *stack_low(Builder &b);
  llvm::Value *stack_high(Builder &b);

private:
  unsigned place_of(unsigned dimension) const {
    return of_columns_ && dimension < 2 ? 1 - dimension : dimension;
  }

  llvm::Function &function_;
  const bool of_columns_;
};

/// Loads the group's size in a dimension: compilers know that it is from 1 to max_group_size.
llvm::Value *load_group_size(llvm::IRBuilder<> &b, llvm::Value *context, unsigned dimension);

/// Loads a member of the GroupContext at `context`; those do not change while a kernel runs.
llvm::Value *load_member(llvm::IRBuilder<> &b, llvm::Value *context, size_t offset,
                         llvm::Type *type);
/// Whether `value` is such a member, which all work-items of a group share.
bool is_member(const llvm::Value *value);

} // namespace ze_cpu
