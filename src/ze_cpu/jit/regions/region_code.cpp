#include "region_code.h"

#include "../../contract/kernel_code.h"
#include "../../contract/region_table.h"
#include "../codegen/kernel_entries.h"
#include "../front/check_calls.h"
#include "../lanes/active_lanes.h"
#include "../lanes/known_values.h"
#include "../lanes/lane_loop.h"
#include "../lanes/private_cells.h"
#include "../lower/work_item.h"
#include "../rows/row_widths.h"
#include "lane_memory.h"
#include "next_group.h"

#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// for each row of the lanes: for each lane of the row: the region's blocks, copied.
class RegionWriter {
public:
  /// With `active` for these alone, and `otherwise` where the work-group is another than they are known for. With a `width`: for whole
  /// rows of that many lanes.
  RegionWriter(const RegionPlan &plan, Team team, llvm::Function &body, const KernelInfo &info,
               unsigned index, Lanes lanes, const ActiveLanes *active = nullptr,
               llvm::Function *otherwise = nullptr, std::optional<uint64_t> width = {})
      : plan_(plan), team_(team), lanes_(lanes), region_(plan.regions[index]), body_(body),
        context_(body.getContext()), function_(make_function(plan, body, index, lanes)),
        active_(active), otherwise_(otherwise), width_(width),
        memory_(plan, team, function_->getArg(0), function_->getArg(1), whole()), loop_(*function_),
        access_group_(llvm::MDNode::getDistinct(context_, {})),
        known_(plan.lane_bits(), plan.group_indices(), team.sub_group_size) {
    Builder b(loop_.top);
    arguments_ = load_arguments(b, function_->getArg(0), body, info);
    first_index_ = memory_.index_of(b, function_->getArg(3));
    // One store for all cuts: vectors of lanes that each have their own would be stored by parts, which is slow to be read again.
    if (region_.exits.size() > 1)
      reached_ = Builder(loop_.latch).CreatePHI(b.getInt32Ty(), 2, "reached");
  }

  llvm::Function *write() {
    share_uniform();
    copy_blocks();
    Builder(loop_.header).CreateBr(blocks_[region_.entry]);
    connect_operands();
    for (llvm::BasicBlock *block : region_.blocks)
      leave(*block);
    close_loop();
    finish();
    keep_cells();
    // Large kernels, as those of libraries that scan, compute long enough to hide what they load, and fetch it too early here.
    constexpr size_t most_regions = 32;
    if (lanes_ == Lanes::any && !active_ && plan_.regions.size() <= most_regions &&
        !plan_.is_in_loop(region_))
      prefetch_next_group(loop_, function_->getArg(0), function_->getArg(2));
    return function_;
  }

  /// Whether lanes do different things in different rows.
  bool depends_on_row() const { return loop_.depends_on_row; }

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

