#include "fission.h"

#include "../../contract/kernel_code.h"
#include "../../contract/region_table.h"
#include "../codegen/kernel_entries.h"
#include "../loops/interchange.h"
#include "../lower/sub_group_ids.h"
#include "../lower/work_item.h"
#include "exchanges.h"
#include "lane_parameters.h"
#include "section_code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// As many lanes as go through an interchanged loop together where their sums then stay in registers.
constexpr uint32_t strip_width = 32;

class ControlWriter {
public:
  ControlWriter(llvm::Function &body, const KernelInfo &info, Team team, PartCode part_code,
                llvm::DenseSet<const llvm::CallInst *> fenced)
      : module_(*body.getParent()), context_(body.getContext()), body_(body), info_(info),
        team_(team), part_code_(part_code), fenced_(std::move(fenced)), plan_(body, team) {
    declare_points();
    if (team.is_sub_group) {
      has_small_parts_ = part_code == PartCode::small && !plan_.is_large();
      parts_ = has_small_parts_ || plan_.is_large() ? Lanes::rare : Lanes::part;
      make_code(Lanes::whole);
    }
    make_code(parts_);
    define_table();
    for (const Section &section : plan_.sections)
      sections_.push_back(make_section({plan_, team, body, info, points_, fenced_}, section));
  }

  const RegionPlan &plan() const { return plan_; }
  bool has_small_parts() const { return has_small_parts_; }

  void discard() {
    for (auto &[lanes, functions] : regions_)
      for (llvm::Function *region : functions)
        region->eraseFromParent();
  }

  /// Work-groups with short rows, or not all inside of what `is_inside` tells, are left to `plain`:
  /// the kernel as it was.
  /// Those whose rows are made up of whole sub-groups are left to `strips`, the entry for these.
  llvm::Function *write(const std::string &symbol, llvm::Function *plain = nullptr,
                        llvm::Function *is_inside = nullptr, llvm::Function *strips = nullptr) {
    auto *pointer = llvm::PointerType::get(context_, 0);
    auto *i64 = llvm::Type::getInt64Ty(context_);
    llvm::Function *part = team_.is_sub_group ? write_part() : nullptr;
    llvm::Function *entry = make_entry(module_, symbol, {pointer, i64, i64});
    Builder b(&entry->getEntryBlock());
    llvm::AllocaInst *memory =
        b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), std::max(plan_.uniform_bytes, 1u)));
    memory->setAlignment(llvm::Align(64));
    begin(b, entry, memory);
    for (unsigned i = 0; i < 3; ++i)
      size_[i] = load_group_size(b, group_, i);
    llvm::Value *lanes =
        b.CreateMul(size_[0], b.CreateMul(size_[1], size_[2], "", true, true), "", true, true);
    if (team_.is_sub_group)
      stack_ = make_stack(b, plan_, team_);
    llvm::Value *const whole = sections_.empty() ? nullptr : are_whole(b, lanes);
    make_loop(b, entry->getArg(1), entry->getArg(2), "group", [&](llvm::Value *group_x) {
      group_x_ = group_x;
      if (plain)
        return run_interchanged(b, lanes, *plain, is_inside, strips);
      if (team_.is_sub_group)
        return run_sub_groups(b, lanes, part);
      first_ = b.getInt64(0);
      last_ = lanes;
      if (whole)
        are_whole_ = b.CreateAnd(whole, indices_are_regular(b));
      run_team(b, Lanes::any);
    });
    b.CreateRetVoid();
    return entry;
  }

