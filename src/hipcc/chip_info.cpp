// chip-info: what a report of a problem needs: versions, settings, devices and what they lack, and what is wrong where there is
// none.
#include "configuration.h"
#include "device_lacks.h"
#include "installation.h"

#include <chip/interop.h>
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace {

namespace fs = std::filesystem;

constexpr const char *usage = R"(usage: chip-info [--help]
Shows what a report of a problem needs: versions of libCHIP, of the compiler, of Level Zero's loader and
drivers, the variables that are set, and the devices, with what they lack and what of HIP that costs.
Where no device is found it says what is wrong.
Exit code: 0 if there is a device and it is shown, 1 if not.
)";

/// What is written to standard error, by whatever library, between construction and take().
class StandardError {
public:
  StandardError()
      : file_(memfd_create("standard error", MFD_CLOEXEC)), before_(dup(STDERR_FILENO)) {
    if (file_ >= 0 && before_ >= 0)
      dup2(file_, STDERR_FILENO);
  }
  StandardError(const StandardError &) = delete;

  std::vector<std::string> take() {
    std::fflush(stderr);
    if (file_ < 0 || before_ < 0)
      return {};
    dup2(before_, STDERR_FILENO);
    std::vector<std::string> lines;
    std::ifstream written("/proc/self/fd/" + std::to_string(file_));
    for (std::string line; std::getline(written, line);)
      lines.push_back(line);
    return lines;
  }

private:
  int file_, before_;
};

void print_settings() {
  std::puts("\nVariables that are set:");
  std::set<std::string> set;
  for (char **variable = environ; *variable; ++variable)
    for (const std::string_view prefix : {"CHIP_", "ZE_", "ZET_", "ZES_", "HIP_", "HIPCC_", "ROCR_",
                                          "CUDA_", "NEO", "LD_LIBRARY_PATH="})
      if (std::string_view(*variable).starts_with(prefix))
        set.insert(*variable);
  for (const std::string &text : set)
    std::printf("  %s\n", text.c_str());
  if (set.empty())
    std::puts("  none");
}

/// The loader, the drivers and their compilers, by the files that the process has loaded: their names have their versions.
void print_libraries() {
  std::puts("\nLibraries that were loaded:");
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char *name : {"/libCHIP", "/libamdhip64", "/libze_", "/libigc", "/libigdfcl"})
      if (line.find(name) != line.npos)
        files.insert(line.substr(line.find('/')));
  for (const std::string &file : files)
    std::printf("  %s\n", file.c_str());
  if (files.empty())
    std::puts("  none");
}

template <class Function> Function *function(void *library, const char *name) {
  auto *found = reinterpret_cast<Function *>(dlsym(library, name));
  if (!found) {
    std::fprintf(stderr, "chip-info: libCHIP has no %s: it is not the one that belongs here\n",
                 name);
    std::exit(1);
  }
  return found;
}

void print_device(int number, const hipDeviceProp_t &p) {
  constexpr double mib = 1024.0 * 1024.0;
  std::printf("\nDevice %d: %s (%s)\n", number, p.name, p.gcnArchName);
  std::printf("  memory                 %.0f MiB\n", double(p.totalGlobalMem) / mib);
  std::printf("  compute units          %d at %d MHz\n", p.multiProcessorCount, p.clockRate / 1000);
  std::printf("  warp size              %d\n", p.warpSize);
  std::printf("  threads per block      %d, at most %d x %d x %d\n", p.maxThreadsPerBlock,
              p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
  std::printf("  blocks per grid        at most %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1],
              p.maxGridSize[2]);
  std::printf("  shared memory          %zu KiB per block\n", p.sharedMemPerBlock / 1024);
  std::printf("  managed memory         %s\n", p.managedMemory ? "yes" : "no");
  std::printf("  PCI address            %04x:%02x:%02x\n", p.pciDomainID, p.pciBusID,
              p.pciDeviceID);
}

void print_lacks(void *library, int number) {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  auto *const native = function<decltype(chipDeviceGetNative)>(library, "chipDeviceGetNative");
  if (native(number, &driver, &device, &context) != hipSuccess)
    return;
  for (const std::string &lack : chip::hipcc::lacks_of(driver, device))
    std::printf("  lacks                  %s\n", lack.c_str());
}

/// What a user can mend on the machine, beside what libCHIP itself has said.
void print_reasons(const fs::path &driver) {
  std::error_code error;
  const fs::path nodes = "/dev/dri";
  bool has_node = false;
  for (const auto &entry : fs::directory_iterator(nodes, error)) {
    if (!entry.path().filename().string().starts_with("renderD"))
      continue;
    has_node = true;
    if (access(entry.path().c_str(), R_OK | W_OK) != 0)
      std::printf("  you may not read and write %s: join its group (render, most often), and log "
                  "in again\n",
                  entry.path().c_str());
  }
  if (!has_node)
    std::puts("  there is no /dev/dri/renderD*: the machine, or the container, has no GPU");
  if (!fs::exists(driver, error))
    std::printf("  there is no CPU driver %s: install libCHIP completely\n", driver.c_str());
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    const bool asks = argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"));
    std::fputs(usage, asks ? stdout : stderr);
    return asks ? 0 : 1;
  }
  const chip::hipcc::Installation installation = chip::hipcc::find_installation(1);
  std::printf("libCHIP with HIP %s in %s\n", installation.version().c_str(),
              installation.prefix.c_str());
  std::error_code error;
  std::printf("Compiler: %s%s\n", fs::canonical(installation.clang(), error).c_str(),
              error ? (installation.clang().string() + " is missing: hipcc cannot compile").c_str()
                    : "");
  print_settings();
  std::fflush(stdout);

  setenv("CHIP_LOG", "info", 0); // libCHIP then tells of drivers
  StandardError said;
  const fs::path file = installation.lib() / "libCHIP.so";
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const std::string load_error = library ? "" : dlerror();
  int count = 0;
  hipError_t result = hipErrorNoDevice;
  if (library)
    result = function<decltype(hipGetDeviceCount)>(library, "hipGetDeviceCount")(&count);
  const std::vector<std::string> lines = said.take();
  print_libraries();
  if (!lines.empty())
    std::puts("\nlibCHIP says:");
  for (const std::string &line : lines)
    std::printf("  %s\n", line.c_str());
  if (result == hipSuccess && count > 0) {
    auto *const get =
        function<hipError_t(hipDeviceProp_t *, int)>(library, "hipGetDevicePropertiesR0600");
    for (int i = 0; i < count; ++i)
      if (hipDeviceProp_t properties; get(&properties, i) == hipSuccess) {
        print_device(i, properties);
        print_lacks(library, i);
      }
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
      return 0;
    std::fputs("chip-info: cannot write all of this to standard output\n", stderr);
    return 1;
  }
  std::puts("\nNo device was found:");
  if (!library)
    std::printf("  libCHIP cannot be loaded: %s%s\n", load_error.c_str(),
                load_error.find("libze_loader") != std::string::npos
                    ? ": install Level Zero's loader (libze1, or level-zero)"
                    : "");
  else
    std::printf("  hipGetDeviceCount answers %s\n",
                function<decltype(hipGetErrorName)>(library, "hipGetErrorName")(result));
  print_reasons(installation.lib() / "libze_cpu.so");
  return 1;
}