  bool defined_here(const llvm::Instruction *value) const {
    return region_.members.contains(value->getParent()) && !is_sync_point(*value);
  }
  llvm::Value *in_whole_sub_group(const llvm::Instruction &instruction, Builder &b) {
    if (lanes_ != Lanes::whole)
      return nullptr;
    return known_.compute(b, instruction, loop_,
                          [&](llvm::Argument &parameter) { return argument(parameter); });
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
      return loop_.x;
    case context_parameter::local_y:
      return loop_.y;
    case context_parameter::local_z:
      return loop_.z;
    case context_parameter::lane:
      return loop_.lane;
    default:
      return arguments_[argument.getArgNo() - context_parameter::count];
    }
  }

  llvm::Value *array(const Slot &slot) {
    llvm::Value *&known = arrays_[{slot.offset, slot.stack_offset}];
    if (!known) {
      Builder b = at_end_of(loop_.top);
      known = memory_.array(b, slot);
    }
    return known;
  }
  llvm::Value *element(Builder &b, const Slot &slot) {
    return memory_.element(b, slot, array(slot), loop_.place);
  }
  // What takes all bits of a number, which only execution knows.
  llvm::Value *all_bits() {
    Builder b = at_end_of(loop_.top);
    return load_member(b, function_->getArg(0), offsetof(GroupContext, all_bits), b.getInt64Ty());
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
      Builder b = at_end_of(loop_.header);
      llvm::Value *place = loop_.place;
      if (const auto ordered = needs_order(region_, *alloca)) {
        place = b.CreateAnd(place, all_bits());
        narrow_accesses_ += ordered->narrow;
      }
      const Slot &slot = plan_.variable(alloca);
      return b.CreateAddrSpaceCast(memory_.element(b, slot, array(slot), place), alloca->getType());
    }
    if (plan_.is_rematerialized(&value)) {
      const bool uniform = plan_.uniformity().is_uniform(&value);
      llvm::SmallVector<llvm::Value *, 4> operands;
      for (llvm::Value *operand : value.operands())
        operands.push_back(!uniform || plan_.uniformity().is_uniform(operand)
                               ? entry_value(operand)
                               : first_lane(operand));
      Builder b = at_end_of(uniform ? loop_.top : loop_.header);
      if (llvm::Value *known = uniform ? nullptr : in_whole_sub_group(value, b))
        return known;
      llvm::Instruction *copy = copy_of(value);
      for (unsigned i = 0; i < operands.size(); ++i)
        copy->setOperand(i, operands[i]);
      return b.Insert(copy);
    }
    const Slot &slot = plan_.slot(&value);
    if (slot.uniform) {
      Builder b = at_end_of(loop_.top);
      return memory_.load(b, &value, uniform_address(slot));
    }
    if (plan_.uniformity().is_uniform(&value)) { // all lanes have the same: before any changes it
      llvm::Value *first = array(slot);
      Builder b = at_end_of(loop_.top);
      return memory_.load(b, &value, memory_.element(b, slot, first, first_index_));
    }
    Builder b = at_end_of(loop_.header);
    return memory_.load(b, &value, element(b, slot), access_group_);
  }

  // The number that a sub-group's is made of, or its lower half: of any lane, here of the first.
  llvm::Value *first_lane(llvm::Value *lane) {
    Builder b = at_end_of(loop_.top);
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
        if (!llvm::isa<llvm::PHINode>(instruction))
          begun_.insert(block);
        if (!is_sync_point(instruction) && plan_.uniformity().is_uniform(&instruction))
          share(instruction, from, may_load);
        may_load &= !instruction.mayWriteToMemory() || is_meeting(instruction);
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

  // What all lanes share, from before or computed once; null if it is neither. Of a loop's values, those of the last time are from before.
  llvm::Value *at_beginning(llvm::Value *uniform) {
    auto *value = llvm::dyn_cast<llvm::Instruction>(uniform);
    return value && defined_here(value) && begun_.contains(value->getParent())
               ? shared_.lookup(value)
               : entry_value(uniform);
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
      llvm::Value *shared = at_beginning(operand);
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
    Builder b = at_end_of(loop_.top);
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
            instruction.isLifetimeStartOrEnd() || (ends && instruction.isTerminator()) ||
            (original == region_.entry &&
             take_meeting(instruction, *loop_.top,
                          lanes_ == Lanes::whole ? team_.sub_group_size : 0)))
          continue;
        llvm::Value *copy = shared_.lookup(&instruction);
        if (!copy)
          copy = in_whole_sub_group(instruction, b);
        copies_[&instruction] = copy ? copy : b.Insert(copy_of(instruction), instruction.getName());
      }
      if (ends)
        b.CreateBr(loop_.latch);
    }
  }

  // Private variables lie in the lane's memory from the beginning.
  bool from_before(llvm::Instruction *value) const {
    return llvm::isa<llvm::AllocaInst>(value) || !defined_here(value);
  }

  void connect_operands() {
    for (llvm::BasicBlock *original : region_.blocks)
      for (llvm::Instruction &instruction : *original)
        if (auto copy = copies_.find(&instruction); copy != copies_.end() &&
                                                    !shared_.contains(&instruction) &&
                                                    !known_.contains(instruction)) {
          auto *user = llvm::cast<llvm::Instruction>(copy->second);
          if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
            keep_edges_inside(*phi);
          for (llvm::Use &use : user->operands())
            connect(use, instruction);
        }
    for (auto &[use, value] : merged_uses_)
      updater(value).RewriteUse(*use);
  }

  void keep_cells() {
    for (llvm::Instruction &instruction : body_.getEntryBlock()) {
      auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (llvm::Value *address = variable ? entry_values_.lookup(variable) : nullptr)
        keep_cells_in_values(
            region_, *variable,
            {address, plan_.variable(variable).align, loop_.header, loop_.latch, access_group_},
            [&](llvm::Instruction *original) { return copies_.lookup(original); });
    }
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
      known->AddAvailableValue(loop_.header, entry_value(value));
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
    if (reached_)
      reached_->addIncoming(b.getInt32(cut ? plan_.cut_number(&original) : plan_.end_cut()),
                            blocks_[&original]);
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
    Builder b = at_end_of(loop_.top);
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

  template <class Independent>
  void close_active(const LaneSpan &range, const Independent &independent) {
    Builder b(loop_.top);
    const LaneLimit limit = lane_limit(b, *active_, begun_.contains(active_->block),
                                       [&](llvm::Value *uniform) { return at_beginning(uniform); });
    auto *end = llvm::cast<llvm::BranchInst>(blocks_[active_->block]->getTerminator());
    end->setCondition(b.getInt1(active_->taken == 0));
    loop_.close_active(range, limit.lanes, limit.is_known, *otherwise_,
                       independent(few_lanes(*limit.lanes) ? LaneCount::constant : LaneCount::few));
  }

  void close_loop() {
    if (reached_) {
      Builder b(loop_.latch);
      in_group(b.CreateAlignedStore(reached_, element(b, plan_.state), plan_.state.align));
    }
    const LaneSpan range{function_->getArg(3), function_->getArg(4), first_index_};
    // Vectors of lanes would access each element by itself, in code many times as long.
    constexpr unsigned many = 16;
    const auto independent = [&](LaneCount count) {
      return narrow_accesses_ > many ? small_loop(context_)
                                     : independent_loop(context_, access_group_, count);
    };
    if (lanes_ == Lanes::whole)
      loop_.close_whole(team_.sub_group_size, range.first,
                        {function_->getArg(4), function_->getArg(5), function_->getArg(6)},
                        first_index_, independent(LaneCount::constant));
    else if (active_)
      close_active(range, independent);
    else
      loop_.close(range,
                  lanes_ == Lanes::rare
                      ? small_loop(context_)
                      : independent(width_ ? LaneCount::constant : LaneCount::few),
                  width_);
  }

  // Tells at which cut all lanes are.
  void finish() {
    Builder b(loop_.after);
    if (region_.exits.size() <= 1) {
      b.CreateRet(b.getInt32(region_.exits.empty() ? lanes_diverged : region_.exits[0]));
      return;
    }
    if (lanes_ == Lanes::whole && region_.takes_one_way)
      return static_cast<void>(b.CreateRet(reached_));
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
    llvm::Value *of_first = b.CreateInBoundsGEP(b.getInt32Ty(), states, first_index_);
    b.CreateRet(b.CreateCall(common_cut(body_), {of_first, count}));
  }

  const RegionPlan &plan_;
  Team team_;
  Lanes lanes_;
  const Region &region_;
  llvm::Function &body_;
  llvm::LLVMContext &context_;
  llvm::Function *function_;
  const ActiveLanes *active_;
  llvm::Function *otherwise_;
  std::optional<uint64_t> width_; // of rows, if that is known
  LaneMemory memory_;
  LaneLoop loop_;
  llvm::MDNode *access_group_;
  std::vector<llvm::Value *> arguments_;
  llvm::Value *first_index_;
  llvm::PHINode *reached_ = nullptr; // the number of the cut, where there are several
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> blocks_;
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> copies_, shared_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> begun_; // of which shared values are known
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> entry_values_;
  KnownValues known_;
  unsigned narrow_accesses_ = 0; // to variables whose accesses need their order
  std::map<std::pair<uint32_t, std::optional<uint32_t>>, llvm::Value *> arrays_; // by offsets
  std::vector<std::pair<llvm::Use *, llvm::Instruction *>> merged_uses_;
  std::map<llvm::Instruction *, std::unique_ptr<llvm::SSAUpdater>> updaters_;
};

} // namespace

