#include "similar_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ze_cpu {
namespace {

bool is_index(const llvm::User &gep, unsigned operand) {
  if (operand == 0)
    return false;
  auto at = llvm::gep_type_begin(gep);
  std::advance(at, operand - 1);
  return at.isSequential();
}

// Whether a multiplication is of an offset for each lane with how many lanes there are.
bool is_of_offset(const llvm::Instruction &product) {
  return product.getOpcode() == llvm::Instruction::Mul &&
         llvm::all_of(product.users(), [&](const llvm::User *user) {
           return llvm::isa<llvm::GetElementPtrInst>(user) && user->getOperand(0) != &product;
         });
}

// Whether what is called can make nothing of a constant.
bool stays_a_call(const llvm::CallInst &call) {
  const llvm::Function *called = call.getCalledFunction();
  return !called || called->isDeclaration() || called->hasFnAttribute(llvm::Attribute::NoInline);
}

// Whether a parameter may stand in the place of a constant operand: not in that of an offset in a variable of the function, which would be
// kept in memory for it.
bool may_differ(const llvm::Instruction &user, unsigned operand, bool is_small) {
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&user))
    return operand < call->arg_size() && !llvm::isa<llvm::IntrinsicInst>(call) &&
           (is_small || stays_a_call(*call));
  if (user.getOperand(operand)->getType()->isPointerTy()) // of which nothing is known any more
    return false;
  if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&user))
    return is_index(*gep, operand) && !llvm::isa<llvm::AllocaInst>(gep->getPointerOperand());
  if (llvm::isa<llvm::ReturnInst, llvm::StoreInst, llvm::PHINode>(user) || is_of_offset(user))
    return true;
  return is_small && (llvm::isa<llvm::ICmpInst, llvm::SelectInst>(user) ||
                      (user.isBinaryOp() && !user.isIntDivRem()));
}

bool is_address(const llvm::Constant &constant) {
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant.stripInBoundsConstantOffsets());
  return variable && !variable->isThreadLocal();
}

bool is_number(const llvm::Constant &constant) {
  return llvm::isa<llvm::ConstantInt>(constant) && !constant.getType()->isIntegerTy(1) &&
         constant.getType()->getIntegerBitWidth() <= 64;
}

bool is_parameter(const llvm::Constant &a, const llvm::Constant &b) {
  return a.getType() == b.getType() &&
         ((is_number(a) && is_number(b)) || (is_address(a) && is_address(b)));
}

// Goes through two functions side by side.
class Comparison {
public:
  Comparison(const llvm::Function &a, const llvm::Function &b) : a_(a), b_(b) {}

  /// Whether they do the same but for constants.
  bool are_similar() {
    if (a_.getFunctionType() != b_.getFunctionType() || a_.getAttributes() != b_.getAttributes() ||
        a_.getCallingConv() != b_.getCallingConv() || a_.size() != b_.size())
      return false;
    for (const auto &[a, b] : llvm::zip(a_.args(), b_.args()))
      counterparts_[&a] = &b;
    for (const auto &[a, b] : llvm::zip(a_, b_)) {
      if (a.size() != b.size())
        return false;
      counterparts_[&a] = &b;
      for (const auto &[one, other] : llvm::zip(a, b))
        counterparts_[&one] = &other;
    }
    unsigned place = 0;
    for (const auto &[one, other] : llvm::zip(llvm::instructions(a_), llvm::instructions(b_)))
      if (!is_same(one, other, place++))
        return false;
    return true;
  }

