// Kernels that read what nobody has written, and the same with it written.
#include "kernels.h"

namespace {

constexpr int items = 256;

struct Padded {
  char letter;
  int number;
};

__global__ void twice(const int *in, int *out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

template <int first> __global__ void shared_part(int *out) {
  __shared__ int values[items];
  if (threadIdx.x >= first)
    values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[items - 1 - threadIdx.x] + 1;
}

__global__ void sum_of_bytes(const unsigned char *in, int *out) {
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += in[4 * threadIdx.x + i];
  out[threadIdx.x] = sum;
}

// Padding is copied, and means nothing.
__global__ void fill_padded(Padded *out) {
  out[threadIdx.x].letter = 'a';
  out[threadIdx.x].number = 1;
}
__global__ void copy_padded(const Padded *in, Padded *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void read_padded(const Padded *in, int *out) {
  const Padded padded = in[threadIdx.x];
  out[threadIdx.x] = padded.letter + padded.number;
}

// The fourth component of a vector that is read whole.
__global__ void three_of_four(float *in, float *out) {
  in[4 * threadIdx.x] = in[4 * threadIdx.x + 1] = in[4 * threadIdx.x + 2] = 1;
  __syncthreads();
  const float4 vector = reinterpret_cast<const float4 *>(in)[threadIdx.x];
  out[threadIdx.x] = vector.x + vector.y + vector.z;
}

// A row that is written behind a read of the same, by lanes of the same warp.
__global__ void read_then_write(int *values, int *out) {
  const int other = values[threadIdx.x ^ 1];
  values[threadIdx.x] = 1;
  out[threadIdx.x] = other + 1;
}

// What is written behind a read whose place is chosen, and read again.
__global__ void write_then_read(const int *in, int *values, int *out) {
  values[threadIdx.x + 1] = in[threadIdx.x ^ 1];
  out[threadIdx.x] = values[threadIdx.x] + 1;
}

__global__ void accumulate(int *total) { atomicAdd(total, 1); }

} // namespace

int main(int count, char **arguments) {
  int *const in = device_memory<int>(4 * items), *const out = device_memory<int>(4 * items),
             *const other = device_memory<int>(4 * items);
  const std::vector<int> host(4 * items, 3);
  const auto bytes = [](int elements) { return elements * sizeof(int); };
  const auto launch = [&] { twice<<<1, items>>>(in, out); };
  const auto padded = [&](int *of) { return reinterpret_cast<Padded *>(of); };
  const Cases cases = {
      {"nobody", launch},
      {"half", [&] { check(hipMemset(in, 0, bytes(items / 2))), launch(); }},
      {"memset-clean", [&] { check(hipMemset(in, 0, bytes(items))), launch(); }},
      {"memset-word-clean", [&] { check(hipMemsetD32(in, 5, items)), launch(); }},
      {"host-copy-clean", [&] { check(hipMemcpy(in, host.data(), bytes(items), hipMemcpyHostToDevice)), launch(); }},
      {"host-copy-short", [&] { check(hipMemcpy(in, host.data(), bytes(items) - 1, hipMemcpyHostToDevice)), launch(); }},
      {"async-copy-clean",
       [&] { check(hipMemcpyAsync(in, host.data(), bytes(items), hipMemcpyHostToDevice, nullptr)), launch(); }},
      {"rows-clean",
       [&] {
         check(hipMemcpy2D(in, bytes(16), host.data(), bytes(16), bytes(16), items / 16, hipMemcpyHostToDevice));
         launch();
       }},
      {"rows",
       [&] {
         check(hipMemcpy2D(in, bytes(16), host.data(), bytes(16), bytes(15), items / 16, hipMemcpyHostToDevice));
         launch();
       }},
      {"device-copy", [&] { check(hipMemcpy(in, other, bytes(items), hipMemcpyDeviceToDevice)), launch(); }},
      {"device-copy-clean",
       [&] {
         check(hipMemset(other, 0, bytes(items)));
         check(hipMemcpy(in, other, bytes(items), hipMemcpyDeviceToDevice)), launch();
       }},
      {"kernel-clean", [&] { check(hipMemset(other, 0, bytes(items))), twice<<<1, items>>>(other, in), launch(); }},
      {"shared", [&] { shared_part<7><<<1, items>>>(out); }},
      {"shared-clean", [&] { shared_part<0><<<1, items>>>(out); }},
      {"byte",
       [&] {
         check(hipMemset(in, 0, bytes(items) - 1));
         sum_of_bytes<<<1, items>>>(reinterpret_cast<unsigned char *>(in), out);
       }},
      {"byte-clean",
       [&] {
         check(hipMemset(in, 0, bytes(items)));
         sum_of_bytes<<<1, items>>>(reinterpret_cast<unsigned char *>(in), out);
       }},
      {"padding-clean",
       [&] {
         fill_padded<<<1, items>>>(padded(in));
         copy_padded<<<1, items>>>(padded(in), padded(other));
         read_padded<<<1, items>>>(padded(other), out);
       }},
      {"vector-clean", [&] { three_of_four<<<1, items>>>(reinterpret_cast<float *>(in), reinterpret_cast<float *>(out)); }},
      {"before-row", [&] { read_then_write<<<1, items>>>(in, out); }},
      {"before-row-clean", [&] { check(hipMemset(in, 0, bytes(items))), read_then_write<<<1, items>>>(in, out); }},
      {"behind-row-clean",
       [&] {
         check(hipMemset(in, 0, bytes(items)));
         check(hipMemset(other, 0, bytes(1)));
         write_then_read<<<1, 32>>>(in, other, out);
       }},
      {"counter", [&] { accumulate<<<1, items>>>(in); }},
      {"counter-clean", [&] { check(hipMemset(in, 0, 4)), accumulate<<<1, items>>>(in); }},
      {"managed-clean",
       [&] {
         int *managed = nullptr;
         check(hipMallocManaged(reinterpret_cast<void **>(&managed), bytes(items)));
         twice<<<1, items>>>(managed, out);
         check(hipDeviceSynchronize());
         check(hipFree(managed));
       }},
  };
  return run(cases, count, arguments, {in, out, other});
}
