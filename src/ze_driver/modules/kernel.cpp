// Kernels: the arguments, group size and attributes that the next launch of a handle takes.
#include "../../common/align.h"
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "../memory/image.h"
#include "module.h"

#include "../memory/allocations.h"
#include "../memory/physical_memory.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace ze_driver {
namespace {

/// The largest divisor of `size` that is not above `limit`.
uint32_t largest_divisor(uint32_t size, uint32_t limit) {
  for (uint32_t candidate = std::min(size, limit); candidate > 1; --candidate)
    if (size % candidate == 0)
      return candidate;
  return 1;
}

/// Puts what kernels need of the object behind a handle, which may be null, into the argument
/// buffer.
template <class Object, class Get>
void set_from_handle(std::byte *slot, const void *value, Get get) {
  typename Object::HandleType handle;
  std::memcpy(&handle, value, sizeof handle);
  const auto content =
      handle ? get(object<Object>(handle)) : decltype(get(object<Object>(handle))){};
  static_assert(sizeof content == sizeof handle);
  std::memcpy(slot, &content, sizeof content);
}

} // namespace

ze_result_t Kernel::set_group_size(uint32_t x, uint32_t y, uint32_t z) {
  // Each dimension first: the product of three of them can wrap around.
  if (x - 1 >= max_group_size || y - 1 >= max_group_size || z - 1 >= max_group_size ||
      x * y * z > max_group_size)
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  const uint32_t *required = info->required_group_size;
  if (required[0] != 0 && (x != required[0] || y != required[1] || z != required[2]))
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  const uint32_t size[3] = {x, y, z};
  if (std::ranges::equal(size, group_size))
    return ZE_RESULT_SUCCESS;
  const ze_result_t result = choose_code(size);
  if (result == ZE_RESULT_SUCCESS)
    std::ranges::copy(size, group_size);
  return result;
}

