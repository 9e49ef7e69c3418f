#include "check_calls.h"

#include "../codegen/loop_analyses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/VFABIDemangler.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char *kinds_attribute = "zecpu.check";
constexpr const char *variant_attribute = "zecpu.check.variant";
constexpr const char *seldom_attribute = "zecpu.check.seldom"; // of a call

// A sub-group has no more lanes, and what a vector does is done by one.
constexpr unsigned vector_lanes[] = {2, 4, 8, 16, 32};

constexpr unsigned checked_lanes = 16;

// So many elements of an array are read at once, whether there are lanes for all or not.
constexpr unsigned least_read = 8;

/// The variant of `scalar` for so many lanes: operands of `kinds`, and a mask.
llvm::Function *make_variant(const llvm::Function &caller, llvm::Function &scalar,
                             llvm::StringRef kinds, unsigned lanes, const std::string &name) {
  llvm::Module &module = *scalar.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *> types;
  for (const auto [kind, type] : llvm::zip_equal(kinds, scalar.getFunctionType()->params()))
    types.push_back(kind == 'v' ? llvm::FixedVectorType::get(type, lanes) : type);
  types.push_back(llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context), lanes));
  auto *const variant =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::InternalLinkage, name, module);
  variant->addFnAttr(llvm::Attribute::NoInline);
  variant->addFnAttr(llvm::Attribute::NoUnwind);
  variant->addFnAttr(variant_attribute);
  for (const char *target : {"target-cpu", "target-features"}) // decide how vectors are passed
    if (caller.hasFnAttribute(target))
      variant->addFnAttr(caller.getFnAttribute(target));
  Builder b(llvm::BasicBlock::Create(context, "entry", variant));
  llvm::SmallVector<llvm::Value *> operands;
  for (size_t i = 0; i < kinds.size(); ++i) {
    llvm::Argument *const argument = variant->getArg(static_cast<unsigned>(i));
    if (kinds[i] == 'v') {
      llvm::AllocaInst *const array =
          b.CreateAlloca(llvm::ArrayType::get(b.getInt64Ty(), llvm::alignTo(lanes, least_read)));
      array->setAlignment(module.getDataLayout().getABITypeAlign(argument->getType()));
      operands.push_back(array);
      b.CreateStore(argument, operands.back());
    } else {
      operands.push_back(argument);
    }
  }
  llvm::Value *const mask = variant->getArg(static_cast<unsigned>(kinds.size()));
  operands.push_back(b.getInt64(kinds.contains('l') ? 1 : 0)); // from lane to lane
  operands.push_back(b.CreateZExt(b.CreateBitCast(mask, b.getIntNTy(lanes)), b.getInt64Ty()));
  llvm::SmallVector<llvm::Type *> passed;
  for (const llvm::Value *operand : operands)
    passed.push_back(operand->getType());
  b.CreateCall(module.getOrInsertFunction(scalar.getName().str() + "_lanes",
                                          llvm::FunctionType::get(b.getVoidTy(), passed, false)),
               operands);
  b.CreateRetVoid();
  return variant;
}

/// LLVM would make vectors only for the case that a stride which it does not know is one element. It does not look through the
/// instruction that stands between here, and gathers elements.
bool hide_strides(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const auto has_unknown_stride = [&](llvm::Value *address) {
    return llvm::SCEVExprContains(evolution.getSCEV(address), [&](const llvm::SCEV *part) {
      const auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
      return course && course->getLoop() == &loop &&
             !llvm::isa<llvm::SCEVConstant>(course->getStepRecurrence(evolution));
    });
  };
  bool is_changed = false;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
          address && has_unknown_stride(address)) {
        instruction.replaceUsesOfWith(address, Builder(&instruction).CreateFreeze(address));
        is_changed = true;
      }
  return is_changed;
}

/// Those for lanes side by side, and for one lane in a loop of its own.
void make_variants(const llvm::Function &caller, llvm::Function &scalar, llvm::StringRef kinds) {
  std::string names, of_one_lane = kinds.str();
  std::replace(of_one_lane.begin(), of_one_lane.end(), 'l', 'u');
  llvm::SmallVector<llvm::GlobalValue *> variants;
  for (const std::string &each : {kinds.str(), of_one_lane})
    for (const unsigned lanes : vector_lanes) {
      const std::string shape = llvm::formatv("M{0}{1}", lanes, each),
                        name = llvm::formatv("{0}.{1}", scalar.getName(), shape);
      variants.push_back(make_variant(caller, scalar, each, lanes, name));
      names += llvm::formatv("{0}_ZGV_LLVM_{1}_{2}({3})", names.empty() ? "" : ",", shape,
                             scalar.getName(), name);
    }
  scalar.addFnAttr(llvm::VFABI::MappingsAttrName, names);
  // Nobody calls them yet.
  llvm::appendToCompilerUsed(*scalar.getParent(), variants);
}

