#include "shared_counters.h"
#include "../../common/align.h"
#include "../../common/own_thread.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace ze_driver {

struct alignas(64) SharedSlots::Header {
  char magic[8];
  uint32_t count;
  uint32_t pool_flags;
};

namespace {

constexpr char magic[8] = {'z', 'e', 'e', 'v', 'e', 'n', 't', 's'};

/// How long it may take until a signal of another process is seen.
constexpr std::chrono::microseconds look_interval{50};

} // namespace

size_t SharedSlots::bytes_for(uint32_t count) {
  return common::round_up(sizeof(Header) + size_t{count} * sizeof(SharedSlot), page_bytes());
}

SharedSlots::SharedSlots(std::shared_ptr<SharedFile> file, Header *header, size_t bytes)
    : file_(std::move(file)), header_(header), bytes_(bytes) {}

SharedSlots::~SharedSlots() { munmap(header_, bytes_); }

std::shared_ptr<SharedSlots> SharedSlots::create(uint32_t count, uint32_t pool_flags) {
  const size_t bytes = bytes_for(count);
  const auto file = SharedFile::create(bytes);
  auto *header = static_cast<Header *>(file->map(0, bytes, PROT_READ | PROT_WRITE));
  std::memcpy(header->magic, magic, sizeof magic);
  header->count = count;
  header->pool_flags = pool_flags;
  munmap(header, bytes);
  return open(file);
}

std::shared_ptr<SharedSlots> SharedSlots::open(std::shared_ptr<SharedFile> file) {
  const size_t bytes = file->bytes();
  if (bytes < sizeof(Header))
    return nullptr;
  auto *header = static_cast<Header *>(file->map(0, bytes, PROT_READ | PROT_WRITE));
  std::shared_ptr<SharedSlots> slots(new SharedSlots(std::move(file), header, bytes));
  // Read once: the other process may change it.
  Header content;
  std::memcpy(&content, header, sizeof content);
  if (std::memcmp(content.magic, magic, sizeof magic) != 0 || content.count == 0 ||
      bytes_for(content.count) != bytes)
    return nullptr;
  slots->pool_flags_ = content.pool_flags;
  slots->slots_ = {reinterpret_cast<SharedSlot *>(header + 1), content.count};
  return slots;
}

SharedCounterWatch &SharedCounterWatch::instance() {
  static SharedCounterWatch *watch = new SharedCounterWatch;
  return *watch;
}

void SharedCounterWatch::before_fork() {
  looking_.lock();
  mutex_.lock();
}

void SharedCounterWatch::after_fork(bool is_child) {
  if (is_child)
    is_running_ = false; // until something waits there
  mutex_.unlock();
  looking_.unlock();
}

void SharedCounterWatch::add(Ref<Counter> counter) {
  std::lock_guard lock(mutex_);
  if (std::ranges::none_of(counters_, [&](const auto &c) { return c.get() == counter.get(); }))
    counters_.push_back(std::move(counter));
  if (!is_running_) // if there is no thread to be had, the next one who waits tries again
    is_running_ = common::start_own_thread([this] { watch(); });
}

void SharedCounterWatch::watch() {
  std::vector<Ref<Counter>> looked_at;
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      std::erase_if(counters_, [](const auto &counter) { return !counter->is_awaited(); });
      if (counters_.empty()) {
        is_running_ = false;
        break;
      }
      looked_at = counters_;
    }
    {
      std::lock_guard lock(looking_);
      for (const auto &counter : looked_at)
        counter->poll();
    }
    std::this_thread::sleep_for(look_interval);
  }
}

} // namespace ze_driver
