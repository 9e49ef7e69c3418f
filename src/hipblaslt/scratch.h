#pragma once

#include "../hipblas/stream_memory.h"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace hipblaslt {

/// Memory of the device that a call's kernels share: of the workspace that the caller has brought along, as long as that lasts, else
/// of the stream. Graphs that allocate are executable only once at a time, so that callers who capture bring a workspace.
class Scratch {
public:
  Scratch(void *workspace, size_t bytes, hipStream_t stream)
      : next_(workspace ? rounded(reinterpret_cast<uintptr_t>(workspace)) : 0),
        end_(workspace ? reinterpret_cast<uintptr_t>(workspace) + bytes : 0), stream_(stream) {}

  /// Null where there is no memory; `error` says why.
  void *take(size_t bytes) {
    bytes = std::max<size_t>(bytes, 1);
    if (next_ < end_ && bytes <= end_ - next_) {
      void *const taken = reinterpret_cast<void *>(next_);
      next_ += rounded(bytes);
      return taken;
    }
    const hipblas::StreamMemory &memory = allocated_.emplace_back(bytes, stream_);
    error = memory.error;
    return memory.error == hipSuccess ? memory.data : nullptr;
  }

  /// Of a workspace, what `bytes` take at most.
  static size_t rounded(size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
  static constexpr size_t alignment = 256;

  hipError_t error = hipSuccess;

private:
  uintptr_t next_, end_;
  hipStream_t stream_;
  std::deque<hipblas::StreamMemory> allocated_;
};

} // namespace hipblaslt
