// Pools between processes. The handle of a pool is the descriptor of a file in memory, which the process that has the pool keeps
// up to date: of which device and process the pool is, which devices may use its memory, and the driver's handle for each of its
// chunks that holds memory which was exported. An exported pointer is the number of such a chunk and an offset in it.
#pragma once

#include "../../common/guarded.h"
#include "../platform/device.h"
#include "pool_heap.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace chip {

struct PoolFile;

/// The file, mapped.
class MappedPoolFile {
public:
  /// A new one. Throws hipErrorOutOfMemory.
  MappedPoolFile();
  /// That of a descriptor, which stays the caller's. Throws hipErrorInvalidValue if it is none.
  explicit MappedPoolFile(int descriptor);
  MappedPoolFile(const MappedPoolFile &) = delete;
  MappedPoolFile &operator=(const MappedPoolFile &) = delete;
  ~MappedPoolFile();

  PoolFile *operator->() const { return file_; }
  PoolFile &operator*() const { return *file_; }
  /// -1 for that of another process, which is not passed on.
  int descriptor() const { return descriptor_; }

private:
  int descriptor_ = -1;
  PoolFile *file_ = nullptr;
};

/// What other processes know of a pool of this one. Thread-safe.
class ExportedPool {
public:
  explicit ExportedPool(const Device &device);

  /// A new descriptor, which is the caller's.
  int descriptor() const;
  hipMemPoolPtrExportData export_block(const PoolChunk &chunk, const void *begin, size_t bytes);
  /// The chunk is about to go back to the driver.
  void forget(const PoolChunk &chunk) noexcept;
  void set_access(const Device &device, hipMemAccessFlags flags);

private:
  struct State {
    std::unordered_map<const PoolChunk *, uint32_t> places;
    std::vector<uint32_t> free_places;
    uint32_t places_used = 0; // once
  };
  uint32_t place_of(State &state, const PoolChunk &chunk);

  const Device &device_;
  const MappedPoolFile file_;
  common::Guarded<State> state_;
};

/// A pool of another process, or of this one by a handle. Thread-safe.
class ImportedPool {
public:
  /// The descriptor stays the caller's. Throws hipErrorInvalidValue if it is not that of a pool, hipErrorInvalidDevice if this
  /// process does not have the pool's device.
  static std::shared_ptr<ImportedPool> open(int descriptor);
  explicit ImportedPool(int descriptor);

  Device &device() const { return *device_; }
  hipMemAccessFlags access(const Device &device) const;
  /// The address of memory that was exported. Throws hipErrorInvalidValue if the data name none of the pool.
  void *import_pointer(const hipMemPoolPtrExportData &data);

private:
  const MappedPoolFile file_;
  Device *device_;
};

} // namespace chip
