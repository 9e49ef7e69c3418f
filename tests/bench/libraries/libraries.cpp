// What hipBLAS costs on the CPU driver, next to plain calls of the same BLAS, and what its own kernels take.
#include "../measure.h"
#include "../program.h"

#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
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

void run(const Options &options) {
  CHECKED(hipInit(0));
  std::printf("products of matrices of %d by %d on the CPU driver; medians of %d batches\n", order,
              order, options.effort.batches);
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
  measure(operations, options.effort);
  Results results;
  results.add(operations);
  results.add("sgemm_1024_over_openblas",
              results.at("sgemm_1024_ns") / results.at("sgemm_1024_openblas_ns"));
  results.add("sgemm_1024_kernels_over_openblas",
              results.at("sgemm_1024_kernels_ns") / results.at("sgemm_1024_openblas_ns"));
  report(results, options.json);
  for (float *data : {a, b, c})
    CHECKED(hipFree(data));
  CHECKED(hipblasDestroy(on_host));
  CHECKED(hipblasDestroy(with_kernels));
  CHECKED(hipStreamDestroy(stream));
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  return bench::run_program("bench_libraries", [&] { bench::run(bench::parse(argc, argv)); });
}
