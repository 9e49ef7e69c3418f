// What libraries cost on the CPU driver: hipBLAS next to plain calls of the same BLAS, and hipCUB next to the C++ library's
// parallel algorithms.
#include "../program.h"
#include "algorithms.h"

#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace bench {
namespace {

constexpr int order = 1024;

void check(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw std::runtime_error(std::string(call) + ": " + hipGetErrorName(error));
}
void check(hipblasStatus_t status, const char *call) {
  if (status != HIPBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + hipblasStatusToString(status));
}
#define CHECKED(call) check((call), #call)

using Sgemm = void(const char *, const char *, const int *, const int *, const int *, const float *,
                   const float *, const int *, const float *, const int *, const float *, float *,
                   const int *, size_t, size_t);

Sgemm *plain_sgemm() {
  void *library = dlopen("libblas.so.3", RTLD_NOW);
  void *function = library ? dlsym(library, "sgemm_") : nullptr;
  if (!function)
    throw std::runtime_error("there is no libblas.so.3: install libopenblas0-pthread");
  return reinterpret_cast<Sgemm *>(function);
}

/// A matrix in the device's memory, which is the host's.
float *matrix(float element) {
  float *data = nullptr;
  const std::vector<float> elements(order * order, element);
  CHECKED(hipMalloc(reinterpret_cast<void **>(&data), elements.size() * sizeof(float)));
  CHECKED(hipMemcpy(data, elements.data(), elements.size() * sizeof(float), hipMemcpyHostToDevice));
  return data;
}

struct Options {
  Effort effort{15, 20};
  std::string json;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    int *number = option == "--batches"      ? &options.effort.batches
                  : option == "--batch-size" ? &options.effort.batch_size
                                             : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error(
          "usage: bench_libraries [--json FILE] [--batches N] [--batch-size N]");
    if (number)
      *number = positive_number(argv[i + 1]);
    else
      options.json = argv[i + 1];
  }
  return options;
}

void measure_products(Results &results, Effort effort) {
  std::printf("products of matrices of %d by %d on the CPU driver; medians of %d batches\n", order,
              order, effort.batches);
  Sgemm *const sgemm = plain_sgemm();
  float *const a = matrix(0.5f), *const b = matrix(0.25f), *const c = matrix(0);
  hipStream_t stream = nullptr;
  hipblasHandle_t on_host = nullptr, with_kernels = nullptr;
  CHECKED(hipStreamCreate(&stream));
  CHECKED(hipblasCreate(&on_host));
  setenv("CHIP_BLAS", "kernels", 1); // read as a handle is made
  CHECKED(hipblasCreate(&with_kernels));
  const auto through = [&](hipblasHandle_t handle) {
    CHECKED(hipblasSetStream(handle, stream));
    return repeated([=] {
      const float one = 1, zero = 0;
      CHECKED(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, order, order, order, &one, a, order,
                           b, order, &zero, c, order));
      CHECKED(hipStreamSynchronize(stream));
    });
  };
  std::vector<Operation> operations{
      {"sgemm_1024_openblas_ns", repeated([=] {
         const float one = 1, zero = 0;
         const int n = order;
         sgemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
       })},
      {"sgemm_1024_ns", through(on_host)},
      {"sgemm_1024_kernels_ns", through(with_kernels)},
  };
  measure(operations, effort);
  results.add(operations);
  results.add("sgemm_1024_over_openblas",
              results.at("sgemm_1024_ns") / results.at("sgemm_1024_openblas_ns"));
  results.add("sgemm_1024_kernels_over_openblas",
              results.at("sgemm_1024_kernels_ns") / results.at("sgemm_1024_openblas_ns"));
  for (float *data : {a, b, c})
    CHECKED(hipFree(data));
  CHECKED(hipblasDestroy(on_host));
  CHECKED(hipblasDestroy(with_kernels));
  CHECKED(hipStreamDestroy(stream));
}

void measure_algorithms(Results &results, Effort effort) {
  constexpr size_t size = 1 << 24;
  std::printf("%zu million elements of 32 bits; medians of %d batches\n", size >> 20,
              effort.batches);
  std::vector<uint32_t> elements(size);
  std::mt19937 random(1);
  for (uint32_t &element : elements)
    element = static_cast<uint32_t>(random());
  const std::vector<Algorithm> on_device = algorithms_on_device(elements),
                               on_host = algorithms_on_host(elements);
  std::vector<Operation> operations;
  for (size_t i = 0; i < on_device.size(); ++i) {
    const std::string name(on_device[i].name);
    on_device[i].run();
    on_host[i].run();
    if (on_device[i].result() != on_host[i].result())
      throw std::runtime_error(name + ": the device and the host have different results");
    operations.push_back({name + "_16m_parallel_ns", repeated(on_host[i].run)});
    operations.push_back({name + "_16m_ns", repeated(on_device[i].run)});
  }
  measure(operations, effort);
  results.add(operations);
  for (const Algorithm &algorithm : on_device) {
    const std::string key = std::string(algorithm.name) + "_16m";
    results.add(key, results.at(key + "_ns") / results.at(key + "_parallel_ns"));
  }
}

void run(const Options &options) {
  CHECKED(hipInit(0));
  Results results;
  measure_products(results, options.effort);
  measure_algorithms(results, options.effort);
  report(results, options.json);
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  return bench::run_program("bench_libraries", [&] { bench::run(bench::parse(argc, argv)); });
}
