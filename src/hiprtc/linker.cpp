#include "linker.h"

#include "compiler.h"
#include "error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>

namespace chip::hiprtc {
namespace {

namespace fs = std::filesystem;

/// What bundles of a type are for clang-offload-bundler; nothing for inputs that are no bundles.
std::string bundle_type(hiprtcJITInputType type) {
  switch (type) {
  case HIPRTC_JIT_INPUT_LLVM_BITCODE:
  case HIPRTC_JIT_INPUT_SPIRV:
    return "";
  case HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE:
    return "bc";
  case HIPRTC_JIT_INPUT_OBJECT: // as hipcc -fgpu-rdc -c makes it
    return "o";
  case HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE:
  case HIPRTC_JIT_INPUT_LIBRARY:
    return "a";
  default:
    throw Error(HIPRTC_ERROR_INVALID_INPUT, "error: inputs of this type cannot be linked\n");
  }
}

void put(const LogBuffer &buffer, const std::string &text) {
  if (!buffer.text || buffer.size == 0)
    return;
  const size_t size = std::min(buffer.size - 1, text.size());
  std::memcpy(buffer.text, text.data(), size);
  buffer.text[size] = 0;
}

} // namespace

Linker::Linker(std::span<const hiprtcJIT_option> options, void **values) {
  for (size_t i = 0; i < options.size(); ++i) {
    const auto number = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
    switch (options[i]) {
    case HIPRTC_JIT_INFO_LOG_BUFFER:
      information_.text = static_cast<char *>(values[i]);
      break;
    case HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      information_.size = number;
      break;
    case HIPRTC_JIT_ERROR_LOG_BUFFER:
      errors_.text = static_cast<char *>(values[i]);
      break;
    case HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      errors_.size = number;
      break;
    default:
      break;
    }
  }
}

void Linker::add(hiprtcJITInputType type, std::string_view bytes) {
  std::ignore = bundle_type(type);
  state_.lock()->inputs.push_back({type, std::string(bytes)});
}

void Linker::add_file(hiprtcJITInputType type, const char *path) {
  std::ignore = bundle_type(type);
  std::string bytes;
  if (!read_file(path, bytes))
    throw Error(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE,
                std::string("error: cannot read ") + path + "\n");
  state_.lock()->inputs.push_back({type, std::move(bytes)});
}

std::string_view Linker::complete() {
  const auto state = state_.lock();
  if (state->code.empty())
    link(*state);
  return state->code;
}

void Linker::link(State &state) const {
  auto &[inputs, code] = state;
  auto fail = [&](const std::string &message) {
    put(errors_, message);
    throw Error(HIPRTC_ERROR_LINKING, message);
  };
  if (inputs.empty())
    fail("error: there is nothing to link\n");
  if (std::ranges::contains(inputs, HIPRTC_JIT_INPUT_SPIRV, &Input::type)) {
    if (inputs.size() != 1)
      fail("error: SPIR-V cannot be linked with other inputs: add LLVM's bitcode instead\n");
    code = bundle(inputs[0].bytes);
    return;
  }

  const Workspace workspace;
  Compiler compiler(workspace);
  auto check = [&](bool worked) {
    if (!worked)
      fail(compiler.log());
  };
  std::vector<fs::path> files;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string number = std::to_string(i);
    const std::string type = bundle_type(inputs[i].type);
    fs::path file = workspace / ("input" + number);
    write_file(file, inputs[i].bytes);
    if (!type.empty()) {
      const fs::path inner = workspace / ("unbundled" + number + (type == "a" ? ".a" : ".bc"));
      check(compiler.unbundle(file, type, inner));
      file = inner;
    }
    files.push_back(file);
  }
  const fs::path linked = workspace / "linked.bc", spirv = workspace / "linked.spv";
  check(compiler.link(files, linked) && compiler.emit(linked, spirv));
  std::string content;
  if (!read_file(spirv, content))
    fail("error: cannot read what the compiler made\n");
  put(information_, compiler.log());
  code = bundle(content);
}

} // namespace chip::hiprtc