private:
  void make_code(Lanes lanes) {
    const auto chosen = [&](auto Section::*members, unsigned index) {
      return lanes == Lanes::any && is_rare(members, index) ? Lanes::rare : lanes;
    };
    for (unsigned i = 0; i < plan_.cuts.size(); ++i)
      exchanges_[lanes].push_back(
          chosen(&Section::cuts, i) != Lanes::rare && exchanges_at(plan_, plan_.cuts[i])
              ? make_exchange(plan_, team_, body_, plan_.cuts[i], points_[i], lanes)
              : nullptr);
    for (unsigned i = 0; i < plan_.regions.size(); ++i)
      regions_[lanes].push_back(
          make_region(plan_, team_, body_, info_, i, chosen(&Section::regions, i)));
  }

  // Whether only lanes come there that have diverged, and those of work-groups that are not made up of whole sub-groups: the others go
  // through a section.
  template <class Members> bool is_rare(Members Section::*members, unsigned index) {
    if (part_code_ == PartCode::fast || (plan_.lanes_may_diverge && !plan_.is_large()) ||
        llvm::none_of(plan_.sections,
                      [&](const Section &section) { return (section.*members).contains(index); }))
      return false;
    return has_small_parts_ = true;
  }

  void begin(Builder &b, llvm::Function *function, llvm::Value *uniform) {
    control_ = function;
    group_ = function->getArg(0);
    group_->addAttr(llvm::Attribute::NoAlias);
    uniform_ = uniform;
    memory_.emplace(plan_, team_, group_, uniform_);
    arguments_ = load_arguments(b, group_, body_, info_);
  }

  // A function for sub-groups that are not whole.
  llvm::Function *write_part() {
    auto *pointer = llvm::PointerType::get(context_, 0);
    auto *i64 = llvm::Type::getInt64Ty(context_);
    llvm::Function *part =
        make_entry(module_, (body_.getName() + ".part").str(), {pointer, pointer, i64, i64, i64});
    part->setLinkage(llvm::GlobalValue::InternalLinkage);
    set_attributes(plan_, *part, parts_);
    Builder b(&part->getEntryBlock());
    begin(b, part, part->getArg(1));
    group_x_ = part->getArg(2);
    first_ = part->getArg(3);
    last_ = part->getArg(4);
    run_team(b, parts_);
    b.CreateRetVoid();
    return part;
  }

  // Whether that holds for the work-group, for all of them.
  llvm::Value *indices_are_regular(Builder &b) {
    const auto parameter = [&](llvm::Argument &of) { return scalar(b, &of); };
    llvm::Value *all = b.getTrue();
    for (const GroupIndex &index : plan_.group_indices())
      all = b.CreateAnd(
          all, index.is_regular(b, index.base(b, parameter), size_[0], team_.sub_group_size));
    return all;
  }

  bool uses_local_ids() const {
    return llvm::any_of(llvm::seq(0u, 3u), [&](unsigned i) {
      return !body_.getArg(context_parameter::local_x + i)->use_empty();
    });
  }

  // Runs the whole sub-groups first, then the partial ones. A sub-group that begins where a row of
  // work-items does lies in that row, if all rows are made of whole ones; and if there is only one
  // row, all lie in it.
  void run_sub_groups(Builder &b, llvm::Value *lanes, llvm::Function *part) {
    const uint64_t width = team_.sub_group_size;
    llvm::Value *zero = b.getInt64(0);
    llvm::Value *whole = b.CreateAnd(lanes, b.getInt64(~(width - 1)));
    const SubGroupIds ids(b, group_, width);
    if (uses_local_ids())
      whole = b.CreateSelect(b.CreateAnd(ids.are_in_rows(b, lanes), indices_are_regular(b)), whole,
                             zero);
    when(b, b.CreateICmpNE(whole, zero), [&] {
      make_loop(
          b, zero, whole, "sub_group",
          [&](llvm::Value *first) {
            first_ = first;
            last_ = b.CreateAdd(first, b.getInt64(width), "", true, true);
            memory_.emplace(plan_, team_, group_, uniform_, WholeSubGroup{first, stack_});
            local_ids_ = ids.load(b);
            b.CreateLifetimeStart(stack_);
            run_team(b, Lanes::whole);
            b.CreateLifetimeEnd(stack_);
            ids.advance(b);
          },
          width);
    });
    when(b, b.CreateICmpNE(whole, lanes), [&] {
      make_loop(
          b, whole, lanes, "part",
          [&](llvm::Value *first) {
            llvm::Value *end = b.CreateAdd(first, b.getInt64(width), "", true, true);
            b.CreateCall(part, {group_, uniform_, group_x_, first,
                                b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, lanes)});
          },
          width);
    });
  }

  // Whether sections are for the work-group: sub-groups that have all their lanes, each in one row.
  llvm::Value *are_whole(Builder &b, llvm::Value *lanes) {
    const uint64_t width = team_.sub_group_size;
    llvm::Value *whole = b.CreateICmpEQ(b.CreateAnd(lanes, b.getInt64(width - 1)), b.getInt64(0));
    if (uses_local_ids())
      whole = b.CreateAnd(whole, SubGroupIds(b, group_, width).are_in_rows(b, lanes));
    return whole;
  }

  template <class Then> void when(Builder &b, llvm::Value *condition, Then &&then) {
    llvm::BasicBlock *yes = block("then"), *after = block("after");
    b.CreateCondBr(condition, yes, after);
    b.SetInsertPoint(yes);
    then();
    b.CreateBr(after);
    b.SetInsertPoint(after);
  }

  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, control_);
  }

  // Writes the way from the kernel's beginning to its end for the lanes [first_, last_), and leaves
  // the builder at the end.
  void run_team(Builder &b, Lanes lanes) {
    lanes_ = lanes;
    enter_.clear();
    cuts_.clear();
    for (unsigned i = 0; i < plan_.regions.size(); ++i)
      enter_.push_back(block("region" + llvm::Twine(i)));
    for (unsigned i = 0; i < plan_.cuts.size(); ++i)
      cuts_.push_back(block("cut" + llvm::Twine(i)));
    if (plan_.lanes_may_diverge)
      write_diverged();
    b.CreateBr(enter_[0]);
    for (unsigned i = 0; i < plan_.regions.size(); ++i)
      write_region(i);
    for (unsigned i = 0; i < plan_.end_cut(); ++i)
      write_cut(i);
    b.SetInsertPoint(cuts_[plan_.end_cut()]);
  }

  void run_interchanged(Builder &b, llvm::Value *lanes, llvm::Function &plain,
                        llvm::Function *is_inside, llvm::Function *strips) {
    const uint64_t shortest_row = is_interchange_wanted(body_) ? 1 : 8;
    llvm::MDNode *accesses = llvm::MDNode::getDistinct(context_, {});
    llvm::BasicBlock *together = block("together"), *apart = block("apart"), *done = block("done");
    llvm::BasicBlock *bounds = block("bounds");
    b.CreateCondBr(b.CreateICmpUGE(size_[0], b.getInt64(shortest_row)), bounds, apart);
    b.SetInsertPoint(bounds);
    if (is_inside) {
      b.CreateCondBr(all_are_inside(b, *is_inside, group_, group_x_, arguments_, accesses),
                     together, apart);
    } else {
      b.CreateBr(together);
    }
    b.SetInsertPoint(apart);
    mark_independent(plain, accesses);
    call_for_each_item(b, plain, group_, group_x_, arguments_, accesses);
    b.CreateBr(done);
    b.SetInsertPoint(together);
    if (strips) {
      llvm::BasicBlock *in_strips = block("strips"), *at_once = block("at_once");
      llvm::Value *rest = b.CreateAnd(size_[0], b.getInt64(strip_width - 1));
      b.CreateCondBr(b.CreateICmpEQ(rest, b.getInt64(0)), in_strips, at_once);
      b.SetInsertPoint(in_strips);
      b.CreateCall(strips, {group_, group_x_, b.CreateAdd(group_x_, b.getInt64(1))});
      b.CreateBr(done);
      b.SetInsertPoint(at_once);
    }
    first_ = b.getInt64(0);
    last_ = lanes;
    run_team(b, Lanes::any);
    b.CreateBr(done);
    b.SetInsertPoint(done);
  }

  // Where a section begins, work-groups of whole sub-groups go through it.
  void enter_section(Builder &b, llvm::SmallSetVector<unsigned, 2> Section::*entered,
                     unsigned index) {
    if (lanes_ != Lanes::any)
      return;
    for (const auto &[section, code] : llvm::zip(plan_.sections, sections_)) {
      const auto &all = section.*entered;
      const auto found = llvm::find(all, index);
      if (found == all.end())
        continue;
      auto number = static_cast<uint32_t>(found - all.begin());
      if (entered == &Section::entered_regions)
        number += section.entered_cuts.size();
      llvm::BasicBlock *whole = block("section"), *other = block("other");
      b.CreateCondBr(are_whole_, whole, other);
      b.SetInsertPoint(whole);
      llvm::Value *end =
          b.CreateCall(code, {group_, uniform_, group_x_, last_, b.getInt32(number)});
      if (section.exits.size() == 1 && !plan_.lanes_may_diverge)
        b.CreateBr(cuts_[section.exits[0]]);
      else
        switch_to(b, end, section.exits.getArrayRef(), diverged_);
      b.SetInsertPoint(other);
    }
  }

  void write_region(unsigned index) {
    const Region &region = plan_.regions[index];
    Builder b(enter_[index]);
    enter_section(b, &Section::entered_regions, index);
    llvm::SmallVector<llvm::Value *, 4> entered;
    for (llvm::PHINode *phi : region.entered_phis)
      entered.push_back(scalar(b, phi->getIncomingValueForBlock(region.entry)));
    llvm::SmallVector<llvm::Value *, 8> arguments = {group_, uniform_, group_x_, first_};
    if (lanes_ == Lanes::whole) {
      arguments.append(local_ids_.begin(), local_ids_.end());
      arguments.push_back(stack_);
    } else {
      arguments.push_back(last_);
    }
    llvm::Value *end = b.CreateCall(regions_[lanes_][index], arguments);
    for (auto [phi, value] : llvm::zip(region.entered_phis, entered))
      if (plan_.has_slot(phi))
        memory_->store(b, value, phi, memory_->uniform(b, plan_.slot(phi)));
    if (region.exits.empty())
      b.CreateUnreachable();
    else if (region.exits.size() == 1)
      b.CreateBr(cuts_[region.exits[0]]);
    else
      switch_to(b, end, region.exits, diverged_);
  }

  void switch_to(Builder &b, llvm::Value *cut, llvm::ArrayRef<unsigned> exits,
                 llvm::BasicBlock *otherwise) {
    llvm::SwitchInst *choice = b.CreateSwitch(cut, otherwise, static_cast<unsigned>(exits.size()));
    for (unsigned exit : exits)
      choice->addCase(b.getInt32(exit), cuts_[exit]);
  }

  void write_cut(unsigned index) {
    const Cut &cut = plan_.cuts[index];
    Builder b(cuts_[index]);
    if (cut.kind == Cut::Kind::sync) {
      enter_section(b, &Section::entered_cuts, index);
      if (llvm::any_of(cut.markers, [&](auto *marker) { return fenced_.contains(marker); }))
        b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
      llvm::Function *const exchange = exchanges_[lanes_][index];
      if (exchange && lanes_ == Lanes::whole)
        b.CreateCall(exchange, {group_, uniform_, first_, last_, stack_});
      else if (exchange)
        b.CreateCall(exchange, {group_, uniform_, first_, last_});
      else if (exchanges_at(plan_, cut))
        call_exchanges(b, module_, team_, group_, uniform_,
                       b.CreateSub(last_, first_, "", true, true), points_[index]);
      b.CreateBr(enter_[cut.next[0]]);
      return;
    }
    llvm::Instruction *branch = cut.block->getTerminator()->clone();
    branch->setDebugLoc({});
    if (cut.next.size() > 1)
      branch->setOperand(0, scalar(b, branch->getOperand(0)));
    for (unsigned i = 0; i < cut.next.size(); ++i)
      branch->setSuccessor(i, enter_[cut.next[i]]);
    b.Insert(branch);
  }

  // All lanes may be back together at any cut.
  void write_diverged() {
    diverged_ = block("diverged");
    Builder b(diverged_);
    llvm::SmallVector<llvm::Type *> types;
    llvm::SmallVector<llvm::Value *> arguments = {group_, uniform_, group_x_,
                                                  first_, last_,    table_};
    for (llvm::Value *argument : arguments)
      types.push_back(argument->getType());
    llvm::FunctionCallee run = module_.getOrInsertFunction(
        "ze_cpu_run_diverged", llvm::FunctionType::get(b.getInt32Ty(), types, false));
    llvm::Value *cut = b.CreateCall(run, arguments);
    llvm::SmallVector<unsigned> all;
    for (unsigned i = 0; i < plan_.end_cut(); ++i)
      all.push_back(i);
    switch_to(b, cut, all, cuts_[plan_.end_cut()]);
  }

  // A uniform value, as it is at the moment.
  llvm::Value *scalar(Builder &b, llvm::Value *value) {
    if (auto *parameter = llvm::dyn_cast<llvm::Argument>(value)) {
      if (parameter->getArgNo() == context_parameter::group)
        return group_;
      if (parameter->getArgNo() == context_parameter::group_x)
        return group_x_;
      if (parameter->getArgNo() == context_parameter::lane)
        return first_; // of which only the sub-group's number is uniform
      return arguments_[parameter->getArgNo() - context_parameter::count];
    }
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction)
      return value;
    if (plan_.is_rematerialized(instruction)) {
      llvm::Instruction *copy = instruction->clone();
      copy->setDebugLoc({});
      for (llvm::Use &operand : copy->operands())
        operand.set(scalar(b, operand.get()));
      return b.Insert(copy);
    }
    const Slot &slot = plan_.slot(instruction);
    if (slot.uniform)
      return memory_->load(b, instruction, memory_->uniform(b, slot));
    // Each lane has its own, all the same.
    return memory_->load(
        b, instruction,
        memory_->element(b, slot, memory_->array(b, slot), memory_->index_of(b, first_)));
  }

  // The tables of contract/region_table.h. Code refers to its own point's.
  void declare_points() {
    auto *pointer = llvm::PointerType::get(context_, 0);
    auto *i32 = llvm::Type::getInt32Ty(context_), *i64 = llvm::Type::getInt64Ty(context_);
    point_type_ = llvm::StructType::get(pointer, pointer, pointer, pointer, i64, i32, i32, i32, i32,
                                        i32, i32, i32, i32);
    const auto count =
        llvm::count_if(plan_.cuts, [](const Cut &cut) { return cut.kind == Cut::Kind::sync; });
    auto *array = llvm::ArrayType::get(point_type_, static_cast<uint64_t>(count));
    all_points_ = new llvm::GlobalVariable(module_, array, true, llvm::GlobalValue::InternalLinkage,
                                           nullptr, body_.getName() + ".points");
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      points_.push_back(llvm::ConstantExpr::getInBoundsGetElementPtr(
          point_type_, all_points_, llvm::ConstantInt::get(i64, i)));
  }

  llvm::Constant *lane_parameters_of(const llvm::CallInst &marker) {
    llvm::ConstantDataArray *parameters = lane_parameters(marker);
    if (!parameters)
      return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    return new llvm::GlobalVariable(module_, parameters->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, parameters,
                                    body_.getName() + ".lane_parameters");
  }

  // The SyncPointTable of `marker`, the first of those at `cut` or one that is joined to it.
  llvm::Constant *table_of(const Cut &cut, const llvm::CallInst &marker, llvm::Constant *region,
                           llvm::Constant *exchange, llvm::Constant *also) {
    auto number = [&](uint64_t value) {
      return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value);
    };
    auto offset = [&](const std::optional<Slot> &slot) {
      return number(slot ? slot->offset : no_slot);
    };
    const RegionPlan::Operands &carried = plan_.operands(&marker);
    const bool wanted = plan_.has_slot(&marker);
    auto *parameter = llvm::dyn_cast<llvm::ConstantInt>(parameter_of(marker));
    return llvm::ConstantStruct::get(
        point_type_,
        {region, exchange, lane_parameters_of(marker), also,
         llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_),
                                parameter ? parameter->getZExtValue() : 0),
         number(operation_of(marker).packed()), offset(carried.value), offset(carried.parameter),
         number(wanted ? plan_.slot(&marker).offset : no_slot),
         number(carried.type->getIntegerBitWidth() / 8), number(carried.is_signed),
         number(
             llvm::any_of(cut.markers, [&](auto *joined) { return has_shared_result(*joined); })),
         number(has_shared_result(marker))});
  }

  bool has_shared_result(const llvm::CallInst &marker) const {
    return plan_.has_slot(&marker) && plan_.slot(&marker).uniform;
  }

  void define_table() {
    auto *pointer = llvm::PointerType::get(context_, 0);
    llvm::Constant *const none = llvm::ConstantPointerNull::get(pointer);
    auto number = [&](uint64_t value) {
      return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value);
    };
    llvm::SmallVector<llvm::Constant *> points;
    for (unsigned i = 0; i < plan_.cuts.size(); ++i) {
      const Cut &cut = plan_.cuts[i];
      if (cut.kind != Cut::Kind::sync)
        continue;
      llvm::Constant *also = none;
      for (const llvm::CallInst *marker : llvm::reverse(llvm::drop_begin(cut.markers)))
        also = new llvm::GlobalVariable(
            module_, point_type_, true, llvm::GlobalValue::InternalLinkage,
            table_of(cut, *marker, none, none, also), body_.getName() + ".joined_point");
      points.push_back(table_of(cut, *cut.markers.front(),
                                plan_.lanes_may_diverge ? regions_[parts_][cut.next[0]] : none,
                                exchanges_[parts_][i] ? exchanges_[parts_][i] : none, also));
    }
    all_points_->setInitializer(
        llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(all_points_->getValueType()), points));
    llvm::Constant *table = llvm::ConstantStruct::getAnon(
        {all_points_, number(points.size()), number(plan_.end_cut()), number(plan_.state.offset),
         number(team_.sub_group_size), number(team_.is_sub_group), number(0)});
    table_ = new llvm::GlobalVariable(module_, table->getType(), true,
                                      llvm::GlobalValue::InternalLinkage, table,
                                      body_.getName() + ".regions");
  }
  static_assert(sizeof(SyncPointTable) == 72 && sizeof(RegionTable) == 32);

  llvm::Module &module_;
  llvm::LLVMContext &context_;
  llvm::Function &body_;
  const KernelInfo &info_;
  Team team_;
  PartCode part_code_;
  bool has_small_parts_ = false;
  llvm::DenseSet<const llvm::CallInst *> fenced_;
  RegionPlan plan_;
  Lanes parts_ = Lanes::any;                                           // of the team
  std::map<Lanes, std::vector<llvm::Function *>> regions_, exchanges_; // exchanges may be null
  std::vector<llvm::Function *> sections_;                             // as in the plan
  llvm::StructType *point_type_ = nullptr;
  llvm::GlobalVariable *all_points_ = nullptr, *table_ = nullptr;
  std::vector<llvm::Constant *> points_;

  // The function that is being written, and its values.
  Lanes lanes_ = Lanes::any;
  llvm::Function *control_ = nullptr;
  std::vector<llvm::Value *> arguments_;
  std::optional<LaneMemory> memory_;
  llvm::Argument *group_ = nullptr;
  llvm::Value *uniform_ = nullptr, *group_x_ = nullptr, *first_ = nullptr, *last_ = nullptr;
  llvm::Value *size_[3] = {};
  std::array<llvm::Value *, 3> local_ids_{}; // of the first lane
  llvm::AllocaInst *stack_ = nullptr;        // of sub-groups that have all their lanes
  llvm::Value *are_whole_ = nullptr;
  std::vector<llvm::BasicBlock *> enter_, cuts_;
  llvm::BasicBlock *diverged_ = nullptr;
};

