// ze_cpu_opt --stage=NAME [options] FILE: runs one stage of the CPU driver's compiler on a module
// and prints what comes out.
//
// A stage is a function or a class of src/ze_cpu/jit and has its name; what it returns is printed
// in comments before the module. Two stages are analyses, of which the result is printed alone.
// FILE is LLVM's text or bitcode, or SPIR-V for the stages that read it. The module must be valid
// before the stage and is checked again behind it. Exit code 1: what is wrong is on standard error.
#include "print.h"

#include "../../../src/ze_cpu/jit/codegen/kernel_entries.h"
#include "../../../src/ze_cpu/jit/codegen/similar_functions.h"
#include "../../../src/ze_cpu/jit/front/access_traces.h"
#include "../../../src/ze_cpu/jit/front/builtin_ranges.h"
#include "../../../src/ze_cpu/jit/front/check_calls.h"
#include "../../../src/ze_cpu/jit/front/context_parameters.h"
#include "../../../src/ze_cpu/jit/front/division.h"
#include "../../../src/ze_cpu/jit/front/local_memory.h"
#include "../../../src/ze_cpu/jit/front/memory_checks.h"
#include "../../../src/ze_cpu/jit/front/source_lines.h"
#include "../../../src/ze_cpu/jit/front/translate.h"
#include "../../../src/ze_cpu/jit/lanes/access_order.h"
#include "../../../src/ze_cpu/jit/lanes/adjacent_lanes.h"
#include "../../../src/ze_cpu/jit/lanes/vector_pieces.h"
#include "../../../src/ze_cpu/jit/lock_step/guarded_exchanges.h"
#include "../../../src/ze_cpu/jit/lock_step/lock_step.h"
#include "../../../src/ze_cpu/jit/lock_step/memory_waits.h"
#include "../../../src/ze_cpu/jit/loops/empty_masks.h"
#include "../../../src/ze_cpu/jit/loops/grid_stride.h"
#include "../../../src/ze_cpu/jit/loops/group_rows.h"
#include "../../../src/ze_cpu/jit/loops/interchange.h"
#include "../../../src/ze_cpu/jit/loops/nontemporal_stores.h"
#include "../../../src/ze_cpu/jit/loops/private_arrays.h"
#include "../../../src/ze_cpu/jit/loops/row_accesses.h"
#include "../../../src/ze_cpu/jit/loops/uniform_divisions.h"
#include "../../../src/ze_cpu/jit/loops/uniform_loads.h"
#include "../../../src/ze_cpu/jit/loops/unroll.h"
#include "../../../src/ze_cpu/jit/loops/vectorizer_workaround.h"
#include "../../../src/ze_cpu/jit/lower/builtins.h"
#include "../../../src/ze_cpu/jit/lower/work_item.h"
#include "../../../src/ze_cpu/jit/regions/exchanges.h"
#include "../../../src/ze_cpu/jit/regions/fission.h"
#include "../../../src/ze_cpu/jit/regions/joined_points.h"
#include "../../../src/ze_cpu/jit/regions/lane_parameters.h"
#include "../../../src/ze_cpu/jit/regions/sync_points.h"
#include "../../../src/ze_cpu/jit/rows/columns.h"
#include "../../../src/ze_cpu/jit/rows/frozen_indices.h"
#include "../../../src/ze_cpu/jit/rows/narrow_indices.h"
#include "../../../src/ze_cpu/jit/rows/row_checks.h"
#include "../../../src/ze_cpu/jit/rows/row_conditions.h"
#include "../../../src/ze_cpu/jit/rows/tile_loops.h"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <cstdlib>

using namespace ze_cpu;
namespace cl = llvm::cl;

