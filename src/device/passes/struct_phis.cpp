// A choice between structs becomes a choice for each member.
//
// The optimiser makes them of loops around atomicCAS: the instruction gives the old value together
// with whether it was exchanged. The back end of LLVM 22 gives the struct that one instruction
// results in another type than the choice, and then refuses its own work. Can go when it does not.
#include "kernels/kernels.h"
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace chip {
namespace {

void split(PHINode &choice) {
  auto *type = cast<StructType>(choice.getType());
  SmallVector<PHINode *> members;
  for (Type *member : type->elements())
    members.push_back(
        PHINode::Create(member, choice.getNumIncomingValues(), "", choice.getIterator()));
  IRBuilder<> builder(&*choice.getParent()->getFirstInsertionPt());
  Value *whole = PoisonValue::get(type);
  for (unsigned i = 0; i < members.size(); ++i)
    whole = builder.CreateInsertValue(whole, members[i], i);
  // Users of a member need not go through the struct.
  for (User *user : make_early_inc_range(choice.users()))
    if (auto *extract = dyn_cast<ExtractValueInst>(user);
        extract && extract->getNumIndices() == 1) {
      extract->replaceAllUsesWith(members[extract->getIndices()[0]]);
      extract->eraseFromParent();
    }
  choice.replaceAllUsesWith(whole);
  for (unsigned i = 0; i < choice.getNumIncomingValues(); ++i) {
    // Several edges may come from one block, and must then bring one value.
    BasicBlock *from = choice.getIncomingBlock(i);
    Value *value = choice.getIncomingValue(i);
    const int known = members[0]->getBasicBlockIndex(from);
    IRBuilder<> end(from->getTerminator());
    for (unsigned member = 0; member < members.size(); ++member)
      members[member]->addIncoming(known >= 0 ? members[member]->getIncomingValue(unsigned(known))
                                              : end.CreateExtractValue(value, member),
                                   from);
  }
  choice.eraseFromParent();
  if (auto *last = dyn_cast<Instruction>(whole); last && last->use_empty())
    for (auto *insert = dyn_cast<InsertValueInst>(last); insert;) {
      auto *next = dyn_cast<InsertValueInst>(insert->getAggregateOperand());
      insert->eraseFromParent();
      insert = next;
    }
}

} // namespace

PreservedAnalyses StructPhis::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<PHINode *> choices;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *phi = dyn_cast<PHINode>(&instruction); phi && isa<StructType>(phi->getType()))
        choices.push_back(phi);
  for (PHINode *choice : choices)
    split(*choice);
  return choices.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace chip
