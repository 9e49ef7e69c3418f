// Modules that the device could not build if it were what it says: a driver must not hand such a one over.
#include "shim.h"

#include <cstdio>
#include <format>
#include <span>
#include <string>

namespace shim {
namespace {

struct Feature {
  const char *hidden; // SHIM_HIDE
  uint32_t first, last;
};

/// Capabilities of SPIR-V.
constexpr Feature features[] = {
    {"fp64", 10, 10},
    {"cl_khr_fp16", 9, 9},
    {"cl_khr_int64_base_atomics", 12, 12},
    {"cl_ext_float_atomics", 5612, 5613},
    {"cl_ext_float_atomics", 5616, 5616},
    {"cl_ext_float_atomics", 6033, 6034},
    {"cl_ext_float_atomics", 6095, 6095},
};

/// PoCL 7.1 has none, whatever is hidden.
bool is_lacking(std::string_view feature) {
  return feature == "cl_khr_fp16" || lists("SHIM_HIDE", feature);
}

/// What a device lacks but for this one is not to be tried: implementations compute with halves that do not announce it.
void complain(std::string_view feature, std::string_view what) {
  if (feature != "cl_khr_fp16")
    std::fprintf(stderr, "shim: a module with %s\n", std::string(what).c_str());
}

bool can_take(std::span<const uint32_t> words) {
  if (words.size() < 5)
    return true;
  if (const auto minor = said("spirv"); minor && (words[1] >> 8 & 255) > *minor) {
    std::fprintf(stderr, "shim: a module of SPIR-V 1.%u\n", words[1] >> 8 & 255);
    return false;
  }
  for (size_t at = 5; at < words.size();) {
    const uint32_t op = words[at] & 0xffff, count = words[at] >> 16;
    if (count == 0 || at + count > words.size())
      return true; // PoCL says what is wrong
    constexpr uint32_t op_capability = 17, op_type_float = 22;
    for (const Feature &feature : features)
      if (op == op_capability && words[at + 1] >= feature.first && words[at + 1] <= feature.last &&
          is_lacking(feature.hidden)) {
        complain(feature.hidden, std::format("the capability {}, for which {} is needed",
                                             words[at + 1], feature.hidden));
        return false;
      }
    const char *const number = words[at + 2] == 64 ? "fp64" : "cl_khr_fp16";
    if (op == op_type_float && words[at + 2] != 32 && is_lacking(number)) {
      complain(number, std::format("a number of {} bits", words[at + 2]));
      return false;
    }
    at += count;
  }
  return true;
}

cl_program CL_API_CALL create(cl_context context, const void *il, size_t bytes, cl_int *error) {
  if (can_take({static_cast<const uint32_t *>(il), bytes / sizeof(uint32_t)}))
    return original.clCreateProgramWithIL(context, il, bytes, error);
  if (error)
    *error = CL_INVALID_VALUE;
  return nullptr;
}

} // namespace

void change_modules(cl_icd_dispatch &table) { table.clCreateProgramWithIL = &create; }

} // namespace shim
