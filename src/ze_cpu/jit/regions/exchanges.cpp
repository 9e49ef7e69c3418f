#include "exchanges.h"

#include "../codegen/kernel_entries.h"
#include "lane_parameters.h"

#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// The lane that lane i reads, or none (negative) if the distance leads out of any sub-group.
int source_lane(SyncKind kind, int lane, uint64_t parameter, int width) {
  switch (kind) {
  case SyncKind::shuffle_xor:
    return parameter < uint64_t(width) ? lane ^ static_cast<int>(parameter) : -1;
  case SyncKind::shuffle_up:
    return parameter <= uint64_t(lane) ? lane - static_cast<int>(parameter) : -1;
  case SyncKind::shuffle_down:
    return parameter < uint64_t(width - lane) ? lane + static_cast<int>(parameter) : -1;
  case SyncKind::rotate: {
    const uint64_t cluster = parameter >> 32;
    if (!llvm::isPowerOf2_64(cluster))
      return lane;
    const auto mask = static_cast<uint32_t>(cluster - 1);
    const auto from = static_cast<uint32_t>(lane);
    const uint32_t source = (from & ~mask) | ((from + static_cast<uint32_t>(parameter)) & mask);
    return source < static_cast<uint32_t>(width) ? static_cast<int>(source) : -1;
  }
  default:
    return parameter < uint64_t(width) ? static_cast<int>(parameter) : -1;
  }
}

// Whether somebody wants what it gives.
bool exchanges(const RegionPlan &plan, const llvm::CallInst &marker) {
  return plan.has_slot(&marker) && has_result(operation_of(marker).kind);
}

void call_exchange(Builder &b, llvm::Module &module, llvm::Value *group, llvm::Value *uniform,
                   llvm::Value *place, llvm::Value *count, llvm::Constant *point) {
  llvm::Value *arguments[] = {group, uniform, place, count, point};
  llvm::SmallVector<llvm::Type *, 5> types;
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  b.CreateCall(module.getOrInsertFunction("ze_cpu_exchange",
                                          llvm::FunctionType::get(b.getVoidTy(), types, false)),
               arguments);
}

class ExchangeWriter {
public:
  ExchangeWriter(const RegionPlan &plan, Team team, llvm::Function &body, const Cut &cut,
                 llvm::Constant *point, Lanes lanes)
      : team_(team), lanes_(lanes), point_(point), scope_(operation_of(*cut.markers.front()).scope),
        context_(body.getContext()), function_(make_function(body, cut, lanes)),
        memory_(plan, team, function_->getArg(0), function_->getArg(1), whole()),
        access_group_(llvm::MDNode::getDistinct(context_, {})) {
    set_attributes(plan, *function_, lanes);
    Builder b(&function_->getEntryBlock());
    for (const llvm::CallInst *marker : cut.markers)
      if (exchanges(plan, *marker))
        exchanges_.push_back(prepare(b, plan, *marker));
  }

  llvm::Function *write() {
    Builder b(&function_->getEntryBlock());
    llvm::Value *first = memory_.index_of(b, function_->getArg(2));
    llvm::Value *count = b.CreateSub(function_->getArg(3), function_->getArg(2), "", true, true);
    if (scope_ != SyncScope::sub_group) {
      for_each_exchange([&] { exchange(b, first, count); });
    } else if (lanes_ == Lanes::whole) {
      for_each_exchange([&] { exchange_whole(b, first); });
    } else {
      const uint32_t width = team_.sub_group_size;
      make_loop(
          b, b.getInt64(0), count, "sub_group",
          [&](llvm::Value *begin) {
            llvm::Value *members = b.CreateBinaryIntrinsic(
                llvm::Intrinsic::umin, b.CreateSub(count, begin, "", true, true),
                b.getInt64(width));
            whole_or_part(b, b.CreateAdd(first, begin, "", true, true), members);
          },
          width);
    }
    b.CreateRetVoid();
    return function_;
  }

private:
  // One of the operations of the point, with the arrays of its operands and results.
  struct Exchange {
    const llvm::CallInst &marker;
    SyncOperation operation;
    const RegionPlan::Operands &carried;
    const Slot &slot;
    llvm::Value *values = nullptr, *parameters = nullptr, *results = nullptr;
  };

