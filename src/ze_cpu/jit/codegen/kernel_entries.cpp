#include "kernel_entries.h"

#include "../../contract/kernel_code.h"
#include "../front/check_calls.h"
#include "../lower/work_item.h"
#include "../rows/columns.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// The argument buffer is aligned to 8 bytes, whatever its types would like.
constexpr uint64_t argument_alignment = 8;

// A struct that the kernel only reads, or does not look at, is read where it lies; else the inliner
// gives each work-item a copy.
bool read_in_place(const llvm::Argument &parameter) {
  const llvm::DataLayout &layout = parameter.getParent()->getParent()->getDataLayout();
  uint64_t align = std::max(layout.getABITypeAlign(parameter.getParamByValType()),
                            parameter.getParamAlign().valueOrOne())
                       .value();
  return parameter.onlyReadsMemory() && align <= argument_alignment;
}

// Nothing writes the argument buffer while a kernel runs, which LLVM cannot see beside the calls and stores of the kernel.
void mark_member_loads(llvm::Argument &parameter) {
  const llvm::DataLayout &layout = parameter.getParent()->getParent()->getDataLayout();
  const uint64_t size = layout.getTypeAllocSize(parameter.getParamByValType());
  llvm::SmallVector<llvm::Value *> pending{&parameter};
  while (!pending.empty())
    for (llvm::User *user : pending.pop_back_val()->users()) {
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user))
        pending.push_back(user);
      auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
      if (!load || !load->isSimple())
        continue;
      llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
      const llvm::Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
      if (base == &parameter && !offset.isNegative() &&
          offset.getZExtValue() + layout.getTypeStoreSize(load->getType()) <= size)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(load->getContext(), {}));
    }
}

} // namespace

llvm::CallInst *call_body(Builder &b, llvm::Function &body, llvm::ArrayRef<llvm::Value *> context,
                          llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Value *> all(context);
  all.append(arguments.begin(), arguments.end());
  llvm::CallInst *call = b.CreateCall(&body, all);
  for (llvm::Argument &parameter : body.args())
    if (parameter.hasByValAttr()) {
      call->addParamAttr(parameter.getArgNo(), llvm::Attribute::getWithByValType(
                                                   b.getContext(), parameter.getParamByValType()));
      // What the caller passes is aligned less than the type may want: the copy is not.
      call->addParamAttr(
          parameter.getArgNo(),
          llvm::Attribute::getWithAlignment(b.getContext(), llvm::Align(argument_alignment)));
    }
  return call;
}

// Private memory is the exception: the loop reuses it for the next work-item. When there is any,
// only an address space that cannot hold it proves an access to be of other memory.
void mark_independent(llvm::Function &body, llvm::MDNode *group) {
  bool private_memory = llvm::any_of(llvm::instructions(body), [](llvm::Instruction &i) {
    return llvm::isa<llvm::AllocaInst>(i);
  });
  for (llvm::Argument &parameter : body.args())
    private_memory |= parameter.hasByValAttr();
  for (llvm::Instruction &instruction : llvm::instructions(body)) {
    if (is_check(instruction))
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    bool simple = llvm::isa<llvm::LoadInst>(instruction)
                      ? llvm::cast<llvm::LoadInst>(instruction).isSimple()
                  : llvm::isa<llvm::StoreInst>(instruction)
                      ? llvm::cast<llvm::StoreInst>(instruction).isSimple()
                      : false;
    if (!pointer || !simple)
      continue;
    unsigned space = pointer->getType()->getPointerAddressSpace();
    if (!private_memory || (space >= 1 && space <= 3))
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
}

static llvm::Metadata *number(llvm::Type *type, uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value));
}

