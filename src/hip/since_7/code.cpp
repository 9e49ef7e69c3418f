// HIP 7: libraries, modules, functions by name, occupancy.
#include "../../runtime/code/library.h"
#include "../../runtime/code/program.h"
#include "../../runtime/code/shared_memory.h"
#include "../../runtime/platform/occupancy.h"
#include "../driver/function_by_name.h"
#include "../entry.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::required;

namespace {

void check_library_options(unsigned jit_count, const hipLibraryOption *options, unsigned count) {
  if (jit_count != 0)
    throw Error(hipErrorInvalidValue, "`jit_count` is not 0");
  if (count != 0 && !options)
    throw Error(hipErrorInvalidValue, "`library_options` is null, but `library_count` is not 0");
  for (const hipLibraryOption option : std::span(options, count)) {
    if (option == hipLibraryHostUniversalFunctionAndDataTable)
      throw Error(hipErrorNotSupported, "libraries have no tables of the host's functions");
    if (option != hipLibraryBinaryIsPreserved)
      throw Error(hipErrorInvalidValue, "`library_options` has an unknown option");
  }
}

/// Throws hipErrorInvalidValue for null: what is no handle at all has other errors.
void check_given(const void *pointer) { required(static_cast<const char *>(pointer)); }

hipError_t find_entry_point(const char *symbol, void **function, unsigned long long flags,
                            hipDriverEntryPointQueryResult *status, bool per_thread,
                            const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(function) = nullptr;
    const std::string_view name = &required(symbol);
    if (name.empty() || flags > hipEnablePerThreadDefaultStream)
      throw Error(hipErrorInvalidValue, "`symbol` is empty, or `flags` is unknown");
    if (flags != hipEnableDefault)
      per_thread = flags == hipEnablePerThreadDefaultStream;
    *function = hip::function_by_name(name, 7, per_thread);
    if (status)
      *status = *function ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
    if (!*function)
      throw Error(hipErrorInvalidValue, "`symbol` is not the name of a function of HIP");
  });
}

} // namespace

// ---- Libraries

hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *, void **,
                              unsigned int jit_count, hipLibraryOption *library_options, void **,
                              unsigned int library_count) {
  return entry([&] {
    required(library) = nullptr;
    check_given(code);
    check_library_options(jit_count, library_options, library_count);
    *library = load_library_data(code);
  });
}

hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *file, hipJitOption *, void **,
                                  unsigned int jit_count, hipLibraryOption *library_options,
                                  void **, unsigned int library_count) {
  return entry([&] {
    required(library) = nullptr;
    check_given(file);
    check_library_options(jit_count, library_options, library_count);
    *library = load_library_file(file);
  });
}

hipError_t hipLibraryUnload(hipLibrary_t library) {
  return entry([&] { unload_library(library); });
}

hipError_t hipLibraryGetKernel(hipKernel_t *kernel, hipLibrary_t library, const char *name) {
  return entry([&] {
    required(kernel) = nullptr;
    check_given(library);
    *kernel = library_kernel(library, &required(name));
  });
}

hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library) {
  return entry([&] {
    required(count) = 0;
    check_given(library);
    *count = unsigned(library_kernel_names(library).size());
  });
}

hipError_t hipLibraryEnumerateKernels(hipKernel_t *kernels, unsigned int count,
                                      hipLibrary_t library) {
  return entry([&] {
    check_given(kernels);
    check_given(library);
    const auto names = library_kernel_names(library);
    for (const std::string &name : names | std::views::take(count))
      *kernels++ = library_kernel(library, name.c_str());
  });
}

hipError_t hipKernelGetLibrary(hipLibrary_t *library, hipKernel_t kernel) {
  return entry([&] {
    required(library) = nullptr;
    check_given(kernel);
    *library = library_of(kernel);
  });
}

hipError_t hipKernelGetName(const char **name, hipKernel_t kernel) {
  return entry([&] {
    required(name) = nullptr;
    check_given(kernel);
    *name = name_of(kernel);
  });
}

// ---- Modules

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin) {
  return entry([&] {
    make_into(module,
              [&] { return load_module_data(&required(static_cast<const char *>(fatbin))); });
  });
}

hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t module) {
  return entry(
      [&] { required(count) = unsigned(kernel_names(find_module(module)->code()).size()); });
}

// ---- The rest

hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *function,
                                                    int block_count, int block_size) {
  return entry([&] {
    required(shared_bytes) = 0;
    if (block_count <= 0 || block_size <= 0)
      throw Error(hipErrorInvalidValue, "`block_count` or `block_size` is not positive");
    const Kernel &kernel = find_kernel(function, Platform::current_device());
    const auto fit = [&](size_t bytes) {
      return active_blocks(kernel, block_size, bytes) >= block_count;
    };
    if (!fit(0))
      throw Error(hipErrorInvalidValue, "`block_count` blocks cannot run at once");
    // The more memory a block has, the fewer there are: the first size with which it is too much.
    const auto sizes = std::views::iota(size_t(1), size_t(most_dynamic_shared_bytes(kernel)) + 1);
    *shared_bytes = size_t(std::ranges::partition_point(sizes, fit) - sizes.begin());
  });
}

hipError_t hipGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                  hipDriverEntryPointQueryResult *status) {
  return find_entry_point(symbol, function, flags, status, false);
}

hipError_t hipGetDriverEntryPoint_spt(const char *symbol, void **function, unsigned long long flags,
                                      hipDriverEntryPointQueryResult *status) {
  return find_entry_point(symbol, function, flags, status, true);
}
