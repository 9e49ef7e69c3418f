#include "shared_event.h"
#include "../../common/processes.h"
#include "../../common/uncancelled.h"
#include "../operations/value.h"
#include "../platform/platform.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>

namespace chip {
namespace {

using Owner = uint64_t; // a process as a word; 0: none

} // namespace

/// Each is written by the lists of one queue, whose order is that of the values.
struct alignas(64) SharedEvent::Counter {
  std::atomic<uint64_t> reached;   // written by the device
  std::atomic<uint64_t> submitted; // under the lock of the queue
  std::atomic<Owner> owner;
  std::atomic<const Queue *> queue; // of the owner
};

struct SharedEvent::Page {
  static constexpr std::array<char, 8> expected_magic = {'H', 'I', 'P', 'e', 'v', 'n', 't', '1'};

  alignas(64) std::array<char, 8> magic;
  std::atomic<Record> last;
  std::array<Counter, 255> counters;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

namespace {

/// What a hipIpcEventHandle_t says.
struct EventHandleContent {
  static constexpr char expected_magic[4] = {'H', 'I', 'E', '1'};

  char magic[4];
  int32_t process;
  int32_t descriptor;
  int32_t unused;
  uint64_t file_system, inode; // numbers of descriptors are used again
  char rest[32];
};
static_assert(sizeof(EventHandleContent) == sizeof(hipIpcEventHandle_t));

constexpr unsigned value_bits = 48;
constexpr SharedEvent::Record to_record(size_t counter, uint64_t value) {
  return SharedEvent::Record(counter) << value_bits | value;
}
constexpr size_t counter_index(SharedEvent::Record record) { return record >> value_bits; }
constexpr uint64_t value_of(SharedEvent::Record record) {
  return record & ((uint64_t(1) << value_bits) - 1);
}

Owner own_process() {
  static const Owner own = common::to_word(common::this_process());
  return own;
}

int create_file(size_t bytes) {
  const int descriptor = memfd_create("hip_event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor >= 0 && ftruncate(descriptor, off_t(bytes)) == 0 &&
      // No process is to take the memory away from under the others.
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
    return descriptor;
  if (descriptor >= 0)
    close(descriptor);
  throw Error(hipErrorOutOfMemory, "no memory for an event between processes");
}

/// Whether it is what create_file() made, and the handle is about.
bool is_meant(int descriptor, const EventHandleContent &content, size_t bytes) {
  struct stat status{};
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_dev == content.file_system && status.st_ino == content.inode &&
         size_t(status.st_size) == bytes && seals >= 0 && (seals & F_SEAL_SHRINK);
}

int open_file(const EventHandleContent &content, size_t bytes) {
  const int descriptor =
      common::open_of_process(content.process, content.descriptor,
                              [&](int opened) { return is_meant(opened, content, bytes); });
  if (descriptor >= 0)
    return descriptor;
  throw Error(hipErrorInvalidValue,
              "`handle` names no event: it was destroyed, or its process has ended");
}

/// Takes the next value of a counter and writes it, as one command: so the values come in their order.
struct ReachNext {
  std::atomic<uint64_t> &submitted;
  std::atomic<uint64_t> &reached;
  uint64_t &value;

  void append(Encoder &encoder, ze::Waits waits) const {
    value = submitted.fetch_add(1, std::memory_order_relaxed) + 1;
    operations::WriteValue{&reached, value, sizeof value}.append(encoder, waits);
  }
};

} // namespace

// ---- The memory

SharedEvent::SharedEvent(int descriptor) : descriptor_(descriptor) {
  void *memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) {
    close(descriptor_);
    throw Error(hipErrorOutOfMemory, "no memory for an event between processes");
  }
  page_ = static_cast<Page *>(memory);
}

SharedEvent::~SharedEvent() {
  for (const ze::Driver *driver : own_.lock()->drivers)
    ze::release_imported_memory(*driver, page_);
  munmap(page_, sizeof(Page));
  close(descriptor_);
}

std::shared_ptr<SharedEvent> SharedEvent::create(const ze::Driver &driver) {
  const std::shared_ptr<SharedEvent> event(new SharedEvent(create_file(sizeof(Page))));
  event->page_->magic = Page::expected_magic; // all else is zero
  event->let_write(driver);
  return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const hipIpcEventHandle_t &handle) {
  EventHandleContent content;
  std::memcpy(&content, &handle, sizeof content);
  if (!std::ranges::equal(content.magic, content.expected_magic) || content.unused != 0 ||
      std::ranges::any_of(content.rest, [](char byte) { return byte != 0; }))
    throw Error(hipErrorInvalidValue, "`handle` is none of hipIpcGetEventHandle");
  if (content.process == getpid())
    throw Error(hipErrorInvalidContext, "`handle` is of an event of this process");
  const std::shared_ptr<SharedEvent> event(new SharedEvent(open_file(content, sizeof(Page))));
  if (event->page_->magic != Page::expected_magic)
    throw Error(hipErrorInvalidValue, "`handle` names no event of this version of HIP");
  return event;
}

hipIpcEventHandle_t SharedEvent::handle() const {
  struct stat status{};
  if (fstat(descriptor_, &status) != 0)
    throw Error(hipErrorInvalidConfiguration, "the event's memory is no file");
  EventHandleContent content{};
  std::ranges::copy(content.expected_magic, content.magic);
  content.process = getpid();
  content.descriptor = descriptor_;
  content.file_system = status.st_dev;
  content.inode = status.st_ino;
  hipIpcEventHandle_t handle;
  std::memcpy(&handle, &content, sizeof handle);
  return handle;
}

// ---- Records

/// Lets lists of the driver write the memory.
void SharedEvent::let_write(const ze::Driver &driver) {
  const auto own = own_.lock();
  if (std::ranges::contains(own->drivers, &driver))
    return;
  own->drivers.reserve(own->drivers.size() + 1);
  ze::import_memory(driver, page_, sizeof(Page));
  own->drivers.push_back(&driver);
}

size_t SharedEvent::counter_of(const Queue &queue) {
  const auto own = own_.lock();
  for (const auto &[known, index] : own->counters)
    if (known == &queue)
      return index;
  const size_t index = claim_counter(queue);
  own->counters.emplace_back(&queue, index);
  return index;
}

/// Queues are never freed: what was this one's before, by another opening of the event, still is.
size_t SharedEvent::claim_counter(const Queue &queue) {
  const Owner own = own_process();
  // Between the owner and the queue that a counter gets, it must not be found by the queue that it had in another process.
  static std::mutex &claiming = *new std::mutex;
  const std::lock_guard lock(claiming);
  const auto is_own = [&](const Counter &counter) {
    return counter.owner.load(std::memory_order_acquire) == own &&
           counter.queue.load(std::memory_order_acquire) == &queue;
  };
  const auto take = [&](Counter &counter, Owner from) {
    if (!counter.owner.compare_exchange_strong(from, own, std::memory_order_acq_rel))
      return false;
    counter.queue.store(&queue, std::memory_order_release);
    // What its process did not reach before it ended is not to wait for this one, which may come after those that wait.
    counter.reached.store(counter.submitted.load(std::memory_order_relaxed),
                          std::memory_order_release);
    return true;
  };
  const auto take_free = [&](Counter &counter) { return take(counter, 0); };
  const auto take_left = [&](Counter &counter) {
    const Owner owner = counter.owner.load(std::memory_order_acquire);
    return !common::is_alive(common::to_process(owner)) && take(counter, owner);
  };
  const auto find = [&](const auto &is_meant) {
    return size_t(std::ranges::find_if(page_->counters, is_meant) - page_->counters.begin());
  };
  size_t index = find(is_own);
  if (index == page_->counters.size())
    index = find(take_free);
  if (index == page_->counters.size())
    index = find(take_left);
  if (index == page_->counters.size())
    throw Error(hipErrorOutOfMemory, "more streams record the event than an event between "
                                     "processes has room for");
  return index;
}

SharedEvent::Record SharedEvent::submit(Queue &queue) {
  let_write(queue.scheduler().driver());
  const size_t index = counter_of(queue);
  Counter &counter = page_->counters[index];
  uint64_t value = 0;
  queue.submit(ReachNext{counter.submitted, counter.reached, value});
  return to_record(index, value);
}

void SharedEvent::publish(Record record) { page_->last.store(record, std::memory_order_release); }

SharedEvent::Record SharedEvent::last() const {
  return page_->last.load(std::memory_order_acquire);
}

/// Null for no record, and for one that no process made.
const SharedEvent::Counter *SharedEvent::find(Record record) const {
  const size_t index = counter_index(record);
  return record != 0 && index < page_->counters.size() ? &page_->counters[index] : nullptr;
}

bool SharedEvent::is_reached(Record record) const {
  const Counter *counter = find(record);
  return !counter || counter->reached.load(std::memory_order_acquire) >= value_of(record);
}

bool SharedEvent::is_abandoned(Record record) const {
  const Counter *counter = find(record);
  // In this order: what a process has reached stays so when it has ended.
  return counter &&
         !common::is_alive(common::to_process(counter->owner.load(std::memory_order_acquire))) &&
         !is_reached(record);
}

// ---- Waiting

void SharedPoint::wait() const {
  using namespace std::chrono_literals;
  const common::Uncancelled uncancelled; // the point is the caller's
  auto next_look = std::chrono::steady_clock::now() + process_look_every;
  for (int turn = 0; !is_reached(); ++turn) {
    if (turn < 100)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(turn < 1000 ? 20us : 200us);
    if (std::chrono::steady_clock::now() < next_look)
      continue;
    if (is_abandoned())
      return;
    if (Platform::is_ending())
      throw Error(hipErrorDeinitialized, "the process ends while it waits for another one's event");
    next_look = std::chrono::steady_clock::now() + process_look_every;
  }
}

} // namespace chip
