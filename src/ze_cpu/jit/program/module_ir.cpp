#include "module_ir.h"
#include "../codegen/llvm_compat.h"
#include "../lower/builtins.h"
#include "../lower/images.h"

#include "../../../common/marks/mask_marks.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace ze_cpu {
namespace {

uint64_t metadata_value(const llvm::MDNode &node, unsigned index) {
  if (index >= node.getNumOperands())
    return 0;
  auto *constant = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node.getOperand(index));
  return constant ? constant->getZExtValue() : 0;
}

// False: they are larger than anything that could be passed.
bool describe_arguments(const llvm::Function &kernel, const llvm::DataLayout &layout,
                        KernelInfo &info) {
  constexpr uint64_t at_most = 1u << 30;
  uint64_t offset = 0;
  for (const llvm::Argument &parameter : kernel.args()) {
    llvm::Type *type = parameter.getType();
    Argument argument = {};
    if (const auto opaque = opaque_argument(*type)) {
      argument.kind = *opaque;
    } else if (parameter.hasByValAttr()) {
      type = parameter.getParamByValType();
      argument.kind = ArgumentKind::value;
    } else if (type->isPointerTy()) {
      argument.kind =
          type->getPointerAddressSpace() == 3 ? ArgumentKind::local : ArgumentKind::pointer;
      argument.alignment = static_cast<uint32_t>(parameter.getParamAlign().valueOrOne().value());
    } else {
      argument.kind = ArgumentKind::value;
    }
    const uint64_t size = layout.getTypeAllocSize(type);
    offset = llvm::alignTo(offset, layout.getABITypeAlign(type));
    if (size > at_most || offset + size > at_most)
      return false;
    argument.size = static_cast<uint32_t>(size);
    argument.offset = static_cast<uint32_t>(offset);
    offset += size;
    info.arguments.push_back(argument);
  }
  info.argument_bytes = static_cast<uint32_t>(llvm::alignTo(offset, 8));
  return true;
}

// The attributes in the words of the OpenCL source that they came from, as
// zeKernelGetSourceAttributes wants them.
std::expected<ModuleIr::Kernel, std::string> describe_kernel(const llvm::Function &function,
                                                             const llvm::DataLayout &layout) {
  ModuleIr::Kernel kernel;
  kernel.info.name = function.getName().str();
  if (!describe_arguments(function, layout, kernel.info))
    return std::unexpected("kernel " + kernel.info.name + ": its parameters are too large\n");
  std::string &attributes = kernel.info.attributes;
  auto triple = [&](const char *name, const llvm::MDNode &node) {
    if (!attributes.empty())
      attributes += ' ';
    attributes += std::string(name) + "(" + std::to_string(metadata_value(node, 0)) + "," +
                  std::to_string(metadata_value(node, 1)) + "," +
                  std::to_string(metadata_value(node, 2)) + ")";
  };
  if (const llvm::MDNode *node = function.getMetadata("reqd_work_group_size")) {
    for (unsigned i = 0; i < 3; ++i)
      kernel.info.required_group_size[i] = static_cast<uint32_t>(metadata_value(*node, i));
    triple("reqd_work_group_size", *node);
  }
  if (const llvm::MDNode *node = function.getMetadata("work_group_size_hint"))
    triple("work_group_size_hint", *node);
  if (const llvm::MDNode *node = function.getMetadata("intel_reqd_sub_group_size")) {
    uint64_t size = metadata_value(*node, 0);
    if (size == 0 || size > 32 || !llvm::isPowerOf2_64(size))
      return std::unexpected("kernel " + kernel.info.name + ": a sub-group size of " +
                             std::to_string(size) + " is not supported (1, 2, 4, 8, 16 or 32)");
    kernel.sub_group_size = kernel.info.required_sub_group_size = static_cast<uint32_t>(size);
    if (!attributes.empty())
      attributes += ' ';
    attributes += "intel_reqd_sub_group_size(" + std::to_string(size) + ")";
  }
  return kernel;
}

bool is_callee(const llvm::Use &use) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  return call && call->isCallee(&use);
}

