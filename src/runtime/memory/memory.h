// Memory that HIP gives out, what any pointer is, and copies.
#pragma once

#include "../../ze/virtual_memory.h"
#include "../pools/memory_pool.h"
#include "../streams/capture.h"
#include "../streams/stream.h"
#include "managed_use.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace chip {

class ExportedMemory;

/// The kinds of memory that HIP knows. `signal` is host memory that streams wait on, freed as device memory is. `variable` is
/// memory of a module's variable on the device, and goes with the module. `registered` is the program's own memory, which
/// hipHostRegister lets devices reach. `graph` is device memory of an allocation node, which lives as long as what uses that.
/// `mapped` is what the program has mapped to addresses that it reserved, `opened` is device memory of another process.
enum class AllocationKind : uint8_t {
  device,
  host,
  managed,
  signal,
  variable,
  registered,
  graph,
  mapped,
  opened
};

inline bool is_device_memory(AllocationKind kind) {
  return kind == AllocationKind::device || kind == AllocationKind::graph ||
         kind == AllocationKind::mapped || kind == AllocationKind::opened;
}

struct Allocation {
  void *base = nullptr;
  size_t bytes = 0;
  AllocationKind kind = AllocationKind::device;
  Device *device = nullptr;
  unsigned flags = 0;
  /// Bytes of the driver's allocation before `base`: those of external memory that were not mapped.
  size_t lead = 0;
  /// The chunk of a pool that the memory lies in; null for memory that the driver has allocated for itself.
  PoolChunk *chunk = nullptr;
  /// What devices may do with mapped memory; they may write all other.
  ze::PageAccess access = ze::PageAccess::read_write;
  /// The program has allocated it by calls of Level Zero, and frees it so.
  bool is_borrowed = false;
  /// A `__managed__` variable, which stays when its device is reset.
  bool is_variable = false;
  /// For libCHIP itself, so no program frees it.
  bool is_own = false;

  /// Where the driver's allocation begins.
  void *driver_base() const { return static_cast<std::byte *>(base) - lead; }
  bool host_can_reach() const {
    return !is_device_memory(kind) && kind != AllocationKind::variable;
  }
  /// What HIP calls it.
  hipMemoryType type() const {
    return kind == AllocationKind::managed ? hipMemoryTypeManaged
           : host_can_reach()              ? hipMemoryTypeHost
                                           : hipMemoryTypeDevice;
  }
  /// The pool that the program has it from; null for memory of hipMalloc, wherever that lies.
  MemoryPool *pool() const {
    return chunk && !chunk->pool->properties().is_hidden ? chunk->pool : nullptr;
  }
  /// The driver's allocation that it lies in: the address and the bytes.
  std::pair<void *, size_t> driver_memory() const {
    return chunk ? std::pair<void *, size_t>(chunk->base, chunk->bytes)
                 : std::pair(driver_base(), lead + bytes);
  }
};

/// What is kept with an allocation, a block of a pool or a mapping, beside what everybody asks for.
struct AllocationTraits {
  uint32_t number = next_number();   // no other allocation has had it, until 2^32 have been made
  bool copies_synchronously = false; // HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS
  ManagedUses uses;                  // of managed memory
  std::shared_ptr<ExportedMemory> exported; // what handles of it name (exported_memory.h)

  static uint32_t next_number();
};

/// Allocates memory of the given kind on the current device, aligned to at least 256 bytes. Throws hipErrorOutOfMemory.
void *allocate(AllocationKind kind, size_t bytes, unsigned flags, size_t alignment = 256,
               bool is_variable = false, bool is_own = false);
/// hipMalloc: small blocks come from a pool of the device, without a driver call once it is warm.
void *allocate_device_memory(size_t bytes);
/// Device memory that is `bytes` bytes, from `offset` on, of what a file descriptor stands for, which stays the caller's. Freed as
/// other device memory. Throws hipErrorInvalidValue for a descriptor that the driver cannot map so.
void *map_file(Device &device, int descriptor, size_t offset, size_t bytes);
/// The memory of an allocation node, on any device. Freed by free_allocation() for that kind only.
void *allocate_for_graph(Device &device, size_t bytes);
/// Waits for all work of the device, as hipFree must, then frees. Throws hipErrorInvalidValue unless `pointer` is the
/// beginning of an allocation (of one of `kinds`, if given).
void free_allocation(void *pointer);
void free_allocation(void *pointer, std::initializer_list<AllocationKind> kinds);

