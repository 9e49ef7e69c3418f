#include "store.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <tuple>

#include <cpuid.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

namespace chip::prof {
namespace {

struct Store {
  std::mutex mutex;
  bool opened = false; // or tried
  int file = -1;
  std::string path; // of the file,
  dev_t device = 0; // and what it is known by, as programs close descriptors that they do not know,
  ino_t number = 0; // and open files that have the same descriptor then
  uint64_t end = 0; // of the file
  uint64_t events_left = 0; // bytes of blocks of events that may still be taken
  Header *header = nullptr;
  pthread_key_t thread_key{};
  ThreadState *free_states = nullptr;
  uint32_t threads = 0;
  BlockHeader *names = nullptr, *rows = nullptr, *work = nullptr;
  uint64_t names_bytes = 0;
  std::map<std::string, uint32_t, std::less<>> name_numbers;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, WorkRow *> row_of;
};

// Never destroyed: calls are made until the process has ended.
Store &store() {
  alignas(Store) static char memory[sizeof(Store)];
  static Store &made = *new (memory) Store;
  return made;
}

// Names of kernels beyond this are left out.
constexpr uint64_t most_bytes_of_names = 64 * 1024 * 1024;

[[gnu::tls_model("initial-exec")]] thread_local ThreadState *state_of_thread;
std::atomic<bool> is_off{false};
bool counts_ticks = false; // settled before the first thread has a state

/// Whether the processor's counter goes on at one rate, whatever the processor does.
bool has_steady_counter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1U << 8);
}

uint64_t nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

bool has_descriptor(const Store &store) {
  struct stat status{};
  return store.file >= 0 && fstat(store.file, &status) == 0 && status.st_dev == store.device &&
         status.st_ino == store.number;
}

BlockHeader *take_block(Store &store, BlockKind kind) {
  if (!has_descriptor(store)) {
    store.file = open(store.path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (!has_descriptor(store))
      return nullptr;
  }
  if (ftruncate(store.file, static_cast<off_t>(store.end + block_bytes)) != 0)
    return nullptr;
  void *place = mmap(nullptr, block_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, store.file,
                     static_cast<off_t>(store.end));
  if (place == MAP_FAILED)
    return nullptr;
  store.end += block_bytes;
  auto *block = static_cast<BlockHeader *>(place);
  block->kind = kind;
  return block;
}

BlockHeader *take_event_block(Store &store, BlockKind kind) {
  if (store.events_left < block_bytes)
    return nullptr;
  BlockHeader *block = take_block(store, kind);
  store.events_left = block ? store.events_left - block_bytes : 0;
  return block;
}

template <class T> T *entries(BlockHeader *block) { return reinterpret_cast<T *>(block + 1); }
template <class T> constexpr uint64_t capacity = (block_bytes - sizeof(BlockHeader)) / sizeof(T);

/// The next entry of a block, or of a new one where it is full or there is none.
template <class T>
T *next_entry(Store &store, BlockHeader *&block, BlockKind kind, bool of_events) {
  if (!block || block->used == capacity<T>) {
    BlockHeader *taken = of_events ? take_event_block(store, kind) : take_block(store, kind);
    if (!taken)
      return nullptr;
    if (block && of_events)
      munmap(block, block_bytes);
    block = taken;
  }
  return entries<T>(block) + block->used++;
}

void give_state_back(void *state) {
  // The thread may still call in the destructors of others, and gets a state again.
  state_of_thread = nullptr;
  Store &all = store();
  const std::lock_guard lock(all.mutex);
  auto *given = static_cast<ThreadState *>(state);
  given->next_free = all.free_states;
  all.free_states = given;
}

// A child writes a file of its own. What the parent has is not touched: its mappings are shared with it.
void start_again_in_child() {
  state_of_thread = nullptr;
  if (has_descriptor(store()))
    close(store().file);
  new (&store()) Store;
}

void open_store(Store &store) {
  store.opened = true;
  const char *value = std::getenv(variable);
  if (!value)
    return;
  uint64_t bytes = 0;
  const auto [rest, error] = std::from_chars(value, value + std::strlen(value), bytes);
  if (error != std::errc() || *rest != ':')
    return;
  const std::string path = std::string(rest + 1) + "/" + std::to_string(getpid()) + "-XXXXXX";
  std::string name = path;
  store.file = mkostemp(name.data(), O_CLOEXEC);
  if (store.file < 0) {
    std::fprintf(stderr, "chip-prof: cannot write to %s: %s\n", rest + 1, std::strerror(errno));
    return;
  }
  struct stat status{};
  fstat(store.file, &status);
  store.path = name;
  store.device = status.st_dev;
  store.number = status.st_ino;
  store.events_left = bytes;
  auto *header = reinterpret_cast<Header *>(take_block(store, BlockKind::Header));
  if (!header) {
    close(store.file);
    store.file = -1;
    return;
  }
  header->magic = magic;
  header->process = static_cast<uint64_t>(getpid());
  counts_ticks = has_steady_counter();
  header->start_ns = nanoseconds();
  header->start_ticks = counts_ticks ? __rdtsc() : 0;
  std::snprintf(header->program, sizeof header->program, "%s", program_invocation_short_name);
  store.header = header;
  static std::once_flag once;
  std::call_once(once, [&] { pthread_atfork(nullptr, nullptr, start_again_in_child); });
  pthread_key_create(&store.thread_key, give_state_back);
}

ThreadState *make_state() {
  Store &all = store();
  const std::lock_guard lock(all.mutex);
  if (!all.opened)
    open_store(all);
  if (!all.header) {
    is_off = true;
    return nullptr;
  }
  ThreadState *state = all.free_states;
  if (state) {
    all.free_states = state->next_free;
    // Events of another thread stand in another block.
    if (state->events && state->next != state->limit) {
      munmap(state->events, block_bytes);
      state->events = nullptr;
      state->next = state->limit = nullptr;
    }
  } else {
    state = new (std::nothrow) ThreadState{};
    BlockHeader *block = state ? take_block(all, BlockKind::Counters) : nullptr;
    if (!block) {
      delete state;
      return nullptr;
    }
    block->used = chip_prof_function_count;
    state->counters = entries<Counters>(block);
  }
  state->thread = ++all.threads;
  state->correlation = static_cast<uint64_t>(state->thread) << 40;
  pthread_setspecific(all.thread_key, state);
  return state_of_thread = state;
}

} // namespace