std::vector<llvm::Value *> load_arguments(Builder &b, llvm::Value *context, llvm::Function &body,
                                          const KernelInfo &info) {
  llvm::Value *buffer = load_member(b, context, offsetof(GroupContext, arguments), b.getPtrTy());
  if (info.argument_bytes) {
    const auto says = [&](unsigned kind, uint64_t value) {
      llvm::cast<llvm::LoadInst>(buffer)->setMetadata(
          kind, llvm::MDNode::get(b.getContext(), number(b.getInt64Ty(), value)));
    };
    says(llvm::LLVMContext::MD_dereferenceable, info.argument_bytes);
    says(llvm::LLVMContext::MD_align, argument_alignment);
  }
  std::vector<llvm::Value *> arguments;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const Argument &argument = info.arguments[i];
    llvm::Argument *parameter = body.getArg(static_cast<unsigned>(context_parameter::count + i));
    llvm::Type *type = parameter->getType();
    llvm::Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), buffer, argument.offset);
    if (argument.kind == ArgumentKind::value && type->isPointerTy()) { // a struct
      arguments.push_back(b.CreateAddrSpaceCast(address, type));
      continue;
    }
    auto load = [&](llvm::Type *what) {
      uint64_t align =
          std::min(argument_alignment,
                   uint64_t(1) << llvm::countr_zero(argument.offset | argument_alignment));
      llvm::LoadInst *value = b.CreateAlignedLoad(what, address, llvm::Align(align));
      value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                         llvm::MDNode::get(b.getContext(), {}));
      return value;
    };
    if (argument.kind == ArgumentKind::local) {
      llvm::Value *local = load_member(b, context, offsetof(GroupContext, local), b.getPtrTy());
      llvm::Value *place = b.CreateInBoundsGEP(b.getInt8Ty(), local, load(b.getInt64Ty()));
      arguments.push_back(b.CreateAddrSpaceCast(place, type));
    } else if (type->isIntegerTy(1)) {
      arguments.push_back(b.CreateICmpNE(load(b.getInt8Ty()), b.getInt8(0)));
    } else {
      arguments.push_back(load(type));
    }
  }
  return arguments;
}

static llvm::MDNode *property(llvm::LLVMContext &context, const char *name,
                              llvm::Metadata *value = nullptr) {
  llvm::SmallVector<llvm::Metadata *, 2> parts{llvm::MDString::get(context, name)};
  if (value)
    parts.push_back(value);
  return llvm::MDNode::get(context, parts);
}

static llvm::MDNode *make_loop_id(llvm::LLVMContext &context,
                                  llvm::ArrayRef<llvm::Metadata *> properties) {
  llvm::SmallVector<llvm::Metadata *, 8> all{nullptr};
  all.append(properties.begin(), properties.end());
  llvm::MDNode *loop = llvm::MDNode::getDistinct(context, all);
  loop->replaceOperandWith(0, loop);
  return loop;
}

llvm::MDNode *independent_loop(llvm::LLVMContext &context, llvm::MDNode *group, LaneCount count) {
  llvm::Metadata *yes = number(llvm::Type::getInt1Ty(context), 1),
                 *one = number(llvm::Type::getInt32Ty(context), 1);
  llvm::SmallVector<llvm::Metadata *, 6> properties = {
      property(context, "llvm.loop.parallel_accesses", group),
      property(context, "llvm.loop.vectorize.enable", yes),
      property(context, "llvm.loop.mustprogress")};
  if (count != LaneCount::many)
    properties.push_back(property(context, "llvm.loop.interleave.count", one));
  if (count == LaneCount::few)
    properties.push_back(property(context, "llvm.loop.unroll.runtime.disable"));
  if (count == LaneCount::constant) { // unrolled once it is made of vectors, not before
    properties.push_back(property(context, "llvm.loop.unroll.disable"));
    properties.push_back(property(context, "llvm.loop.vectorize.followup_vectorized",
                                  property(context, "llvm.loop.isvectorized", one)));
  }
  return make_loop_id(context, properties);
}

llvm::MDNode *short_loop(llvm::LLVMContext &context) {
  return make_loop_id(context, {property(context, "llvm.loop.interleave.count",
                                         number(llvm::Type::getInt32Ty(context), 1)),
                                property(context, "llvm.loop.unroll.runtime.disable")});
}

llvm::MDNode *small_loop(llvm::LLVMContext &context) {
  return make_loop_id(context, {property(context, "llvm.loop.vectorize.enable",
                                         number(llvm::Type::getInt1Ty(context), 0)),
                                property(context, "llvm.loop.unroll.disable")});
}

