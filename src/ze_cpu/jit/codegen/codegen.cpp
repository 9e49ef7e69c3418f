#include "codegen.h"
#include "../front/check_calls.h"
#include "../front/division.h"
#include "../front/memory_checks.h"
#include "../lanes/access_order.h"
#include "../loops/uniform_divisions.h"
#include "../loops/uniform_loads.h"
#include "../loops/unroll.h"
#include "../loops/vectorizer_workaround.h"
#include "../rows/frozen_indices.h"
#include "../rows/narrow_indices.h"
#include "../rows/row_checks.h"
#include "../rows/row_conditions.h"
#include "llvm_compat.h"
#include "vector_library.h"

#include <climits>
#include <iterator>
#include <llvm/ADT/StringSet.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/TargetSelect.h>
#include <mutex>

namespace ze_cpu {
namespace {

// Whether a pass may look at `ir`. Some take more than linear time: constraint elimination in the number of conditions, in a kernel of 1,600
// a quarter of all; and the vectoriser of straight code, which finds nothing in what is vectors of lanes already, as much in a sort.
bool is_affordable(llvm::StringRef pass, llvm::Any ir) {
  const unsigned large = pass == "ConstraintEliminationPass" ? 3000
                         : pass == "SLPVectorizerPass"       ? 500
                                                             : UINT_MAX;
  auto *function = llvm::any_cast<const llvm::Function *>(&ir);
  return !function || (*function)->getInstructionCount() <= large;
}

void with_passes(llvm::TargetMachine &machine,
                 const std::function<void(llvm::PassBuilder &, llvm::ModuleAnalysisManager &,
                                          llvm::FunctionAnalysisManager &)> &run) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(is_affordable);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // Before the builder registers its own, which knows no vectorised mathematics.
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  add_vector_library(library, machine);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  run(builder, modules, functions);
}

void run_passes(llvm::Module &module, llvm::TargetMachine &machine,
                const std::function<void(llvm::PassBuilder &, llvm::ModulePassManager &)> &fill) {
  with_passes(machine, [&](llvm::PassBuilder &builder, llvm::ModuleAnalysisManager &modules,
                           llvm::FunctionAnalysisManager &) {
    llvm::ModulePassManager passes;
    fill(builder, passes);
    passes.run(module, modules);
  });
}

// Leaves out the passes of code generation that take quadratic time for long blocks: the schedulers, behind which the processor schedules
// again. Blocks are that long where each lane handles the elements of an array one by one.
class LongBlocks : public compat::PassGate {
public:
  explicit LongBlocks(llvm::Module &module) : context_(module.getContext()) {
    constexpr size_t longest = 1000;
    for (const llvm::Function &function : module)
      if (llvm::any_of(function,
                       [](const llvm::BasicBlock &block) { return block.size() > longest; }))
        functions_.insert("function (" + function.getName().str() + ")");
    context_.setOptPassGate(*this);
  }
  LongBlocks(const LongBlocks &) = delete;
  LongBlocks &operator=(const LongBlocks &) = delete;
  ~LongBlocks() override { context_.setOptPassGate(llvm::getGlobalPassGate()); }

  bool isEnabled() const override { return !functions_.empty(); }

private:
  bool is_wanted(llvm::StringRef pass, llvm::StringRef description) const override {
    const bool is_scheduler = pass == "Post RA top-down list latency scheduler" ||
                              pass == "Machine Instruction Scheduler";
    return !is_scheduler || !functions_.contains(description);
  }

  llvm::LLVMContext &context_;
  llvm::StringSet<> functions_;
};

// Whether code generation reduces the strength of loops. Regions have so many loops over lanes that it would take a third of the time,
// and they are no faster for it: it takes computations of addresses out of loops, of which a processor does several beside each access.
// There is only the option of LLVM's command line, which is for the process; and a process compiles one thing at a time.
void reduce_strength(bool is_wanted) {
  auto &options = llvm::cl::getRegisteredOptions();
  if (const auto found = options.find("disable-lsr"); found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(!is_wanted);
}

} // namespace

const llvm::orc::JITTargetMachineBuilder &host_processor() {
  // Asked for once: in a virtual machine the questions are slow. Never destroyed: threads may link
  // until the process is gone.
  static const auto &host = *new llvm::orc::JITTargetMachineBuilder(
      llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost()));
  return host;
}

