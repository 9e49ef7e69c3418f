// hipcc: compiles and links HIP programs, with the options that AMD's hipcc takes. It is clang's HIPSPV driver with our pass
// plugin, emitter, headers and runtime library; what happens is shown by -###.
#include "command_line.h"
#include "process.h"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
  using namespace chip::hipcc;
  try {
    if (argc < 2) {
      std::fprintf(stderr, "hipcc: no input; usage: hipcc [option...] file... (options are clang's)\n");
      return 1;
    }
    Installation installation = find_installation(1);
    Request request = translate(installation, {argv + 1, argv + argc});
    if (request.print_version) {
      std::printf("HIP version: %s\n", version().c_str());
      std::fflush(stdout);
    }
    std::vector<std::string> command{installation.clang()};
    command.insert(command.end(), request.clang_arguments.begin(), request.clang_arguments.end());
    return replace_by(command);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hipcc: %s\n", error.what());
    return 1;
  }
}
