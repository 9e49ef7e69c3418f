#include "section_code.h"

#include "../../contract/region_table.h"
#include "../codegen/kernel_entries.h"
#include "../lower/sub_group_ids.h"
#include "exchanges.h"

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

class SectionWriter {
public:
  SectionWriter(const SectionParts &parts, const Section &section)
      : parts_(parts), plan_(parts.plan), section_(section), context_(parts.body.getContext()),
        function_(make_function(parts.body)), group_(function_->getArg(0)),
        uniform_(function_->getArg(1)) {}

  llvm::Function *write() {
    Builder b(&function_->getEntryBlock());
    const uint64_t width = parts_.team.sub_group_size;
    stack_ = make_stack(b, plan_, parts_.team);
    llvm::AllocaInst *all = b.CreateAlloca(b.getInt32Ty());
    cut_ = b.CreateAlloca(b.getInt32Ty());
    SubGroupIds ids(b, group_, width);
    make_loop(
        b, b.getInt64(0), function_->getArg(3), "sub_group",
        [&](llvm::Value *first) {
          first_ = first;
          local_ids_ = ids.load(b);
          b.CreateLifetimeStart(stack_);
          run(b);
          b.CreateLifetimeEnd(stack_);
          llvm::Value *cut = b.CreateLoad(b.getInt32Ty(), cut_);
          llvm::Value *before = b.CreateSelect(b.CreateICmpEQ(first, b.getInt64(0)), cut,
                                               b.CreateLoad(b.getInt32Ty(), all));
          b.CreateStore(
              b.CreateSelect(b.CreateICmpEQ(cut, before), cut, b.getInt32(lanes_diverged)), all);
          ids.advance(b);
        },
        width);
    b.CreateRet(b.CreateLoad(b.getInt32Ty(), all));
    return function_;
  }

private:
  static llvm::Function *make_function(llvm::Function &body) {
    llvm::LLVMContext &context = body.getContext();
    auto *pointer = llvm::PointerType::get(context, 0);
    auto *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
    auto *type = llvm::FunctionType::get(i32, {pointer, pointer, i64, i64, i32}, false);
    auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                            body.getName() + ".section", body.getParent());
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->getArg(0)->addAttr(llvm::Attribute::NoAlias);
    function->getArg(1)->addAttr(llvm::Attribute::NoAlias);
    llvm::BasicBlock::Create(context, "entry", function);
    return function;
  }

  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context_, name, function_);
  }

  /// One sub-group: leaves the builder where it has left the section, with the cut in `cut_`.
  void run(Builder &b) {
    left_ = block("left");
    for (unsigned region : section_.regions)
      enter_[region] = block("region" + llvm::Twine(region));
    for (unsigned cut : section_.cuts)
      cuts_[cut] = block("cut" + llvm::Twine(cut));
    llvm::BasicBlock *never = block("never");
    llvm::SwitchInst *entry = b.CreateSwitch(function_->getArg(4), never);
    Builder(never).CreateUnreachable();
    uint32_t number = 0;
    for (unsigned cut : section_.entered_cuts)
      entry->addCase(b.getInt32(number++), cuts_[cut]);
    for (unsigned region : section_.entered_regions)
      entry->addCase(b.getInt32(number++), enter_[region]);
    for (unsigned region : section_.regions)
      write_region(region);
    for (unsigned cut : section_.cuts)
      write_cut(cut);
    b.SetInsertPoint(left_);
  }

  void write_region(unsigned index) {
    const Region &region = plan_.regions[index];
    Builder b(enter_[index]);
    llvm::Function *code =
        make_region(plan_, parts_.team, parts_.body, parts_.info, index, Lanes::whole);
    llvm::Value *end = b.CreateCall(code, {group_, uniform_, function_->getArg(2), first_,
                                           local_ids_[0], local_ids_[1], local_ids_[2], stack_});
    if (region.exits.empty()) {
      b.CreateUnreachable();
      return;
    }
    if (region.exits.size() == 1) {
      const unsigned exit = region.exits[0];
      if (section_.cuts.contains(exit)) {
        b.CreateBr(cuts_[exit]);
        return;
      }
      if (plan_.lanes_may_diverge)
        store_states(b, exit);
      b.CreateStore(b.getInt32(exit), cut_);
      b.CreateBr(left_);
      return;
    }
    b.CreateStore(end, cut_);
    llvm::SwitchInst *choice = b.CreateSwitch(end, left_);
    for (unsigned exit : region.exits)
      if (section_.cuts.contains(exit))
        choice->addCase(b.getInt32(exit), cuts_[exit]);
  }

  /// Regions with several exits do that themselves.
  void store_states(Builder &b, unsigned cut) {
    const LaneMemory memory(plan_, parts_.team, group_, uniform_, WholeSubGroup{first_, stack_});
    b.CreateAlignedStore(b.CreateVectorSplat(parts_.team.sub_group_size, b.getInt32(cut)),
                         memory.array(b, plan_.state), plan_.state.align);
  }

  void write_cut(unsigned index) {
    const Cut &cut = plan_.cuts[index];
    Builder b(cuts_[index]);
    if (llvm::any_of(cut.markers, [&](auto *marker) { return parts_.fenced.contains(marker); }))
      b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    if (exchanges_at(plan_, cut)) {
      llvm::Function *exchange =
          make_exchange(plan_, parts_.team, parts_.body, cut, parts_.points[index], Lanes::whole);
      llvm::Value *last =
          b.CreateAdd(first_, b.getInt64(parts_.team.sub_group_size), "", true, true);
      b.CreateCall(exchange, {group_, uniform_, first_, last, stack_});
    }
    b.CreateBr(enter_[cut.next[0]]);
  }

  const SectionParts &parts_;
  const RegionPlan &plan_;
  const Section &section_;
  llvm::LLVMContext &context_;
  llvm::Function *function_;
  llvm::Value *group_, *uniform_, *first_ = nullptr;
  std::array<llvm::Value *, 3> local_ids_{};
  llvm::AllocaInst *stack_ = nullptr, *cut_ = nullptr;
  llvm::BasicBlock *left_ = nullptr;
  std::map<unsigned, llvm::BasicBlock *> enter_, cuts_;
};

} // namespace

llvm::Function *make_section(const SectionParts &parts, const Section &section) {
  return SectionWriter(parts, section).write();
}

} // namespace ze_cpu