  /// Operands that are different constants: the number of the instruction, and that of the operand.
  using Places = llvm::SmallVector<std::pair<unsigned, unsigned>>;
  const Places &differences() const { return differences_; }

private:
  bool is_same(const llvm::Instruction &a, const llvm::Instruction &b, unsigned place) {
    if (!a.isSameOperationAs(&b) || !a.hasSameSubclassOptionalData(&b) || !has_same_metadata(a, b))
      return false;
    if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&a);
        gep && gep->getSourceElementType() !=
                   llvm::cast<llvm::GetElementPtrInst>(b).getSourceElementType())
      return false;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&a))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (counterparts_.lookup(phi->getIncomingBlock(i)) !=
            llvm::cast<llvm::PHINode>(b).getIncomingBlock(i))
          return false;
    for (unsigned i = 0; i < a.getNumOperands(); ++i)
      if (!is_same_operand(a, a.getOperand(i), b.getOperand(i), place, i))
        return false;
    return true;
  }

  bool is_same_operand(const llvm::Instruction &user, const llvm::Value *a, const llvm::Value *b,
                       unsigned place, unsigned operand) {
    auto *one = llvm::dyn_cast<llvm::Constant>(a);
    auto *other = llvm::dyn_cast<llvm::Constant>(b);
    if (!one && !llvm::isa<llvm::Argument, llvm::Instruction, llvm::BasicBlock>(a))
      return a == b; // inline assembly, metadata
    if (!one)
      return counterparts_.lookup(a) == b;
    if (one == other)
      return true;
    if (!other || !is_parameter(*one, *other) ||
        !may_differ(user, operand, a_.hasFnAttribute(llvm::Attribute::MinSize)))
      return false;
    differences_.push_back({place, operand});
    return true;
  }

  bool has_same_metadata(const llvm::Instruction &a, const llvm::Instruction &b) {
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode *>> of_a, of_b;
    a.getAllMetadata(of_a);
    b.getAllMetadata(of_b);
    return of_a.size() == of_b.size() && llvm::all_of(llvm::zip(of_a, of_b), [&](const auto &pair) {
             const auto &[one, other] = pair;
             return one.first == other.first && is_same_node(one.second, other.second);
           });
  }

  // Nodes of their own, as each loop has, say the same if all about them is the same; and a node of both functions may be the counterpart of
  // another.
  bool is_same_node(const llvm::MDNode *a, const llvm::MDNode *b) {
    if (!llvm::isa<llvm::MDTuple>(a) || !llvm::isa<llvm::MDTuple>(b))
      return a == b;
    if (a->isDistinct() != b->isDistinct() || a->getNumOperands() != b->getNumOperands())
      return false;
    const auto [known, is_new] = nodes_.try_emplace(a, b);
    if (!is_new)
      return known->second == b;
    if (!nodes_of_b_.insert(b).second)
      return false;
    return llvm::all_of(llvm::zip(a->operands(), b->operands()), [&](const auto &operands) {
      llvm::Metadata *const one = std::get<0>(operands).get(), *const other =
                                                                   std::get<1>(operands).get();
      auto *first = llvm::dyn_cast_or_null<llvm::MDNode>(one);
      auto *second = llvm::dyn_cast_or_null<llvm::MDNode>(other);
      return first && second ? is_same_node(first, second) : one == other;
    });
  }

  const llvm::Function &a_, &b_;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> counterparts_;
  llvm::DenseMap<const llvm::MDNode *, const llvm::MDNode *> nodes_;
  llvm::SmallPtrSet<const llvm::MDNode *, 8> nodes_of_b_;
  Places differences_;
};

// Functions similar to the first of them, and where any of them differs from it.
struct Group {
  llvm::SmallVector<llvm::Function *, 8> members;
  llvm::SetVector<std::pair<unsigned, unsigned>> places;
};

llvm::SmallVector<llvm::Use *> uses_at(llvm::Function &function, const Group &group) {
  llvm::SmallVector<llvm::Instruction *> all;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    all.push_back(&instruction);
  llvm::SmallVector<llvm::Use *> uses;
  for (const auto &[instruction, operand] : group.places)
    uses.push_back(&all[instruction]->getOperandUse(operand));
  return uses;
}

// What one member has at the places.
using Constants = llvm::SmallVector<llvm::Constant *>;

llvm::CallInst *call_shared(llvm::IRBuilder<> &b, llvm::Function &shared,
                            llvm::ArrayRef<llvm::Value *> arguments, const Constants &constants) {
  llvm::SmallVector<llvm::Value *> all(arguments);
  all.append(constants.begin(), constants.end());
  llvm::CallInst *call = b.CreateCall(&shared, all);
  call->setCallingConv(shared.getCallingConv());
  return call;
}

