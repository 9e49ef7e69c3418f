// rocminfo: the devices of HIP, in the lines that scripts look for in the output of AMD's tool of this name.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <string>

namespace {

/// AMD's tool has HSA's view of a device; this is HIP's, where it says the same.
void print_agent(int device, const hipDeviceProp_t &p) {
  std::string uuid;
  for (unsigned char byte : p.uuid.bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    uuid += digits;
  }
  auto text = [](const char *label, const char *value) {
    std::printf("  %-24s %s\n", label, value);
  };
  auto number = [](const char *label, size_t value) {
    std::printf("  %-24s %zu(0x%zx)\n", label, value, value);
  };
  std::printf("*******\nAgent %d\n*******\n", device + 1);
  text("Name:", p.gcnArchName);
  text("Uuid:", ("GPU-" + uuid).c_str());
  text("Marketing Name:", p.name);
  text("Vendor Name:", std::string(p.name).starts_with("Intel") ? "Intel" : "libCHIP");
  // Whatever executes it, programs use it as they use a GPU.
  text("Device Type:", "GPU");
  number("Node:", size_t(device));
  number("Max Clock Freq. (MHz):", size_t(p.clockRate / 1000));
  number("Compute Unit:", size_t(p.multiProcessorCount));
  number("Wavefront Size:", size_t(p.warpSize));
  number("Workgroup Max Size:", size_t(p.maxThreadsPerBlock));
  std::printf(
      "  Pool Info:\n    Pool 1\n      Segment:               GLOBAL\n      Size:                  "
      "%zu(0x%zx) KB\n",
      p.totalGlobalMem / 1024, p.totalGlobalMem / 1024);
  std::printf("  ISA Info:\n    ISA 1\n      Name:                  %s\n", p.gcnArchName);
}

} // namespace

int main() {
  int count = 0;
  if (hipError_t error = hipGetDeviceCount(&count); error != hipSuccess || count == 0) {
    std::fprintf(stderr, "rocminfo: no device (%s)\n", hipGetErrorString(error));
    return 1;
  }
  std::printf("==========\nHSA Agents\n==========\n");
  for (int device = 0; device < count; ++device) {
    hipDeviceProp_t properties;
    if (hipError_t error = hipGetDeviceProperties(&properties, device); error != hipSuccess) {
      std::fprintf(stderr, "rocminfo: device %d: %s\n", device, hipGetErrorString(error));
      return 1;
    }
    print_agent(device, properties);
  }
  std::printf("*** Done ***\n");
}
