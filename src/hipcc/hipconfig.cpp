// hipconfig: where HIP is and how to compile for it, for build systems.
#include "configuration.h"
#include "installation.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr const char *usage = R"(usage: hipconfig [option]
  -p, --path           the installation's directory
  -R, --rocmpath       the same: there is no ROCm beside it
  -v, --version        the version, as MAJOR.MINOR.PATCH-HASH
  -C, --cpp_config     preprocessor options for host compilers
  -c, --compiler       the compiler that HIP uses
  -P, --platform       the platform that programs see
  -r, --runtime        the runtime that programs see
  -l, --hipclangpath   the directory of a clang that compiles HIP for this platform
  -f, --full           all of it (the default)
  -n, --newline        end the output with a newline
  -h, --help           this text
)";

} // namespace

int main(int argc, char **argv) {
  using namespace chip::hipcc;
  Installation installation = find_installation(1);
  const std::string prefix = installation.prefix, clang = installation.clang_names();
  const std::string cpp_config =
      "-D__HIP_PLATFORM_AMD__=1 -D__HIP_PLATFORM_SPIRV__=1 -I" + installation.include().string();
  bool printed = false;
  auto print = [&](const std::string &text) {
    std::fputs(text.c_str(), stdout);
    printed = true;
  };
  auto full = [&] {
    print("HIP version: " + installation.version() + "\n\n==hipconfig\nHIP_PATH     : " + prefix +
          "\nROCM_PATH    : " + prefix +
          "\nHIP_COMPILER : clang\nHIP_PLATFORM : amd\nHIP_RUNTIME  : rocclr\nCPP_CONFIG   : " +
          cpp_config + "\n\n==hip-clang\nHIP_CLANG_PATH : " + clang + "\n");
  };
  for (int i = 1; i < argc; ++i) {
    std::string_view option = argv[i];
    auto is = [&](std::string_view short_name, std::string_view long_name) {
      return option == short_name || option == long_name;
    };
    if (is("-v", "--version"))
      print(installation.version());
    else if (is("-p", "--path") || is("-R", "--rocmpath"))
      print(prefix);
    else if (is("-C", "--cpp_config"))
      print(cpp_config);
    else if (is("-c", "--compiler"))
      print("clang");
    else if (is("-P", "--platform"))
      print("amd");
    else if (is("-r", "--runtime"))
      print("rocclr");
    else if (is("-l", "--hipclangpath"))
      print(clang);
    else if (is("-f", "--full"))
      full();
    else if (is("-n", "--newline"))
      print("\n");
    else if (is("-h", "--help"))
      print(usage);
    else {
      std::fprintf(stderr, "hipconfig: unknown option '%s'\n%s", argv[i], usage);
      return 1;
    }
  }
  if (!printed)
    full();
}
