// Memory of other interfaces, which programs import by file descriptors: what hipExternalMemory_t stands for.
#pragma once

#include "memory.h"

#include <memory>

namespace chip {

class ExternalMemory {
public:
  /// Of the current device. The descriptor stays the program's. Throws hipErrorNotSupported if the device cannot import files,
  /// hipErrorInvalidValue for a descriptor that it cannot map `bytes` bytes of.
  ExternalMemory(int descriptor, size_t bytes);
  /// What was mapped stays.
  ~ExternalMemory();
  ExternalMemory(const ExternalMemory &) = delete;
  ExternalMemory &operator=(const ExternalMemory &) = delete;

  /// Device memory of its own, over the same bytes; freed as all other. Throws hipErrorInvalidValue for what is not inside.
  void *map(size_t offset, size_t bytes) const;
  /// The descriptor is closed with the object.
  void own_descriptor() { owns_descriptor_ = true; }

private:
  Device &device_;
  const int descriptor_;
  const size_t bytes_;
  void *whole_ = nullptr; // a mapping, which shows that there can be some
  bool owns_descriptor_ = false;
};

/// The descriptor is the program's no longer, unless this throws as the constructor does.
hipExternalMemory_t import_external_memory(int descriptor, size_t bytes);
/// Both throw hipErrorInvalidValue for what is not live. What was found lives while it is held.
std::shared_ptr<ExternalMemory> find_external_memory(hipExternalMemory_t memory);
void destroy_external_memory(hipExternalMemory_t memory);

} // namespace chip
