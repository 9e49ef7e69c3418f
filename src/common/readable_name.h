// Names of kernels as messages show them.
#pragma once

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace common {

/// As the source has it, "scale<float>(float*, int)"; a name that is not mangled is what it is.
inline std::string readable_name(const std::string &symbol) {
  if (!symbol.starts_with("_Z"))
    return symbol; // "f" would be read as a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : symbol;
}

} // namespace common
