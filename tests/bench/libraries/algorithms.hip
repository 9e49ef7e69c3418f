// hipCUB's algorithms, which are rocPRIM's.
#include "algorithms.h"

#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

void check(hipError_t error) {
  if (error != hipSuccess)
    throw std::runtime_error(std::string("hipCUB: ") + hipGetErrorName(error));
}

template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) {
    check(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  T *get() const { return data_; }

private:
  T *data_ = nullptr;
};

struct IsSelected {
  __host__ __device__ bool operator()(uint32_t element) const { return is_selected(element); }
};

struct Arrays {
  explicit Arrays(size_t size) : input(size), output(size), selected(1), size(int(size)) {}
  DeviceArray<uint32_t> input, output;
  DeviceArray<int> selected; // how many elements a selection has put into the output
  int size;
};

} // namespace

std::vector<Algorithm> algorithms_on_device(const std::vector<uint32_t> &elements) {
  const auto arrays = std::make_shared<Arrays>(elements.size());
  check(hipMemcpy(arrays->input.get(), elements.data(), elements.size() * sizeof(uint32_t),
                  hipMemcpyHostToDevice));
  // call(memory, its size): as hipCUB has it, the first one says how much memory it wants.
  const auto algorithm = [&](std::string_view name, auto call, auto count) {
    size_t bytes = 0;
    check(call(*arrays, nullptr, bytes));
    const auto memory = std::make_shared<DeviceArray<char>>(bytes);
    return Algorithm{name,
                     [=]() mutable {
                       check(call(*arrays, memory->get(), bytes));
                       check(hipStreamSynchronize(nullptr));
                     },
                     [=] {
                       std::vector<uint32_t> result(count(*arrays));
                       check(hipMemcpy(result.data(), arrays->output.get(),
                                       result.size() * sizeof(uint32_t), hipMemcpyDeviceToHost));
                       return result;
                     }};
  };
  const auto all = [](const Arrays &a) { return size_t(a.size); };
  const auto one = [](const Arrays &) { return size_t(1); };
  const auto selected = [](const Arrays &a) {
    int count = 0;
    check(hipMemcpy(&count, a.selected.get(), sizeof count, hipMemcpyDeviceToHost));
    return size_t(count);
  };
  return {algorithm(
              "radix_sort",
              [](const Arrays &a, void *memory, size_t &bytes) {
                return hipcub::DeviceRadixSort::SortKeys(memory, bytes, a.input.get(),
                                                         a.output.get(), a.size);
              },
              all),
          algorithm(
              "scan",
              [](const Arrays &a, void *memory, size_t &bytes) {
                return hipcub::DeviceScan::InclusiveSum(memory, bytes, a.input.get(),
                                                        a.output.get(), a.size);
              },
              all),
          algorithm(
              "reduce",
              [](const Arrays &a, void *memory, size_t &bytes) {
                return hipcub::DeviceReduce::Sum(memory, bytes, a.input.get(), a.output.get(),
                                                 a.size);
              },
              one),
          algorithm(
              "select",
              [](const Arrays &a, void *memory, size_t &bytes) {
                return hipcub::DeviceSelect::If(memory, bytes, a.input.get(), a.output.get(),
                                                a.selected.get(), a.size, IsSelected());
              },
              selected)};
}

} // namespace bench
