#include "region_code.h"

#include "../../contract/region_table.h"
#include "../codegen/kernel_entries.h"
#include "../front/check_calls.h"
#include "../lower/work_item.h"
#include "lane_memory.h"
#include "next_group.h"

#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// for each row of the lanes: for each lane of the row: the region's blocks, copied.
class RegionWriter {
public:
  RegionWriter(const RegionPlan &plan, Team team, llvm::Function &body, const KernelInfo &info,
               unsigned index, Lanes lanes)
      : plan_(plan), team_(team), lanes_(lanes), region_(plan.regions[index]), body_(body),
        context_(body.getContext()), function_(make_function(plan, body, index, lanes)),
        memory_(plan, team, function_->getArg(0), function_->getArg(1), whole()),
        top_(&*function_->begin()), header_(block("lane")), latch_(block("lane.end")),
        after_(block("lanes.end")), access_group_(llvm::MDNode::getDistinct(context_, {})) {
    Builder b(top_);
    arguments_ = load_arguments(b, function_->getArg(0), body, info);
    first_index_ = memory_.index_of(b, function_->getArg(3));
  }

  llvm::Function *write() {
    begin_lane();
    share_uniform();
    copy_blocks();
    Builder(header_).CreateBr(blocks_[region_.entry]);
    connect_operands();
    for (llvm::BasicBlock *block : region_.blocks)
      leave(*block);
    make_loops();
    finish();
    if (lanes_ == Lanes::any && !plan_.is_in_loop(region_))
      prefetch_next_group(
          {top_, header_, latch_, function_->getArg(2), step_, first_row_, at_first_});
    return function_;
  }

private:
  static llvm::Function *make_function(const RegionPlan &plan, llvm::Function &body, unsigned index,
                                       Lanes lanes) {
    llvm::LLVMContext &context = body.getContext();
    auto *pointer = llvm::PointerType::get(context, 0);
    auto *i64 = llvm::Type::getInt64Ty(context);
    llvm::SmallVector<llvm::Type *, 7> parameters = {pointer, pointer, i64, i64, i64};
    if (lanes == Lanes::whole)
      parameters.append({i64, i64, pointer});
    auto *type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), parameters, false);
    auto *function =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                               body.getName() + ".region" + llvm::Twine(index), body.getParent());
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->getArg(0)->addAttr(llvm::Attribute::NoAlias);
    function->getArg(1)->addAttr(llvm::Attribute::NoAlias);
    set_attributes(plan, *function, lanes);
    llvm::BasicBlock::Create(context, "entry", function);
    return function;
  }

  std::optional<WholeSubGroup> whole() const {
    if (lanes_ != Lanes::whole)
      return {};
    return WholeSubGroup{function_->getArg(3), function_->getArg(7)};
  }

  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, function_);
  }

  // Before the end of a block, whether it has one yet or not.
  static Builder at_end_of(llvm::BasicBlock *block) {
    if (llvm::Instruction *end = block->getTerminator())
      return Builder(end);
    return Builder(block);
  }

  // Where the rows begin is not known yet.
  llvm::Instruction *placeholder() {
    auto *i64 = llvm::Type::getInt64Ty(context_);
    return new llvm::FreezeInst(llvm::PoisonValue::get(i64), "", top_);
  }

  void begin_lane() {
    first_lane_ = placeholder();
    first_x_ = placeholder();
    y_ = placeholder();
    z_ = placeholder();
    count_ = placeholder();
    first_place_ = placeholder();
    Builder b(header_);
    step_ = b.CreatePHI(b.getInt64Ty(), 2, "step");
    lane_ = b.CreateAdd(first_lane_, step_, "lane", true, true);
    x_ = b.CreateAdd(first_x_, step_, "x", true, true);
    place_ = b.CreateAdd(first_place_, step_, "place", true, true);
    // One store for all cuts: vectors of lanes that each have their own would be stored by parts, which is slow to be read again.
    if (region_.exits.size() > 1)
      reached_ = Builder(latch_).CreatePHI(b.getInt32Ty(), 2, "reached");
  }

  bool defined_here(const llvm::Instruction *value) const {
    return region_.members.contains(value->getParent()) && !is_sync_point(*value);
  }
  // Needed from before, be it only to rematerialize another value.
  bool live_here(llvm::Instruction *value) const {
    return region_.live.contains(value) || region_.stored.contains(value);
  }

  llvm::Value *argument(const llvm::Argument &argument) {
    switch (argument.getArgNo()) {
    case context_parameter::group:
      return function_->getArg(0);
    case context_parameter::group_x:
      return function_->getArg(2);
    case context_parameter::local_x:
      return x_;
    case context_parameter::local_y:
      return y_;
    case context_parameter::local_z:
      return z_;
    case context_parameter::lane:
      return lane_;
    default:
      return arguments_[argument.getArgNo() - context_parameter::count];
    }
  }

  llvm::Value *array(const Slot &slot) {
    llvm::Value *&known = arrays_[{slot.offset, slot.stack_offset}];
    if (!known) {
      Builder b = at_end_of(top_);
      known = memory_.array(b, slot);
    }
    return known;
  }
  llvm::Value *element(Builder &b, const Slot &slot) {
    return memory_.element(b, slot, array(slot), place_);
  }
  template <class Access> Access *in_group(Access *access) {
    access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
    return access;
  }

  // What a value is when the lane enters the region: from a slot, or rematerialized.
  llvm::Value *entry_value(llvm::Value *value) {
    if (auto *parameter = llvm::dyn_cast<llvm::Argument>(value))
      return argument(*parameter);
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction)
      return value;
    if (auto known = entry_values_.find(instruction); known != entry_values_.end())
      return known->second;
    return entry_values_[instruction] = make_entry_value(*instruction);
  }

  llvm::Value *make_entry_value(llvm::Instruction &value) {
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&value)) {
      Builder b = at_end_of(header_);
      return b.CreateAddrSpaceCast(element(b, plan_.variable(alloca)), alloca->getType());
    }
    if (plan_.is_rematerialized(&value)) {
      const bool uniform = plan_.uniformity().is_uniform(&value);
      llvm::SmallVector<llvm::Value *, 4> operands;
      for (llvm::Value *operand : value.operands())
        operands.push_back(!uniform || plan_.uniformity().is_uniform(operand)
                               ? entry_value(operand)
                               : first_lane(operand));
      llvm::Instruction *copy = copy_of(value);
      for (unsigned i = 0; i < operands.size(); ++i)
        copy->setOperand(i, operands[i]);
      Builder b = at_end_of(uniform ? top_ : header_);
      return b.Insert(copy);
    }
    const Slot &slot = plan_.slot(&value);
    if (slot.uniform) {
      Builder b = at_end_of(top_);
      return memory_.load(b, &value, memory_.uniform(b, slot));
    }
    if (plan_.uniformity().is_uniform(&value)) { // all lanes have the same: before any changes it
      llvm::Value *first = array(slot);
      Builder b = at_end_of(top_);
      return memory_.load(b, &value, memory_.element(b, slot, first, first_index_));
    }
    Builder b = at_end_of(header_);
    return memory_.load(b, &value, element(b, slot), access_group_);
  }

  // The number that a sub-group's is made of, or its lower half: of any lane, here of the first.
  llvm::Value *first_lane(llvm::Value *lane) {
    Builder b = at_end_of(top_);
    return b.CreateTrunc(function_->getArg(3), lane->getType());
  }

  llvm::Instruction *copy_of(llvm::Instruction &original) {
    llvm::Instruction *copy = original.clone();
    copy->setDebugLoc({});
    if ((llvm::isa<llvm::LoadInst, llvm::StoreInst>(copy) && !copy->isVolatile() &&
         !copy->isAtomic()) ||
        is_check(*copy))
      in_group(copy);
    return copy;
  }

  // What all lanes compute alike on entering the region is computed once. A load is that too until
  // something is written: a lane that would see what another wrote here would be in a race.
  void share_uniform() {
    bool may_load = true;
    llvm::BasicBlock *from = nullptr;
    for (llvm::BasicBlock *block = region_.entry; block;) {
      for (llvm::Instruction &instruction : *block) {
        if (!is_sync_point(instruction) && plan_.uniformity().is_uniform(&instruction))
          share(instruction, from, may_load);
        may_load &= !instruction.mayWriteToMemory();
      }
      from = block;
      block = plan_.cut_at(block) ? nullptr : block->getSingleSuccessor();
      if (block && (!region_.members.contains(block) ||
                    llvm::count_if(llvm::predecessors(block), [&](llvm::BasicBlock *before) {
                      return region_.members.contains(before) && !plan_.cut_at(before);
                    }) != 1))
        block = nullptr;
    }
  }

  void share(llvm::Instruction &instruction, llvm::BasicBlock *from, bool may_load) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    if (!phi && !(load && load->isSimple() && may_load) &&
        !llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                   llvm::SelectInst, llvm::GetElementPtrInst>(instruction))
      return;
    llvm::SmallVector<llvm::Value *, 4> operands;
    auto take = [&](llvm::Value *operand) {
      if (!plan_.uniformity().is_uniform(operand)) // as of a sub-group's number
        return false;
      auto *value = llvm::dyn_cast<llvm::Instruction>(operand);
      llvm::Value *shared =
          value && defined_here(value) ? shared_.lookup(value) : entry_value(operand);
      operands.push_back(shared);
      return shared != nullptr;
    };
    if (phi) {
      if (from && take(phi->getIncomingValueForBlock(from)))
        shared_[phi] = operands[0];
      return;
    }
    for (llvm::Value *operand : instruction.operands())
      if (!take(operand))
        return;
    llvm::Instruction *copy = copy_of(instruction);
    copy->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    Builder b = at_end_of(top_);
    shared_[&instruction] = b.Insert(copy, instruction.getName());
  }

  void copy_blocks() {
    for (llvm::BasicBlock *original : region_.blocks)
      blocks_[original] = block(original->getName());
    for (llvm::BasicBlock *original : region_.blocks) {
      Builder b(blocks_[original]);
      const bool ends =
          plan_.cut_at(original) || llvm::isa<llvm::ReturnInst>(original->getTerminator());
      for (llvm::Instruction &instruction : *original) {
        if (llvm::isa<llvm::AllocaInst>(instruction) || is_sync_point(instruction) ||
            instruction.isLifetimeStartOrEnd() || (ends && instruction.isTerminator()))
          continue;
        if (llvm::Value *shared = shared_.lookup(&instruction))
          copies_[&instruction] = shared;
        else
          copies_[&instruction] = b.Insert(copy_of(instruction), instruction.getName());
      }
      if (ends)
        b.CreateBr(latch_);
    }
  }

  // Private variables lie in the lane's memory from the beginning.
  bool from_before(llvm::Instruction *value) const {
    return llvm::isa<llvm::AllocaInst>(value) || !defined_here(value);
  }

  void connect_operands() {
    for (llvm::BasicBlock *original : region_.blocks)
      for (llvm::Instruction &instruction : *original)
        if (auto copy = copies_.find(&instruction);
            copy != copies_.end() && !shared_.contains(&instruction)) {
          auto *user = llvm::cast<llvm::Instruction>(copy->second);
          if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
            keep_edges_inside(*phi);
          for (llvm::Use &use : user->operands())
            connect(use, instruction);
        }
    for (auto &[use, value] : merged_uses_)
      updater(value).RewriteUse(*use);
  }

  void keep_edges_inside(llvm::PHINode &phi) {
    phi.removeIncomingValueIf(
        [&](unsigned i) {
          llvm::BasicBlock *from = phi.getIncomingBlock(i);
          return !region_.members.contains(from) || plan_.cut_at(from);
        },
        false);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      phi.setIncomingBlock(i, blocks_[phi.getIncomingBlock(i)]);
  }

  void connect(llvm::Use &use, llvm::Instruction &original_user) {
    if (auto *target = llvm::dyn_cast<llvm::BasicBlock>(use.get())) {
      use.set(blocks_[target]);
      return;
    }
    auto *value = llvm::dyn_cast<llvm::Instruction>(use.get());
    if (!value || from_before(value)) {
      use.set(entry_value(use.get()));
    } else if (!live_here(value) || (value->getParent() == original_user.getParent() &&
                                     !llvm::isa<llvm::PHINode>(original_user))) {
      use.set(copies_[value]);
    } else {
      use.set(llvm::PoisonValue::get(value->getType()));
      merged_uses_.push_back({&use, value});
    }
  }

  // The updater of a value that comes from before and is computed here as well.
  llvm::SSAUpdater &updater(llvm::Instruction *value) {
    std::unique_ptr<llvm::SSAUpdater> &known = updaters_[value];
    if (!known) {
      known = std::make_unique<llvm::SSAUpdater>();
      known->Initialize(value->getType(), value->getName());
      known->AddAvailableValue(header_, entry_value(value));
      known->AddAvailableValue(blocks_[value->getParent()], copies_[value]);
    }
    return *known;
  }

  llvm::Value *at_end(llvm::Value *value, llvm::BasicBlock *block) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || from_before(instruction))
      return entry_value(value);
    if (!live_here(instruction) || instruction->getParent() == block)
      return copies_[instruction];
    return updater(instruction).GetValueAtEndOfBlock(blocks_[block]);
  }

  // Keeps what later regions need.
  void leave(llvm::BasicBlock &original) {
    const Cut *cut = plan_.cut_at(&original);
    if (!cut && !llvm::isa<llvm::ReturnInst>(original.getTerminator()))
      return;
    Builder b(blocks_[&original]->getTerminator());
    const unsigned number = cut ? plan_.cut_number(&original) : plan_.end_cut();
    if (region_.exits.size() > 1)
      reached_->addIncoming(b.getInt32(number), blocks_[&original]);
    if (!cut)
      return;
    llvm::SetVector<llvm::Instruction *> stored;
    for (unsigned next : cut->next)
      stored.insert(plan_.regions[next].stored.begin(), plan_.regions[next].stored.end());
    for (llvm::Instruction *value : stored) {
      if (!defined_here(value) || plan_.is_control_phi(value))
        continue;
      const Slot &slot = plan_.slot(value);
      llvm::Value *what = at_end(value, &original);
      llvm::Value *where = slot.uniform ? uniform_address(slot) : element(b, slot);
      memory_.store(b, what, value, where, access_group_);
    }
    for (const llvm::CallInst *marker : cut->markers)
      store_operands(b, *marker, original);
  }

  llvm::Value *uniform_address(const Slot &slot) {
    Builder b = at_end_of(top_);
    return memory_.uniform(b, slot);
  }

  void store_operands(Builder &b, const llvm::CallInst &marker, llvm::BasicBlock &block) {
    const RegionPlan::Operands &carried = plan_.operands(&marker);
    if (carried.value) {
      llvm::Value *value = value_of(marker);
      auto *extension = llvm::dyn_cast<llvm::CastInst>(value);
      llvm::Value *bits;
      if (extension && carried.type != value->getType() && extension->getSrcTy() == carried.type)
        bits = at_end(extension->getOperand(0), &block);
      else
        bits = b.CreateTrunc(at_end(value, &block), carried.type);
      in_group(b.CreateAlignedStore(bits, element(b, *carried.value), carried.value->align));
    }
    if (carried.parameter)
      in_group(b.CreateAlignedStore(at_end(parameter_of(marker), &block),
                                    element(b, *carried.parameter), carried.parameter->align));
  }

  static void replace(llvm::Value *placeholder, llvm::Value *value) {
    placeholder->replaceAllUsesWith(value);
    llvm::cast<llvm::Instruction>(placeholder)->eraseFromParent();
  }

  void make_loops() {
    Builder b(latch_);
    if (reached_) {
      in_group(b.CreateAlignedStore(reached_, element(b, plan_.state), plan_.state.align));
    }
    llvm::Value *next = b.CreateAdd(step_, b.getInt64(1), "", true, true);
    llvm::BranchInst *branch = b.CreateCondBr(b.CreateICmpULT(next, count_), header_, after_);
    branch->setMetadata(
        llvm::LLVMContext::MD_loop,
        lanes_ == Lanes::partial
            ? small_loop(context_)
            : independent_loop(context_, access_group_,
                               lanes_ == Lanes::whole ? LaneCount::constant : LaneCount::few));
    step_->addIncoming(next, latch_);
    Builder t(top_);
    if (lanes_ == Lanes::whole) {
      replace(first_lane_, function_->getArg(3));
      replace(first_x_, function_->getArg(4));
      replace(y_, function_->getArg(5));
      replace(z_, function_->getArg(6));
      replace(first_place_, first_index_);
      replace(count_, t.getInt64(team_.sub_group_size));
      step_->addIncoming(t.getInt64(0), top_);
      t.CreateBr(header_);
      return;
    }
    llvm::Value *first = function_->getArg(3), *last = function_->getArg(4);
    if (x_->use_empty() && y_->use_empty() && z_->use_empty()) {
      llvm::cast<llvm::Instruction>(x_)->eraseFromParent();
      for (llvm::Instruction *unused : {first_x_, y_, z_})
        unused->eraseFromParent();
      replace(first_lane_, first);
      replace(first_place_, first_index_);
      first_row_ = t.CreateSub(last, first, "", true, true);
      replace(count_, first_row_);
      step_->addIncoming(t.getInt64(0), top_);
      t.CreateBr(header_);
      return;
    }
    make_rows(t, first, last);
  }

  // Rows of work-items along x; the range may begin and end inside of one.
  void make_rows(Builder &t, llvm::Value *first, llvm::Value *last) {
    auto *i64 = t.getInt64Ty();
    llvm::Value *size_x = load_group_size(t, function_->getArg(0), 0),
                *size_y = load_group_size(t, function_->getArg(0), 1);
    llvm::BasicBlock *divide = block("divide"), *row = block("row"), *row_end = block("row.end"),
                     *done = block("rows.end");
    first_row_ = t.CreateBinaryIntrinsic(llvm::Intrinsic::umin, size_x,
                                         t.CreateSub(last, first, "", true, true));
    // Nearly always the range begins in the first row.
    t.CreateCondBr(t.CreateICmpULT(first, size_x), row, divide);
    Builder d(divide);
    llvm::Value *row_number = d.CreateUDiv(first, size_x);
    llvm::Value *divided[] = {first, d.CreateURem(first, size_x), d.CreateURem(row_number, size_y),
                              d.CreateUDiv(row_number, size_y), first_index_};
    d.CreateBr(row);
    Builder r(row);
    llvm::Value *zero = r.getInt64(0);
    llvm::Value *direct[] = {first, first, zero, zero, first_index_};
    llvm::PHINode *at[5]; // lane, x, y, z, place
    for (unsigned i = 0; i < 5; ++i) {
      at[i] = r.CreatePHI(i64, 3);
      at[i]->addIncoming(direct[i], top_);
      at[i]->addIncoming(divided[i], divide);
    }
    llvm::Value *count =
        r.CreateBinaryIntrinsic(llvm::Intrinsic::umin, r.CreateSub(size_x, at[1], "", true, true),
                                r.CreateSub(last, at[0], "", true, true));
    r.CreateBr(header_);
    step_->addIncoming(zero, row);
    Builder e(row_end);
    llvm::Value *next_y = e.CreateAdd(at[2], e.getInt64(1));
    llvm::Value *wraps = e.CreateICmpEQ(next_y, size_y);
    llvm::Value *next_lane = e.CreateAdd(at[0], count, "", true, true);
    llvm::Value *next[] = {next_lane, zero, e.CreateSelect(wraps, zero, next_y),
                           e.CreateAdd(at[3], e.CreateZExt(wraps, i64)),
                           e.CreateAdd(at[4], count, "", true, true)};
    for (unsigned i = 0; i < 5; ++i)
      at[i]->addIncoming(next[i], row_end);
    e.CreateCondBr(e.CreateICmpULT(next_lane, last), row, done);
    Builder(after_).CreateBr(row_end);
    after_ = done;
    replace(first_lane_, at[0]);
    replace(first_x_, at[1]);
    replace(y_, at[2]);
    replace(z_, at[3]);
    replace(first_place_, at[4]);
    replace(count_, count);
    for (unsigned i = 0; i < 5; ++i)
      at_first_.push_back({at[i], direct[i]});
  }

  // Tells at which cut all lanes are.
  void finish() {
    Builder b(after_);
    if (region_.exits.size() <= 1) {
      b.CreateRet(b.getInt32(region_.exits.empty() ? lanes_diverged : region_.exits[0]));
      return;
    }
    llvm::Value *states = array(plan_.state);
    if (lanes_ == Lanes::whole) {
      auto *vector = llvm::FixedVectorType::get(b.getInt32Ty(), team_.sub_group_size);
      llvm::Value *all = b.CreateAlignedLoad(vector, states, llvm::Align(4));
      llvm::Value *of_first = b.CreateExtractElement(all, uint64_t(0));
      llvm::Value *differ =
          b.CreateICmpNE(all, b.CreateVectorSplat(team_.sub_group_size, of_first));
      b.CreateRet(b.CreateSelect(b.CreateOrReduce(differ), b.getInt32(lanes_diverged), of_first));
      return;
    }
    llvm::Value *count = b.CreateSub(function_->getArg(4), function_->getArg(3), "", true, true);
    auto state = [&](llvm::Value *index) {
      return b.CreateAlignedLoad(
          b.getInt32Ty(),
          b.CreateInBoundsGEP(b.getInt32Ty(), states,
                              b.CreateAdd(first_index_, index, "", true, true)),
          llvm::Align(4));
    };
    llvm::Value *of_first = state(b.getInt64(0));
    llvm::PHINode *differences = nullptr;
    llvm::Value *all = nullptr;
    llvm::BasicBlock *before = b.GetInsertBlock();
    llvm::BranchInst *loop = make_loop(b, b.getInt64(0), count, "compare", [&](llvm::Value *index) {
      differences = b.CreatePHI(b.getInt32Ty(), 2);
      differences->addIncoming(b.getInt32(0), before);
      all = b.CreateOr(differences, b.CreateXor(state(index), of_first));
      differences->addIncoming(all, b.GetInsertBlock());
    });
    loop->setMetadata(llvm::LLVMContext::MD_loop,
                      lanes_ == Lanes::partial ? small_loop(context_) : short_loop(context_));
    b.CreateRet(
        b.CreateSelect(b.CreateICmpEQ(all, b.getInt32(0)), of_first, b.getInt32(lanes_diverged)));
  }

  const RegionPlan &plan_;
  Team team_;
  Lanes lanes_;
  const Region &region_;
  llvm::Function &body_;
  llvm::LLVMContext &context_;
  llvm::Function *function_;
  LaneMemory memory_;
  llvm::BasicBlock *top_, *header_, *latch_, *after_;
  llvm::MDNode *access_group_;
  std::vector<llvm::Value *> arguments_;
  llvm::Value *first_index_;
  llvm::Instruction *first_lane_, *first_x_, *y_, *z_, *count_, *first_place_;
  llvm::Value *first_row_ = nullptr; // how many lanes it has
  llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>, 5> at_first_;
  llvm::PHINode *step_, *reached_ = nullptr; // the number of the cut, where there are several
  llvm::Value *lane_, *x_, *place_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> blocks_;
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> copies_, shared_;
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> entry_values_;
  std::map<std::pair<uint32_t, std::optional<uint32_t>>, llvm::Value *> arrays_; // by offsets
  std::vector<std::pair<llvm::Use *, llvm::Instruction *>> merged_uses_;
  std::map<llvm::Instruction *, std::unique_ptr<llvm::SSAUpdater>> updaters_;
};

} // namespace

llvm::Function *make_region(const RegionPlan &plan, Team team, llvm::Function &body,
                            const KernelInfo &info, unsigned index, Lanes lanes) {
  return RegionWriter(plan, team, body, info, index, lanes).write();
}

void set_attributes(const RegionPlan &plan, llvm::Function &function, Lanes lanes) {
  // LLVM's schedulers take quadratic time for long blocks, of which many vectors make one.
  constexpr size_t too_many = 24;
  if (lanes == Lanes::whole) {
    function.addFnAttr(plan.regions.size() > too_many ? llvm::Attribute::NoInline
                                                      : llvm::Attribute::AlwaysInline);
  } else if (lanes == Lanes::partial) {
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
    function.addFnAttr(llvm::Attribute::MinSize);
  } else if (plan.lanes_may_diverge) { // there is a table of them: inlining would make copies
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

} // namespace ze_cpu
