#include "compile.h"

#include "../front/access_traces.h"
#include "../front/builtin_ranges.h"
#include "../front/check_calls.h"
#include "../front/context_parameters.h"
#include "../front/diagnostics.h"
#include "../front/division.h"
#include "../front/extract_unit.h"
#include "../front/local_memory.h"
#include "../front/memory_checks.h"
#include "../front/source_lines.h"
#include "../lanes/adjacent_lanes.h"
#include "../lanes/vector_pieces.h"
#include "../lock_step/clock_waits.h"
#include "../lock_step/guarded_exchanges.h"
#include "../lock_step/lock_step.h"
#include "../lock_step/memory_waits.h"
#include "../loops/empty_masks.h"
#include "../loops/interchange.h"
#include "../loops/nontemporal_stores.h"
#include "../loops/row_accesses.h"
#include "../loops/vectorizer_workaround.h"
#include "../lower/builtins.h"
#include "../regions/fission.h"
#include "../regions/joined_points.h"
#include "../regions/lane_parameters.h"
#include "../regions/sync_points.h"
#include "../rows/columns.h"
#include "codegen.h"
#include "kernel_entries.h"
#include "similar_functions.h"

#include "../../../common/marks/lock_step_marks.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace ze_cpu {
namespace {

// Kernels' numbers are others than those of functions that they call through pointers.
constexpr uint32_t first_kernel_sync_id = 1u << 20;

constexpr uint32_t unbounded_stack = 256 * 1024;

bool calls_through_pointer(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (!call->getCalledFunction() && !call->isInlineAsm())
          return true;
  return false;
}

bool is_dynamic_alloca(const llvm::Instruction &instruction) {
  auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
  return alloca && !alloca->isStaticAlloca();
}

// Functions in a cycle of calls.
std::set<llvm::Function *> recursive_functions(llvm::Module &module) {
  std::set<llvm::Function *> found;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (llvm::CallGraphNode *node : *component)
        if (node->getFunction())
          found.insert(node->getFunction());
  return found;
}

// Instructions of each function once everything that it calls is inlined into it.
std::map<llvm::Function *, uint64_t> inlined_sizes(llvm::Module &module) {
  std::map<llvm::Function *, uint64_t> sizes;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    for (llvm::CallGraphNode *node : *component) {
      llvm::Function *function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      uint64_t size = function->getInstructionCount();
      for (const auto &call : *node)
        if (llvm::Function *callee = call.second->getFunction(); callee && sizes.contains(callee))
          size += sizes[callee];
      sizes[function] = std::min<uint64_t>(size, UINT32_MAX);
    }
  return sizes;
}

// Everything is inlined that can be: only then do work-items vectorise and synchronisation need no
// stack of its own. Large functions that are called from several places stay calls, else modules
// could grow without bound.
void choose_inlining(llvm::Module &module, const std::set<llvm::Function *> &recursive) {
  constexpr uint64_t large = 5000;
  std::map<llvm::Function *, uint64_t> sizes = inlined_sizes(module);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    // A call may say it by itself.
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (!function.hasLocalLinkage() || recursive.contains(&function))
      continue;
    if (sizes[&function] <= large || function.hasOneUse())
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    else
      function.addFnAttr(llvm::Attribute::NoInline);
  }
}

// The compiler's own clean-up must not take apart what lanes do together.
void mark_lock_step(llvm::Module &module) {
  chip::add_lock_step_marks(module);
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().contains("__spirv_MemoryBarrier"))
      function.addFnAttr(llvm::Attribute::Convergent);
}

void set_math_flags(llvm::Module &module, const ModuleIr &ir) {
  const BuildOptions &options = ir.options;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::FPMathOperator>(instruction))
        continue;
      llvm::FastMathFlags flags = instruction.getFastMathFlags();
      if (ir.contract)
        flags.setAllowContract();
      if (options.finite_math) {
        flags.setNoNaNs();
        flags.setNoInfs();
      }
      if (options.relaxed_math) {
        flags.setAllowReassoc();
        flags.setAllowReciprocal();
        flags.setNoSignedZeros();
        flags.setApproxFunc();
      }
      instruction.setFastMathFlags(flags);
    }
}

