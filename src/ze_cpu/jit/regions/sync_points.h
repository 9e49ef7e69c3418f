// Marker calls for synchronisation points (contract/sync.h says what a marker means): making, ordering
// and replacing them.
#pragma once

#include "../../contract/sync.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace ze_cpu {

/// Emits a marker; `value` and `parameter` are 64-bit integers or null, and so is the result. Its
/// number comes later.
llvm::CallInst *emit_sync_point(llvm::IRBuilder<> &builder, llvm::Value *context, llvm::Value *lane,
                                SyncOperation operation, llvm::Value *value,
                                llvm::Value *parameter);

/// The markers of `function`.
std::vector<llvm::CallInst *> sync_points(llvm::Function &function);

bool is_sync_point(const llvm::Instruction &instruction);

/// The operation and the operands of a marker.
SyncOperation operation_of(const llvm::CallInst &sync_point);
llvm::Value *value_of(const llvm::CallInst &sync_point);
llvm::Value *parameter_of(const llvm::CallInst &sync_point);
uint32_t id_of(const llvm::CallInst &sync_point);
void set_value(llvm::CallInst &sync_point, llvm::Value *value);
void set_parameter(llvm::CallInst &sync_point, llvm::Value *parameter);

/// Which functions of a module contain markers, by themselves or by what they call.
class SyncFunctions {
public:
  /// `through_pointers`: functions that are called through pointers may.
  SyncFunctions(llvm::Module &module, bool through_pointers);

  /// Whether it calls one of them.
  bool are_called_by(const llvm::Instruction &instruction) const;

private:
  llvm::SetVector<const llvm::Function *> functions_;
  bool through_pointers_;
};

/// Makes lanes that leave a loop body early wait for those that do not, and numbers the markers and
/// the calls of functions that have some in program order from `first_id`; returns the first number
/// not used. Lanes that wait at different points then meet again where the source says they should:
/// the lowest number goes first.
uint32_t order_sync_points(llvm::Function &function, const SyncFunctions &others,
                           uint32_t first_id);

/// Strategy "fibers": each marker becomes a call of the scheduler.
void sync_points_to_fiber_calls(llvm::Module &module);

/// Takes the fences next to markers of `body` away, and returns these markers. The lanes of a team run on one thread, and a loop cannot be
/// vectorised around a fence. Next to a point where all lanes wait, one fence of the control function is as good as one of each lane.
llvm::DenseSet<const llvm::CallInst *> take_fences(llvm::Function &body);

/// Whether no sub-group has to do with another one.
bool only_sub_group_operations(llvm::Function &body);

} // namespace ze_cpu