  Exchange prepare(Builder &b, const RegionPlan &plan, const llvm::CallInst &marker) {
    Exchange exchange{marker, operation_of(marker), plan.operands(&marker), plan.slot(&marker)};
    if (exchange.carried.value)
      exchange.values = memory_.array(b, *exchange.carried.value);
    if (exchange.carried.parameter)
      exchange.parameters = memory_.array(b, *exchange.carried.parameter);
    if (!exchange.slot.uniform)
      exchange.results = memory_.array(b, exchange.slot);
    return exchange;
  }

  // What the functions below write is for the exchange that `at_` is at.
  template <class Write> void for_each_exchange(Write &&write) {
    for (const Exchange &exchange : exchanges_) {
      at_ = &exchange;
      write();
    }
  }

  static llvm::Function *make_function(llvm::Function &body, const Cut &cut, Lanes lanes) {
    llvm::LLVMContext &context = body.getContext();
    auto *pointer = llvm::PointerType::get(context, 0);
    auto *i64 = llvm::Type::getInt64Ty(context);
    llvm::SmallVector<llvm::Type *, 5> parameters = {pointer, pointer, i64, i64};
    if (lanes == Lanes::whole)
      parameters.push_back(pointer);
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
    auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                            body.getName() + ".exchange" +
                                                llvm::Twine(id_of(*cut.markers.front()) & 0xfffff),
                                            body.getParent());
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->getArg(0)->addAttr(llvm::Attribute::NoAlias);
    function->getArg(1)->addAttr(llvm::Attribute::NoAlias);
    llvm::BasicBlock::Create(context, "entry", function);
    return function;
  }

  std::optional<WholeSubGroup> whole() const {
    if (lanes_ != Lanes::whole)
      return {};
    return WholeSubGroup{function_->getArg(2), function_->getArg(4)};
  }

  bool moves() const {
    switch (at_->operation.kind) {
    case SyncKind::shuffle:
    case SyncKind::shuffle_xor:
    case SyncKind::shuffle_up:
    case SyncKind::shuffle_down:
    case SyncKind::rotate:
    case SyncKind::broadcast:
      return true;
    default:
      return false;
    }
  }

  void whole_or_part(Builder &b, llvm::Value *first, llvm::Value *count) {
    auto *whole = llvm::BasicBlock::Create(context_, "whole", function_),
         *part = llvm::BasicBlock::Create(context_, "part", function_),
         *done = llvm::BasicBlock::Create(context_, "done", function_);
    b.CreateCondBr(b.CreateICmpEQ(count, b.getInt64(team_.sub_group_size)), whole, part);
    b.SetInsertPoint(whole);
    for_each_exchange([&] { exchange_whole(b, first); });
    b.CreateBr(done);
    b.SetInsertPoint(part);
    call(b, first, count);
    b.CreateBr(done);
    b.SetInsertPoint(done);
  }

  void call(Builder &b, llvm::Value *first, llvm::Value *count) {
    if (lanes_ == Lanes::whole && !team_.is_sub_group)
      first = function_->getArg(2);
    call_exchange(b, *function_->getParent(), function_->getArg(0), function_->getArg(1), first,
                  count, point_);
  }

  // A sub-group with all its lanes is a vector. For rare operations, ze_cpu_exchange is enough.
  void exchange_whole(Builder &b, llvm::Value *first) {
    llvm::Value *count = b.getInt64(team_.sub_group_size);
    switch (at_->operation.kind) {
    case SyncKind::ballot:
      return give_all(b, first, count, number(b, is_set(b, load_whole(b, first))));
    case SyncKind::any:
      return give_all(b, first, count,
                      number(b, b.CreateOrReduce(is_set(b, load_whole(b, first)))));
    case SyncKind::all:
      return give_all(b, first, count,
                      number(b, b.CreateAndReduce(is_set(b, load_whole(b, first)))));
    case SyncKind::all_equal: {
      llvm::Value *all = load_whole(b, first);
      llvm::Value *of_first = b.CreateExtractElement(all, uint64_t(0));
      llvm::Value *equal = b.CreateICmpEQ(all, b.CreateVectorSplat(team_.sub_group_size, of_first));
      return give_all(b, first, count, number(b, b.CreateAndReduce(equal)));
    }
    case SyncKind::reduce:
      if (!llvm::PatternMatch::match(parameter_of(at_->marker), llvm::PatternMatch::m_Zero()))
        return call(b, first, count); // of clusters
      if (llvm::Value *result = reduce_whole(b, first))
        return give_all(b, first, count, result);
      break;
    case SyncKind::rotate:
      if (at_->carried.parameter || at_->slot.uniform)
        return call(b, first, count);
      break;
    default:
      break;
    }
    if (moves() && !at_->carried.parameter && !at_->slot.uniform)
      return move_whole(b, first);
    exchange(b, first, count);
  }

  llvm::Value *is_set(Builder &b, llvm::Value *value) {
    return b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  }

  // Makes a number of the result's type, with a bit for each truth.
  llvm::Value *number(Builder &b, llvm::Value *truths) {
    if (truths->getType()->isVectorTy())
      truths = b.CreateBitCast(truths, b.getIntNTy(team_.sub_group_size));
    return b.CreateZExtOrTrunc(truths, at_->carried.type);
  }

  // Null if the order matters.
  llvm::Value *reduce_whole(Builder &b, llvm::Value *first) {
    switch (at_->operation.combine) {
    case Combine::add:
      return b.CreateAddReduce(load_whole(b, first));
    case Combine::multiply:
      return b.CreateMulReduce(load_whole(b, first));
    case Combine::signed_min:
      return b.CreateIntMinReduce(load_whole(b, first), true);
    case Combine::signed_max:
      return b.CreateIntMaxReduce(load_whole(b, first), true);
    case Combine::unsigned_min:
      return b.CreateIntMinReduce(load_whole(b, first), false);
    case Combine::unsigned_max:
      return b.CreateIntMaxReduce(load_whole(b, first), false);
    case Combine::bit_and:
      return b.CreateAndReduce(load_whole(b, first));
    case Combine::bit_or:
      return b.CreateOrReduce(load_whole(b, first));
    case Combine::bit_xor:
      return b.CreateXorReduce(load_whole(b, first));
    default:
      return nullptr;
    }
  }

  llvm::Value *load_whole(Builder &b, llvm::Value *first) {
    auto *vector = llvm::FixedVectorType::get(at_->carried.type, team_.sub_group_size);
    return b.CreateAlignedLoad(vector, memory_.element(b, *at_->carried.value, at_->values, first),
                               at_->carried.value->align);
  }

  void move_whole(Builder &b, llvm::Value *first) {
    const llvm::ConstantDataArray *parameters = lane_parameters(at_->marker);
    const uint64_t parameter =
        llvm::cast<llvm::ConstantInt>(parameter_of(at_->marker))->getZExtValue();
    const auto width = static_cast<int>(team_.sub_group_size);
    llvm::SmallVector<int, 32> sources;
    for (int lane = 0; lane < width; ++lane) {
      const int source = source_lane(
          at_->operation.kind, lane,
          parameters ? parameters->getElementAsInteger(static_cast<unsigned>(lane)) : parameter,
          width);
      sources.push_back(source < 0 ? width : source); // the first of the zeros behind the lanes
    }
    llvm::Value *all = load_whole(b, first);
    b.CreateAlignedStore(
        b.CreateShuffleVector(all, llvm::Constant::getNullValue(all->getType()), sources),
        result_address(b, first), at_->slot.align);
  }

  // Exchanges the values of any number of lanes from `first` on.
  void exchange(Builder &b, llvm::Value *first, llvm::Value *count) {
    if (moves() && !at_->slot.uniform)
      return move(b, first, count);
    switch (at_->operation.kind) {
    case SyncKind::broadcast: // here from one lane, as shuffles with a uniform result
    case SyncKind::shuffle: {
      llvm::Value *source = parameter_of(at_->marker), *exists = b.CreateICmpULT(source, count);
      llvm::Value *read = value(b, add(b, first, b.CreateSelect(exists, source, b.getInt64(0))));
      return give_all(b, first, count,
                      b.CreateSelect(exists, read, llvm::Constant::getNullValue(read->getType())));
    }
    case SyncKind::broadcast_first:
      return give_all(b, first, count, value(b, first));
    case SyncKind::elect:
      return for_each(b, first, count, [&](llvm::Value *lane, llvm::Value *index) {
        give(b, index, b.CreateZExt(b.CreateICmpEQ(lane, b.getInt64(0)), at_->carried.type));
      });
    case SyncKind::inclusive_scan:
    case SyncKind::exclusive_scan:
      return scan(b, first, count);
    case SyncKind::reduce:
      return give_all(b, first, count,
                      fold(b, first, count, value(b, first), 1,
                           [&](llvm::Value *total, llvm::Value *, llvm::Value *next) {
                             return combine(b, total, next);
                           }));
    default:
      return give_all(b, first, count, vote(b, first, count));
    }
  }

  llvm::Value *vote(Builder &b, llvm::Value *first, llvm::Value *count) {
    llvm::Type *type = at_->carried.type;
    llvm::Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
    auto number = [&](llvm::Value *truth) { return b.CreateZExt(truth, type); };
    auto is_set = [&](llvm::Value *value) { return number(b.CreateICmpNE(value, zero)); };
    switch (at_->operation.kind) {
    case SyncKind::ballot:
      return fold(
          b, first, count, zero, 0, [&](llvm::Value *votes, llvm::Value *lane, llvm::Value *value) {
            return b.CreateOr(votes, b.CreateShl(is_set(value), b.CreateZExtOrTrunc(lane, type)));
          });
    case SyncKind::any:
      return fold(b, first, count, zero, 0,
                  [&](llvm::Value *any, llvm::Value *, llvm::Value *value) {
                    return b.CreateOr(any, is_set(value));
                  });
    case SyncKind::all:
      return fold(b, first, count, one, 0,
                  [&](llvm::Value *all, llvm::Value *, llvm::Value *value) {
                    return b.CreateAnd(all, is_set(value));
                  });
    default: { // all_equal
      llvm::Value *of_first = value(b, first);
      return fold(b, first, count, one, 0,
                  [&](llvm::Value *equal, llvm::Value *, llvm::Value *value) {
                    return b.CreateAnd(equal, number(b.CreateICmpEQ(value, of_first)));
                  });
    }
    }
  }

  static llvm::Value *add(Builder &b, llvm::Value *x, llvm::Value *y) {
    return b.CreateAdd(x, y, "", true, true);
  }
  llvm::Value *value(Builder &b, llvm::Value *index) {
    llvm::LoadInst *load = b.CreateAlignedLoad(
        at_->carried.type, memory_.element(b, *at_->carried.value, at_->values, index),
        at_->carried.value->align);
    load->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
    return load;
  }
  llvm::Value *parameter(Builder &b, llvm::Value *index) {
    if (!at_->carried.parameter)
      return parameter_of(at_->marker);
    llvm::LoadInst *load = b.CreateAlignedLoad(
        b.getInt64Ty(), memory_.element(b, *at_->carried.parameter, at_->parameters, index),
        at_->carried.parameter->align);
    load->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
    return load;
  }

  llvm::Value *result_address(Builder &b, llvm::Value *index) {
    return at_->slot.uniform ? memory_.uniform(b, at_->slot)
                             : memory_.element(b, at_->slot, at_->results, index);
  }
  void give(Builder &b, llvm::Value *index, llvm::Value *result) {
    b.CreateAlignedStore(result, result_address(b, index), at_->slot.align)
        ->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  }
  void give_all(Builder &b, llvm::Value *first, llvm::Value *count, llvm::Value *result) {
    if (at_->slot.uniform)
      return give(b, first, result);
    if (llvm::isa<llvm::ConstantInt>(count)) { // all lanes of a sub-group
      b.CreateAlignedStore(b.CreateVectorSplat(team_.sub_group_size, result),
                           result_address(b, first), at_->slot.align);
      return;
    }
    for_each(b, first, count, [&](llvm::Value *, llvm::Value *index) { give(b, index, result); });
  }

  // each(lane counted from 0, its place in the arrays); lanes do not depend on each other.
  template <class Each>
  void for_each(Builder &b, llvm::Value *first, llvm::Value *count, Each &&each) {
    make_loop(b, b.getInt64(0), count, "lane",
              [&](llvm::Value *lane) { each(lane, add(b, first, lane)); })
        ->setMetadata(llvm::LLVMContext::MD_loop,
                      independent_loop(context_, access_group_,
                                       llvm::isa<llvm::ConstantInt>(count) ? LaneCount::constant
                                                                           : LaneCount::few));
  }

  // next(result so far, lane, its value), for the lanes from `skip` on.
  template <class Next>
  llvm::Value *fold(Builder &b, llvm::Value *first, llvm::Value *count, llvm::Value *start,
                    uint64_t skip, Next &&next) {
    llvm::Function *function = b.GetInsertBlock()->getParent();
    auto *loop = llvm::BasicBlock::Create(context_, "fold", function),
         *body = llvm::BasicBlock::Create(context_, "fold.body", function),
         *done = llvm::BasicBlock::Create(context_, "fold.end", function);
    llvm::BasicBlock *before = b.GetInsertBlock();
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    llvm::PHINode *lane = b.CreatePHI(b.getInt64Ty(), 2), *total = b.CreatePHI(start->getType(), 2);
    lane->addIncoming(b.getInt64(skip), before);
    total->addIncoming(start, before);
    b.CreateCondBr(b.CreateICmpULT(lane, count), body, done);
    b.SetInsertPoint(body);
    llvm::Value *result = next(total, lane, value(b, add(b, first, lane)));
    lane->addIncoming(b.CreateAdd(lane, b.getInt64(1), "", true, true), b.GetInsertBlock());
    total->addIncoming(result, b.GetInsertBlock());
    llvm::BranchInst *back = b.CreateBr(loop);
    back->setMetadata(llvm::LLVMContext::MD_loop, llvm::isa<llvm::ConstantInt>(count)
                                                      ? small_loop(context_)
                                                      : short_loop(context_));
    b.SetInsertPoint(done);
    return total;
  }

  void move(Builder &b, llvm::Value *first, llvm::Value *count) {
    for_each(b, first, count, [&](llvm::Value *lane, llvm::Value *index) {
      llvm::Value *by = parameter(b, index), *source = by;
      switch (at_->operation.kind) {
      case SyncKind::shuffle_xor:
        source = b.CreateXor(lane, by);
        break;
      case SyncKind::shuffle_up: // below 0: a number that is no lane
        source = b.CreateSub(lane, by);
        break;
      case SyncKind::shuffle_down:
        source = b.CreateAdd(lane, by);
        break;
      default:
        break;
      }
      llvm::Value *valid = b.CreateICmpULT(source, count);
      llvm::Value *read = value(b, add(b, first, b.CreateSelect(valid, source, lane)));
      give(b, index, b.CreateSelect(valid, read, llvm::Constant::getNullValue(read->getType())));
    });
  }

  llvm::Value *combine(Builder &b, llvm::Value *x, llvm::Value *y) {
    auto floating = [&](llvm::Type *type, auto &&make) {
      auto *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
      auto number = [&](llvm::Value *v) { return b.CreateBitCast(b.CreateTrunc(v, bits), type); };
      return b.CreateZExt(b.CreateBitCast(make(number(x), number(y)), bits), at_->carried.type);
    };
    auto binary = [&](llvm::Instruction::BinaryOps op) {
      return [&b, op](llvm::Value *p, llvm::Value *q) { return b.CreateBinOp(op, p, q); };
    };
    auto intrinsic = [&](llvm::Intrinsic::ID id) {
      return [&b, id](llvm::Value *p, llvm::Value *q) { return b.CreateBinaryIntrinsic(id, p, q); };
    };
    llvm::Type *single = b.getFloatTy(), *twice = b.getDoubleTy();
    switch (at_->operation.combine) {
    case Combine::none:
      return x;
    case Combine::add:
      return b.CreateAdd(x, y);
    case Combine::multiply:
      return b.CreateMul(x, y);
    case Combine::signed_min:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
    case Combine::signed_max:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
    case Combine::unsigned_min:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
    case Combine::unsigned_max:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, x, y);
    case Combine::bit_and:
      return b.CreateAnd(x, y);
    case Combine::bit_or:
      return b.CreateOr(x, y);
    case Combine::bit_xor:
      return b.CreateXor(x, y);
    case Combine::float_add:
      return floating(single, binary(llvm::Instruction::FAdd));
    case Combine::float_multiply:
      return floating(single, binary(llvm::Instruction::FMul));
    case Combine::float_min:
      return floating(single, intrinsic(llvm::Intrinsic::minnum));
    case Combine::float_max:
      return floating(single, intrinsic(llvm::Intrinsic::maxnum));
    case Combine::double_add:
      return floating(twice, binary(llvm::Instruction::FAdd));
    case Combine::double_multiply:
      return floating(twice, binary(llvm::Instruction::FMul));
    case Combine::double_min:
      return floating(twice, intrinsic(llvm::Intrinsic::minnum));
    case Combine::double_max:
      return floating(twice, intrinsic(llvm::Intrinsic::maxnum));
    }
    return x;
  }

  void scan(Builder &b, llvm::Value *first, llvm::Value *count) {
    const bool inclusive = at_->operation.kind == SyncKind::inclusive_scan;
    llvm::Value *of_first = value(b, first);
    give(b, first, inclusive ? of_first : b.CreateTrunc(parameter(b, first), at_->carried.type));
    fold(b, first, count, of_first, 1,
         [&](llvm::Value *total, llvm::Value *lane, llvm::Value *value) {
           llvm::Value *sum = combine(b, total, value);
           give(b, add(b, first, lane), inclusive ? sum : total);
           return sum;
         });
  }

  Team team_;
  Lanes lanes_;
  llvm::Constant *point_; // its SyncPointTable
  SyncScope scope_;
  llvm::LLVMContext &context_;
  llvm::Function *function_;
  LaneMemory memory_;
  llvm::MDNode *access_group_;
  llvm::SmallVector<Exchange, 1> exchanges_;
  const Exchange *at_ = nullptr;
};

} // namespace

bool exchanges_at(const RegionPlan &plan, const Cut &cut) {
  return llvm::any_of(cut.markers,
                      [&](const llvm::CallInst *marker) { return exchanges(plan, *marker); });
}

llvm::Function *make_exchange(const RegionPlan &plan, Team team, llvm::Function &body,
                              const Cut &cut, llvm::Constant *point, Lanes lanes) {
  return ExchangeWriter(plan, team, body, cut, point, lanes).write();
}

void call_exchanges(Builder &b, llvm::Module &module, Team team, llvm::Value *group,
                    llvm::Value *uniform, llvm::Value *lanes, llvm::Constant *point) {
  if (team.is_sub_group)
    return call_exchange(b, module, group, uniform, b.getInt64(0), lanes, point);
  llvm::Value *width = b.getInt64(team.sub_group_size);
  make_loop(
      b, b.getInt64(0), lanes, "sub_group",
      [&](llvm::Value *first) {
        llvm::Value *rest = b.CreateSub(lanes, first, "", true, true);
        call_exchange(b, module, group, uniform, first,
                      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, width), point);
      },
      team.sub_group_size);
}

} // namespace ze_cpu
