// Modules: SPIR-V, or a native binary of ours, turned into a program by the compiler library.
#include "entry_points.h"
#include "native_binary.h"
#include "objects.h"
#include "specialization.h"

#include "../exec/memory_check.h"
#include "../memory/allocations.h"
#include "../memory/checking.h"
#include "../queue/deferred.h"

#include <cstring>
#include <span>

namespace ze_cpu {
namespace {

struct Source {
  std::vector<std::byte> spirv;
  std::string build_flags;
  std::vector<std::byte> constants;
};

std::vector<std::byte> constants_of(const ze_module_desc_t &desc,
                                    std::span<const std::byte> spirv) {
  const ze_module_constants_t *given = desc.pConstants;
  if (!given || given->numConstants == 0)
    return {};
  const auto sizes = specialization_constant_sizes(spirv);
  std::vector<SpecializationConstant> constants;
  for (uint32_t i = 0; i < given->numConstants; ++i)
    if (const auto size = sizes.find(given->pConstantIds[i]); size != sizes.end())
      constants.push_back(
          {given->pConstantIds[i],
           {static_cast<const std::byte *>(given->pConstantValues[i]), size->second}});
  return serialize_constants(constants);
}

ze_result_t read_source(const ze_module_desc_t &desc, Source &source, std::string &log) {
  const std::span input(reinterpret_cast<const std::byte *>(desc.pInputModule), desc.inputSize);
  if (desc.format == ZE_MODULE_FORMAT_IL_SPIRV) {
    source.spirv.assign(input.begin(), input.end());
    source.build_flags = desc.pBuildFlags ? desc.pBuildFlags : "";
    source.constants = constants_of(desc, input);
    return ZE_RESULT_SUCCESS;
  }
  const auto content = read_binary(input);
  if (!content) {
    log = "the native binary was not written by this driver, or has been damaged";
    return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  }
  source.spirv.assign(content->spirv.begin(), content->spirv.end());
  source.build_flags = content->build_flags;
  source.constants.assign(content->constants.begin(), content->constants.end());
  return ZE_RESULT_SUCCESS;
}

/// Launches refer to code without owning it, because counting owners would cost each of them more
/// than everything else that it does. So code goes when all work of before has been done.
void unload_when_unused(ModuleContent *content) {
  try {
    DeferredActions::instance().add(all_submitted_work(), [content] { delete content; });
  } catch (...) {
    // No memory to remember it by: the code stays.
  }
}

/// ZE_CPU_CHECK: kernels may touch the program's variables, besides what is allocated.
void allow_variables(ModuleContent &module) {
  set_memory_judge([](uintptr_t address, size_t bytes) {
    return Allocations::instance().covers(address, bytes);
  });
  module.checked_variables = module.program->variables();
  for (const ProgramVariable &variable : module.checked_variables)
    Allocations::instance().add_variable(variable.address, variable.size, variable.name);
}

ze_result_t build(const ze_module_desc_t &desc, std::shared_ptr<ModuleContent> &module,
                  std::string &log) {
  Source source;
  if (const ze_result_t result = read_source(desc, source, log); result != ZE_RESULT_SUCCESS)
    return result;
  const auto constants = parse_constants(source.constants);
  if (!constants)
    return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  BuildResult program = build_program(source.spirv, source.build_flags, *constants);
  if (!program) {
    log = std::move(program.error().log);
    const bool foreign =
        program.error().kind == BuildError::Kind::invalid && desc.format == ZE_MODULE_FORMAT_NATIVE;
    return foreign ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  module = std::shared_ptr<ModuleContent>(new ModuleContent, unload_when_unused);
  module->program = std::move(*program);
  if (is_checking())
    allow_variables(*module);
  module->spirv = std::move(source.spirv);
  module->build_flags = std::move(source.build_flags);
  module->constants = std::move(source.constants);
  return ZE_RESULT_SUCCESS;
}

Program &program_of(ze_module_handle_t module) { return *object<Module>(module).content->program; }

} // namespace

ModuleContent::~ModuleContent() {
  for (const ProgramVariable &variable : checked_variables)
    Allocations::instance().remove_variable(variable.address);
}

ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                           const ze_module_desc_t *desc, ze_module_handle_t *module,
                           ze_module_build_log_handle_t *log) {
  return entry([&]() -> ze_result_t {
    if (any_null(context, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, module) || !desc->pInputModule)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (static_cast<uint32_t>(desc->format) > ZE_MODULE_FORMAT_NATIVE)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (desc->inputSize == 0)
      return ZE_RESULT_ERROR_INVALID_SIZE;

    DeferredActions::instance().collect();
    auto built_log = std::make_unique<BuildLog>();
    auto built = std::make_unique<Module>();
    const ze_result_t result = build(*desc, built->content, built_log->text);
    if (result == ZE_RESULT_SUCCESS)
      *module = handle_of(*built.release());
    else
      describe_last_error(built_log->text);
    if (log)
      *log = handle_of(*built_log.release());
    return result;
  });
}

ze_result_t zeModuleDestroy(ze_module_handle_t module) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    delete &object<Module>(module);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleDynamicLink(uint32_t count, ze_module_handle_t *modules,
                                ze_module_build_log_handle_t *log) {
  return entry([&]() -> ze_result_t {
    if (!modules)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    for (uint32_t i = 0; i < count; ++i)
      if (!modules[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    // A module with unresolved imports does not build, so that whatever reaches this point has
    // nothing left to link.
    if (log)
      *log = handle_of(*new BuildLog);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!size)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const ModuleContent &content = *object<Module>(module).content;
    const auto bytes = write_binary({content.spirv, content.build_flags, content.constants});
    if (binary) {
      if (*size < bytes.size())
        return ZE_RESULT_ERROR_INVALID_SIZE;
      std::memcpy(binary, bytes.data(), bytes.size());
    }
    *size = bytes.size();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t module, const char *name, size_t *size,
                                     void **pointer) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!name)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const auto variable = program_of(module).global(name);
    if (!variable)
      return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
    if (size)
      *size = variable->size;
    if (pointer)
      *pointer = variable->address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t module, uint32_t *count, const char **names) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const auto kernels = program_of(module).kernels();
    return enumerate(static_cast<uint32_t>(kernels.size()), count, names,
                     [&](uint32_t i, const char *&name) { name = kernels[i].name.c_str(); });
  });
}

ze_result_t zeModuleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!properties)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    properties->flags = 0; // nothing is imported once it is built
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t module, const char *name,
                                       void **function) {
  return entry([&]() -> ze_result_t {
    if (!module)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(name, function))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    void *address = program_of(module).function(name);
    if (!address)
      return ZE_RESULT_ERROR_INVALID_FUNCTION_NAME;
    *function = address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t log) {
  return entry([&]() -> ze_result_t {
    if (!log)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    delete &object<BuildLog>(log);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size, char *text) {
  return entry([&]() -> ze_result_t {
    if (!log)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!size)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const std::string &all = object<BuildLog>(log).text;
    if (text && *size != 0) {
      const size_t length = std::min(*size - 1, all.size());
      std::memcpy(text, all.data(), length);
      text[length] = 0;
    }
    *size = all.size() + 1;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_cpu
