// What the runtime has to ask of the driver for device code to mean what HIP says. Each is silently
// wrong where it is not asked for: programs see it only on some devices, and then as a wrong value.
#include "device_test.h"

#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <string>

using namespace device_test;

namespace {

std::vector<std::string> build_flags;
std::vector<ze_kernel_indirect_access_flags_t> indirect_access;
int kernels_created = 0;

template <class F> F *next(F *, const char *name) {
  return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

} // namespace

// libCHIP's calls come here, as the program's own functions are found first, and go on to the
// loader.
#define NEXT(name) next(&name, #name)
extern "C" {
ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                           const ze_module_desc_t *description, ze_module_handle_t *module,
                           ze_module_build_log_handle_t *log) {
  build_flags.push_back(description->pBuildFlags ? description->pBuildFlags : "");
  return NEXT(zeModuleCreate)(context, device, description, module, log);
}
ze_result_t zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *description,
                           ze_kernel_handle_t *kernel) {
  ++kernels_created;
  return NEXT(zeKernelCreate)(module, description, kernel);
}
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t kernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  indirect_access.push_back(flags);
  return NEXT(zeKernelSetIndirectAccess)(kernel, flags);
}
}

struct Node {
  int value;
  Node *next;
};
struct Holder {
  Node *first;
};

// Only the first pointer is one that a driver can see: in a struct, or in memory.
__global__ void sum_list(Holder holder, Node *const *first, int *sum) {
  for (const Node *node = holder.first; node; node = node->next)
    sum[0] += node->value;
  for (const Node *node = *first; node; node = node->next)
    sum[1] += node->value;
}

__global__ void divide(float *values) {
  values[2] = values[0] / values[1], values[3] = sqrtf(values[0]);
}

int main() {
  // A list through each kind of memory.
  Node *on_device = nullptr, *on_host = nullptr, *managed = nullptr;
  CALL(hipMalloc(&on_device, sizeof(Node)));
  CALL(hipHostMalloc(&on_host, sizeof(Node)));
  CALL(hipMallocManaged(&managed, sizeof(Node)));
  *managed = {1, on_device};
  const Node last{10, on_host};
  CALL(hipMemcpy(on_device, &last, sizeof last, hipMemcpyHostToDevice));
  *on_host = {100, nullptr};
  Node **first = nullptr;
  CALL(hipMallocManaged(&first, sizeof *first));
  *first = managed;
  Array<int> sum(2);
  sum_list<<<1, 1>>>(Holder{managed}, first, sum.get());
  wait();
  CHECK(sum[0] == 111);
  CHECK(sum[1] == 111);

  // Without correct rounding, OpenCL allows 2.5 and 3 units in the last place.
  Array<float> values(4);
  for (int i = 0; i < 1000; ++i) {
    values[0] = 1.0f + float(i) * 0.37f;
    values[1] = 3.0f + float(i) * 0.91f;
    divide<<<1, 1>>>(values.get());
    CALL(hipStreamSynchronize(nullptr));
    CHECK(values[2] == float(double(values[0]) / double(values[1])));
    CHECK(values[3] == float(__builtin_sqrt(double(values[0]))));
  }

  const auto called = [](bool good, const char *what) {
    ++checks;
    failures += !good;
    if (!good)
      std::printf("FAILED: %s\n", what);
  };
  called(!build_flags.empty() && kernels_created >= 2,
         "the driver's functions are called by way of this program");
  for (const std::string &flags : build_flags)
    called(flags.find("-cl-fp32-correctly-rounded-divide-sqrt") != std::string::npos,
           "modules are built with correct rounding");
  called(int(indirect_access.size()) >= kernels_created, "each kernel may follow pointers");
  for (const ze_kernel_indirect_access_flags_t flags : indirect_access)
    called(flags == (ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                     ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED),
           "kernels may follow pointers into each kind of memory");

  CALL(hipFree(first));
  CALL(hipFree(managed));
  CALL(hipHostFree(on_host));
  CALL(hipFree(on_device));
  return result();
}