uint64_t now() noexcept { return counts_ticks ? __rdtsc() : nanoseconds(); }

ThreadState *thread_state() noexcept {
  if (state_of_thread) [[likely]]
    return state_of_thread;
  if (is_off.load(std::memory_order_relaxed))
    return nullptr;
  return make_state();
}

void add_event(ThreadState &state, const Event &event) noexcept {
  if (state.next == state.limit) {
    Store &all = store();
    if (state.events_ended) {
      std::atomic_ref(all.header->events_left_out).fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const std::lock_guard lock(all.mutex);
    if (state.events)
      munmap(state.events, block_bytes);
    state.next = state.limit = nullptr;
    state.events = take_event_block(all, BlockKind::Events);
    if (!state.events) {
      state.events_ended = true;
      std::atomic_ref(all.header->events_left_out).fetch_add(1, std::memory_order_relaxed);
      return;
    }
    state.events->thread = state.thread;
    state.next = entries<Event>(state.events);
    state.limit = state.next + capacity<Event>;
  }
  *state.next++ = event;
  ++state.events->used;
}

uint32_t name_of(std::string_view name) noexcept try {
  Store &all = store();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.name_numbers.find(name); found != all.name_numbers.end())
    return found->second;
  // One that would fill a block is cut.
  name = name.substr(0, 16 * 1024);
  const uint64_t bytes = (sizeof(Name) + name.size() + 7) / 8 * 8;
  if (!all.header || all.names_bytes + bytes > most_bytes_of_names)
    return 0;
  if (!all.names || all.names->used + bytes > block_bytes - sizeof(BlockHeader)) {
    BlockHeader *taken = take_block(all, BlockKind::Names);
    if (!taken)
      return 0;
    all.names = taken;
  }
  char *place = entries<char>(all.names) + all.names->used;
  const auto number = static_cast<uint32_t>(all.name_numbers.size() + 1);
  const Name head{number, static_cast<uint32_t>(name.size())};
  std::memcpy(place, &head, sizeof head);
  std::memcpy(place + sizeof head, name.data(), name.size());
  all.names->used += bytes;
  all.names_bytes += bytes;
  all.name_numbers.emplace(name, number);
  return number;
} catch (...) { // no memory
  return 0;
}

void add_work(uint32_t kind, uint32_t device, uint32_t name, const WorkEvent &event,
              bool keeps_event) noexcept try {
  Store &all = store();
  const std::lock_guard lock(all.mutex);
  if (!all.header)
    return;
  WorkRow *&row = all.row_of[{kind, device, name}];
  if (!row) {
    row = next_entry<WorkRow>(all, all.rows, BlockKind::WorkRows, false);
    if (!row)
      return;
    row->kind = kind;
    row->device = device;
    row->name = name;
  }
  row->bytes += event.bytes;
  row->counters.add(event.end_ns - std::min(event.start_ns, event.end_ns), false);
  if (!keeps_event)
    return;
  if (WorkEvent *place = next_entry<WorkEvent>(all, all.work, BlockKind::WorkEvents, true))
    *place = event;
  else
    std::atomic_ref(all.header->events_left_out).fetch_add(1, std::memory_order_relaxed);
} catch (...) { // no memory
}

} // namespace chip::prof
