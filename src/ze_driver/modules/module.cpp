// Modules: SPIR-V, or a native binary of ours, turned into a program by the compiler library.
#include "module.h"
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "linkage.h"
#include "native_binary.h"
#include "specialization.h"

#include "../events/deferred.h"
#include "../memory/allocations.h"
#include "../records/registered_queue.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

namespace ze_driver {
namespace {

struct Source {
  std::vector<std::byte> spirv;
  std::string build_flags;
  std::vector<std::byte> constants;
};

std::vector<std::byte> constants_of(const ze_module_constants_t *given,
                                    std::span<const std::byte> spirv) {
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

/// One program as a module is asked for.
struct Input {
  std::span<const std::byte> bytes;
  const char *build_flags;
  const ze_module_constants_t *constants;
};

const ze_module_program_exp_desc_t *several_programs(const ze_module_desc_t &desc) {
  return find_extension<ze_module_program_exp_desc_t>(desc.pNext,
                                                      ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
}

std::vector<Input> inputs_of(const ze_module_desc_t &desc) {
  const auto bytes = [](const uint8_t *data, size_t size) {
    return std::span(reinterpret_cast<const std::byte *>(data), size);
  };
  const ze_module_program_exp_desc_t *several = several_programs(desc);
  if (!several)
    return {{bytes(desc.pInputModule, desc.inputSize), desc.pBuildFlags, desc.pConstants}};
  std::vector<Input> inputs;
  for (uint32_t i = 0; i < several->count; ++i)
    inputs.push_back({bytes(several->pInputModules[i], several->inputSizes[i]),
                      several->pBuildFlags ? several->pBuildFlags[i] : nullptr,
                      several->pConstants ? several->pConstants[i] : nullptr});
  return inputs;
}

ze_result_t read_source(const Input &input, ze_module_format_t format, Source &source,
                        std::string &log) {
  if (format == ZE_MODULE_FORMAT_IL_SPIRV) {
    source.spirv.assign(input.bytes.begin(), input.bytes.end());
    source.build_flags = input.build_flags ? input.build_flags : "";
    source.constants = constants_of(input.constants, input.bytes);
    return ZE_RESULT_SUCCESS;
  }
  const auto content = read_binary(identity().binary_magic, input.bytes);
  if (!content) {
    log = "the native binary was not written by this driver, or has been damaged";
    return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  }
  source.spirv.assign(content->spirv.begin(), content->spirv.end());
  source.build_flags = content->build_flags;
  source.constants.assign(content->constants.begin(), content->constants.end());
  return ZE_RESULT_SUCCESS;
}

/// All programs that a module is made of, as one.
ze_result_t read_source(DeviceBackend &device, const ze_module_desc_t &desc, Source &source,
                        std::string &log) {
  const std::vector<Input> inputs = inputs_of(desc);
  if (inputs.size() == 1)
    return read_source(inputs.front(), desc.format, source, log);
  std::vector<Source> parts(inputs.size());
  std::vector<std::span<const std::byte>> programs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (const ze_result_t result = read_source(inputs[i], desc.format, parts[i], log);
        result != ZE_RESULT_SUCCESS)
      return result;
    programs.push_back(parts[i].spirv);
    // Each program's flags are flags of the whole, named once.
    if (source.build_flags.find(parts[i].build_flags) == std::string::npos)
      source.build_flags += (source.build_flags.empty() ? "" : " ") + parts[i].build_flags;
    source.constants.insert(source.constants.end(), parts[i].constants.begin(),
                            parts[i].constants.end());
  }
  LinkResult linked = device.join(programs);
  if (!linked) {
    log = std::move(linked.error());
    return ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
  }
  source.spirv = std::move(*linked);
  return ZE_RESULT_SUCCESS;
}

/// What a module may be made of.
ze_result_t check_inputs(const ze_module_desc_t &desc) {
  const ze_module_program_exp_desc_t *several = several_programs(desc);
  if (several && several->count == 0)
    return ZE_RESULT_ERROR_INVALID_SIZE;
  if (several && (any_null(several->inputSizes) || any_null(several->pInputModules)))
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  for (const Input &input : inputs_of(desc)) {
    if (!input.bytes.data())
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (input.bytes.empty())
      return ZE_RESULT_ERROR_INVALID_SIZE;
  }
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

ze_result_t build(DeviceBackend &device, const ze_module_desc_t &desc,
                  std::shared_ptr<ModuleContent> &module, std::string &log) {
  Source source;
  if (const ze_result_t result = read_source(device, desc, source, log);
      result != ZE_RESULT_SUCCESS)
    return result;
  const auto constants = parse_constants(source.constants);
  if (!constants)
    return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  BuildResult program = device.build(source.spirv, source.build_flags, *constants);
  if (!program) {
    log = std::move(program.error().log);
    const bool foreign =
        program.error().kind == BuildError::Kind::invalid && desc.format == ZE_MODULE_FORMAT_NATIVE;
    return foreign ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  module = std::shared_ptr<ModuleContent>(new ModuleContent, unload_when_unused);
  module->device = &device;
  module->built = std::make_shared<LoadedProgram>(std::move(*program));
  if (module->built->program->imports().empty())
    module->linked = module->built;
  else
    log = module->unresolved_imports();
  module->spirv = std::move(source.spirv);
  module->build_flags = std::move(source.build_flags);
  module->constants = std::move(source.constants);
  return ZE_RESULT_SUCCESS;
}

/// What a module says that has not been linked.
ze_result_t unlinked(const ModuleContent &content) {
  describe_last_error(content.unresolved_imports());
  return ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
}

} // namespace

LoadedProgram::LoadedProgram(std::unique_ptr<Program> loaded,
                             std::vector<std::shared_ptr<LoadedProgram>> sources)
    : providers(std::move(sources)), program(std::move(loaded)) {
  if (!backend().memory().is_guarded() || !program->imports().empty())
    return;
  // Kernels may touch the program's variables, besides what is allocated.
  checked_variables = program->variables();
  for (const ProgramVariable &variable : checked_variables)
    Allocations::instance().add_variable(variable.address, variable.size, variable.name);
}

LoadedProgram::~LoadedProgram() {
  for (const ProgramVariable &variable : checked_variables)
    Allocations::instance().remove_variable(variable.address);
}

std::string ModuleContent::unresolved_imports() const {
  std::string text = "imports that zeModuleDynamicLink is to resolve:\n";
  for (const std::string &name : built->program->imports())
    text += "  " + name + "\n";
  return text;
}

ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                           const ze_module_desc_t *desc, ze_module_handle_t *module,
                           ze_module_build_log_handle_t *log) {
  return entry(required(context, device, desc, module), [&]() -> ze_result_t {
    if (static_cast<uint32_t>(desc->format) > ZE_MODULE_FORMAT_NATIVE)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (const ze_result_t error = check_inputs(*desc); error != ZE_RESULT_SUCCESS)
      return error;

    DeferredActions::instance().collect();
    auto built_log = std::make_unique<BuildLog>();
    auto built = std::make_unique<Module>();
    const ze_result_t result =
        build(object<Device>(device).backend, *desc, built->content, built_log->text);
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
  return entry(required(module), [&]() -> ze_result_t {
    delete &object<Module>(module);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t *desc, uint32_t count,
                                      ze_module_handle_t *modules,
                                      ze_module_build_log_handle_t *log) {
  return entry(required(desc, modules, log), [&]() -> ze_result_t {
    if (desc->flags > 0x7)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    Linkage all;
    for (uint32_t i = 0; i < count; ++i) {
      if (!modules[i])
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      Linkage linkage = linkage_of(object<Module>(modules[i]).content->spirv);
      std::ranges::move(linkage.imports, std::back_inserter(all.imports));
      std::ranges::move(linkage.exports, std::back_inserter(all.exports));
    }
    auto built = std::make_unique<BuildLog>();
    const auto list = [&](ze_linkage_inspection_ext_flag_t flag, const char *title,
                          const std::vector<std::string> &names, auto is_listed) {
      if (desc->flags != 0 && !(desc->flags & flag))
        return;
      built->text += std::string(title) + ":\n";
      for (const std::string &name : names)
        if (is_listed(name))
          built->text += "  " + name + "\n";
    };
    const auto any = [](const std::string &) { return true; };
    const auto unresolvable = [&](const std::string &name) {
      return !std::ranges::contains(all.exports, name);
    };
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS, "imports", all.imports, any);
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS, "unresolvable imports", all.imports,
         unresolvable);
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS, "exports", all.exports, any);
    *log = handle_of(*built.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  return entry(required(module, size), [&]() -> ze_result_t {
    const ModuleContent &content = *object<Module>(module).content;
    const auto bytes = write_binary(identity().binary_magic,
                                    {content.spirv, content.build_flags, content.constants});
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
  return entry(required(module, name), [&]() -> ze_result_t {
    const ModuleContent &content = *object<Module>(module).content;
    if (!content.program())
      return unlinked(content);
    const auto variable = content.program()->global(name);
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
  return entry(required(module, count), [&]() -> ze_result_t {
    const auto kernels = object<Module>(module).content->built->program->kernels();
    return enumerate(static_cast<uint32_t>(kernels.size()), count, names,
                     [&](uint32_t i, const char *&name) { name = kernels[i].name.c_str(); });
  });
}

ze_result_t zeModuleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties) {
  return entry(required(module, properties), [&]() -> ze_result_t {
    properties->flags = object<Module>(module).content->built->program->imports().empty()
                            ? 0
                            : ZE_MODULE_PROPERTY_FLAG_IMPORTS;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t module, const char *name,
                                       void **function) {
  return entry(required(module, name, function), [&]() -> ze_result_t {
    const ModuleContent &content = *object<Module>(module).content;
    if (!content.program())
      return unlinked(content);
    void *address = content.program()->function(name);
    if (!address)
      return ZE_RESULT_ERROR_INVALID_FUNCTION_NAME;
    *function = address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t log) {
  return entry(required(log), [&]() -> ze_result_t {
    delete &object<BuildLog>(log);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size, char *text) {
  return entry(required(log, size), [&]() -> ze_result_t {
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

} // namespace ze_driver
