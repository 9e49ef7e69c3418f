// Several devices in one process: copies between them, and kernels that read another one's memory.
//
// The devices stand in a ring. Each fills an array, passes it on to the next one with
// hipMemcpyPeerAsync, and adds to what it was given the array that the device before it still has:
// by reading it there, where hipDeviceCanAccessPeer says that it can. An event of one device orders
// work of another after it, without the host. The array that has come around holds a part of each.
//
//   hipcc -O2 peers.hip -o peers && ./peers
//   ZE_CPU_DEVICES=4 CHIP_DEVICE=cpu ./peers     # the processors as four devices
#include "check.h"

#include <vector>

constexpr int length = 100000;

__global__ void fill(int *own, int device) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length)
    own[i] = (device + 1) * 1000 + i % 7;
}

// What has been passed on, what this device has, and what another device has.
__global__ void add_all(int *passed, const int *own, const int *others) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length)
    passed[i] += own[i] + (others ? others[i] : 0);
}

struct Device {
  hipStream_t stream;
  hipEvent_t ready;  // its work for the next device is done
  int *own, *passed; // what it has filled; what comes around
  bool reads_previous = false;
};

int main() {
  constexpr size_t bytes = length * sizeof(int);
  constexpr int threads = 256, blocks = (length + threads - 1) / threads;
  int count;
  HIP_CHECK(hipGetDeviceCount(&count));
  std::vector<Device> devices(count);
  const auto before = [&](int i) { return (i + count - 1) % count; };

  for (int i = 0; i < count; ++i) {
    Device &device = devices[i];
    HIP_CHECK(hipSetDevice(i));
    HIP_CHECK(hipStreamCreateWithFlags(&device.stream, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&device.ready, hipEventDisableTiming));
    HIP_CHECK(hipMalloc(&device.own, bytes));
    HIP_CHECK(hipMalloc(&device.passed, bytes));
    HIP_CHECK(hipMemsetAsync(device.passed, 0, bytes, device.stream));
    fill<<<blocks, threads, 0, device.stream>>>(device.own, i);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipEventRecord(device.ready, device.stream));
    if (before(i) == i)
      continue;
    int can_access = 0;
    HIP_CHECK(hipDeviceCanAccessPeer(&can_access, i, before(i)));
    if (can_access)
      HIP_CHECK(hipDeviceEnablePeerAccess(before(i), 0));
    device.reads_previous = can_access != 0;
  }
  if (count == 1)
    std::puts("one device: it passes the array on to itself");

  // Once around, from the first device back to it.
  std::vector<int> expected(length, 0);
  int accesses = 0;
  for (int i = 0; i < count; ++i) {
    Device &device = devices[i];
    Device &previous = devices[before(i)];
    HIP_CHECK(hipSetDevice(i));
    if (&previous != &device)
      HIP_CHECK(hipStreamWaitEvent(device.stream, previous.ready, 0));
    if (i > 0)
      HIP_CHECK(
          hipMemcpyPeerAsync(device.passed, i, previous.passed, before(i), bytes, device.stream));
    add_all<<<blocks, threads, 0, device.stream>>>(device.passed, device.own,
                                                   device.reads_previous ? previous.own : nullptr);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipEventRecord(device.ready, device.stream));
    accesses += device.reads_previous;
    for (int k = 0; k < length; ++k)
      expected[k] +=
          (i + 1) * 1000 + k % 7 + (device.reads_previous ? (before(i) + 1) * 1000 + k % 7 : 0);
  }
  Device &first = devices[0], &last = devices[count - 1];
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipStreamWaitEvent(first.stream, last.ready, 0));
  HIP_CHECK(hipMemcpyPeerAsync(first.own, 0, last.passed, count - 1, bytes, first.stream));
  std::vector<int> result(length);
  HIP_CHECK(hipMemcpyAsync(result.data(), first.own, bytes, hipMemcpyDeviceToHost, first.stream));
  HIP_CHECK(hipStreamSynchronize(first.stream));

  for (int i = 0; i < count; ++i) {
    Device &device = devices[i];
    HIP_CHECK(hipSetDevice(i));
    HIP_CHECK(hipDeviceSynchronize());
    if (device.reads_previous)
      HIP_CHECK(hipDeviceDisablePeerAccess(before(i)));
    HIP_CHECK(hipEventDestroy(device.ready));
    HIP_CHECK(hipStreamDestroy(device.stream));
    HIP_CHECK(hipFree(device.own));
    HIP_CHECK(hipFree(device.passed));
  }
  std::printf("devices: %d, copies between them: %d, kernels that read another one's memory: %d\n",
              count, count == 1 ? 0 : count, accesses);
  return report(result == expected);
}
