// Stream-ordered memory: blocks that are given out and taken back in the order of streams, without waiting and, once warm,
// without driver calls.
#pragma once

#include "../../common/guarded.h"
#include "../platform/device.h"
#include "pool_heap.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace chip {

class ExportedPool;
class ImportedPool;

/// How a pool came to be.
struct PoolProperties {
  size_t max_bytes = 0; // of its chunks; 0: no limit
  hipMemAllocationHandleType handle_types = hipMemHandleTypeNone;
  uint64_t release_threshold = 0;
  /// It stands for a pool of another process, and has no memory of its own.
  std::shared_ptr<ImportedPool> imported = {};
  /// The program is told of its blocks only, not of the memory that it has to spare.
  bool is_hidden = false;
};

/// Device memory of one device. A freed block carries the point in its queue's order where it was freed. The same queue may
/// have it again at once; another only when that point is known to be past, or when it is ordered after it. Before the pool
/// grows, it asks the driver how far the queues are that blocks are pending in. Where much more would then be free than in use,
/// it lets the asking queue wait for another one's blocks, or the host for a while. Thread-safe.
///
/// When the program synchronises, whole chunks that are free leave the pool, as far as it has more than its threshold. They
/// go back to the driver some synchronisations later: a program that allocates, frees and synchronises in a loop makes no
/// driver call for it.
class MemoryPool {
public:
  static constexpr uint32_t alive_mark = 0x506f6f6c;
  std::atomic<uint32_t> mark{0}; // alive_mark: the program may use its handle

  using Chunks = std::vector<std::unique_ptr<PoolChunk>>;

  MemoryPool();
  ~MemoryPool();
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  /// Pool objects are used again, but never freed (pools.h).
  void open(Device &device, PoolProperties properties);
  /// The program has destroyed the pool. It ends when all its memory has been freed and is not in use any more.
  void close();
  /// Ends the pool at once; the caller has waited for the device.
  void remove() noexcept;

  Device &device() const { return *device_.load(std::memory_order_relaxed); }
  bool is_imported() const { return is_imported_; }
  /// Null for a pool of this process.
  std::shared_ptr<ImportedPool> imported() const;
  const PoolProperties &properties() const { return properties_; }

  /// At least `bytes`, which are not 0, 256-byte aligned, for work that is submitted to `queue` later; for any, if it is null.
  /// Null if the pool has been closed meanwhile. Throws hipErrorOutOfMemory.
  void *allocate(size_t bytes, Queue *queue);
  /// Takes a block back when all that was submitted to `queue` so far is complete; at once if it is null: the caller has
  /// waited. Returns how many bytes were asked for; nothing if the pool has no memory at `pointer`. Throws
  /// hipErrorInvalidValue unless a block in use begins there.
  std::optional<size_t> free(void *pointer, Queue *queue);
  /// The block in use that `pointer`, in a chunk of this pool, lies in: its beginning, and the bytes that were asked for.
  std::optional<std::pair<void *, size_t>> find(const PoolChunk &chunk, const void *pointer) const;

  /// Another number whenever a block is freed. Not freed with the pool.
  const std::atomic<uint64_t> &version() const { return version_; }

  /// Frees all blocks, and gives all chunks back to the driver; the caller has waited for the device. The pool is as it was at
  /// first, also for threads that are about to allocate from it.
  void restart() noexcept;
  /// Gives chunks without a block in use or pending back to the driver, as long as the pool has more than `min_bytes`.
  void trim(size_t min_bytes);
  /// Gives all of them back that are known to be free. Whether there were any.
  bool reclaim() { return release(0); }
  /// Waits until all that was freed is complete.
  void wait_for_frees();
  /// The program has waited for work of the device. Lets go of chunks, and adds those that it has let go of long enough to
  /// `dropped`. Whether there may be more to do when it waits again.
  bool synchronized(Chunks &dropped);
  static void drop(Chunks &chunks) noexcept;

  /// The attributes of HIP, without those of the reuse policies. The high-water marks can be set to 0 only.
  uint64_t attribute(hipMemPoolAttr attribute) const;
  void set_attribute(hipMemPoolAttr attribute, uint64_t value);
  /// Whether a reuse policy is on.
  bool policy(hipMemPoolAttr attribute) const;
  void set_policy(hipMemPoolAttr attribute, bool is_on);
  static bool is_policy(hipMemPoolAttr attribute);

