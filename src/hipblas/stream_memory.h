#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

namespace hipblas {

/// Memory of the device, allocated and freed in the order of a stream.
class StreamMemory {
public:
  StreamMemory(size_t bytes, hipStream_t stream) : stream_(stream) {
    error = hipMallocAsync(&data, bytes, stream);
  }
  ~StreamMemory() {
    if (error == hipSuccess)
      (void)hipFreeAsync(data, stream_);
  }
  StreamMemory(const StreamMemory &) = delete;
  StreamMemory &operator=(const StreamMemory &) = delete;

  void *data = nullptr;
  hipError_t error;

private:
  hipStream_t stream_;
};

} // namespace hipblas
