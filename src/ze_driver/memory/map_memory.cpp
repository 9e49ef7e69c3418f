// Reserved addresses, physical memory, and mapping the one to the other.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "external_memory.h"

#include "../backend.h"
#include "allocations.h"
#include "physical_memory.h"
#include "virtual_memory.h"

#include <expected>
#include <mutex>
#include <set>

namespace ze_driver {
namespace {

bool is_whole_pages(size_t bytes) { return bytes % backend().memory().page_bytes() == 0; }
bool is_whole_pages(const void *pointer) {
  return is_whole_pages(reinterpret_cast<uintptr_t>(pointer));
}

/// The checks of all functions that take a range of pages.
ze_result_t check_range(ze_context_handle_t context, const void *pointer, size_t size) {
  if (!context)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (!pointer)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (size == 0 || !is_whole_pages(size))
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  return is_whole_pages(pointer) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
}

std::expected<PageAccess, ze_result_t> access_of(ze_memory_access_attribute_t attribute) {
  switch (attribute) {
  case ZE_MEMORY_ACCESS_ATTRIBUTE_NONE:
    return PageAccess::none;
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE:
    return PageAccess::read_write;
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY:
    return PageAccess::read_only;
  default:
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ENUMERATION);
  }
}

ze_memory_access_attribute_t attribute_of(PageAccess access) {
  return access == PageAccess::none        ? ZE_MEMORY_ACCESS_ATTRIBUTE_NONE
         : access == PageAccess::read_only ? ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY
                                           : ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
}

/// All physical memory objects.
struct Known {
  std::mutex mutex;
  std::set<const PhysicalMemory *> memories;

  static Known &instance() {
    static Known *known = new Known; // handles may outlive static objects
    return *known;
  }
};

ze_result_t success_if(bool done) {
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

} // namespace

PhysicalMemory::PhysicalMemory() {
  std::lock_guard lock(Known::instance().mutex);
  Known::instance().memories.insert(this);
}

PhysicalMemory::~PhysicalMemory() {
  {
    std::lock_guard lock(Known::instance().mutex);
    Known::instance().memories.erase(this);
  }
  if (charged)
    Allocations::instance().discharge(size);
}

const PhysicalMemory *physical_memory(const void *handle) {
  const auto *memory = static_cast<const PhysicalMemory *>(static_cast<const Handle *>(handle));
  std::lock_guard lock(Known::instance().mutex);
  return Known::instance().memories.contains(memory) ? memory : nullptr;
}

ze_result_t zeVirtualMemReserve(ze_context_handle_t context, const void *start, size_t size,
                                void **pointer) {
  return entry(required(context, pointer), [&]() -> ze_result_t {
    if (size == 0 || !is_whole_pages(size))
      return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    if (!is_whole_pages(start))
      return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
    *pointer = VirtualMemory::instance().reserve(start, size, context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeVirtualMemFree(ze_context_handle_t context, const void *pointer, size_t size) {
  return entry([&]() -> ze_result_t {
    if (const ze_result_t error = check_range(context, pointer, size); error != ZE_RESULT_SUCCESS)
      return error;
    return success_if(VirtualMemory::instance().free(pointer, size, context));
  });
}

ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t context, ze_device_handle_t device,
                                      size_t, size_t *page_size) {
  return entry(required(context, device, page_size), [&]() -> ze_result_t {
    *page_size = backend().memory().page_bytes();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zePhysicalMemCreate(ze_context_handle_t context, ze_device_handle_t device,
                                ze_physical_mem_desc_t *desc, ze_physical_mem_handle_t *memory) {
  return entry([&]() -> ze_result_t {
    const bool on_host = desc && (desc->flags & ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST);
    if (!context || (!device && !on_host))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, memory))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (desc->flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (desc->size == 0)
      return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    if (!is_whole_pages(desc->size))
      return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
    auto imported = imported_file(desc->pNext, desc->size);
    if (!imported)
      return imported.error();
    auto created = std::make_unique<PhysicalMemory>();
    created->device = device;
    created->kind = on_host ? MemoryKind::host : MemoryKind::device;
    created->size = desc->size;
    created->charged = *imported == nullptr;
    if (created->charged && !Allocations::instance().charge(desc->size)) {
      created->charged = false;
      return on_host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    created->file = *imported ? std::move(*imported) : backend().memory().create_file(desc->size);
    created->id = Allocations::instance().new_id();
    *memory = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zePhysicalMemDestroy(ze_context_handle_t context, ze_physical_mem_handle_t memory) {
  // What is mapped stays: the mappings keep the file.
  return entry(required(context, memory), [&]() -> ze_result_t {
    delete &object<PhysicalMemory>(memory);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zePhysicalMemGetProperties(ze_context_handle_t context, ze_physical_mem_handle_t memory,
                                       ze_physical_mem_properties_t *properties) {
  return entry(required(context, memory, properties), [&]() -> ze_result_t {
    const PhysicalMemory &self = object<PhysicalMemory>(memory);
    properties->id = self.id;
    properties->size = self.size;
    return export_file(properties->pNext, self.file.get());
  });
}

ze_result_t zeVirtualMemMap(ze_context_handle_t context, const void *pointer, size_t size,
                            ze_physical_mem_handle_t memory, size_t offset,
                            ze_memory_access_attribute_t attribute) {
  return entry(required(memory), [&]() -> ze_result_t {
    if (const ze_result_t error = check_range(context, pointer, size); error != ZE_RESULT_SUCCESS)
      return error;
    if (!is_whole_pages(offset))
      return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
    const auto access = access_of(attribute);
    if (!access)
      return access.error();
    const PhysicalMemory &physical = object<PhysicalMemory>(memory);
    if (offset > physical.size || size > physical.size - offset)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    Allocation mapped{};
    mapped.size = size;
    mapped.kind = physical.kind;
    mapped.owner = context;
    mapped.device = physical.device;
    mapped.file = {physical.file, offset};
    return success_if(VirtualMemory::instance().map(pointer, std::move(mapped), *access));
  });
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t context, const void *pointer, size_t size) {
  return entry([&]() -> ze_result_t {
    if (const ze_result_t error = check_range(context, pointer, size); error != ZE_RESULT_SUCCESS)
      return error;
    return success_if(VirtualMemory::instance().unmap(pointer, size, context));
  });
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t context, const void *pointer,
                                           size_t size, ze_memory_access_attribute_t attribute) {
  return entry([&]() -> ze_result_t {
    if (const ze_result_t error = check_range(context, pointer, size); error != ZE_RESULT_SUCCESS)
      return error;
    const auto access = access_of(attribute);
    if (!access)
      return access.error();
    return success_if(VirtualMemory::instance().set_access(pointer, size, *access, context));
  });
}

ze_result_t zeVirtualMemGetAccessAttribute(ze_context_handle_t context, const void *pointer,
                                           size_t size, ze_memory_access_attribute_t *attribute,
                                           size_t *same_size) {
  return entry(required(context, pointer, attribute, same_size), [&]() -> ze_result_t {
    if (const ze_result_t error = check_range(context, pointer, size); error != ZE_RESULT_SUCCESS)
      return error;
    const auto region = VirtualMemory::instance().access(pointer, size, context);
    if (!region)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *attribute = attribute_of(region->access);
    *same_size = region->bytes;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