namespace {

cl::opt<std::string> input(cl::Positional, cl::desc("FILE"), cl::Required);
cl::opt<std::string> stage("stage", cl::desc("the stage to run"), cl::Required);
cl::opt<std::string> only("function",
                          cl::desc("leave out all functions that this one does not call"));
cl::opt<unsigned> sub_group_size("sub-group-size", cl::init(32));
cl::opt<bool> by_sub_group("by-sub-group", cl::desc("a team is a sub-group, not a work-group"));
cl::opt<bool> called("called", cl::desc("functions are not kernels: others call them"));
cl::opt<bool> wanted("wanted", cl::desc("interchange loops whether it pays or not"));
cl::opt<unsigned> first_id("first-id", cl::desc("of synchronisation points"), cl::init(1));
cl::list<std::string> shared("shared", cl::CommaSeparated,
                             cl::desc("functions that another unit defines"));
cl::list<std::string>
    placed("placed", cl::desc("NAME=OFFSET: a work-group variable that another unit has placed"));
cl::opt<unsigned> placed_bytes("placed-bytes", cl::desc("work-group memory of other units"));
cl::list<std::string> constants("constant",
                                cl::desc("ID=VALUE: a specialization constant of 32 bits"));

[[noreturn]] void fail(const llvm::Twine &why) {
  llvm::errs() << "ze_cpu_opt: " << why << '\n';
  std::exit(1);
}

void verify(const llvm::Module &module, const char *when) {
  std::string problems;
  llvm::raw_string_ostream out(problems);
  if (llvm::verifyModule(module, &out))
    fail(llvm::Twine("the module is not valid ") + when + " the stage: " + problems);
}

std::pair<std::string, uint32_t> assignment(const std::string &text) {
  const auto [name, number] = llvm::StringRef(text).split('=');
  uint32_t value = 0;
  if (number.getAsInteger(0, value))
    fail("\"" + text + "\" is not NAME=NUMBER");
  return {name.str(), value};
}

Team team() { return {by_sub_group, sub_group_size}; }

/// The same on whatever machine the tests run.
llvm::TargetMachine &machine() {
  static const std::unique_ptr<llvm::TargetMachine> made = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    llvm::orc::JITTargetMachineBuilder builder(llvm::Triple("x86_64-unknown-linux-gnu"));
    builder.setCPU("x86-64-v3");
    return llvm::cantFail(builder.createTargetMachine());
  }();
  return *made;
}

/// The functions that the module defines at the moment.
std::vector<llvm::Function *> bodies(llvm::Module &module) {
  std::vector<llvm::Function *> found;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      found.push_back(&function);
  return found;
}

void keep_only(llvm::Module &module, llvm::StringRef name) {
  llvm::Function *kept = module.getFunction(name);
  if (!kept || kept->isDeclaration())
    fail("the module does not define \"" + name + "\"");
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function *function : bodies(module))
      if (function != kept && function->use_empty()) {
        function->eraseFromParent();
        changed = true;
      }
  }
}

/// A kernel's own parameters, laid out as make_module_ir does.
KernelInfo describe(const llvm::Function &body) {
  const llvm::DataLayout &layout = body.getDataLayout();
  KernelInfo info;
  info.name = body.getName().str();
  uint64_t offset = 0;
  for (const llvm::Argument &parameter : llvm::drop_begin(body.args(), context_parameter::count)) {
    llvm::Type *type = parameter.getType();
    ArgumentKind kind = ArgumentKind::value;
    if (parameter.hasByValAttr())
      type = parameter.getParamByValType();
    else if (type->isPointerTy())
      kind = type->getPointerAddressSpace() == 3 ? ArgumentKind::local : ArgumentKind::pointer;
    offset = llvm::alignTo(offset, layout.getABITypeAlign(type));
    const uint64_t size = layout.getTypeAllocSize(type);
    info.arguments.push_back({kind, static_cast<uint32_t>(size), static_cast<uint32_t>(offset)});
    offset += size;
  }
  info.argument_bytes = static_cast<uint32_t>(llvm::alignTo(offset, 8));
  return info;
}

std::string entry_name(const llvm::Function &body) { return body.getName().str() + ".entry"; }

using Stage = std::function<void(llvm::Module &)>;

/// A stage that works on one function: the one that was asked for, else on each.
Stage each(const std::function<void(llvm::Function &)> &run) {
  return [run](llvm::Module &module) {
    for (llvm::Function *function : bodies(module))
      if (only.empty() || function->getName() == only)
        run(*function);
  };
}

void note(const llvm::Twine &text) { llvm::outs() << "; " << text << '\n'; }
void note(const llvm::Function &function, const llvm::Twine &text) {
  note(function.getName() + ": " + text);
}

void lower(llvm::Function &function) {
  LoweringUnit unit{.sub_group_size = sub_group_size};
  lower_builtins(function, unit);
  if (unit.has_sync)
    note(function, unit.has_grid_sync ? "synchronises the grid" : "synchronises");
}