// Calls the function's work directly; what takes its address calls it through a function that is left in its place.
void replace(llvm::Function &function, llvm::Function &shared, const Constants &constants) {
  for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledOperand() != &function ||
        call->getFunctionType() != function.getFunctionType() || call->hasOperandBundles() ||
        call->isMustTailCall())
      continue;
    llvm::IRBuilder<> b(call);
    llvm::CallInst *direct =
        call_shared(b, shared, llvm::SmallVector<llvm::Value *>(call->args()), constants);
    direct->setAttributes(call->getAttributes());
    direct->setTailCallKind(call->getTailCallKind());
    direct->copyMetadata(*call);
    direct->takeName(call);
    call->replaceAllUsesWith(direct);
    call->eraseFromParent();
  }
  if (function.use_empty())
    return function.eraseFromParent();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function.args())
    arguments.push_back(&argument);
  llvm::CallInst *call = call_shared(b, shared, arguments, constants);
  if (call->getType()->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(call);
}

void merge(const Group &group) {
  llvm::Function &first = *group.members.front();
  llvm::SmallVector<Constants> of_members;
  for (llvm::Function *member : group.members) {
    Constants &constants = of_members.emplace_back();
    for (llvm::Use *use : uses_at(*member, group))
      constants.push_back(llvm::cast<llvm::Constant>(use->get()));
  }
  // One parameter for all places where each member has the same.
  llvm::SmallVector<Constants> parameters;
  llvm::SmallVector<size_t> parameter_of_place;
  for (size_t place = 0; place < group.places.size(); ++place) {
    Constants at_place;
    for (const Constants &constants : of_members)
      at_place.push_back(constants[place]);
    const auto known = llvm::find(parameters, at_place);
    parameter_of_place.push_back(static_cast<size_t>(known - parameters.begin()));
    if (known == parameters.end())
      parameters.push_back(std::move(at_place));
  }
  constexpr size_t most_parameters = 16;
  if (parameters.size() > most_parameters)
    return;

  llvm::SmallVector<llvm::Type *> types(first.getFunctionType()->params());
  const size_t own = types.size();
  for (const Constants &of_all : parameters)
    types.push_back(of_all.front()->getType());
  llvm::Function *shared = llvm::Function::Create(
      llvm::FunctionType::get(first.getReturnType(), types, false),
      llvm::GlobalValue::InternalLinkage, first.getName() + ".shared", first.getParent());
  shared->copyAttributesFrom(&first);
  const llvm::SmallVector<llvm::Use *> uses = uses_at(first, group);
  shared->splice(shared->end(), &first);
  for (const auto &[from, to] : llvm::zip_first(first.args(), shared->args())) {
    from.replaceAllUsesWith(&to);
    to.takeName(&from);
  }
  for (size_t place = 0; place < uses.size(); ++place)
    uses[place]->set(shared->getArg(own + parameter_of_place[place]));

  for (size_t i = 0; i < group.members.size(); ++i) {
    Constants constants;
    for (const Constants &of_all : parameters)
      constants.push_back(of_all[i]);
    group.members[i]->dropAllReferences();
    replace(*group.members[i], *shared, constants);
  }
}

bool may_be_merged(const llvm::Function &function) {
  constexpr unsigned worth_a_call = 10; // instructions
  return function.hasLocalLinkage() && !function.isDeclaration() && !function.isVarArg() &&
         function.hasFnAttribute(llvm::Attribute::NoInline) && !function.hasMetadata() &&
         !function.hasPersonalityFn() && function.getInstructionCount() >= worth_a_call;
}

} // namespace

void merge_similar_functions(llvm::Module &module) {
  llvm::MapVector<std::pair<size_t, unsigned>, llvm::SmallVector<Group>> groups;
  for (llvm::Function &function : module) {
    if (!may_be_merged(function))
      continue;
    llvm::SmallVector<Group> &of_size = groups[{function.size(), function.getInstructionCount()}];
    bool is_merged = false;
    for (Group &group : of_size) {
      Comparison comparison(*group.members.front(), function);
      if (!comparison.are_similar())
        continue;
      group.members.push_back(&function);
      group.places.insert(comparison.differences().begin(), comparison.differences().end());
      is_merged = true;
      break;
    }
    if (!is_merged)
      of_size.push_back({{&function}, {}});
  }
  for (const auto &[size, of_size] : groups)
    for (const Group &group : of_size)
      if (group.members.size() > 1)
        merge(group);
}

} // namespace ze_cpu