std::string undefined_functions(const llvm::Module &module, const ModuleIr &ir) {
  std::string missing;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        function.getName().starts_with("__spirv") &&
        !ir.shared_functions.contains(function.getName().str()))
      missing += "unresolved function " + function.getName().str() + "\n";
  return missing;
}

bool is_kernel_kind(UnitKind kind) { return kind >= UnitKind::kernel; }

using Values = llvm::SmallPtrSet<llvm::Value *, 16>;

// `values`, and what is computed from them by instructions that `follows` says.
Values made_from(const Values &values, bool (*follows)(const llvm::Instruction &)) {
  Values found;
  llvm::SmallVector<llvm::Value *> pending(values.begin(), values.end());
  while (!pending.empty())
    if (llvm::Value *value = pending.pop_back_val(); found.insert(value).second)
      for (llvm::User *user : value->users())
        if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
            instruction && follows(*instruction))
          pending.push_back(instruction);
  return found;
}

// Where work-items are in a dimension of their work-group, in numbers of any width.
Values local_ids(llvm::Module &module, unsigned dimension) {
  Values calls;
  for (llvm::Function &function : module)
    if (builtin_name(function.getName()) == "BuiltInLocalInvocationId")
      for (llvm::User *user : function.users())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
          if (auto *asked = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
              !asked || asked->equalsInt(dimension))
            calls.insert(call);
  return made_from(calls, [](const llvm::Instruction &user) { return user.isCast(); });
}

// Whether the work-groups of a kernel have one work-item in dimension 0, as it seems and as those of Kokkos: it uses a place in dimension 1 by
// itself, and one in dimension 0 at most to add it to what follows from such, as in y * width + x, or to see whether it is the first.
bool seems_to_be_of_columns(llvm::Module &module) {
  const Values xs = local_ids(module, 0), ys = local_ids(module, 1);
  const Values from_ys = made_from(ys, [](const llvm::Instruction &user) {
    return user.isCast() || user.isBinaryOp() || llvm::isa<llvm::GetElementPtrInst>(user);
  });
  const auto is_beside_column = [&](llvm::User *user) {
    auto *const operation = llvm::dyn_cast<llvm::Instruction>(user);
    const unsigned opcode = operation ? operation->getOpcode() : 0;
    if (opcode == llvm::Instruction::ICmp &&
        llvm::any_of(operation->operands(), [](llvm::Value *operand) {
          auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
          return constant && constant->isZero();
        }))
      return true;
    return (opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Or ||
            opcode == llvm::Instruction::ICmp || opcode == llvm::Instruction::GetElementPtr) &&
           llvm::any_of(operation->operands(),
                        [&](llvm::Value *operand) { return from_ys.contains(operand); });
  };
  for (llvm::Value *x : xs)
    for (llvm::User *user : x->users())
      if (!xs.contains(user) && !is_beside_column(user))
        return false;
  return llvm::any_of(ys, [&](llvm::Value *y) {
    return llvm::any_of(y->users(), [&](llvm::User *user) {
      auto *operation = llvm::dyn_cast<llvm::Instruction>(user);
      return operation && !ys.contains(operation) &&
             operation->getOpcode() != llvm::Instruction::Mul &&
             operation->getOpcode() != llvm::Instruction::Shl &&
             llvm::none_of(operation->operands(),
                           [&](llvm::Value *operand) { return xs.contains(operand); });
    });
  });
}

bool is_of_columns(UnitKind kind, llvm::Module &module) {
  return kind == UnitKind::kernel ? seems_to_be_of_columns(module)
                                  : kind >= UnitKind::kernel_of_columns;
}

class UnitCompiler {
public:
  UnitCompiler(const ModuleIr &ir, llvm::TargetMachine &machine) : ir_(ir), machine_(machine) {
    context_.setDiagnosticHandler(silent_diagnostics(diagnostics_));
  }

