// HIP API reference: Module management; Execution control.
#include "../support/standard_error.h"
#include "fixture.h"

#include <fstream>
#include <iterator>
#include <vector>

using namespace fixture;

namespace {

std::vector<char> code() {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("hip module: a module is loaded from a file and from memory") {
  hipModule_t module = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  hipFunction_t function = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&function, module, "count"));
  REQUIRE_HIP(hipModuleUnload(module));
  auto image = code();
  REQUIRE_HIP(hipModuleLoadData(&module, image.data()));
  image.assign(image.size(), 0); // the module has its own copy
  REQUIRE_HIP(hipModuleGetFunction(&function, module, "count"));
  REQUIRE_HIP(hipModuleUnload(module));
}

TEST_CASE("hip module: what is no module is refused") {
  hipModule_t module = nullptr;
  REQUIRE(hipModuleLoad(&module, "/no/such/file") == hipErrorFileNotFound);
  REQUIRE(hipModuleLoad(&module, "/") == hipErrorFileNotFound);
  REQUIRE(hipModuleLoad(nullptr, TEST_KERNELS) == hipErrorInvalidValue);
  REQUIRE(hipModuleLoad(&module, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipModuleLoad(&module, "") == hipErrorInvalidValue);
  REQUIRE(hipModuleLoadData(&module, nullptr) == hipErrorInvalidValue);
  char garbage[64] = "this is no device code at all";
  REQUIRE(hipModuleLoadData(&module, garbage) == hipErrorInvalidImage);
  REQUIRE(hipModuleUnload(nullptr) == hipErrorInvalidResourceHandle);
  REQUIRE(hipModuleUnload(reinterpret_cast<hipModule_t>(garbage)) == hipErrorNotFound);
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE_HIP(hipModuleUnload(module));
  REQUIRE(hipModuleUnload(module) == hipErrorNotFound);
}

TEST_CASE("hip module: names that are not there are hipErrorNotFound") {
  hipFunction_t function = nullptr;
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  REQUIRE(hipModuleGetFunction(&function, module(), "no_such_kernel") == hipErrorNotFound);
  REQUIRE(hipModuleGetFunction(&function, nullptr, "count") == hipErrorInvalidResourceHandle);
  REQUIRE(hipModuleGetFunction(nullptr, module(), "count") == hipErrorInvalidValue);
  REQUIRE(hipModuleGetGlobal(&address, &bytes, module(), "no_such_variable") == hipErrorNotFound);
}

TEST_CASE("hip module: each load has its own variables with their initial values", "[results]") {
  hipModule_t modules[2];
  HostMemory<int> seen(1);
  for (hipModule_t &module : modules)
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  auto count = [&](hipModule_t module) {
    hipFunction_t function = nullptr;
    REQUIRE_HIP(hipModuleGetFunction(&function, module, "count"));
    REQUIRE_HIP(launch(function, nullptr, 1, seen.get()));
    REQUIRE_HIP(hipDeviceSynchronize());
    return seen[0];
  };
  REQUIRE(count(modules[0]) == 41);
  REQUIRE(count(modules[0]) == 42);
  REQUIRE(count(modules[1]) == 41);
  REQUIRE_HIP(hipModuleUnload(modules[0]));
  REQUIRE(count(modules[1]) == 42);
  REQUIRE_HIP(hipModuleLoad(&modules[0], TEST_KERNELS));
  REQUIRE(count(modules[0]) == 41);
  for (hipModule_t module : modules)
    REQUIRE_HIP(hipModuleUnload(module));
}

TEST_CASE("hip module: a managed variable of each load is memory of the host as well",
          "[results]") {
  struct Load {
    hipModule_t module = nullptr;
    int *counter = nullptr;
    Load() {
      REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
      hipDeviceptr_t address = nullptr;
      size_t bytes = 0;
      REQUIRE_HIP(hipModuleGetGlobal(&address, &bytes, module, "shared_counter"));
      REQUIRE(bytes == sizeof(int));
      counter = static_cast<int *>(address);
    }
    void count() const {
      hipFunction_t function = nullptr;
      REQUIRE_HIP(hipModuleGetFunction(&function, module, "count_shared"));
      REQUIRE_HIP(launch(function, nullptr, 1));
      REQUIRE_HIP(hipDeviceSynchronize());
    }
  };
  const Load loads[2];
  REQUIRE(*loads[0].counter == 5);
  *loads[0].counter = 10;
  loads[0].count();
  loads[1].count();
  REQUIRE(*loads[0].counter == 11);
  REQUIRE(*loads[1].counter == 6);
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, loads[0].counter));
  REQUIRE(attributes.type == hipMemoryTypeManaged);
  for (const Load &load : loads)
    REQUIRE_HIP(hipModuleUnload(load.module));
  const Load again; // maybe one of those before
  REQUIRE(*again.counter == 5);
  again.count();
  REQUIRE(*again.counter == 6);
  REQUIRE_HIP(hipModuleUnload(again.module));
}