template <class Pass>
void run_pass(llvm::Function &function, const char *same, const char *changed) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager analyses;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(analyses);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, analyses, components, modules);
  note(function, Pass().run(function, analyses).areAllPreserved() ? same : changed);
}

void place_locals(llvm::Module &module) {
  LocalLayout layout;
  layout.bytes = placed_bytes;
  for (const std::string &text : placed)
    layout.offsets.insert(assignment(text));
  layout = place_local_variables(module, layout);
  for (const auto &[name, offset] : layout.offsets)
    note(name + " at " + llvm::Twine(offset));
  note(llvm::Twine(layout.bytes) + " bytes of work-group memory");
}

void report(const llvm::Function &body, bool made, const FissionResult &result) {
  if (!made)
    return note(body, "not cut");
  note(body, "lane " + llvm::Twine(result.lane_bytes) + " bytes, of those private " +
                 llvm::Twine(result.private_bytes) +
                 (result.by_sub_group ? ", by sub-group" : ", by work-group"));
}

void region_entry(llvm::Function &body) {
  FissionResult result;
  const bool made =
      make_region_entry(body, describe(body), sub_group_size, machine(),
                        wanted ? LoopUse::interchanged : LoopUse::interchanged_where_it_pays,
                        PartCode::fast, entry_name(body), result);
  report(body, made, result);
}

void interchanged_entry(llvm::Function &body) {
  FissionResult result;
  const bool made =
      make_interchanged_entry(body, describe(body), machine(), wanted, entry_name(body), result);
  report(body, made, result);
}

void interchange(llvm::Function &body) {
  const Interchange made = prepare_interchange(body, machine(), wanted);
  note(body, !made.body ? "left as it is"
             : made.is_inside
                 ? "made " + made.body->getName() + ", inside if " + made.is_inside->getName()
                 : "made " + llvm::Twine(made.body->getName()));
}

void exchange(llvm::Function &body) {
  const RegionPlan plan(body, team());
  auto *type = llvm::Type::getInt8Ty(body.getContext());
  for (const Cut &cut : plan.cuts) {
    if (cut.kind == Cut::Kind::sync && !exchanges_at(plan, cut))
      note(body, "nothing to exchange at point " + llvm::Twine(id_of(*cut.markers.front())));
    if (!exchanges_at(plan, cut))
      continue;
    auto *point =
        new llvm::GlobalVariable(*body.getParent(), type, true, llvm::GlobalValue::ExternalLinkage,
                                 nullptr, "point" + llvm::Twine(id_of(*cut.markers.front())));
    make_exchange(plan, team(), body, cut, point, team().is_sub_group ? Lanes::whole : Lanes::any);
  }
}

void number_points(llvm::Module &module) {
  const SyncFunctions functions(module, false);
  uint32_t next = first_id;
  for (llvm::Function *function : bodies(module))
    next = order_sync_points(*function, functions, next);
  note("next id " + llvm::Twine(next));
}

