// What every entry point does around its work: nothing is thrown across the interface, and a driver
// that has been shut down answers instead of running.
#pragma once

#include "handle.h"

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace ze_cpu {

/// False after the process has begun to go down: what comes later is answered with
/// ZE_RESULT_ERROR_UNINITIALIZED.
extern std::atomic<bool> driver_is_up;

/// Keeps a sentence for zeDriverGetLastErrorDescription on this thread.
void describe_last_error(std::string description) noexcept;

/// `body` with exceptions turned into result codes.
template <class Body> ze_result_t entry(Body &&body) noexcept {
  if (!driver_is_up.load(std::memory_order_relaxed)) [[unlikely]]
    return ZE_RESULT_ERROR_UNINITIALIZED;
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const std::exception &error) {
    describe_last_error(error.what());
    return ZE_RESULT_ERROR_UNKNOWN;
  } catch (...) {
    return ZE_RESULT_ERROR_UNKNOWN;
  }
}

template <class... Pointers> bool any_null(Pointers... pointers) {
  return ((pointers == nullptr) || ...);
}

/// The object behind a handle that is not null. `Object` names its handle type as
/// Object::HandleType.
template <class Object> Object &object(typename Object::HandleType handle) {
  return static_cast<Object &>(*reinterpret_cast<Handle *>(handle));
}

template <class Object> typename Object::HandleType handle_of(Object &object) {
  return reinterpret_cast<typename Object::HandleType>(static_cast<Handle *>(&object));
}

/// The first structure of type `stype` in the chain of extensions that begins at `next`; nullptr if
/// there is none.
template <class Structure>
const Structure *find_extension(const void *next, ze_structure_type_t stype) {
  for (auto *link = static_cast<const ze_base_desc_t *>(next); link;
       link = static_cast<const ze_base_desc_t *>(link->pNext))
    if (link->stype == stype)
      return reinterpret_cast<const Structure *>(link);
  return nullptr;
}

/// The same for structures that the driver fills in.
template <class Structure> Structure *find_output(void *next, ze_structure_type_t stype) {
  return const_cast<Structure *>(find_extension<Structure>(next, stype));
}

/// The convention of all functions that enumerate: *count is the capacity of `items`, or 0 to ask
/// how many there are. `fill(index)` writes item `index`.
template <class Item, class Fill>
ze_result_t enumerate(uint32_t available, uint32_t *count, Item *items, Fill fill) {
  if (*count == 0 || !items) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  if (*count > available)
    *count = available;
  for (uint32_t i = 0; i < *count; ++i)
    fill(i, items[i]);
  return ZE_RESULT_SUCCESS;
}

} // namespace ze_cpu
