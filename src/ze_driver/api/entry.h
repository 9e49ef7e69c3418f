// What every entry point does around its work: nothing is thrown across the interface, and a driver
// that has been shut down answers instead of running.
#pragma once

#include "handle.h"
#include "unsupported.h"

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <expected>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

namespace ze_driver {

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
  } catch (const Unsupported &) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
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

/// Whether a type is one of handles: what they point to is declared by Level Zero's headers, and
/// never defined.
template <class Pointer>
inline constexpr bool is_handle = std::is_class_v<std::remove_pointer_t<Pointer>> &&
                                  !requires { sizeof(std::remove_pointer_t<Pointer>); };

/// A function that says what is wrong with a call if arguments are null that must not be: with
/// handles, as the specification orders errors, before other pointers.
template <class... Pointers> auto required(Pointers... arguments) {
  return [=]() -> ze_result_t {
    if (((is_handle<Pointers> && arguments == nullptr) || ...))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (((!is_handle<Pointers> && arguments == nullptr) || ...))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return ZE_RESULT_SUCCESS;
  };
}

/// `body` with exceptions turned into result codes, if `check` has found nothing wrong.
template <class Check, class Body> ze_result_t entry(Check check, Body &&body) noexcept {
  return entry([&]() -> ze_result_t {
    const ze_result_t error = check();
    return error == ZE_RESULT_SUCCESS ? body() : error;
  });
}

/// The object behind a handle that is not null. `Object` names its handle type as
/// Object::HandleType.
template <class Object> Object &object(typename Object::HandleType handle) {
  return static_cast<Object &>(*reinterpret_cast<Handle *>(handle));
}

template <class Object> typename Object::HandleType handle_of(Object &object) {
  return reinterpret_cast<typename Object::HandleType>(static_cast<Handle *>(&object));
}

/// A function that returns one thing of the object behind a handle. `get` returns it, or, as an
/// empty optional, that objects of this sort have none.
template <class Object, class Value, class Get>
ze_result_t get_from(typename Object::HandleType handle, Value *value, Get get) noexcept {
  return entry(required(handle, value), [&]() -> ze_result_t {
    const std::optional<Value> found = get(object<Object>(handle));
    if (!found)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *value = *found;
    return ZE_RESULT_SUCCESS;
  });
}

/// A function that creates an object for a device. `make` gets the description and returns the
/// object's handle, or why there is none.
template <class HandleType, class Description, class Make>
ze_result_t create(ze_context_handle_t context, ze_device_handle_t device,
                   const Description *description, HandleType *handle, Make make) noexcept {
  return entry(required(context, device, description, handle), [&]() -> ze_result_t {
    const std::expected<HandleType, ze_result_t> made = make(*description);
    if (!made)
      return made.error();
    *handle = *made;
    return ZE_RESULT_SUCCESS;
  });
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

/// find_extension() for structures that the driver fills in.
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

} // namespace ze_driver
