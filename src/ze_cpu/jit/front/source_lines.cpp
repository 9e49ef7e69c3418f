#include "source_lines.h"

#include "../../../common/spirv.h"
#include "../codegen/llvm_compat.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ze_cpu {
namespace {

struct Line {
  uint32_t file = 0; // the number of a string; 0: not known
  uint32_t line = 0;
  uint32_t column = 0; // 0: not known
};

/// What a module says of lines.
struct Lines {
  std::unordered_map<uint32_t, std::string> strings;
  std::unordered_map<std::string, std::vector<Line>> functions; // of each counted instruction
};

bool is_atomic(spirv::Op op) {
  return (op >= spirv::op_atomic_load && op <= spirv::op_atomic_xor) ||
         op == spirv::op_atomic_flag_test_and_set || op == spirv::op_atomic_flag_clear ||
         op == spirv::op_atomic_float_add || op == spirv::op_atomic_float_min ||
         op == spirv::op_atomic_float_max;
}

/// The instructions that are counted on both sides: of loads those that do not read a built-in variable.
bool is_counted(const spirv::Instruction &instruction, const std::unordered_set<uint32_t> &inputs) {
  switch (instruction.op) {
  case spirv::op_load:
    return instruction.operands.size() > 2 && !inputs.contains(instruction.operands[2]);
  case spirv::op_store:
  case spirv::op_copy_memory:
  case spirv::op_copy_memory_sized:
  case spirv::op_control_barrier:
    return true;
  default:
    return is_atomic(instruction.op);
  }
}

bool is_counted(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AnyMemIntrinsic>(instruction))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName().contains("__spirv_Atomic") ||
                    callee->getName().contains("__spirv_ControlBarrier"));
}

Lines read_lines(std::span<const std::byte> spirv) {
  constexpr uint32_t storage_input = 1;
  Lines lines;
  std::unordered_map<uint32_t, std::string> names;
  std::unordered_set<uint32_t> inputs;
  std::vector<Line> *function = nullptr;
  Line line;
  const std::vector<uint32_t> words = spirv::words_of(spirv);
  spirv::for_each_instruction(words, [&](const spirv::Instruction &instruction) {
    const auto operands = instruction.operands;
    const auto text = [&](size_t first) {
      return std::string(spirv::text_of(operands.subspan(first)).value_or(""));
    };
    if (instruction.op == spirv::op_string && operands.size() > 1)
      lines.strings[operands[0]] = text(1);
    else if (instruction.op == spirv::op_name && operands.size() > 1)
      names.emplace(operands[0], text(1));
    else if (instruction.op == spirv::op_entry_point && operands.size() > 2)
      names[operands[1]] = text(2);
    else if (instruction.op == spirv::op_variable && operands.size() > 2 &&
             operands[2] == storage_input)
      inputs.insert(operands[1]);
    else if (instruction.op == spirv::op_function && operands.size() > 1)
      function = &lines.functions[names[operands[1]]];
    else if (instruction.op == spirv::op_label || instruction.op == spirv::op_no_line)
      line = {};
    else if (instruction.op == spirv::op_line && operands.size() > 2)
      line = {operands[0], operands[1], operands[2]};
    else if (function && is_counted(instruction, inputs))
      function->push_back(line);
    return true;
  });
  return lines;
}

class Adder {
public:
  Adder(llvm::Module &module, const Lines &lines)
      : module_(module), lines_(lines), builder_(module) {}

  void run() {
    for (llvm::Function &function : module_) {
      const auto found = lines_.functions.find(function.getName().str());
      if (function.isDeclaration() || function.getSubprogram() || found == lines_.functions.end() ||
          llvm::none_of(found->second, [](const Line &line) { return line.file != 0; }))
        continue;
      std::vector<llvm::Instruction *> counted;
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (is_counted(instruction))
          counted.push_back(&instruction);
      if (counted.size() == found->second.size())
        add(function, counted, found->second);
    }
    if (unit_)
      builder_.finalize();
  }

private:
  void add(llvm::Function &function, const std::vector<llvm::Instruction *> &counted,
           const std::vector<Line> &lines) {
    const auto first = llvm::find_if(lines, [](const Line &line) { return line.file != 0; });
    llvm::DIFile *const file = file_of(first->file);
    if (!unit_) {
      unit_ = builder_.createCompileUnit(compat::source_language(llvm::dwarf::DW_LANG_C_plus_plus),
                                         file, "", true, "", 0, "", llvm::DICompileUnit::NoDebug);
      module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                            llvm::DEBUG_METADATA_VERSION);
    }
    llvm::DISubprogram *const scope = builder_.createFunction(
        file, function.getName(), "", file, first->line,
        builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), first->line,
        llvm::DINode::FlagZero,
        llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    function.setSubprogram(scope);
    // Calls of functions that have debug information need a place.
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::CallBase>(instruction))
        instruction.setDebugLoc(llvm::DILocation::get(module_.getContext(), 0, 0, scope));
    for (size_t i = 0; i < counted.size(); ++i)
      if (lines[i].file != 0)
        counted[i]->setDebugLoc(
            llvm::DILocation::get(module_.getContext(), lines[i].line, lines[i].column,
                                  builder_.createLexicalBlockFile(scope, file_of(lines[i].file))));
  }

  llvm::DIFile *file_of(uint32_t string) {
    const auto found = lines_.strings.find(string);
    return builder_.createFile(found == lines_.strings.end() ? std::string() : found->second, "");
  }

  llvm::Module &module_;
  const Lines &lines_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit *unit_ = nullptr;
};

} // namespace

void add_source_lines(llvm::Module &module, std::span<const std::byte> spirv) {
  const Lines lines = read_lines(spirv);
  Adder(module, lines).run();
}

void forget_lines(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (const llvm::DISubprogram *subprogram = function.getSubprogram();
        subprogram && subprogram->getUnit()->getEmissionKind() == llvm::DICompileUnit::NoDebug)
      llvm::stripDebugInfo(function);
}

} // namespace ze_cpu