llvm::BranchInst *make_loop(Builder &b, llvm::Value *begin, llvm::Value *end, const char *name,
                            const std::function<void(llvm::Value *)> &body, uint64_t step) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *header = llvm::BasicBlock::Create(b.getContext(), name, function);
  auto *after = llvm::BasicBlock::Create(b.getContext(), std::string(name) + ".end", function);
  b.CreateBr(header);
  b.SetInsertPoint(header);
  llvm::PHINode *index = b.CreatePHI(b.getInt64Ty(), 2, name);
  index->addIncoming(begin, before);
  body(index);
  llvm::Value *next = b.CreateAdd(index, b.getInt64(step), "", true, true);
  index->addIncoming(next, b.GetInsertBlock());
  llvm::BranchInst *branch = b.CreateCondBr(b.CreateICmpULT(next, end), header, after);
  b.SetInsertPoint(after);
  return branch;
}

llvm::Function *make_entry(llvm::Module &module, const std::string &symbol,
                           llvm::ArrayRef<llvm::Type *> parameters) {
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, symbol, module);
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  // So LLVM loads the group's size before a loop also if only some work-items ask for it.
  entry->getArg(0)->addAttr(
      llvm::Attribute::getWithDereferenceableBytes(module.getContext(), sizeof(GroupContext)));
  entry->getArg(0)->addAttr(
      llvm::Attribute::getWithAlignment(module.getContext(), llvm::Align(alignof(GroupContext))));
  llvm::BasicBlock::Create(module.getContext(), "entry", entry);
  return entry;
}

void read_structs_in_place(llvm::Function &body, const KernelInfo &info) {
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    llvm::Argument *parameter = body.getArg(static_cast<unsigned>(context_parameter::count + i));
    if (parameter->hasByValAttr() && read_in_place(*parameter)) {
      mark_member_loads(*parameter);
      parameter->removeAttr(llvm::Attribute::ByVal);
      parameter->addAttr(llvm::Attribute::NoAlias);
    }
  }
}

void copy_structs(llvm::Function &body) {
  const llvm::DataLayout &layout = body.getParent()->getDataLayout();
  for (llvm::Argument &parameter : body.args()) {
    if (!parameter.hasByValAttr())
      continue;
    llvm::Type *type = parameter.getParamByValType();
    const llvm::Align align =
        std::max(layout.getPrefTypeAlign(type), parameter.getParamAlign().valueOrOne());
    parameter.removeAttr(llvm::Attribute::ByVal);
    parameter.removeAttr(llvm::Attribute::Alignment);
    for (llvm::User *user : body.users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledFunction() == &body)
        call->removeParamAttr(parameter.getArgNo(), llvm::Attribute::ByVal);
    Builder b(&*body.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *copy = b.CreateAlloca(type);
    copy->setAlignment(align);
    llvm::Value *address = b.CreateAddrSpaceCast(copy, parameter.getType());
    parameter.replaceAllUsesWith(address);
    b.CreateMemCpy(copy, align, &parameter, llvm::Align(1), layout.getTypeAllocSize(type));
  }
}

void call_for_each_item(Builder &b, llvm::Function &body, llvm::Value *context,
                        llvm::Value *group_x, llvm::ArrayRef<llvm::Value *> arguments,
                        llvm::MDNode *accesses, const std::function<void(llvm::CallInst *)> &use,
                        llvm::Value *row_length, uint64_t rows, bool is_rare) {
  llvm::Value *size[3], *zero = b.getInt64(0);
  for (unsigned i = 0; i < 3; ++i)
    size[i] = i == 0 && row_length ? row_length : load_group_size(b, context, i);
  make_loop(b, zero, size[2], "z", [&](llvm::Value *z) {
    const auto for_row = [&](llvm::Value *y) {
      llvm::Value *row =
          b.CreateMul(b.CreateAdd(b.CreateMul(z, size[1], "", true, true), y, "", true, true),
                      size[0], "", true, true);
      llvm::BranchInst *branch = make_loop(b, zero, size[0], "x", [&](llvm::Value *x) {
        llvm::Value *lane = b.CreateAdd(row, x, "", true, true);
        llvm::CallInst *call = call_body(b, body, {context, group_x, x, y, z, lane}, arguments);
        if (use)
          use(call);
      });
      branch->setMetadata(llvm::LLVMContext::MD_loop,
                          is_rare ? small_loop(b.getContext())
                                  : independent_loop(b.getContext(), accesses));
    };
    make_loop(b, zero, size[1], "y", for_row, rows);
  });
}

llvm::Value *all_are_inside(Builder &b, llvm::Function &is_inside, llvm::Value *context,
                            llvm::Value *group_x, llvm::ArrayRef<llvm::Value *> arguments,
                            llvm::MDNode *accesses, llvm::Value *row_length) {
  llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  // As wide as what is compared: LLVM makes vectors by the narrowest, of hundreds of bits that are kept apart.
  llvm::AllocaInst *outside = Builder(&entry, entry.begin()).CreateAlloca(b.getInt32Ty());
  b.CreateStore(b.getInt32(0), outside);
  call_for_each_item(
      b, is_inside, context, group_x, arguments, accesses,
      [&](llvm::CallInst *inside) {
        b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt32Ty(), outside),
                                 b.CreateZExt(b.CreateNot(inside), b.getInt32Ty())),
                      outside);
      },
      row_length);
  return b.CreateICmpEQ(b.CreateLoad(b.getInt32Ty(), outside), b.getInt32(0));
}

