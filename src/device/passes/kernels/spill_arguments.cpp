// Large arguments are passed as a pointer to a copy.
//
// HIP allows 4 KiB of arguments and more; OpenCL promises 1 KiB, and Intel's compiler rejects a kernel
// beyond about 1.9 KiB, and copies large structs to private memory. A by-value parameter above the limit becomes a
// pointer to global memory, which the runtime fills: its name, "chip.spilled.", the size in
// bytes and a dot, is what the runtime finds in the SPIR-V. Can go when devices take large arguments as they
// are.
#include "../passes.h"
#include "kernels.h"
#include "signature.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace chip {
namespace {

// All together: what every OpenCL device takes. Intel's take a little more, and one copy of the code is for all.
constexpr uint64_t largest_arguments = 1024;

uint64_t size_of(const DataLayout &layout, const Argument &argument) {
  return layout.getTypeAllocSize(argument.hasByValAttr() ? argument.getParamByValType()
                                                         : argument.getType());
}

// As drivers lay the parameters out, one behind the other, with pointers in place of those that are spilled.
uint64_t bytes_of_parameters(const Function &kernel, ArrayRef<unsigned> spilled) {
  const DataLayout &layout = kernel.getDataLayout();
  constexpr uint64_t pointer_bytes = 8;
  uint64_t end = 0;
  for (const Argument &argument : kernel.args()) {
    const bool is_spilled = is_contained(spilled, argument.getArgNo());
    Type *const type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    end = is_spilled ? alignTo(end, pointer_bytes) + pointer_bytes
                     : alignTo(end, layout.getABITypeAlign(type)) + size_of(layout, argument);
  }
  return end;
}

SmallVector<unsigned> parameters_to_spill(const Function &kernel) {
  const DataLayout &layout = kernel.getDataLayout();
  SmallVector<unsigned> by_value, spilled;
  for (const Argument &argument : kernel.args())
    if (argument.hasByValAttr())
      by_value.push_back(argument.getArgNo());
  auto size = [&](unsigned i) { return size_of(layout, *kernel.getArg(i)); };
  stable_sort(by_value, [&](unsigned a, unsigned b) { return size(a) > size(b); });
  for (unsigned i : by_value) {
    // A pointer in place of a value that is no larger would not help.
    if (size(i) <= 8 || bytes_of_parameters(kernel, spilled) <= largest_arguments)
      break;
    spilled.push_back(i);
  }
  return spilled;
}

// True if all that happens to the value at `pointer` and to what it points to is reading, in forms
// that `retarget` handles.
bool is_only_read(const Value &pointer) {
  for (const Use &use : pointer.uses()) {
    const User *user = use.getUser();
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->isVolatile() || load->isAtomic())
        return false;
    } else if (isa<GetElementPtrInst>(user)) {
      if (use.getOperandNo() != 0 || user->getType()->isVectorTy() || !is_only_read(*user))
        return false;
    } else if (auto *generic = dyn_cast<AddrSpaceCastInst>(user)) {
      if (generic->getDestAddressSpace() != generic_space || !is_only_read(*user))
        return false;
    } else if (auto *copy = dyn_cast<MemTransferInst>(user)) {
      if (&use != &copy->getRawSourceUse() || copy->isVolatile())
        return false;
    } else if (isa<PHINode, SelectInst>(user)) {
      // Mixed with other generic pointers, it can be followed no further; what comes of it is
      // looked at by the rules below.
      return false;
    } else if (auto *call = dyn_cast<CallBase>(user)) {
      if (pointer.getType()->getPointerAddressSpace() != generic_space || !call->isArgOperand(&use))
        return false;
      unsigned number = call->getArgOperandNo(&use);
      if (!call->onlyReadsMemory(number) || !call->doesNotCapture(number))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

// Lets the users of `from`, a pointer to private or generic memory, use `to`, the same place seen
// as global memory.
void retarget(Value &from, Value &to) {
  for (User *user : to_vector(from.users())) {
    if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      IRBuilder<> builder(gep);
      SmallVector<Value *> indices(gep->indices());
      Value *address = builder.CreateGEP(gep->getSourceElementType(), &to, indices, gep->getName(),
                                         gep->getNoWrapFlags());
      retarget(*gep, *address);
      gep->eraseFromParent();
    } else if (auto *generic = dyn_cast<AddrSpaceCastInst>(user)) {
      retarget(*generic, to);
      generic->eraseFromParent();
    } else if (auto *copy = dyn_cast<MemTransferInst>(user)) {
      IRBuilder<> builder(copy);
      CallInst *changed = builder.CreateMemCpy(copy->getRawDest(), copy->getDestAlign(), &to,
                                               copy->getSourceAlign(), copy->getLength());
      changed->setAAMetadata(copy->getAAMetadata());
      copy->eraseFromParent();
    } else if (isa<CallBase>(user)) {
      IRBuilder<> builder(cast<Instruction>(user));
      user->replaceUsesOfWith(&from, builder.CreateAddrSpaceCast(&to, from.getType()));
    } else {
      user->replaceUsesOfWith(&from, &to);
    }
  }
}

// Puts `pointer`, which points to a copy of the value of the by-value parameter `argument`, in its
// place.
void read_from(Argument &argument, Argument &pointer) {
  const DataLayout &layout = pointer.getParent()->getDataLayout();
  Type *type = argument.getParamByValType();
  uint64_t size = layout.getTypeAllocSize(type);
  Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));

  // A second one of that size gets a digit behind its name, which the dot keeps from the size.
  pointer.setName(device_contract::spilled_parameter_prefix + Twine(size) + ".");
  AttrBuilder attributes(pointer.getContext());
  attributes.addAlignmentAttr(alignment);
  attributes.addDereferenceableAttr(size);
  attributes.addAttribute(Attribute::NoUndef);
  // Nobody else knows the copy, and it does not change while the kernel runs.
  attributes.addAttribute(Attribute::NoAlias);
  attributes.addAttribute(Attribute::ReadOnly);
  pointer.addAttrs(attributes);

  if (is_only_read(argument)) {
    retarget(argument, pointer);
    return;
  }
  // Each work-item changes its own.
  IRBuilder<> builder(&*pointer.getParent()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *own = builder.CreateAlloca(type);
  own->setAlignment(alignment);
  builder.CreateMemCpy(own, alignment, &pointer, alignment, size);
  argument.replaceAllUsesWith(builder.CreatePointerBitCastOrAddrSpaceCast(own, argument.getType()));
}

} // namespace

PreservedAnalyses SpillArguments::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!is_kernel(function) || function.isDeclaration())
      continue;
    SmallVector<unsigned> indices = parameters_to_spill(function);
    if (indices.empty())
      continue;
    SmallVector<Type *> parameters(function.getFunctionType()->params());
    for (unsigned i : indices)
      parameters[i] = PointerType::get(module.getContext(), global_space);
    with_parameters(function, parameters, read_from);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
