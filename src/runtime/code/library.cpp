#include "library.h"
#include "../../common/handle_table.h"
#include "../platform/platform.h"
#include "module_cache.h"

#include <format>
#include <map>
#include <optional>

/// What a hipKernel_t stands for.
struct ihipKernel_t {
  const std::string name;
  const std::weak_ptr<ihipLibrary_t> library;
};

struct ihipLibrary_t {
  ihipLibrary_t() = default;
  ihipLibrary_t(const ihipLibrary_t &) = delete;
  ~ihipLibrary_t() {
    for (auto &[device, module] : state.lock()->built)
      chip::ModuleCache::instance().release(module);
  }

  // Of the two, the one that reading the code has led to.
  std::shared_ptr<const chip::CodeObject> code;
  std::optional<chip::Error> failure;
  struct State {
    std::map<chip::Device *, std::shared_ptr<chip::BuiltModule>> built;
    std::map<std::string, std::shared_ptr<ihipKernel_t>> kernels; // those that were asked for
  };
  common::Guarded<State> state;

  const chip::CodeObject &readable_code() const {
    if (failure)
      throw *failure;
    return *code;
  }
};

namespace chip {
namespace {

using Library = ihipLibrary_t;
using LibraryKernel = ihipKernel_t;

// Both outlive static destructors, which may unload libraries.
common::HandleTable<Library> &all_libraries() {
  static auto &all = *new common::HandleTable<Library>;
  return all;
}
common::HandleTable<LibraryKernel> &all_kernels() {
  static auto &all = *new common::HandleTable<LibraryKernel>;
  return all;
}

hipLibrary_t add_library(const void *image, size_t available) {
  auto library = std::make_shared<Library>();
  try {
    library->code = load_code_object(image, available);
  } catch (const Error &error) {
    library->failure = error;
  }
  return all_libraries().add(std::move(library));
}

[[noreturn]] void refuse_library() {
  throw Error(hipErrorInvalidResourceHandle, "`library` is not a loaded hipLibrary_t");
}

std::shared_ptr<Library> find_library(hipLibrary_t handle) {
  auto library = all_libraries().find(handle);
  if (!library)
    refuse_library();
  return library;
}

std::shared_ptr<LibraryKernel> live_kernel(hipKernel_t handle) {
  auto kernel = all_kernels().find(handle);
  if (!kernel)
    throw Error(hipErrorInvalidHandle, "`kernel` is not a hipKernel_t of a loaded library");
  return kernel;
}

/// The handles of the library's kernels stand for nothing from now on.
void retire_kernels(Library &library) {
  for (const auto &[name, kernel] : library.state.lock()->kernels)
    all_kernels().take(kernel.get());
}

} // namespace

hipLibrary_t load_library_data(const void *image) {
  Platform::get();
  return add_library(image, SIZE_MAX);
}

hipLibrary_t load_library_file(const char *path) {
  Platform::get();
  std::vector<char> bytes;
  try {
    bytes = read_code_file(path);
  } catch (const Error &error) {
    throw error.code() == hipErrorFileNotFound ? Error(hipErrorInvalidValue, error.what()) : error;
  }
  return add_library(bytes.data(), bytes.size());
}

void unload_library(hipLibrary_t handle) {
  const auto library = all_libraries().take(handle);
  if (!library)
    refuse_library();
  retire_kernels(*library);
}

hipKernel_t library_kernel(hipLibrary_t handle, const char *name) {
  const auto library = find_library(handle);
  const auto &signatures = library->readable_code().contents.signatures;
  if (!is_programs_kernel(name) || !signatures.contains(name))
    throw Error(hipErrorNotFound, std::format("the library has no kernel '{}'", name));
  const auto state = library->state.lock();
  std::shared_ptr<LibraryKernel> &kernel = state->kernels[name];
  if (!kernel) {
    auto made = std::make_shared<LibraryKernel>(name, library);
    all_kernels().add(made);
    kernel = std::move(made);
  }
  return kernel.get();
}

std::vector<std::string> library_kernel_names(hipLibrary_t handle) {
  return kernel_names(find_library(handle)->readable_code());
}

hipLibrary_t library_of(hipKernel_t handle) {
  const auto library = live_kernel(handle)->library.lock();
  if (!library)
    throw Error(hipErrorInvalidHandle, "the library of `kernel` is being unloaded");
  return library.get();
}

const char *name_of(hipKernel_t handle) { return live_kernel(handle)->name.c_str(); }

Kernel *find_library_kernel(const void *handle, Device *device) {
  const auto kernel = all_kernels().find(handle);
  const auto library = kernel ? kernel->library.lock() : nullptr;
  if (!library)
    return nullptr;
  if (!device)
    device = &Platform::current_device();
  std::shared_ptr<BuiltModule> module;
  {
    const auto state = library->state.lock();
    auto built = state->built.find(device);
    if (built == state->built.end())
      built = state->built
                  .emplace(device, ModuleCache::instance().acquire(*device, library->code->spirv))
                  .first;
    module = built->second;
  }
  return &module->kernel(kernel->name);
}

void release_all_libraries() {
  for (const auto &library : all_libraries().take_all_if([](const Library &) { return true; }))
    retire_kernels(*library);
}

} // namespace chip