// Runs the groups from `begin` to `end`, of which each call of `run` takes the first ones of those that are left: as many as make
// up a row of some length, or one where that did not go. `run` tells, by a block to go on in, that it did not.
static void
join_groups(Builder &b, llvm::Value *context, llvm::Value *begin, llvm::Value *end,
            GroupRows joined,
            const std::function<void(llvm::Value *, llvm::Value *, llvm::BasicBlock *)> &run) {
  // Long enough for vectors, and short enough for the caches to hold several rows.
  constexpr uint64_t row_length = 1024;
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::Value *one = b.getInt64(1), *zero = b.getInt64(0);
  llvm::Value *size = load_group_size(b, context, 0);
  llvm::Value *most = b.CreateUDiv(b.getInt64(row_length), size);
  if (joined.size)
    most = b.CreateSelect(b.CreateICmpEQ(size, b.getInt64(joined.size)), most, one);
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *header = llvm::BasicBlock::Create(b.getContext(), "groups", function),
       *singly = llvm::BasicBlock::Create(b.getContext(), "singly", function),
       *next = llvm::BasicBlock::Create(b.getContext(), "groups.next", function),
       *after = llvm::BasicBlock::Create(b.getContext(), "groups.end", function);
  b.CreateBr(header);
  b.SetInsertPoint(header);
  llvm::PHINode *first = b.CreatePHI(b.getInt64Ty(), 3, "group"),
                *apart = b.CreatePHI(b.getInt64Ty(), 3); // groups that are left to be run singly
  first->addIncoming(begin, before);
  apart->addIncoming(zero, before);
  llvm::Value *left = b.CreateSub(end, first, "", true, true);
  llvm::Value *count = b.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, left, b.CreateSelect(b.CreateICmpEQ(apart, zero), most, one));
  run(first, count, singly);
  b.CreateBr(next);
  if (llvm::pred_empty(singly)) {
    singly->eraseFromParent();
  } else {
    b.SetInsertPoint(singly);
    first->addIncoming(first, singly);
    apart->addIncoming(count, singly);
    b.CreateBr(header);
  }
  b.SetInsertPoint(next);
  llvm::Value *following = b.CreateAdd(first, count, "", true, true);
  first->addIncoming(following, next);
  apart->addIncoming(b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, apart, one), next);
  b.CreateCondBr(b.CreateICmpULT(following, end), header, after);
  b.SetInsertPoint(after);
}