ze_result_t Kernel::choose_code(const uint32_t (&size)[3]) {
  Program &program = *module->program();
  const auto chosen =
      program.kernel_for(static_cast<size_t>(info - program.kernels().data()), size);
  if (!chosen) {
    describe_last_error(chosen.error());
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  code = *chosen;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Kernel::set_argument(uint32_t index, size_t size, const void *value) {
  if (index >= info->arguments.size())
    return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
  const Argument &argument = info->arguments[index];
  if (argument.kind == ArgumentKind::local) {
    if (size > max_local_bytes)
      return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
    if (value)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // work-group memory has a size and no value
    if (local_sizes[index] != size) {
      local_sizes[index] = static_cast<uint32_t>(size);
      lay_out_local_memory();
    }
    return ZE_RESULT_SUCCESS;
  }
  // Values are cut off and filled up with zeroes, as by Intel's driver: programs pass size_t for
  // int, and unsigned for size_t.
  if (size != argument.size && (size == 0 || argument.kind != ArgumentKind::value))
    return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  std::byte *slot = arguments.data() + argument.offset;
  if (!value || size < argument.size)
    std::memset(slot, 0, argument.size);
  if (!value)
    return ZE_RESULT_SUCCESS;
  if (argument.kind == ArgumentKind::image)
    set_from_handle<Image>(slot, value, [](const Image &image) { return image.object->argument; });
  else if (argument.kind == ArgumentKind::sampler)
    set_from_handle<Sampler>(slot, value, [](const Sampler &sampler) { return sampler.value; });
  else
    std::memcpy(slot, value, std::min<size_t>(size, argument.size));
  return ZE_RESULT_SUCCESS;
}

ze_result_t Kernel::set_arguments(void *const *values) {
  for (uint32_t i = 0; i < info->arguments.size(); ++i) {
    const Argument &argument = info->arguments[i];
    ze_result_t result;
    if (argument.kind != ArgumentKind::local) {
      result = set_argument(i, argument.size, values[i]);
    } else {
      if (!values[i])
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
      result = set_argument(i, *static_cast<const size_t *>(values[i]), nullptr);
    }
    if (result != ZE_RESULT_SUCCESS)
      return result;
  }
  return ZE_RESULT_SUCCESS;
}

/// Work-group memory that arguments ask for follows what the kernel declares; an argument holds the
/// offset of its part.
void Kernel::lay_out_local_memory() {
  uint64_t end = code->local_bytes;
  for (size_t i = 0; i < local_sizes.size(); ++i) {
    if (info->arguments[i].kind != ArgumentKind::local)
      continue;
    end = common::round_up(end, std::max<uint64_t>(local_alignment, info->arguments[i].alignment));
    std::memcpy(arguments.data() + info->arguments[i].offset, &end, sizeof end);
    end += local_sizes[i];
  }
  local_bytes = static_cast<uint32_t>(end);
}

uint32_t Kernel::max_cooperative_groups() const {
  return module->device->max_cooperative_groups(
      *code, group_size[0] * group_size[1] * group_size[2], local_bytes);
}

ze_result_t zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                           ze_kernel_handle_t *kernel) {
  return entry(required(module, desc, kernel), [&]() -> ze_result_t {
    if (!desc->pKernelName)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (desc->flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const auto &content = object<Module>(module).content;
    Program *const program = content->program();
    if (!program) {
      describe_last_error(content->unresolved_imports());
      return ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
    }
    const auto kernels = program->kernels();
    const auto found =
        std::ranges::find(kernels, std::string_view(desc->pKernelName), &KernelInfo::name);
    if (found == kernels.end())
      return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
    const auto code = program->kernel(static_cast<size_t>(found - kernels.begin()));
    if (!code) {
      describe_last_error(code.error());
      return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    }

    auto created = std::make_unique<Kernel>();
    created->module = content;
    created->info = &*found;
    created->code = *code;
    created->max_group_size = content->device->facts().max_group_size;
    created->max_local_bytes = content->device->facts().max_local_bytes;
    if (found->required_group_size[0] != 0) {
      std::copy_n(found->required_group_size, 3, created->group_size);
      if (const ze_result_t result = created->choose_code(created->group_size);
          result != ZE_RESULT_SUCCESS)
        return result;
    }
    created->arguments.resize(found->argument_bytes);
    created->local_sizes.resize(found->arguments.size());
    created->local_bytes = created->code->local_bytes;
    *kernel = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) {
  return entry(required(kernel), [&]() -> ze_result_t {
    delete &object<Kernel>(kernel);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t kernel, ze_cache_config_flags_t flags) {
  return entry(required(kernel), [&]() -> ze_result_t {
    return flags > 0x3 ? ZE_RESULT_ERROR_INVALID_ENUMERATION
                       : ZE_RESULT_SUCCESS; // the caches configure themselves
  });
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return entry(required(kernel), [&] { return object<Kernel>(kernel).set_group_size(x, y, z); });
}

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t global_x,
                                     uint32_t global_y, uint32_t global_z, uint32_t *x, uint32_t *y,
                                     uint32_t *z) {
  return entry(required(kernel, x, y, z), [&]() -> ze_result_t {
    if (global_x == 0 || global_y == 0 || global_z == 0)
      return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
    const uint32_t *required = object<Kernel>(kernel).info->required_group_size;
    if (required[0] != 0) {
      *x = required[0];
      *y = required[1];
      *z = required[2];
      return ZE_RESULT_SUCCESS;
    }
    // Long rows vectorise; a moderate total leaves enough groups to share among the processors.
    constexpr uint32_t suggested_total = 256;
    *x = largest_divisor(global_x, suggested_total);
    *y = largest_divisor(global_y, suggested_total / *x);
    *z = largest_divisor(global_z, suggested_total / (*x * *y));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t *count) {
  return get_from<Kernel>(kernel, count,
                          [](const Kernel &self) { return self.max_cooperative_groups(); });
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size,
                                     const void *value) {
  return entry(required(kernel),
               [&] { return object<Kernel>(kernel).set_argument(index, size, value); });
}

ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t kernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  return entry(required(kernel), [&]() -> ze_result_t {
    if (flags > 0x7)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    object<Kernel>(kernel).indirect_access = flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t kernel,
                                      ze_kernel_indirect_access_flags_t *flags) {
  return get_from<Kernel>(kernel, flags, [](const Kernel &self) { return self.indirect_access; });
}

ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t *size, char **text) {
  return entry(required(kernel, size), [&]() -> ze_result_t {
    const std::string &attributes = object<Kernel>(kernel).info->attributes;
    const auto bytes = static_cast<uint32_t>(attributes.size() + 1);
    if (text && *text)
      std::memcpy(*text, attributes.c_str(), std::min(*size, bytes));
    *size = bytes;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  return entry(required(kernel, properties), [&]() -> ze_result_t {
    const Kernel &self = object<Kernel>(kernel);
    const KernelInfo &info = *self.info;
    const CompiledKernel &code = *self.code;
    ze_kernel_properties_t &p = *properties;
    p.numKernelArgs = static_cast<uint32_t>(info.arguments.size());
    p.requiredGroupSizeX = info.required_group_size[0];
    p.requiredGroupSizeY = info.required_group_size[1];
    p.requiredGroupSizeZ = info.required_group_size[2];
    p.requiredNumSubGroups = 0;
    p.requiredSubgroupSize = info.required_sub_group_size;
    p.maxSubgroupSize = code.sub_group_size;
    p.maxNumSubgroups = self.max_group_size / code.sub_group_size;
    p.localMemSize = code.local_bytes;
    p.privateMemSize = code.private_bytes;
    p.spillMemSize = 0;
    p.uuid = {};
    if (auto *preferred = find_output<ze_kernel_preferred_group_size_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES))
      preferred->preferredMultiple = code.sub_group_size;
    if (auto *maximum = find_output<ze_kernel_max_group_size_properties_ext_t>(
            p.pNext, ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES))
      maximum->maxGroupSize = self.max_group_size;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  return entry(required(kernel, size), [&]() -> ze_result_t {
    const std::string &all = object<Kernel>(kernel).info->name;
    if (name)
      std::memcpy(name, all.c_str(), std::min(*size, all.size() + 1));
    *size = all.size() + 1;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
                                       uint32_t z) {
  return entry(required(kernel), [&]() -> ze_result_t {
    Kernel &self = object<Kernel>(kernel);
    self.global_offset[0] = x;
    self.global_offset[1] = y;
    self.global_offset[2] = z;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeKernelSchedulingHintExp(ze_kernel_handle_t kernel,
                                      ze_scheduling_hint_exp_desc_t *hint) {
  return entry(required(kernel, hint), [&]() -> ze_result_t {
    return hint->flags & ~all_scheduling_hints ? ZE_RESULT_ERROR_INVALID_ENUMERATION
                                               : ZE_RESULT_SUCCESS; // a hint
  });
}

ze_result_t zeKernelGetAllocationPropertiesExp(ze_kernel_handle_t kernel, uint32_t *count,
                                               ze_kernel_allocation_exp_properties_t *properties) {
  return entry(required(kernel, count), [&]() -> ze_result_t {
    // What the pointers lead to that are set now.
    const Kernel &self = object<Kernel>(kernel);
    std::vector<std::pair<uint32_t, Allocation>> found;
    for (uint32_t i = 0; i < self.info->arguments.size(); ++i) {
      const Argument &argument = self.info->arguments[i];
      if (argument.kind != ArgumentKind::pointer)
        continue;
      const void *pointer = nullptr;
      std::memcpy(&pointer, self.arguments.data() + argument.offset, sizeof pointer);
      if (auto allocation = Allocations::instance().find(pointer))
        found.emplace_back(i, std::move(*allocation));
    }
    return enumerate(static_cast<uint32_t>(found.size()), count, properties,
                     [&](uint32_t i, ze_kernel_allocation_exp_properties_t &item) {
                       const auto &[index, allocation] = found[i];
                       item.base = allocation.base;
                       item.size = allocation.size;
                       item.type = memory_type(allocation.kind);
                       item.argIndex = index;
                     });
  });
}

} // namespace ze_driver