/// Stages that change a module.
const std::map<std::string, Stage, std::less<>> &stages() {
  static const std::map<std::string, Stage, std::less<>> all = {
      {"declare_builtin_ranges",
       [](llvm::Module &module) { declare_builtin_ranges(module, sub_group_size); }},
      {"add_context_parameters",
       [](llvm::Module &module) {
         add_context_parameters(module, {shared.begin(), shared.end()});
       }},
      {"lower_builtins", each(lower)},
      {"keep_lock_step", each([](llvm::Function &function) {
         note(function,
              keep_lock_step(function, sub_group_size, !called) ? "waits" : "does not wait");
       })},
      {"find_lane_parameters",
       each([](llvm::Function &function) { find_lane_parameters(function, sub_group_size); })},
      {"join_sync_points", each(join_sync_points)},
      {"load_lane_parameters", each([](llvm::Function &function) {
         find_lane_parameters(function, sub_group_size);
         load_lane_parameters(function);
       })},
      {"mark_memory_waits", each([](llvm::Function &function) {
         note(function, mark_memory_waits(function) ? "waits" : "does not wait");
       })},
      {"guard_divisions", guard_divisions},
      {"HoistUniformLoads", each([](llvm::Function &function) {
         run_pass<HoistUniformLoads>(function, "nothing to hoist", "hoisted");
       })},
      {"KeepVaryingLoops", each([](llvm::Function &function) {
         run_pass<KeepVaryingLoops>(function, "left as it is", "kept");
       })},
      {"KeepVectorizerChecks", each([](llvm::Function &function) {
         run_pass<KeepVectorizerChecks>(function, "left as it is", "kept");
       })},
      {"ForgetScopes", each([](llvm::Function &function) {
         run_pass<ForgetScopes>(function, "left as it is", "forgotten");
       })},
      {"HoistDivisions", each([](llvm::Function &function) {
         run_pass<HoistDivisions>(function, "nothing to hoist", "hoisted");
       })},
      {"MultiplyByReciprocals", each([](llvm::Function &function) {
         run_pass<MultiplyByReciprocals>(function, "left as it is", "multiplies");
       })},
      {"SeparateRowConditions", each([](llvm::Function &function) {
         run_pass<SeparateRowConditions>(function, "left as it is", "separated");
       })},
      {"KeepAccessOrder", each([](llvm::Function &function) {
         run_pass<KeepAccessOrder>(function, "left as it is", "keeps order");
       })},
      {"NarrowIndices", each([](llvm::Function &function) {
         run_pass<NarrowIndices>(function, "left as it is", "narrowed");
       })},
      {"FreezeBeforeLanes", each([](llvm::Function &function) {
         run_pass<FreezeBeforeLanes>(function, "left as it is", "frozen before");
       })},
      {"PrepareCheckedLoops", each([](llvm::Function &function) {
         run_pass<PrepareCheckedLoops>(function, "left as it is", "prepared");
       })},
      {"hide_index_masks", each(hide_index_masks)},
      {"place_local_variables", place_locals},
      {"check_memory_accesses", check_memory_accesses},
      {"forget_lines", forget_lines},
      {"AskOnlyWhereNeeded", each([](llvm::Function &function) {
         run_pass<AskOnlyWhereNeeded>(function, "left as it is", "asks only where needed");
       })},
      {"HoistRowChecks", each([](llvm::Function &function) {
         run_pass<HoistRowChecks>(function, "left as it is", "hoisted");
       })},
      {"trace_accesses", // of a kernel, if there is one function alone
       [](llvm::Module &module) {
         trace_accesses(module, true, only.empty() ? nullptr : module.getFunction(only));
       }},
      {"order_sync_points", number_points},
      {"sync_points_to_fiber_calls", sync_points_to_fiber_calls},
      {"read_structs_in_place",
       each([](llvm::Function &body) { read_structs_in_place(body, describe(body)); })},
      {"make_loop_entry",
       each([](llvm::Function &body) { make_loop_entry(body, describe(body), entry_name(body)); })},
      {"take_bounds_apart", each([](llvm::Function &body) {
         const Interchange inside = take_bounds_apart(body);
         note(body, inside.body ? "has bounds" : "left as it is");
         if (inside.body)
           make_loop_entry(body, describe(body), entry_name(body), inside.body, inside.is_inside);
       })},
      {"group_rows", each([](llvm::Function &body) {
         const std::optional<GroupRows> joined = group_rows(body);
         note(body, !joined        ? "apart"
                    : joined->size ? "groups of " + llvm::Twine(joined->size)
                                   : "groups of any size");
         if (!joined)
           return;
         const Interchange inside = take_bounds_apart(body);
         make_loop_entry(body, describe(body), entry_name(body), inside.body, inside.is_inside,
                         joined);
       })},
      {"make_fiber_entry", each([](llvm::Function &body) {
         make_fiber_entry(body, describe(body), entry_name(body));
       })},
      {"make_region_entry", each(region_entry)},
      {"make_interchanged_entry", each(interchanged_entry)},
      {"prepare_interchange", each(interchange)},
      {"take_arrays_apart", each([](llvm::Function &body) {
         note(body, take_arrays_apart(body, machine()) ? "taken apart" : "left as it is");
       })},
      {"share_ends_beside", each([](llvm::Function &body) {
         for (const llvm::BasicBlock *header :
              share_ends_beside(body, team(), [](size_t) { return true; }))
           note(body, header ? "shares ends" : "left as it is");
       })},
      {"go_by_rows", each([](llvm::Function &body) {
         note(body, go_by_rows(body, team()) ? "goes by rows" : "left as it is");
       })},
      {"join_rows", each([](llvm::Function &body) {
         note(body, join_rows(body) ? "joined" : "left as it is");
       })},
      {"share_ends", each([](llvm::Function &body) {
         note(body, share_ends(body) ? "shares ends" : "left as it is");
       })},
      {"widen_guarded_exchanges", each([](llvm::Function &body) {
         note(body, widen_guarded_exchanges(body, team().sub_group_size, true) ? "widened"
                                                                               : "left as it is");
       })},
      {"access_rows", each(access_rows)},
      {"access_adjacent_lanes", each(access_adjacent_lanes)},
      {"access_in_pieces", each([](llvm::Function &body) {
         note(body, access_in_pieces(body) ? "in pieces" : "left as it is");
       })},
      {"access_known_lanes", each([](llvm::Function &body) {
         note(body, access_known_lanes(body) ? "accesses lanes" : "left as it is");
       })},
      {"skip_empty_masks", each(skip_empty_masks)},
      {"add_nontemporal_loops", each([](llvm::Function &entry) {
         const uint32_t bytes = add_nontemporal_loops(entry);
         note(entry, llvm::Twine(bytes) + " non-temporal bytes");
       })},
      {"make_exchange", each(exchange)},
      {"merge_similar_functions", merge_similar_functions},
  };
  return all;
}

