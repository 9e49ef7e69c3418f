// The entry points of hiprtc.h: check arguments, call what stands behind the handle, return a code.
#include "../common/handle_table.h"
#include "../common/uncancelled.h"
#include "error.h"
#include "linker.h"
#include "program.h"

#include <hip/hip_version.h>
#include <hip/hiprtc.h>

#include <cstring>
#include <new>

#define HIPRTC_EXPORT __attribute__((visibility("default")))

using namespace chip::hiprtc;

namespace {

/// Never destroyed: destructors of the program may still call.
template <class Object> common::HandleTable<Object> &all() {
  static auto &table = *new common::HandleTable<Object>;
  return table;
}

template <class Body> hiprtcResult entry(Body &&body) noexcept {
  const common::Uncancelled uncancelled;
  try {
    body();
    return HIPRTC_SUCCESS;
  } catch (const Error &error) {
    return error.code;
  } catch (const std::bad_alloc &) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

void require(bool is_valid) {
  if (!is_valid)
    throw Error(HIPRTC_ERROR_INVALID_INPUT, "an argument is not valid");
}

std::shared_ptr<Program> program_of(hiprtcProgram handle) {
  auto program = all<Program>().find(handle);
  if (!program)
    throw Error(HIPRTC_ERROR_INVALID_PROGRAM, "`program` is not a live hiprtcProgram");
  return program;
}

std::shared_ptr<Linker> linker_of(hiprtcLinkState handle) {
  auto linker = all<Linker>().find(handle);
  require(linker != nullptr);
  return linker;
}

// `options` and `values` as hiprtcLinkCreate and its like take them.
std::span<const hiprtcJIT_option> options_of(unsigned count, hiprtcJIT_option *options,
                                             void **values) {
  require(count == 0 || (options && values));
  return {options, count};
}

} // namespace

extern "C" {

HIPRTC_EXPORT const char *hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
#define NAME(code)                                                                                 \
  case code:                                                                                       \
    return #code;
    NAME(HIPRTC_SUCCESS)
    NAME(HIPRTC_ERROR_OUT_OF_MEMORY)
    NAME(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAME(HIPRTC_ERROR_INVALID_INPUT)
    NAME(HIPRTC_ERROR_INVALID_PROGRAM)
    NAME(HIPRTC_ERROR_INVALID_OPTION)
    NAME(HIPRTC_ERROR_COMPILATION)
    NAME(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    NAME(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    NAME(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAME(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    NAME(HIPRTC_ERROR_INTERNAL_ERROR)
    NAME(HIPRTC_ERROR_LINKING)
#undef NAME
  }
  return "HIPRTC_ERROR unknown";
}

HIPRTC_EXPORT hiprtcResult hiprtcVersion(int *major, int *minor) {
  return entry([&] {
    require(major && minor);
    *major = HIP_VERSION_MAJOR;
    *minor = HIP_VERSION_MINOR;
  });
}

/// hiprtcVersion for programs with the headers of HIP 7.
extern "C" HIPRTC_EXPORT hiprtcResult hiprtcVersionR0700(int *major, int *minor) {
  return entry([&] {
    require(major && minor);
    *major = 7;
    *minor = 2;
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *src,
                                               const char *name, int header_count,
                                               const char **headers, const char **include_names) {
  return entry([&] {
    require(program && src && header_count >= 0 &&
            (header_count == 0 || (headers && include_names)));
    Source source{src, name && *name ? name : "default_program", {}, {}};
    for (int i = 0; i < header_count; ++i) {
      require(headers[i] && include_names[i] && *include_names[i]);
      source.headers.emplace_back(include_names[i], headers[i]);
    }
    *program = reinterpret_cast<hiprtcProgram>(
        all<Program>().add(std::make_shared<Program>(std::move(source))));
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program) {
  return entry([&] {
    require(program);
    if (!all<Program>().take(*program))
      throw Error(HIPRTC_ERROR_INVALID_PROGRAM, "`*program` is not a live hiprtcProgram");
    *program = nullptr;
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcAddNameExpression(hiprtcProgram program,
                                                   const char *name_expression) {
  return entry([&] {
    require(name_expression && *name_expression);
    program_of(program)->add_name_expression(name_expression);
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count,
                                                const char **options) {
  return entry([&] {
    require(option_count >= 0 && (option_count == 0 || options));
    std::vector<std::string> words;
    for (int i = 0; i < option_count; ++i) {
      require(options[i]);
      words.emplace_back(options[i]);
    }
    program_of(program)->compile(words);
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *name_expression,
                                                const char **lowered_name) {
  return entry([&] {
    require(name_expression && lowered_name);
    *lowered_name = program_of(program)->lowered_name(name_expression);
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size) {
  return entry([&] {
    require(size);
    *size = program_of(program)->log().size() + 1;
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log) {
  return entry([&] {
    require(log);
    const std::string text = program_of(program)->log();
    std::memcpy(log, text.c_str(), text.size() + 1);
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size) {
  return entry([&] {
    require(size);
    *size = program_of(program)->code().size();
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code) {
  return entry([&] {
    require(code);
    const std::string bytes = program_of(program)->code();
    std::memcpy(code, bytes.data(), bytes.size());
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t *size) {
  return entry([&] {
    require(size);
    *size = program_of(program)->bitcode().size();
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char *bitcode) {
  return entry([&] {
    require(bitcode);
    const std::string bytes = program_of(program)->bitcode();
    std::memcpy(bitcode, bytes.data(), bytes.size());
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcLinkCreate(unsigned int option_count, hiprtcJIT_option *options,
                                            void **option_values, hiprtcLinkState *state) {
  return entry([&] {
    require(state);
    *state = reinterpret_cast<hiprtcLinkState>(all<Linker>().add(
        std::make_shared<Linker>(options_of(option_count, options, option_values), option_values)));
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type,
                                             const char *path, unsigned int option_count,
                                             hiprtcJIT_option *options, void **option_values) {
  return entry([&] {
    require(path);
    options_of(option_count, options, option_values);
    linker_of(state)->add_file(type, path);
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type,
                                             void *image, size_t size, const char *,
                                             unsigned int option_count, hiprtcJIT_option *options,
                                             void **option_values) {
  return entry([&] {
    require(image && size != 0);
    options_of(option_count, options, option_values);
    linker_of(state)->add(type, {static_cast<const char *>(image), size});
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void **binary, size_t *size) {
  return entry([&] {
    require(binary && size);
    const std::string_view code = linker_of(state)->complete();
    *binary = const_cast<char *>(code.data());
    *size = code.size();
  });
}

HIPRTC_EXPORT hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
  return entry([&] { require(all<Linker>().take(state) != nullptr); });
}

} // extern "C"
