// AMD's hipcc command line turned into clang's.
#pragma once

#include "installation.h"

#include <optional>
#include <string>
#include <vector>

namespace chip::hipcc {

struct Request {
  std::vector<std::string> clang_arguments; // what follows the program's name
  bool print_version = false;
  // Which of clang_arguments stands for standard input that holds HIP: clang would read it once for
  // the device and then find nothing left for the host.
  std::optional<size_t> standard_input;
};

/// What hipcc is called as.
enum class Role {
  hipcc, // C++ files are HIP, and what is linked is linked with the runtime
  clang, // as AMD's clang++: HIP is what is called so by its name or by -x
};

/// What users set in the environment for every call.
struct Appended {
  std::string compile_flags; // HIPCC_COMPILE_FLAGS_APPEND
  std::string link_flags;    // HIPCC_LINK_FLAGS_APPEND
};

/// `arguments` without the program's name. Response files (@file) are expanded as clang does.
/// Throws std::invalid_argument with a message for the user.
Request translate(const Installation &installation, const std::vector<std::string> &arguments,
                  Role role = Role::hipcc, const Appended &appended = {});

} // namespace chip::hipcc
