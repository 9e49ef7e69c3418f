// Memory that allocation nodes of graphs stand for.
#pragma once

#include "../platform/device.h"

#include <memory>

namespace chip {

/// Memory of one allocation node. The node, the nodes that free it, and all that is made of their graphs own it together: its
/// address is the same in all launches. Each has memory of its own, from the moment that the node is added.
class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
public:
  /// Throws hipErrorOutOfMemory.
  static std::shared_ptr<GraphMemory> allocate(Device &device, size_t bytes);
  /// Null if no allocation node has this address.
  static std::shared_ptr<GraphMemory> find(const void *address);
  GraphMemory(const GraphMemory &) = delete;
  ~GraphMemory();

  Device &device() const { return device_; }
  void *address() const { return address_; }
  size_t bytes() const { return bytes_; }

  /// A launch allocates the memory, or frees it: what the attributes of the device count. Until it is freed, it lives.
  void begin_use();
  void end_use() noexcept;
  bool is_used() const { return is_used_.load(std::memory_order_relaxed); }

private:
  GraphMemory(Device &device, size_t bytes);

  Device &device_;
  const size_t bytes_;
  void *const address_;
  std::atomic<bool> is_used_{false};
};

/// Ends the use of all memory of a device.
void end_all_use(const Device &device);

/// What hipDeviceGetGraphMemAttribute tells: bytes that launches have allocated and not freed. Throws hipErrorInvalidValue for an
/// unknown attribute.
uint64_t graph_memory_attribute(const Device &device, hipGraphMemAttributeType attribute);
/// Sets the attribute, which is one of the high-water marks, to 0.
void reset_graph_memory_attribute(const Device &device, hipGraphMemAttributeType attribute);

} // namespace chip