  // `finish` makes the entry points once everything is lowered, and returns the one, if any, whose
  // loops over work-items may have non-temporal stores.
  std::expected<Unit, std::string>
  run(UnitKind kind, const UnitContents &contents, const Unit *shared, uint32_t sub_group_size,
      uint32_t first_sync_id,
      const std::function<llvm::Function *(llvm::Module &, Unit &)> &finish) try {
    auto extracted = extract_unit(ir_, context_, contents);
    if (!extracted)
      return std::unexpected(extracted.error());
    llvm::Module &module = **extracted;
    Unit unit;
    for (llvm::Function &function : module)
      prepare_function(function, machine_);
    set_math_flags(module, ir_);
    declare_builtin_ranges(module, sub_group_size);
    choose_inlining(module, recursive_functions(module));
    if (ir_.options.lock_step)
      mark_lock_step(module);
    clean_up(module, machine_);
    chip::remove_lock_step_marks(module);
    bool recursion = !recursive_functions(module).empty();
    bool through_pointers = calls_through_pointer(module);

    add_context_parameters(module, ir_.shared_functions);
    // Calls through pointers do not say which parameters are passed by value.
    if (first_sync_id != first_kernel_sync_id)
      for (const std::string &root : contents.roots)
        if (llvm::Function *function = module.getFunction(root);
            function && !function->isDeclaration())
          copy_structs(*function);
    unit.may_be_of_columns = is_kernel_kind(kind) && !through_pointers && !ir_.options.checks();
    unit.of_columns = unit.may_be_of_columns && is_of_columns(kind, module);
    LoweringUnit lowering{.sub_group_size = sub_group_size,
                          .checks_masks = ir_.options.trace_barriers,
                          .of_columns = unit.of_columns};
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        lower_builtins(function, lowering);
    if (ir_.options.lock_step)
      for (llvm::Function &function : module) {
        if (function.isDeclaration())
          continue;
        const bool kernel = is_kernel(function, contents, first_sync_id);
        lowering.has_sync |= kernel && wait_for_clock_together(function);
        lowering.has_sync |= keep_lock_step(function, sub_group_size, kernel);
      }
    for (llvm::Function &function : module)
      if (ir_.options.optimise && !function.isDeclaration())
        find_lane_parameters(function, sub_group_size);
    for (llvm::Function &function : module)
      if (ir_.options.optimise && !function.isDeclaration())
        join_sync_points(function);
    for (llvm::Function &function : module)
      if (ir_.options.optimise && !ir_.options.checks() && !function.isDeclaration())
        widen_guarded_exchanges(function, sub_group_size,
                                is_kernel(function, contents, first_sync_id));
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        unit.waits_for_memory |= mark_memory_waits(function);
    lowering.has_sync |= unit.waits_for_memory;
    guard_divisions(module);
    if (ir_.options.optimise)
      for (llvm::Function &function : module)
        if (!function.isDeclaration())
          hide_index_masks(function);
    unit.local = place_local_variables(module, shared ? shared->local : LocalLayout());
    if (ir_.options.check_memory)
      check_memory_accesses(module);
    if (ir_.options.trace_accesses || ir_.options.trace_barriers)
      trace_accesses(module, ir_.options.trace_accesses,
                     first_sync_id == first_kernel_sync_id && !through_pointers
                         ? module.getFunction(contents.roots.front())
                         : nullptr);
    forget_lines(module); // the places that messages name are made
    if (through_pointers && shared && shared->has_sync && sub_group_size != 32)
      throw LoweringError("functions called through pointers work with sub-groups of 32 only");
    const bool calls_shared = shared && through_pointers;
    unit.has_sync = lowering.has_sync || (calls_shared && shared->has_sync);
    unit.has_grid_sync = lowering.has_grid_sync || (calls_shared && shared->has_grid_sync);
    unit.waits_for_memory |= calls_shared && shared->waits_for_memory;
    number_sync_points(module, shared ? shared->has_sync : unit.has_sync, first_sync_id);
    llvm::Function *const nontemporal_entry = finish(module, unit);
    sync_points_to_fiber_calls(module);
    if (std::string missing = undefined_functions(module, ir_); !missing.empty())
      return std::unexpected(missing);

    std::string problems;
    llvm::raw_string_ostream out(problems);
    if (llvm::verifyModule(module, &out))
      return std::unexpected("the compiler made invalid code: " + problems);
    unit.instructions = module.getInstructionCount();
    if (ir_.options.optimise && !ir_.options.checks())
      merge_similar_functions(module);
    optimise(module, machine_, ir_.options);
    finish_check_calls(module);
    if (nontemporal_entry)
      unit.nontemporal_bytes = add_nontemporal_loops(*nontemporal_entry);
    for (llvm::Function &function : module)
      if (ir_.options.optimise && !function.isDeclaration()) {
        access_rows(function);
        access_adjacent_lanes(function);
        if (access_known_lanes(function))
          bring_into_shape(function, machine_, "instcombine<no-verify-fixpoint>");
        if (access_in_pieces(function))
          bring_into_shape(function, machine_, "gvn,dse,instcombine<no-verify-fixpoint>");
        skip_empty_masks(function);
        if (ir_.options.gathers == Gathers::slow)
          avoid_gathers(function, machine_);
      }
    bool dynamic = false;
    uint64_t private_bytes = 0;
    constexpr uint64_t max_private_bytes = 1u << 30;
    for (llvm::Function &function : module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
          if (unit.in_regions && !function.hasLocalLinkage())
            continue; // the control function's own
          if (auto size = alloca->getAllocationSize(module.getDataLayout());
              size && !size->isScalable())
            private_bytes += std::min<uint64_t>(size->getFixedValue(), max_private_bytes + 1);
          dynamic |= is_dynamic_alloca(instruction);
        }
    if (private_bytes > max_private_bytes)
      return std::unexpected("private variables are larger than 1 GiB\n");
    unit.private_bytes = static_cast<uint32_t>(private_bytes);
    auto object = generate_object(module, machine_, unit.in_regions && unit.has_sync);
    if (!object)
      return std::unexpected(object.error() + diagnostics_);
    if (!diagnostics_.empty())
      return std::unexpected(diagnostics_);
    unit.object = (*object)->getBuffer().str();
    unit.stack_bytes = frame_bytes(**object);
    if (through_pointers && shared)
      unit.stack_bytes += shared->stack_bytes;
    if (recursion || through_pointers || dynamic) {
      unit.stack_is_bounded = false;
      unit.stack_bytes += unbounded_stack;
    }
    return unit;
  } catch (const LoweringError &error) {
    return std::unexpected(std::string(error.what()) + "\n");
  }

private:
  static bool is_kernel(const llvm::Function &function, const UnitContents &contents,
                        uint32_t first_sync_id) {
    return first_sync_id == first_kernel_sync_id &&
           llvm::is_contained(contents.roots, function.getName().str());
  }