llvm::Function *make_loop_entry(llvm::Function &body, const KernelInfo &info,
                                const std::string &symbol, llvm::Function *inner,
                                llvm::Function *is_inside, std::optional<GroupRows> joined,
                                llvm::Function *rows) {
  llvm::LLVMContext &context = body.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *i64 = llvm::Type::getInt64Ty(context);
  llvm::Function *entry = make_entry(*body.getParent(), symbol, {pointer, i64, i64});
  entry->getArg(0)->addAttr(llvm::Attribute::NoAlias);
  llvm::MDNode *group = llvm::MDNode::getDistinct(context, {});
  mark_independent(body, group);
  for (llvm::Function *other : {inner, rows})
    if (other)
      mark_independent(*other, group);

  Builder b(&entry->getEntryBlock());
  llvm::Value *state = entry->getArg(0);
  std::vector<llvm::Value *> arguments = load_arguments(b, state, body, info);
  // All work-items of a group, several rows at a time where that is better and there are as many.
  const auto call_all = [&](llvm::Function &function, llvm::Value *group_x,
                            llvm::Value *row_length) {
    if (!rows) {
      call_for_each_item(b, function, state, group_x, arguments, group, {}, row_length);
      return;
    }
    auto *several = llvm::BasicBlock::Create(context, "several", entry),
         *one = llvm::BasicBlock::Create(context, "one", entry),
         *after = llvm::BasicBlock::Create(context, "after", entry);
    llvm::Value *left = b.CreateAnd(load_group_size(b, state, 1), b.getInt64(rows_together - 1));
    b.CreateCondBr(b.CreateICmpEQ(left, b.getInt64(0)), several, one);
    b.SetInsertPoint(several);
    call_for_each_item(b, *rows, state, group_x, arguments, group, {}, row_length, rows_together);
    b.CreateBr(after);
    b.SetInsertPoint(one);
    call_for_each_item(b, function, state, group_x, arguments, group, {}, row_length);
    b.CreateBr(after);
    b.SetInsertPoint(after);
  };
  // Rows of no length: those of the group. Where work-items of several groups are not all inside, it goes on in `singly`.
  const auto run = [&](llvm::Value *group_x, llvm::Value *row_length, llvm::Value *is_one,
                       llvm::BasicBlock *singly) {
    if (!inner) {
      call_all(body, group_x, row_length);
      return;
    }
    llvm::Value *inside =
        all_are_inside(b, *is_inside, state, group_x, arguments, group, row_length);
    auto *together = llvm::BasicBlock::Create(context, "together", entry),
         *apart = llvm::BasicBlock::Create(context, "apart", entry),
         *done = llvm::BasicBlock::Create(context, "done", entry);
    b.CreateCondBr(inside, together, apart);
    b.SetInsertPoint(together);
    call_all(*inner, group_x, row_length);
    b.CreateBr(done);
    b.SetInsertPoint(apart);
    if (singly) {
      auto *single = llvm::BasicBlock::Create(context, "single", entry);
      b.CreateCondBr(is_one, single, singly);
      b.SetInsertPoint(single);
    }
    // Once more as vectors, a large body would take too long to compile.
    constexpr unsigned large = 400;
    call_for_each_item(b, body, state, group_x, arguments, group, {}, nullptr, 1,
                       body.getInstructionCount() > large);
    b.CreateBr(done);
    b.SetInsertPoint(done);
  };
  if (joined)
    join_groups(b, state, entry->getArg(1), entry->getArg(2), *joined,
                [&](llvm::Value *first, llvm::Value *count, llvm::BasicBlock *singly) {
                  llvm::Value *length =
                      b.CreateMul(count, load_group_size(b, state, 0), "", true, true);
                  run(first, length, b.CreateICmpEQ(count, b.getInt64(1)), singly);
                });
  else
    make_loop(b, entry->getArg(1), entry->getArg(2), "group",
              [&](llvm::Value *group_x) { run(group_x, nullptr, nullptr, nullptr); });
  b.CreateRetVoid();
  return entry;
}

llvm::Function *make_fiber_entry(llvm::Function &body, const KernelInfo &info,
                                 const std::string &symbol) {
  llvm::LLVMContext &context = body.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *i64 = llvm::Type::getInt64Ty(context);
  llvm::Function *entry = make_entry(*body.getParent(), symbol, {pointer, i64, i64, i64, i64});
  Builder b(&entry->getEntryBlock());
  llvm::Value *state = entry->getArg(0);
  llvm::Value *group_x = load_member(b, state, offsetof(GroupContext, group), i64);
  std::vector<llvm::Value *> arguments = load_arguments(b, state, body, info);
  call_body(
      b, body,
      {state, group_x, entry->getArg(1), entry->getArg(2), entry->getArg(3), entry->getArg(4)},
      arguments);
  b.CreateRetVoid();
  return entry;
}

} // namespace ze_cpu
