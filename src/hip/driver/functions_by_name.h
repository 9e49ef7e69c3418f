// The functions of the headers by name. The build makes the table (src/hip/unsupported/generate.py).
#pragma once

#include <span>
#include <string_view>

namespace chip::hip {

struct NamedFunction {
  std::string_view name;
  void *address;
  void *per_thread; // that of the variant for hipStreamPerThread; null where there is none
};

/// All functions that the library exports, sorted by name.
std::span<const NamedFunction> functions_by_name();

} // namespace chip::hip
