// Links device bitcode: clang's HIPSPV driver finds this program through -B by the name of LLVM's
// linker, which it runs. An object or archive without relocatable device code comes as an empty
// module, and LLVM's linker warns of that each time.
#include "installation.h"
#include "process.h"

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

void print_without_empty_modules(std::string_view messages) {
  bool follows_dropped = false; // the message ends with an empty line
  while (!messages.empty()) {
    const size_t end = messages.find('\n');
    const std::string_view line = messages.substr(0, end);
    messages.remove_prefix(end == messages.npos ? messages.size() : end + 1);
    const bool is_dropped =
        line.starts_with("warning: Linking two modules of different data layouts") &&
        line.find(" is '' whereas ") != line.npos;
    if (!is_dropped && !(follows_dropped && line.empty()))
      std::fprintf(stderr, "%.*s\n", int(line.size()), line.data());
    follows_dropped = is_dropped;
  }
}

} // namespace

int main(int argc, char **argv) {
  using namespace chip::hipcc;
  const Installation installation = find_installation(2);
  std::vector<std::string> command{installation.llvm_bin / "llvm-link"};
  command.insert(command.end(), argv + 1, argv + argc);
  const Result result = run(command);
  print_without_empty_modules(result.errors);
  return result.exit_code;
}
