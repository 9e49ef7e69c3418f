// The functions through which execution enters a kernel (contract/kernel_code.h).
#pragma once

#include "../loops/group_rows.h"
#include "../program/module_ir.h"

#include <functional>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Structs passed by value that `body` only reads are read in the argument buffer; else each
/// work-item gets a copy. To be called before either entry is made.
void read_structs_in_place(llvm::Function &body, const KernelInfo &info);

/// Copies structs passed by value inside of `body`, which then takes their addresses.
void copy_structs(llvm::Function &body);

/// A LoopEntry that calls `body` (with context parameters) for each work-item of each group.
/// Nothing in it waits, so the loop over x is marked as one whose iterations are independent:
/// work-items that raced would be wrong anyway.
/// Groups whose work-items are all inside of the kernel's bounds run `inner` instead, which does not ask, if there is one;
/// `is_inside` tells. With `joined`, neighbouring groups are run as one, whose rows are as long as theirs together. `rows` is for
/// `rows_together` rows of `inner`, or of `body` if that is null (rows/columns.h).
llvm::Function *make_loop_entry(llvm::Function &body, const KernelInfo &info,
                                const std::string &symbol, llvm::Function *inner = nullptr,
                                llvm::Function *is_inside = nullptr,
                                std::optional<GroupRows> joined = {},
                                llvm::Function *rows = nullptr);

/// Whether all work-items of group `group_x` are inside. Rows may be longer than the group's, as in call_for_each_item().
llvm::Value *all_are_inside(llvm::IRBuilder<> &b, llvm::Function &is_inside, llvm::Value *context,
                            llvm::Value *group_x, llvm::ArrayRef<llvm::Value *> arguments,
                            llvm::MDNode *accesses, llvm::Value *row_length = nullptr);

/// A FiberEntry that calls `body`.
llvm::Function *make_fiber_entry(llvm::Function &body, const KernelInfo &info,
                                 const std::string &symbol);

// What entry points are made of.

/// The kernel's own arguments, from the argument buffer of the GroupContext at `context`.
std::vector<llvm::Value *> load_arguments(llvm::IRBuilder<> &b, llvm::Value *context,
                                          llvm::Function &body, const KernelInfo &info);

llvm::CallInst *call_body(llvm::IRBuilder<> &b, llvm::Function &body,
                          llvm::ArrayRef<llvm::Value *> context,
                          llvm::ArrayRef<llvm::Value *> arguments);

/// Calls `body` for each work-item of group `group_x`, in loops of which the innermost, over x, is
/// marked as one whose iterations are independent as far as accesses are in `accesses`. `use` gets
/// the calls. `row_length`: of the rows in x, if it is not that of the group. Each call is for that number of `rows`.
/// What is rare is not made of vectors.
void call_for_each_item(llvm::IRBuilder<> &b, llvm::Function &body, llvm::Value *context,
                        llvm::Value *group_x, llvm::ArrayRef<llvm::Value *> arguments,
                        llvm::MDNode *accesses,
                        const std::function<void(llvm::CallInst *)> &use = {},
                        llvm::Value *row_length = nullptr, uint64_t rows = 1, bool is_rare = false);

/// Puts the accesses of `body` in `group`, where work-items cannot meet.
void mark_independent(llvm::Function &body, llvm::MDNode *group);

/// How often a loop over lanes runs. A few times are not worth more than one vector at a time; of a
/// constant number nothing is left but vectors.
enum class LaneCount { many, few, constant };

/// Metadata of a loop whose iterations do not meet in memory, as far as accesses are in `group`.
llvm::MDNode *independent_loop(llvm::LLVMContext &context, llvm::MDNode *group,
                               LaneCount count = LaneCount::many);

/// Metadata of a loop that runs a few times, whose iterations may depend on each other.
llvm::MDNode *short_loop(llvm::LLVMContext &context);

/// Metadata of a loop that is to stay as small as it is.
llvm::MDNode *small_loop(llvm::LLVMContext &context);

/// for (index = begin; index < end; index += step) body(index), with begin < end known. Leaves the
/// builder behind the loop.
llvm::BranchInst *make_loop(llvm::IRBuilder<> &b, llvm::Value *begin, llvm::Value *end,
                            const char *name, const std::function<void(llvm::Value *)> &body,
                            uint64_t step = 1);

/// A function without a result that the linker finds, with an empty first block.
llvm::Function *make_entry(llvm::Module &module, const std::string &symbol,
                           llvm::ArrayRef<llvm::Type *> parameters);

} // namespace ze_cpu