llvm::Function &check_function(llvm::Function &caller, llvm::StringRef name, llvm::StringRef kinds,
                               llvm::FunctionType *type) {
  llvm::Module &module = *caller.getParent();
  auto *const function =
      llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  if (!function->hasFnAttribute(kinds_attribute)) {
    function->addFnAttr(kinds_attribute, kinds);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    make_variants(caller, *function, kinds);
  }
  return *function;
}

} // namespace

void call_check(llvm::Instruction &before, llvm::StringRef name, llvm::StringRef kinds,
                llvm::ArrayRef<llvm::Value *> operands) {
  Builder b(&before);
  llvm::SmallVector<llvm::Value *> all;
  llvm::SmallVector<llvm::Type *> types;
  // Pointers as numbers: the vectoriser wants to know what is done with pointers.
  for (llvm::Value *operand : operands) {
    all.push_back(operand->getType()->isPointerTy() ? b.CreatePtrToInt(operand, b.getInt64Ty())
                                                    : operand);
    types.push_back(all.back()->getType());
  }
  b.CreateCall(&check_function(*before.getFunction(), name, kinds,
                               llvm::FunctionType::get(b.getVoidTy(), types, false)),
               all);
}

bool is_check(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->hasFnAttribute(kinds_attribute);
}

bool is_meeting(const llvm::Instruction &instruction) {
  return is_check(instruction) &&
         llvm::cast<llvm::CallInst>(instruction).getCalledFunction()->getName() == meeting_name;
}

bool take_meeting(const llvm::Instruction &instruction, llvm::BasicBlock &top, uint64_t size) {
  if (!is_meeting(instruction))
    return false;
  const llvm::Function &region = *top.getParent();
  llvm::Instruction *const end = top.getTerminator();
  Builder b(&top, end ? end->getIterator() : top.end());
  llvm::Value *const first = region.getArg(3), *const count =
                                                   size ? b.getInt64(size)
                                                        : b.CreateSub(region.getArg(4), first, "",
                                                                      true, true);
  llvm::Instruction *const all = instruction.clone();
  all->setDebugLoc({});
  all->setOperand(0, b.CreatePtrToInt(region.getArg(0), b.getInt64Ty()));
  all->setOperand(1, first);
  all->setOperand(2, count);
  b.Insert(all);
  return true;
}

llvm::PreservedAnalyses PrepareCheckedLoops::run(llvm::Function &function,
                                                 llvm::FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool is_changed = false;
  for (llvm::Loop *loop : loops_over_lanes(analyses.getResult<llvm::LoopAnalysis>(function))) {
    const auto has = [&](bool (*is_one)(const llvm::Instruction &)) {
      return llvm::any_of(loop->blocks(),
                          [&](llvm::BasicBlock *block) { return llvm::any_of(*block, is_one); });
    };
    if (!has(is_check))
      continue;
    is_changed |= hide_strides(*loop, evolution);
    if (!has(is_trace))
      continue;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.width", checked_lanes);
    // Else fewer would be done one by one.
    llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.predicate.enable", 1);
    is_changed = true;
  }
  return is_changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

bool is_trace(const llvm::Instruction &instruction) {
  return is_check(instruction) &&
         llvm::cast<llvm::CallInst>(instruction)
             .getCalledFunction()
             ->getName()
             .starts_with("ze_cpu_trace") &&
         !is_seldom(instruction);
}

bool is_seldom(const llvm::Instruction &check) {
  return llvm::cast<llvm::CallInst>(check).hasFnAttr(seldom_attribute);
}

void set_seldom(llvm::CallInst &check) {
  check.addFnAttr(llvm::Attribute::get(check.getContext(), seldom_attribute));
}

// What is computed in the block before for the call alone, is computed where that is made.
static void move_operands(llvm::Instruction &user) {
  for (llvm::Value *operand : user.operands()) {
    auto *value = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!value || !value->hasOneUse() || llvm::isa<llvm::PHINode>(value) ||
        value->getParent() != user.getParent()->getSinglePredecessor() ||
        value->mayReadOrWriteMemory() || value->mayHaveSideEffects())
      continue;
    value->moveBefore(user.getParent()->getFirstInsertionPt());
    move_operands(*value);
  }
}

void finish_check_calls(llvm::Module &module) {
  llvm::removeFromUsedLists(module, [](llvm::Constant *used) {
    auto *function = llvm::dyn_cast<llvm::Function>(used->stripPointerCasts());
    return function && function->hasFnAttribute(variant_attribute);
  });
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.hasFnAttribute(variant_attribute))
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::Value *const mask = call->getArgOperand(call->arg_size() - 1);
      if (llvm::isa<llvm::Constant>(mask))
        continue;
      Builder b(call);
      const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
      llvm::Value *some = llvm::getSplatValue(mask);
      if (!some)
        some = b.CreateICmpNE(b.CreateBitCast(mask, b.getIntNTy(lanes)), b.getIntN(lanes, 0));
      call->moveBefore(
          llvm::SplitBlockAndInsertIfThen(some, call->getIterator(), false)->getIterator());
      move_operands(*call);
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace ze_cpu