std::expected<std::unique_ptr<llvm::TargetMachine>, std::string>
make_target_machine(const BuildOptions &options) {
  static std::once_flag once;
  llvm::orc::JITTargetMachineBuilder builder = host_processor();
  std::call_once(once, [&] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Vectors whose length only execution knows are none that the passes behind the vectoriser can take.
    constexpr const char *options[] = {"ze_cpu", "-scalable-vectorization=off"};
    if (builder.getTargetTriple().isAArch64())
      llvm::cl::ParseCommandLineOptions(std::size(options), options);
  });
  if (options.architecture != Architecture::native) {
    builder.setCPU(name_of(options.architecture));
    builder.getFeatures() = llvm::SubtargetFeatures();
  }
  builder.setCodeGenOptLevel(options.optimise ? llvm::CodeGenOptLevel::Aggressive
                                              : llvm::CodeGenOptLevel::None);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  llvm::TargetOptions &target = builder.getOptions();
  target.EmitStackSizeSection = true;
  // A kernel that runs into undefined behaviour should stop there and not in whatever code comes
  // next.
  target.TrapUnreachable = true;
  target.NoTrapAfterNoreturn = false;
  auto machine = builder.createTargetMachine();
  if (!machine)
    return std::unexpected(llvm::toString(machine.takeError()));
  return std::move(*machine);
}

void prepare_function(llvm::Function &function, const llvm::TargetMachine &machine) {
  if (function.isIntrinsic())
    return;
  function.addFnAttr(llvm::Attribute::NoUnwind);
  if (function.isDeclaration())
    return;
  // Debuggers find the callers of a kernel.
  function.setUWTableKind(llvm::UWTableKind::Async);
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
}

void avoid_gathers(llvm::Function &function, const llvm::TargetMachine &machine) {
  if (machine.getTargetTriple().isX86())
    function.addFnAttr("target-features",
                       (machine.getTargetFeatureString() + ",+prefer-no-gather").str());
}

void clean_up(llvm::Module &module, llvm::TargetMachine &machine) {
  run_passes(module, machine, [](llvm::PassBuilder &builder, llvm::ModulePassManager &passes) {
    llvm::cantFail(builder.parsePassPipeline(passes,
                                             "always-inline,globaldce,function(sroa,instcombine<no-"
                                             "verify-fixpoint>,simplifycfg,early-cse,dce),"
                                             "cgscc(function-attrs)"));
  });
}

void bring_into_shape(llvm::Function &function, llvm::TargetMachine &machine,
                      llvm::StringRef pipeline) {
  with_passes(machine, [&](llvm::PassBuilder &builder, llvm::ModuleAnalysisManager &,
                           llvm::FunctionAnalysisManager &functions) {
    llvm::FunctionPassManager passes;
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
    passes.run(function, functions);
  });
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine, const BuildOptions &options) {
  run_passes(module, machine, [&](llvm::PassBuilder &builder, llvm::ModulePassManager &passes) {
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager &functions, llvm::OptimizationLevel) {
          functions.addPass(ForgetScopes());
          functions.addPass(HoistUniformLoads());
          functions.addPass(SeparateRowConditions());
          functions.addPass(HoistUniformLoads());
          functions.addPass(FreezeBeforeLanes());
          functions.addPass(HoistDivisions());
          functions.addPass(MultiplyByReciprocals());
          functions.addPass(NarrowIndices());
          functions.addPass(KeepAccessOrder());
          functions.addPass(HoistRowChecks());
          functions.addPass(PrepareCheckedLoops());
          functions.addPass(AskOnlyWhereNeeded());
          functions.addPass(KeepVaryingLoops());
          functions.addPass(KeepVectorizerChecks());
        });
    passes = options.optimise ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
                              : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  });
}

std::expected<std::unique_ptr<llvm::MemoryBuffer>, std::string>
generate_object(llvm::Module &module, llvm::TargetMachine &machine, bool has_many_loops) {
  const LongBlocks long_blocks(module);
  reduce_strength(!has_many_loops);
  llvm::orc::SimpleCompiler compiler(machine);
  auto object = compiler(module);
  if (!object)
    return std::unexpected(llvm::toString(object.takeError()));
  return std::move(*object);
}

uint32_t frame_bytes(const llvm::MemoryBuffer &buffer) {
  auto object = llvm::object::ObjectFile::createObjectFile(buffer.getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return 0;
  }
  uint64_t total = 0;
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (*name != ".stack_sizes")
      continue;
    // Entries are an address and a size in LEB128.
    auto *at = reinterpret_cast<const uint8_t *>(contents->begin()),
         *end = reinterpret_cast<const uint8_t *>(contents->end());
    while (end - at > 8) {
      unsigned length = 0;
      total += llvm::decodeULEB128(at + 8, &length, end) + 16;
      at += 8 + length;
    }
  }
  return static_cast<uint32_t>(std::min<uint64_t>(total, 1u << 30));
}

} // namespace ze_cpu