/// Stages that change nothing, or nothing that is worth being looked at.
const std::map<std::string, Stage, std::less<>> &analyses() {
  static const std::map<std::string, Stage, std::less<>> all = {
      {"Uniformity",
       each([](llvm::Function &body) { print(Uniformity(body, team()), body, llvm::outs()); })},
      {"RegionPlan",
       each([](llvm::Function &body) { print(RegionPlan(body, team()), body, llvm::outs()); })},
  };
  return all;
}

std::string names() {
  std::string all = " translate validate";
  for (const auto &table : {analyses(), stages()})
    for (const auto &[name, run] : table)
      all += " " + name;
  return all;
}

std::span<const std::byte> bytes_of(const llvm::MemoryBuffer &buffer) {
  return std::as_bytes(std::span(buffer.getBufferStart(), buffer.getBufferSize()));
}

void run_translate(llvm::LLVMContext &context, const llvm::MemoryBuffer &buffer) {
  std::vector<std::pair<uint32_t, uint32_t>> values;
  for (const std::string &text : constants) {
    const auto [id, value] = assignment(text);
    values.push_back({static_cast<uint32_t>(std::stoul(id)), value});
  }
  std::vector<SpecializationConstant> given;
  for (const auto &[id, value] : values)
    given.push_back({id, std::as_bytes(std::span(&value, 1))});
  auto module = translate(context, bytes_of(buffer), given);
  if (!module)
    fail(module.error());
  verify(**module, "behind");
  (*module)->print(llvm::outs(), nullptr);
}

void run_validate(const llvm::MemoryBuffer &buffer) {
  const Validation validation = validate(bytes_of(buffer));
  llvm::outs() << (validation.accepted ? "accepted" : "refused") << '\n' << validation.log;
}

void run_on_module(llvm::LLVMContext &context, const llvm::MemoryBuffer &buffer) {
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseIR(buffer, error, context);
  if (!module) {
    error.print("ze_cpu_opt", llvm::errs());
    std::exit(1);
  }
  module->setTargetTriple(machine().getTargetTriple());
  module->setDataLayout(machine().createDataLayout());
  verify(*module, "before");
  if (!only.empty())
    keep_only(*module, only);
  if (const auto analysis = analyses().find(stage); analysis != analyses().end())
    return analysis->second(*module);
  const auto chosen = stages().find(stage);
  if (chosen == stages().end())
    fail("there is no stage \"" + stage + "\"; there are" + names());
  chosen->second(*module);
  verify(*module, "behind");
  module->print(llvm::outs(), nullptr);
}

} // namespace

int main(int argc, char **argv) try {
  cl::ParseCommandLineOptions(argc, argv, "Runs one stage of the CPU driver's compiler.\n");
  auto buffer = llvm::MemoryBuffer::getFile(input);
  if (!buffer)
    fail(input + ": " + buffer.getError().message());
  llvm::LLVMContext context;
  if (stage == "translate")
    run_translate(context, **buffer);
  else if (stage == "validate")
    run_validate(**buffer);
  else
    run_on_module(context, *buffer->get());
  return 0;
} catch (const LoweringError &error) {
  llvm::errs() << "ze_cpu_opt: " << error.what() << '\n';
  return 1;
}