llvm::Function *make_region(const RegionPlan &plan, Team team, llvm::Function &body,
                            const KernelInfo &info, unsigned index, Lanes lanes) {
  const std::optional<ActiveLanes> active =
      lanes == Lanes::any ? active_lanes(plan, plan.regions[index], body) : std::nullopt;
  if (!active) {
    RegionWriter writer(plan, team, body, info, index, lanes);
    llvm::Function *region = writer.write();
    const llvm::ArrayRef<uint64_t> widths = plan.usual_widths(plan.regions[index]);
    if (lanes != Lanes::any || !writer.depends_on_row() || widths.empty())
      return region;
    return choose_width(*region, widths, [&](uint64_t usual) {
      return RegionWriter(plan, team, body, info, index, lanes, nullptr, nullptr, usual).write();
    });
  }
  // Lanes that have diverged come in parts of a work-group.
  const Lanes others = plan.lanes_may_diverge || active->offset ? Lanes::any : Lanes::rare;
  llvm::Function *otherwise = RegionWriter(plan, team, body, info, index, others).write();
  return RegionWriter(plan, team, body, info, index, lanes, &*active, otherwise).write();
}

void set_attributes(const RegionPlan &plan, llvm::Function &function, Lanes lanes) {
  // LLVM's schedulers take quadratic time for long blocks, of which many vectors make one.
  if (lanes == Lanes::whole) {
    const bool is_apart = plan.sections.empty() && plan.is_large();
    function.addFnAttr(is_apart ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
  } else if (lanes == Lanes::rare) {
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
    function.addFnAttr(llvm::Attribute::MinSize);
  } else if (lanes == Lanes::part || plan.lanes_may_diverge || plan.is_large()) {
    // There is a table of those whose lanes diverge: inlining would make copies.
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

} // namespace ze_cpu