/// hipMallocFromPoolAsync and hipFreeAsync. Memory that is not of a pool is freed when the stream has done its work. Throw as
/// allocate() and free_allocation() do.
void *allocate_in_order(const StreamTarget &stream, MemoryPool &pool, size_t bytes);
void free_in_order(const StreamTarget &stream, void *pointer);
/// The same in a stream that is not captured.
void *allocate_now(const StreamTarget &stream, MemoryPool &pool, size_t bytes);
void free_now(const StreamTarget &stream, void *pointer);
/// hipMemPoolExportPointer. Throws hipErrorInvalidValue for what is no memory of a pool that can be exported.
hipMemPoolPtrExportData export_pointer(const void *pointer);

/// Memory for a pool to cut up: known as an allocation whose blocks the chunk's pool knows. The pool counts it.
void *allocate_chunk(Device &device, size_t bytes, PoolChunk &chunk);
void free_chunk(PoolChunk &chunk) noexcept;

/// Lets devices reach memory of the program. Throws hipErrorHostMemoryAlreadyRegistered if part of it is known to HIP, unless
/// that is an earlier registration of the same address, which this one replaces.
void register_memory(void *pointer, size_t bytes, unsigned flags);
/// Waits for all work, then undoes register_memory(). Throws hipErrorHostMemoryNotRegistered if `pointer` is not the beginning of
/// registered memory.
void unregister_memory(void *pointer);

/// Makes memory known that somebody else gives and takes away. What is `mapped` are reserved addresses, whatever is mapped to
/// them.
void add_allocation(const Allocation &allocation);
void remove_allocation(void *base);
/// Waits until no pending work can use the memory. A lost device is no reason to keep it: that error is returned if it is the
/// device that the memory was allocated for. Others say it in calls of their own.
std::optional<Error> wait_for_users(const Allocation &allocation);
/// Makes memory known that the program has allocated by calls of Level Zero, in a context of ours. Throws hipErrorInvalidValue
/// unless `pointer` is the beginning of such an allocation that is not known yet.
void borrow_memory(void *pointer);
/// The opposite, without a wait: the program sees to it that no work uses the memory when it frees it. Throws
/// hipErrorInvalidValue unless `pointer` is the beginning of memory that was made known so.
void return_memory(void *pointer);

/// Frees all memory of a device but that of variables and graphs; the caller has waited for its work.
void free_all_memory(Device &device);

/// Makes a module's variable known, so that copies find it to be device memory. Harmless if it is known already.
void add_variable(Device &device, void *address, size_t bytes);
void remove_variable(void *address);

/// Finds the allocation that a pointer lies in: in a chunk, the block.
std::optional<Allocation> find_allocation(const void *pointer);
/// Calls `look(allocation, traits)` for the allocation that a pointer lies in, which is not freed meanwhile, and tells whether
/// there is one. `look` makes no call of HIP or the driver: other threads wait for it.
bool look_at_allocation(const void *pointer,
                        const std::function<void(const Allocation &, AllocationTraits &)> &look);
/// To be called before a block of a pool is freed: what may be given out there next is another one. Costs nothing while
/// no block is in use whose traits somebody has looked at.
void forget_block(const void *pointer);
/// Throws hipErrorInvalidValue if `bytes` from `pointer`, which lies in the allocation, go past its end, or if no device may use
/// the memory.
void check_range(const Allocation &allocation, const void *pointer, size_t bytes);
/// The same for who writes.
void check_target(const Allocation &allocation, const void *pointer, size_t bytes);
/// Frees the memory that the program has left to the end of the process.
void release_all_memory();

/// When a copy or fill call returns: when the work is done, or as soon as the caller's memory may be reused.
enum class Completion { wait, async };

/// The capture rule of copies and fills: those that return when the work is done have no stream of the program's.
constexpr CaptureRule capture_rule(Completion completion) {
  return completion == Completion::wait ? CaptureRule::implicit : CaptureRule::allowed;
}

/// Whether the host can read, or write, all of some memory that HIP did not give out; false if the driver has given it to
/// another user. Both throw hipErrorInvalidValue for any other address, before a device accesses it.
bool is_host_source(const void *source, size_t bytes, Device &device);
bool is_host_destination(void *destination, size_t bytes, Device &device);
/// Whether neither HIP nor the driver of the device gave out the memory at an address.
bool is_ordinary_memory(const void *address, const Device &device);

/// Copies as hipMemcpy and the other one-dimensional copies do. Throws hipErrorInvalidValue for null pointers or a copy past an
/// allocation's end, hipErrorInvalidMemcpyDirection for an unknown kind.
void copy_memory(void *destination, const void *source, size_t bytes, hipMemcpyKind kind,
                 const StreamTarget &stream, Completion completion);
/// Fills `count` elements of `element_bytes` (1, 2 or 4) with the low bytes of `value`.
void fill_memory(void *destination, uint32_t value, size_t element_bytes, size_t count,
                 const StreamTarget &stream, Completion completion);

} // namespace chip
