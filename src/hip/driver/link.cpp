// HIP API reference: Module management, linking while the program runs.
#include "../../runtime/code/link_state.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// The arrays of options that a function was given.
std::span<hipJitOption> checked_options(unsigned count, hipJitOption *options, void **values) {
  if (count != 0 && (!options || !values))
    throw Error(hipErrorInvalidValue,
                "`options` or `option_values` is null, but `option_count` is not 0");
  return {options, count};
}

} // namespace

hipError_t hipLinkCreate(unsigned int option_count, hipJitOption *options, void **option_values,
                         hipLinkState_t *state) {
  return entry([&] {
    required(state);
    *state =
        create_link_state(checked_options(option_count, options, option_values), option_values);
  });
}

// The options of a single input say how code is made of PTX, which is no input here.

hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size,
                          const char *, unsigned int option_count, hipJitOption *options,
                          void **option_values) {
  return entry([&] {
    const auto found = find_link_state(state);
    if (!data || size == 0)
      throw Error(hipErrorInvalidValue, "`data` is null, or `size` is 0");
    checked_options(option_count, options, option_values);
    found->add(type, {static_cast<const std::byte *>(data), size});
  });
}

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path,
                          unsigned int option_count, hipJitOption *options, void **option_values) {
  return entry([&] {
    const auto found = find_link_state(state);
    required(path);
    checked_options(option_count, options, option_values);
    found->add_file(type, path);
  });
}

hipError_t hipLinkComplete(hipLinkState_t state, void **binary, size_t *size) {
  return entry([&] {
    const auto found = find_link_state(state);
    required(binary);
    required(size);
    const std::span image = found->complete();
    *binary = image.data();
    *size = image.size();
  });
}

hipError_t hipLinkDestroy(hipLinkState_t state) {
  return entry([&] { destroy_link_state(state); });
}
