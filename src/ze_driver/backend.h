// What a device is to the front: the interface that a driver implements, and is linked with the
// front for. The driver defines ze_driver::backend(); there is no other connection, and no interface
// of shared libraries to keep.
//
// A submitted command costs one virtual call (QueueBackend::published); checks, records, events and
// queries cost none.
#pragma once

#include "api/identity.h"
#include "device_facts.h"
#include "memory_backend.h"
#include "program.h"
#include "records/queue_backend.h"

#include <functional>
#include <span>

namespace ze_driver {

struct ImageLayout;

/// What kernels are given of an image: the number in the argument's slot, and whatever that number
/// refers to.
class ImageObject {
public:
  explicit ImageObject(uint64_t given) : argument(given) {}
  ImageObject(const ImageObject &) = delete;
  ImageObject &operator=(const ImageObject &) = delete;
  virtual ~ImageObject() = default;

  uint64_t argument; // 8 bytes in the argument buffer
};

/// Images whose texels lie row by row in memory, which the front allocates, views and copies.
class ImageBackend {
public:
  virtual ~ImageBackend() = default;

  /// Bytes of a texel; 0 if there is no such format. Its enumerations are known ones.
  virtual size_t texel_bytes(const ze_image_format_t &format) const = 0;
  /// `layout` says where the texels lie. Throws std::bad_alloc.
  virtual std::unique_ptr<ImageObject> make(const ImageLayout &layout) = 0;
  /// What kernels are given of a sampler, whose enumerations are known ones.
  virtual uint64_t sampler(const ze_sampler_desc_t &description) const = 0;
};

class DeviceBackend {
public:
  virtual ~DeviceBackend() = default;

  /// What does not change while the process lives.
  virtual const DeviceFacts &facts() const = 0;
  virtual Ref<QueueBackend> make_queue() = 0;

  /// Validates `spirv` and makes a program of it. Never aborts on bad input.
  virtual BuildResult build(std::span<const std::byte> spirv, std::string_view build_flags,
                            std::span<const SpecializationConstant> constants) = 0;
  /// Joins several SPIR-V modules into one.
  virtual LinkResult join(std::span<const std::span<const std::byte>> modules) = 0;
  /// How many work-groups of `group_items` work-items, with `local_bytes` of work-group memory each,
  /// can exist at once. At least 1.
  virtual uint32_t max_cooperative_groups(const CompiledKernel &kernel, uint32_t group_items,
                                          uint32_t local_bytes) const = 0;
  /// Null: the device has no images, and the front says so.
  virtual ImageBackend *images() { return nullptr; }
};

class Backend {
public:
  virtual ~Backend() = default;

  virtual const Identity &identity() const = 0;
  /// All devices, before ZE_AFFINITY_MASK; they live as long as the process.
  virtual std::span<DeviceBackend *const> devices() = 0;
  virtual MemoryBackend &memory() = 0;
  /// A kernel that writes to this address ends as one that faults. Null: there is no such address.
  virtual void *trap_address() { return nullptr; }
  /// Devices have no command that writes their time to memory, but tell afterwards when a command ended.
  virtual bool tells_times_afterwards() const { return false; }
  /// The process ends, or the driver is unloaded: threads stop after the command at hand. Calls may
  /// still come.
  virtual void stop() = 0;
  /// Calls `work` while no thread forks the process.
  virtual void without_forks(const std::function<void()> &work) = 0;
};

/// The driver's; the same at each call, and never destroyed.
Backend &backend();

} // namespace ze_driver