  static void number_sync_points(llvm::Module &module, bool through_pointers, uint32_t next) {
    const SyncFunctions functions(module, through_pointers);
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        next = order_sync_points(function, functions, next);
  }

  const ModuleIr &ir_;
  llvm::TargetMachine &machine_;
  std::string diagnostics_;
  llvm::LLVMContext context_;
};

llvm::Function *no_entry(llvm::Module &, Unit &) { return nullptr; }

} // namespace

std::expected<Unit, std::string> compile_shared(const ModuleIr &ir, llvm::TargetMachine &machine) {
  UnitContents contents;
  contents.roots.assign(ir.shared_functions.begin(), ir.shared_functions.end());
  contents.variables = true;
  return UnitCompiler(ir, machine).run(UnitKind::shared, contents, nullptr, 32, 1, no_entry);
}

std::expected<Unit, std::string> compile_function(const ModuleIr &ir, const std::string &symbol,
                                                  const Unit &shared,
                                                  llvm::TargetMachine &machine) {
  return UnitCompiler(ir, machine)
      .run(UnitKind::function, {.roots = {symbol}}, &shared, 32, 1, no_entry);
}

// Unless a flag or functions called through pointers want fibers.
static bool cut_into_regions(llvm::Module &module, llvm::Function &body, const ModuleIr &ir,
                             size_t index, UnitKind kind, const Unit &shared,
                             llvm::TargetMachine &machine, Unit &unit) {
  if (ir.options.fibers || (shared.has_sync && calls_through_pointer(module)))
    return false;
  const ModuleIr::Kernel &kernel = ir.kernels[index];
  const std::string symbol = entry_symbol(kernel.info.name, kind);
  FissionResult result;
  if (unit.has_sync) {
    const LoopUse loops = !ir.options.optimise     ? LoopUse::as_they_are
                          : ir.options.interchange ? LoopUse::interchanged
                                                   : LoopUse::interchanged_where_it_pays;
    const PartCode part_code = is_for_parts(kind) ? PartCode::fast : PartCode::small;
    if (!make_region_entry(body, kernel.info, kernel.sub_group_size, machine, loops, part_code,
                           symbol, result))
      return false;
  } else if (!ir.options.optimise ||
             !make_interchanged_entry(body, kernel.info, machine, ir.options.interchange, symbol,
                                      result)) {
    return false;
  }
  unit.in_regions = true;
  unit.by_sub_group = result.by_sub_group;
  unit.has_small_parts = result.has_small_parts;
  unit.lane_bytes = result.lane_bytes;
  unit.private_bytes = result.private_bytes;
  return true;
}

