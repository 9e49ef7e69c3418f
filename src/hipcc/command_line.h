// AMD's hipcc command line turned into clang's.
#pragma once

#include "installation.h"

#include <string>
#include <vector>

namespace chip::hipcc {

struct Request {
  std::vector<std::string> clang_arguments; // what follows the program's name
  bool print_version = false;
};

/// `arguments` without the program's name. Response files (@file) are expanded as clang does.
Request translate(const Installation &installation, const std::vector<std::string> &arguments);

} // namespace chip::hipcc