  hipMemAccessFlags access(const Device &device) const;
  /// The pool's own device keeps its access.
  void set_access(const Device &device, hipMemAccessFlags flags);

  /// What other processes know of the pool, made at the first call. Throws hipErrorInvalidValue unless it may be exported.
  std::shared_ptr<ExportedPool> exported();

private:
  struct Policies {
    bool follows_events = true, is_opportunistic = true, adds_dependencies = true;
  };
  struct Access {
    const Device *device;
    hipMemAccessFlags flags;
  };
  struct State {
    std::unique_ptr<PoolHeap> heap;  // once the object has been a pool
    Chunks chunks;                   // by address
    Chunks cool;                     // that it has let go of, the earliest first
    size_t cool_bytes = 0;           // of `cool`
    PoolChunk *last_found = nullptr; // of `chunks`
    /// What was freed in each queue, by its slot; null where nothing ever was.
    std::vector<std::unique_ptr<FreeBlocks>> pending;
    size_t blocks = 0;                      // in use
    size_t used = 0, used_high = 0;         // bytes that were asked for
    size_t used_most = 0;                   // the most there ever were
    size_t blocks_bytes = 0;                // of the blocks in use
    size_t reserved = 0, reserved_high = 0; // bytes of `chunks`
    uint64_t threshold = 0;
    uint64_t synchronizations = 0;
    Policies policies;
    std::vector<Access> access;
    std::shared_ptr<ExportedPool> exported;
    bool is_closed = false;
    bool keeps_memory =
        true;          // else each block is a chunk, and what was freed is not given out again
    uint64_t life = 0; // of this pool, not of the object; 0: it has been removed
  };
  /// How much is tried to find a block.
  struct Search {
    bool merges = false; // blocks that lie side by side
    Reach reach = Reach::own_class;
    bool follows_all = false; // whatever the queue comes after, though the policy says otherwise
  };

  void *give(State &state, PoolBlock &block, const PoolRequest &request);
  PoolBlock *find(State &state, const PoolRequest &request, Queue *queue, const Search &search);
  void *take(const PoolRequest &request, Queue *queue, const Search &search);
  void *allocate_slowly(const PoolRequest &request, Queue *queue);
  void *allocate_again(const PoolRequest &request, Queue *queue);
  void *allocate_in_need(const PoolRequest &request, Queue *queue);
  std::vector<Queue *> pending_queues() const;
  bool ask_driver();
  void *avoid_growth(const PoolRequest &request, Queue *queue);
  void *wait_a_while(const PoolRequest &request, Queue *queue);
  Queue *queue_to_wait_for(const PoolRequest &request, const Queue &queue) const;
  size_t chunk_bytes(const PoolRequest &request) const;
  void *grow(const PoolRequest &request, size_t bytes, bool in_need = false);
  std::unique_ptr<PoolChunk> make_chunk(size_t bytes);
  void insert(State &state, std::unique_ptr<PoolChunk> chunk);
  void count_reserved(State &state, ptrdiff_t bytes);
  void move_idle(State &state, Chunks &to);
  bool release(size_t min_bytes);
  void begin_life(State &state);
  std::array<Chunks, 2> take_all(State &state) noexcept;
  void end() noexcept;
  void remove(uint64_t life) noexcept;

  static std::unique_ptr<PoolChunk> take_cool(State &state, size_t bytes);
  static void drop_cool(State &state, size_t wanted, Chunks &dropped);
  static void drop(PoolChunk &chunk) noexcept;
  static void collect(State &state);
  static FreeBlocks &pending_of(State &state, Queue &queue);
  static FreeBlocks *pending_if_any(const State &state, const Queue &queue);
  static PoolChunk *find_chunk(State &state, const void *pointer);
  void change_version() {
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  static size_t most_free(size_t used_most);
  static size_t most_held(size_t used_most);
  static bool has_too_much(const State &state, const PoolRequest &request);

  std::atomic<Device *> device_{nullptr}; // a call may come as the object becomes another pool
  PoolProperties properties_;
  bool is_imported_ = false;
  // All its memory lies between these addresses.
  std::atomic<uintptr_t> lowest_{UINTPTR_MAX}, highest_{0};
  std::atomic<uint64_t> version_{0}; // written with the lock held
  common::Guarded<State> state_; // never locked over a call of the driver that waits or allocates
};

} // namespace chip

struct ihipMemPoolHandle_t final : chip::MemoryPool {};
