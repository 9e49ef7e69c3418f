#include "print.h"

#include <llvm/IR/InstIterator.h>

using namespace ze_cpu;

namespace {

constexpr const char *kinds[] = {"barrier",         "reconverge",   "shuffle", "shuffle_xor",
                                 "shuffle_up",      "shuffle_down", "rotate",  "broadcast",
                                 "broadcast_first", "ballot",       "any",     "all",
                                 "all_equal",       "elect",        "reduce",  "inclusive_scan",
                                 "exclusive_scan",  "turn"};
constexpr const char *scopes[] = {"sub_group", "work_group", "grid"};

class Printer {
public:
  explicit Printer(llvm::raw_ostream &out) : out_(out) {}

  void name(const llvm::Value &value) { value.printAsOperand(out_, false); }

  template <class Values> void names(const char *title, const Values &values) {
    if (values.empty())
      return;
    out_ << "; " << title;
    for (const auto *value : values) {
      out_ << ' ';
      name(*value);
    }
  }

  void numbers(const char *title, llvm::ArrayRef<unsigned> values) {
    if (values.empty())
      return;
    out_ << title;
    for (unsigned value : values)
      out_ << ' ' << value;
  }

  void slot(const Slot &slot) {
    out_ << (slot.uniform ? "team" : "lane") << " at " << slot.offset << ", " << slot.bytes
         << " bytes";
    if (slot.stack_offset)
      out_ << ", on the stack at " << *slot.stack_offset;
  }

  void cut(const Cut &cut) {
    switch (cut.kind) {
    case Cut::Kind::sync:
      for (const llvm::CallInst *marker : cut.markers) {
        const SyncOperation operation = operation_of(*marker);
        out_ << kinds[unsigned(operation.kind)] << " of " << scopes[unsigned(operation.scope)]
             << ", id " << id_of(*marker) << ", ";
      }
      out_ << "in ";
      name(*cut.block);
      break;
    case Cut::Kind::branch:
      out_ << "branch in ";
      name(*cut.block);
      break;
    case Cut::Kind::end:
      out_ << "end";
      break;
    }
    numbers(" -> region", cut.next);
  }

private:
  llvm::raw_ostream &out_;
};

} // namespace

void print(const Uniformity &uniformity, const llvm::Function &body, llvm::raw_ostream &out) {
  Printer printer(out);
  out << "function " << body.getName() << '\n';
  for (const llvm::BasicBlock &block : body) {
    out << (uniformity.is_uniform(&block) ? "uniform" : "divergent") << " block ";
    printer.name(block);
    out << '\n';
    for (const llvm::Instruction &instruction : block) {
      if (instruction.getType()->isVoidTy())
        continue;
      out << (uniformity.is_uniform(&instruction) ? "uniform " : "varying ");
      printer.name(instruction);
      out << '\n';
    }
  }
}

void print(const RegionPlan &plan, llvm::Function &body, llvm::raw_ostream &out) {
  Printer printer(out);
  out << "function " << body.getName() << ": team " << plan.uniform_bytes << " bytes, lane "
      << plan.lane_bytes << " bytes, of those private " << plan.private_bytes
      << (plan.lanes_may_diverge ? ", lanes may diverge" : ", lanes stay together") << '\n';
  for (unsigned i = 0; i < plan.cuts.size(); ++i) {
    out << "cut " << i << ": ";
    printer.cut(plan.cuts[i]);
    out << '\n';
  }
  for (unsigned i = 0; i < plan.regions.size(); ++i) {
    const Region &region = plan.regions[i];
    out << "region " << i;
    printer.numbers(": exits", region.exits);
    if (region.exits.size() > 1 && region.takes_one_way)
      out << ", one for a sub-group";
    printer.names("blocks", region.blocks);
    printer.names("live", region.live);
    printer.names("stored", region.stored);
    printer.names("sets", region.entered_phis);
    out << '\n';
  }
  for (const Section &section : plan.sections) {
    out << "section";
    printer.numbers(": cuts", section.cuts.getArrayRef());
    printer.numbers(", regions", section.regions.getArrayRef());
    printer.numbers(", from cut", section.entered_cuts.getArrayRef());
    printer.numbers(", from region", section.entered_regions.getArrayRef());
    printer.numbers(", exits", section.exits.getArrayRef());
    out << '\n';
  }
  for (const llvm::Instruction &instruction : llvm::instructions(body)) {
    const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!alloca && !plan.has_slot(&instruction))
      continue;
    out << (alloca ? "variable " : "slot ");
    printer.name(instruction);
    out << ": ";
    printer.slot(alloca ? plan.variable(alloca) : plan.slot(&instruction));
    out << '\n';
  }
  for (unsigned i = 0; i < plan.cuts.size(); ++i) {
    for (const llvm::CallInst *marker : plan.cuts[i].markers) {
      const RegionPlan::Operands &carried = plan.operands(marker);
      if (!carried.value && !carried.parameter)
        continue;
      out << "cut " << i << " carries " << *carried.type << (carried.is_signed ? " signed" : "");
      for (auto [title, slot] :
           {std::pair{"value", &carried.value}, {"parameter", &carried.parameter}})
        if (*slot) {
          out << ", " << title << ' ';
          printer.slot(**slot);
        }
      out << '\n';
    }
  }
}
