// One function of each of the libraries.
#include <hipcub/hipcub.hpp>
#include <rocprim/device/device_transform.hpp>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <cstdio>

struct Square {
  __device__ int operator()(int x) const { return x * x; }
};

int main() {
  constexpr int count = 1000;
  const thrust::device_vector<int> ones(count, 1);
  thrust::device_vector<int> sums(count);
  const int *in = thrust::raw_pointer_cast(ones.data());
  int *out = thrust::raw_pointer_cast(sums.data());
  size_t bytes = 0;
  hipError_t error = hipcub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, count);
  thrust::device_vector<char> memory(bytes);
  if (error == hipSuccess)
    error = hipcub::DeviceScan::InclusiveSum(thrust::raw_pointer_cast(memory.data()), bytes, in,
                                             out, count);
  if (error == hipSuccess)
    error = rocprim::transform(out, out, count, Square());
  const int expected = count * (count + 1) / 2 * (2 * count + 1) / 3;
  std::puts(error == hipSuccess && thrust::reduce(sums.begin(), sums.end()) == expected ? "ok"
                                                                                        : "wrong");
}
