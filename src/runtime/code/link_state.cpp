#include "link_state.h"
#include "../../common/handle_table.h"
#include "../platform/platform.h"

#include <dlfcn.h>
#include <filesystem>
#include <format>
#include <string>

namespace chip {
namespace {

/// libhiprtc's functions. The library stays loaded.
struct LinkerLibrary {
  decltype(&hiprtcLinkCreate) create;
  decltype(&hiprtcLinkAddData) add_data;
  decltype(&hiprtcLinkAddFile) add_file;
  decltype(&hiprtcLinkComplete) complete;
  decltype(&hiprtcLinkDestroy) destroy;
};

/// Where libhiprtc is: beside this library.
std::string library_path() {
  Dl_info own;
  if (dladdr(reinterpret_cast<void *>(&library_path), &own) == 0 || !own.dli_fname)
    return "libhiprtc.so";
  return std::filesystem::path(own.dli_fname).replace_filename("libhiprtc.so");
}

LinkerLibrary load_linker_library() {
  const std::string path = library_path();
  void *const library =
      Platform::load_libraries([&] { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
  const auto refuse = [] {
    const char *const reason = dlerror();
    throw Error(hipErrorSharedObjectInitFailed,
                std::format("linking needs libhiprtc: {}", reason ? reason : "it has no linker"));
  };
  if (!library)
    refuse();
  const auto find = [&]<class Function>(Function *&function, const char *name) {
    function = reinterpret_cast<Function *>(dlsym(library, name));
    if (!function)
      refuse();
  };
  LinkerLibrary found{};
  find(found.create, "hiprtcLinkCreate");
  find(found.add_data, "hiprtcLinkAddData");
  find(found.add_file, "hiprtcLinkAddFile");
  find(found.complete, "hiprtcLinkComplete");
  find(found.destroy, "hiprtcLinkDestroy");
  return found;
}

const LinkerLibrary &linker_library() {
  static const LinkerLibrary library = load_linker_library(); // tried again if it throws
  return library;
}

/// Throws HIP's error for a result of libhiprtc.
void check(hiprtcResult result) {
  switch (result) {
  case HIPRTC_SUCCESS:
    return;
  case HIPRTC_ERROR_OUT_OF_MEMORY:
    throw std::bad_alloc();
  case HIPRTC_ERROR_INVALID_INPUT:
    throw Error(hipErrorInvalidValue, "inputs of this type cannot be linked");
  case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
    throw Error(hipErrorFileNotFound, "the file `path` cannot be read");
  case HIPRTC_ERROR_LINKING:
    throw Error(hipErrorInvalidImage,
                "the inputs cannot be linked; hipJitOptionErrorLogBuffer tells why");
  default:
    throw Error(hipErrorSharedObjectInitFailed, "the compiler of the installation cannot be run");
  }
}

/// Never destroyed: destructors of the program may still call.
common::HandleTable<LinkState> &link_states() {
  static auto &table = *new common::HandleTable<LinkState>;
  return table;
}

[[noreturn]] void refuse_state() {
  throw Error(hipErrorInvalidHandle, "`state` is not a live hipLinkState_t");
}

} // namespace

LinkState::LinkState(std::span<hipJitOption> options, void **values) {
  check(linker_library().create(unsigned(options.size()), options.data(), values, &state_));
}

LinkState::~LinkState() { linker_library().destroy(state_); }

void LinkState::add(hipJitInputType type, std::span<const std::byte> code) {
  check(linker_library().add_data(state_, type, const_cast<std::byte *>(code.data()), code.size(),
                                  nullptr, 0, nullptr, nullptr));
}

void LinkState::add_file(hipJitInputType type, const char *path) {
  check(linker_library().add_file(state_, type, path, 0, nullptr, nullptr));
}

std::span<std::byte> LinkState::complete() {
  void *image = nullptr;
  size_t bytes = 0;
  check(linker_library().complete(state_, &image, &bytes));
  return {static_cast<std::byte *>(image), bytes};
}

hipLinkState_t create_link_state(std::span<hipJitOption> options, void **values) {
  return reinterpret_cast<hipLinkState_t>(
      link_states().add(std::make_shared<LinkState>(options, values)));
}

std::shared_ptr<LinkState> find_link_state(hipLinkState_t handle) {
  auto state = link_states().find(handle);
  if (!state)
    refuse_state();
  return state;
}

void destroy_link_state(hipLinkState_t handle) {
  if (!link_states().take(handle))
    refuse_state();
}

} // namespace chip