// Every variable that outlives a kernel gets a symbol that no other has.
void name_globals(llvm::Module &module, ModuleIr &ir) {
  unsigned anonymous = 0;
  for (llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() == 3) {
      if (!global.hasName())
        global.setName("ze_cpu.local." + std::to_string(anonymous++));
      continue;
    }
    if (global.isDeclaration())
      continue;
    std::string name = global.getName().str();
    if (name.empty() || global.hasLocalLinkage())
      global.setName("ze_cpu.variable." + std::to_string(anonymous++) +
                     (name.empty() ? "" : "." + name));
    // What the host can find by name it can also write: its initial value is no constant.
    if (!global.hasLocalLinkage())
      global.setConstant(false);
    const ModuleIr::Global variable{
        global.getName().str(),
        static_cast<size_t>(module.getDataLayout().getTypeAllocSize(global.getValueType()))};
    if (!name.empty())
      ir.globals[name] = variable;
    ir.variables.emplace_back(name, variable);
  }
}

// They become memory of the process when the program is built.
constexpr uint64_t max_bytes_of_variables = 2ull << 30;

uint64_t variable_bytes(const ModuleIr &ir) {
  uint64_t total = 0;
  for (const auto &[name, variable] : ir.variables)
    total += std::min<uint64_t>(variable.bytes, max_bytes_of_variables + 1);
  return total;
}

// What another module has to have. The error names builtins that there are not.
std::expected<std::vector<std::string>, std::string> find_imports(const llvm::Module &module) {
  std::vector<std::string> imports;
  std::string missing;
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() ||
        is_builtin(function.getName()))
      continue;
    if (builtin_name(function.getName()).empty())
      imports.push_back(function.getName().str());
    else
      missing += "unresolved function " + function.getName().str() + "\n";
  }
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.isDeclaration() && !global.use_empty() && global.getAddressSpace() != 3)
      imports.push_back(global.getName().str());
  if (!missing.empty())
    return std::unexpected(missing);
  return imports;
}

} // namespace

std::set<std::string, std::less<>> address_taken_functions(const llvm::Module &module) {
  std::set<std::string, std::less<>> found;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL &&
        !llvm::all_of(function.uses(), is_callee))
      found.insert(function.getName().str());
  return found;
}

// With the kernel's name in front, because debuggers show what it is a variant of.
std::expected<ModuleIr, std::string> make_module_ir(llvm::Module &module,
                                                    const llvm::TargetMachine &machine,
                                                    const BuildOptions &options) {
  // SPIR-V lets producers say of images what LLVM knows only of pointers.
  for (llvm::Function &function : module)
    compat::remove_incompatible_attributes(function);
  std::string problems;
  llvm::raw_string_ostream out(problems);
  if (llvm::verifyModule(module, &out))
    return std::unexpected("translation gave invalid code: " + problems);
  ModuleIr ir;
  ir.options = options;
  ir.contract =
      options.contract_always || module.getNamedMetadata("opencl.enable.FP_CONTRACT") != nullptr;
  compat::set_target(module, machine);
  for (const char *list :
       {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *global = module.getGlobalVariable(list, true))
      global->eraseFromParent();

  for (llvm::Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration()) {
      auto kernel = describe_kernel(function, module.getDataLayout());
      if (!kernel)
        return std::unexpected(kernel.error());
      ir.kernels.push_back(std::move(*kernel));
    } else if (function.getName() == chip::mask_marks::name) {
      function.deleteBody(); // from here on a builtin
    } else if (!function.isDeclaration()) {
      // No function of the module may be mistaken for one of the C library.
      std::string name = function.getName().str();
      function.setName("ze_cpu.function." + name);
      if (!function.hasLocalLinkage())
        ir.exported_functions[name] = function.getName().str();
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
    }
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->setCallingConv(llvm::CallingConv::C);
  }

  replace_opaque_types(module);

  auto imports = find_imports(module);
  if (!imports)
    return std::unexpected(imports.error());
  ir.imports = std::move(*imports);
  ir.shared_functions = address_taken_functions(module);
  name_globals(module, ir);
  if (variable_bytes(ir) > max_bytes_of_variables)
    return std::unexpected("the program's variables together are larger than 2 GiB\n");
  llvm::raw_string_ostream bitcode(ir.bitcode);
  llvm::WriteBitcodeToFile(module, bitcode);
  return ir;
}

} // namespace ze_cpu