std::expected<Unit, std::string> compile_kernel(const ModuleIr &ir, size_t index, UnitKind kind,
                                                const Unit &shared, llvm::TargetMachine &machine) {
  const ModuleIr::Kernel &kernel = ir.kernels[index];
  return UnitCompiler(ir, machine)
      .run(kind, {.roots = {kernel.info.name}}, &shared, kernel.sub_group_size,
           first_kernel_sync_id, [&](llvm::Module &module, Unit &unit) -> llvm::Function * {
             llvm::Function &body = *module.getFunction(kernel.info.name);
             std::string symbol = entry_symbol(kernel.info.name, kind);
             // Memory checks know where arguments lie only when each work-item has its own.
             if (!ir.options.checks())
               read_structs_in_place(body, kernel.info);
             if (cut_into_regions(module, body, ir, index, kind, shared, machine, unit)) {
               for (llvm::Function &function : module)
                 prepare_function(function, machine);
               return nullptr;
             }
             const bool may_be_nontemporal =
                 !unit.has_sync && ir.options.optimise && runs_straight(body);
             const Interchange inside =
                 !unit.has_sync && ir.options.optimise ? take_bounds_apart(body) : Interchange{};
             const bool may_be_joined = !unit.has_sync && ir.options.optimise &&
                                        !ir.options.checks() && !body.getSubprogram();
             const std::optional<GroupRows> joined =
                 may_be_joined ? group_rows(body) : std::nullopt;
             llvm::Function *const rows =
                 may_be_joined ? join_rows(inside.body ? *inside.body : body) : nullptr;
             llvm::Function *entry = unit.has_sync
                                         ? make_fiber_entry(body, kernel.info, symbol)
                                         : make_loop_entry(body, kernel.info, symbol, inside.body,
                                                           inside.is_inside, joined, rows);
             prepare_function(*entry, machine);
             // Debuggers see one function: the entry, with the lines of the body.
             entry->setSubprogram(body.getSubprogram());
             body.setSubprogram(nullptr);
             body.setLinkage(llvm::GlobalValue::InternalLinkage);
             body.addFnAttr(llvm::Attribute::AlwaysInline);
             return may_be_nontemporal && !rows ? entry : nullptr;
           });
}

} // namespace ze_cpu
