#include "columns.h"

#include "../loops/row_accesses.h"
#include "../loops/strides.h"
#include "../lower/work_item.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace ze_cpu {
namespace {

/// Whether all that a work-item loads is loaded before it stores anything, and it does nothing else that others could see.
bool loads_first(const llvm::BasicBlock &block) {
  bool has_stored = false;
  for (const llvm::Instruction &instruction : block) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    has_stored |= store != nullptr;
    if (load    ? !load->isSimple() || has_stored
        : store ? !store->isSimple()
                : llvm::isa<llvm::AllocaInst>(instruction) ||
                      (instruction.mayReadOrWriteMemory() &&
                       !(intrinsic && intrinsic->isAssumeLikeIntrinsic())))
      return false;
  }
  return has_stored;
}

/// Whether there are accesses that lie side by side in y, and far apart in x.
bool goes_down_columns(llvm::Function &body) {
  llvm::ValueToValueMapTy copies;
  llvm::Function *turned = llvm::CloneFunction(&body, copies); // with x and y exchanged
  llvm::Argument *x = turned->getArg(context_parameter::local_x),
                 *y = turned->getArg(context_parameter::local_y);
  llvm::SmallVector<llvm::Use *> uses;
  for (llvm::Use &use : x->uses())
    uses.push_back(&use);
  y->replaceAllUsesWith(x);
  for (llvm::Use *use : uses)
    use->set(y);
  Strides across(body), down(*turned);
  constexpr int64_t line_bytes = 64;
  const bool found = llvm::any_of(body.getEntryBlock(), [&](llvm::Instruction &access) {
    llvm::Value *address = llvm::getLoadStorePointerOperand(&access);
    if (!address || !can_be_in_row(*llvm::getLoadStoreType(&access)))
      return false;
    const std::optional<int64_t> stride = across.of(address);
    return (!stride || std::abs(*stride) >= line_bytes) &&
           down.of(llvm::getLoadStorePointerOperand(llvm::cast<llvm::Instruction>(
               copies[&access]))) == static_cast<int64_t>(accessed_bytes(access));
  });
  turned->eraseFromParent();
  return found;
}

} // namespace

// Work-items that do not wait for each other run in any order, and so do the parts of what they do if none sees what another has
// stored, which would be a race.
llvm::Function *join_rows(llvm::Function &body) {
  constexpr size_t most_instructions = 40;
  llvm::BasicBlock &block = body.getEntryBlock();
  if (body.size() != 1 || block.size() > most_instructions || body.getSubprogram() ||
      llvm::any_of(body.args(), [](auto &parameter) { return parameter.hasByValAttr(); }) ||
      !body.getArg(context_parameter::lane)->use_empty() || !loads_first(block) ||
      !goes_down_columns(body))
    return nullptr;
  auto *joined = llvm::Function::Create(body.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                        body.getName() + ".joined", body.getParent());
  joined->setAttributes(body.getAttributes());
  joined->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(body.getContext(), "rows", joined));
  llvm::ValueToValueMapTy copies[rows_together];
  for (unsigned row = 0; row < rows_together; ++row)
    for (llvm::Argument &parameter : body.args()) {
      llvm::Value *same = joined->getArg(parameter.getArgNo());
      copies[row][&parameter] = parameter.getArgNo() == context_parameter::local_y
                                    ? b.CreateAdd(same, b.getInt64(row), "", true, true)
                                    : same;
    }
  const auto first_store = llvm::find_if(block, llvm::IsaPred<llvm::StoreInst>);
  const auto copy = [&](llvm::BasicBlock::iterator begin, llvm::BasicBlock::iterator end) {
    for (llvm::ValueToValueMapTy &of_row : copies)
      for (llvm::Instruction &instruction : llvm::make_range(begin, end)) {
        llvm::Instruction *copied = instruction.clone();
        of_row[&instruction] = b.Insert(copied);
        llvm::RemapInstruction(copied, of_row, llvm::RF_IgnoreMissingLocals);
      }
  };
  copy(block.begin(), first_store);
  copy(first_store, block.getTerminator()->getIterator());
  b.CreateRetVoid();
  return joined;
}

} // namespace ze_cpu