TEST_CASE("hip module: variables are read and written through their address", "[results]") {
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  REQUIRE_HIP(hipModuleGetGlobal(&address, &bytes, module(), "factors"));
  REQUIRE(bytes == 16);
  float factors[4] = {};
  REQUIRE_HIP(hipMemcpy(factors, address, 16, hipMemcpyDeviceToHost));
  REQUIRE(factors[2] == 3);
  factors[2] = 30;
  REQUIRE_HIP(hipMemcpy(address, factors, 16, hipMemcpyHostToDevice));
  HostMemory<float> values(4, 1.f);
  REQUIRE_HIP(launch(function("scale"), nullptr, 4, values.get()));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(values[2] == 30);
  factors[2] = 3;
  REQUIRE_HIP(hipMemcpy(address, factors, 16, hipMemcpyHostToDevice));
}

TEST_CASE("hip module: kernels get arguments of all sizes, as pointers and in a buffer",
          "[results]") {
  struct Mixed {
    char c;
    double d;
    short s;
  } m{3, 4.5, -5};
  HostMemory<float> out(5);
  auto check = [&] {
    REQUIRE_HIP(hipDeviceSynchronize());
    const float expected[] = {-1, 2e9f, 3, 4.5, -5};
    for (size_t i = 0; i < 5; ++i) {
      REQUIRE(out[i] == expected[i]);
      out[i] = 0;
    }
  };
  REQUIRE_HIP(launch(function("mixed"), nullptr, 1, char(-1), 2000000000ll, m, out.get()));
  check();
  struct {
    char a = -1;
    long long b = 2000000000;
    Mixed m;
    float *out;
  } buffer{.m = m, .out = out.get()};
  size_t size = sizeof buffer;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  REQUIRE_HIP(
      hipModuleLaunchKernel(function("mixed"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  check();
  size = 24; // too few
  REQUIRE(hipModuleLaunchKernel(function("mixed"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) ==
          hipErrorInvalidValue);
}

TEST_CASE("hip launch: sizes that the device cannot run are refused") {
  hipFunction_t nothing = function("nothing");
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  auto run = [&](dim3 grid, dim3 block, unsigned shared) {
    return hipModuleLaunchKernel(nothing, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                                 nullptr, nullptr, nullptr);
  };
  REQUIRE_HIP(run(1, 1, 0));
  REQUIRE_HIP(run(1, unsigned(p.maxThreadsPerBlock), 0));
  // With the headers of 6.4 all have one code; tests/hip/versions/changed_test.cpp has those of 7.
  for (const dim3 empty : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 1, 0)}) {
    REQUIRE(run(empty, 1, 0) == hipErrorInvalidValue);
    REQUIRE(run(1, empty, 0) == hipErrorInvalidValue);
  }
  REQUIRE(run(1, unsigned(p.maxThreadsPerBlock) + 1, 0) == hipErrorInvalidValue);
  REQUIRE(run(1, dim3(unsigned(p.maxThreadsPerBlock), 2, 1), 0) == hipErrorInvalidValue);
  REQUIRE(run(1, 1, unsigned(p.sharedMemPerBlock) + 1) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip launch: a missing function, arguments or stream is refused") {
  REQUIRE(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
          hipErrorInvalidResourceHandle);
  REQUIRE(hipModuleLaunchKernel(function("count"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                                nullptr) == hipErrorInvalidValue);
  int not_a_kernel = 0;
  REQUIRE(hipLaunchKernel(&not_a_kernel, dim3(1), dim3(1), nullptr, 0, nullptr) ==
          hipErrorInvalidDeviceFunction);
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE(launch(function("nothing"), stream, 1) == hipErrorInvalidValue);
}

TEST_CASE("hip launch: what is told of a block that is too large is its dimension and the limit") {
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  const auto limit = unsigned(properties.maxThreadsDim[0]);
  const StandardError error;
  REQUIRE(launch(function("bounded"), nullptr, limit + 1) == hipErrorInvalidValue);
  REQUIRE(error.text() == "libCHIP: kernel bounded is not launched: blockDim.x is " +
                              std::to_string(limit + 1) + ", the limit is " +
                              std::to_string(limit) +
                              ": hipDeviceProp_t has it in maxThreadsDim[0]\n");
}

TEST_CASE("hip launch: the reason of the first refusal stands on standard error") {
  const StandardError error;
  REQUIRE_HIP(launch(function("bounded"), nullptr, 64));
  REQUIRE(error.text().empty());
  REQUIRE(launch(function("bounded"), nullptr, 65) == hipErrorLaunchFailure);
  const std::string text = error.text();
  REQUIRE(text == "libCHIP: kernel bounded is not launched: a block has 65 threads, the kernel's "
                  "__launch_bounds__ allow 64\n");
  REQUIRE(launch(function("bounded"), nullptr, 66) == hipErrorLaunchFailure);
  REQUIRE(launch(function("nothing"), nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(error.text() == text);
  // Nothing is lost by it.
  REQUIRE_HIP(launch(function("bounded"), nullptr, 64));
  REQUIRE_HIP(hipDeviceSynchronize());
}