// The entry for rows of work-items that sub-groups make up: one sub-group after the other goes through the loops of `inner`, and what it
// keeps stays in registers. Kernels that look at other dimensions have short rows as a rule; for these there is none.
llvm::Function *make_strips(llvm::Function &inner, const KernelInfo &info,
                            const std::string &symbol, FissionResult &result) {
  if (!inner.getArg(context_parameter::local_y)->use_empty() ||
      !inner.getArg(context_parameter::local_z)->use_empty())
    return nullptr;
  llvm::ValueToValueMapTy copies;
  llvm::Function *const body = llvm::CloneFunction(&inner, copies);
  ControlWriter writer(*body, info, Team{true, strip_width}, PartCode::small, {});
  llvm::Function *entry = nullptr;
  if (writer.plan().lanes_may_diverge) {
    writer.discard();
  } else {
    entry = writer.write(symbol + ".strips");
    entry->setLinkage(llvm::GlobalValue::InternalLinkage);
    result.add(writer.plan());
  }
  body->deleteBody();
  return entry;
}

} // namespace

void FissionResult::add(const RegionPlan &plan) {
  lane_bytes = std::max(lane_bytes, plan.lane_bytes);
  private_bytes = std::max(private_bytes, plan.private_bytes);
}

bool make_interchanged_entry(llvm::Function &body, const KernelInfo &info,
                             llvm::TargetMachine &machine, bool wanted, const std::string &symbol,
                             FissionResult &result) {
  if (!can_be_cut(body))
    return false;
  auto [inner, is_inside] = prepare_interchange(body, machine, wanted);
  if (!inner)
    return false;
  llvm::EliminateUnreachableBlocks(*inner);
  llvm::Function *const strips = make_strips(*inner, info, symbol, result);
  const Team team{};
  ControlWriter writer(*inner, info, team, PartCode::fast, {});
  if (writer.plan().lanes_may_diverge) { // with no way to the end
    writer.discard();
    inner->deleteBody();
    return false;
  }
  writer.write(symbol, &body, is_inside, strips);
  result.add(writer.plan());
  inner->deleteBody();
  body.setLinkage(llvm::GlobalValue::InternalLinkage);
  body.addFnAttr(llvm::Attribute::AlwaysInline);
  return true;
}

bool make_region_entry(llvm::Function &body, const KernelInfo &info, uint32_t sub_group_size,
                       llvm::TargetMachine &machine, LoopUse loops, PartCode part_code,
                       const std::string &symbol, FissionResult &result) {
  if (!can_be_cut(body))
    return false;
  copy_structs(body); // those that the kernel writes
  llvm::EliminateUnreachableBlocks(body);
  const Team team{only_sub_group_operations(body), sub_group_size};
  if (loops != LoopUse::as_they_are)
    prepare_loops(body, team, machine, loops == LoopUse::interchanged);
  llvm::DenseSet<const llvm::CallInst *> fenced = take_fences(body);
  ControlWriter writer(body, info, team, part_code, std::move(fenced));
  writer.write(symbol);
  result.add(writer.plan());
  result.by_sub_group = team.is_sub_group;
  result.has_small_parts = writer.has_small_parts();
  // Nobody calls a kernel; its regions have copies of all they need.
  body.deleteBody();
  return true;
}

} // namespace ze_cpu
