// Debug information tells the line of each instruction (hipcc -g), which the back end does not pass on: marks do, in front of
// accesses to memory and of calls. To go when LLVM's back end for SPIR-V writes OpLine.
#include "../../common/marks/line_marks.h"
#include "passes.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace chip {
namespace {

/// Of functions of HIP's headers, the place where they are called.
const DILocation *place_of(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  while (location && location->getInlinedAt() &&
         (location->getLine() == 0 || location->getFilename().contains("/hip/spirv_detail/")))
    location = location->getInlinedAt();
  return location && location->getLine() != 0 ? location : nullptr;
}

std::string file_of(const DILocation &location) {
  SmallString<128> path(location.getFilename());
  if (!sys::path::is_absolute(path)) {
    path = location.getDirectory();
    sys::path::append(path, location.getFilename());
  }
  sys::path::remove_dots(path, true);
  return std::string(path);
}

bool wants_line(const Instruction &instruction) {
  if (isa<DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd() ||
      instruction.isTerminator() || isa<PHINode>(instruction) || isa<AllocaInst>(instruction))
    return false;
  return instruction.mayReadOrWriteMemory();
}

void mark(Instruction &instruction, const DILocation &location) {
  IRBuilder<> builder(&instruction);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  FunctionCallee callee = instruction.getModule()->getOrInsertFunction(
      line_marks::prefix + file_of(location),
      FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty(), builder.getInt32Ty()}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    function->setCallingConv(CallingConv::SPIR_FUNC);
  builder
      .CreateCall(callee,
                  {builder.getInt32(location.getLine()), builder.getInt32(location.getColumn())})
      ->setCallingConv(CallingConv::SPIR_FUNC);
}

} // namespace

PreservedAnalyses SourceLines::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      const DILocation *last = nullptr;
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (!wants_line(instruction))
          continue;
        const DILocation *const place = place_of(instruction);
        if (!place ||
            (last && last->getLine() == place->getLine() &&
             last->getColumn() == place->getColumn() && last->getFile() == place->getFile()))
          continue;
        mark(instruction, *place);
        last = place;
      }
    }
  StripDebugInfo(module); // the back end would make something of it that drivers do not all take
  return PreservedAnalyses::none();
}

} // namespace chip
