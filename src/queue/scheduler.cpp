#include "scheduler.h"
#include "../ze/caches.h"

#include <algorithm>

namespace chip {
namespace {

// Of the whole process: an event lets a queue wait for one of another device, so slots of two devices must differ.
uint32_t next_slot() {
  static std::atomic<uint32_t> slots{0};
  return slots.fetch_add(1, std::memory_order_relaxed);
}

auto within(Scheduler::Reach reach) {
  return [=](const Queue &queue) {
    return reach == Scheduler::Reach::all || queue.kind() != Queue::Kind::non_blocking;
  };
}

} // namespace

Scheduler::Scheduler(const ze::Driver &driver, const ze::DeviceInfo &device)
    : driver_(driver), device_(device), markers_(driver, device) {}

Scheduler::~Scheduler() {
  queues_.lock()->all.clear(); // before the markers that they hold
}

template <class Visit> void Scheduler::for_each_queue(Visit &&visit) {
  auto queues = queues_.lock_shared();
  for (auto &queue : queues->all)
    visit(*queue);
}

Queue &Scheduler::add_queue(Queues &queues, ze_command_queue_priority_t priority,
                            ze_command_list_handle_t list) {
  queues.all.push_back(
      noticing_loss([&] { return std::make_unique<Queue>(*this, next_slot(), priority, list); }));
  return *queues.all.back();
}

Queue &Scheduler::make_null_queue() {
  auto queues = queues_.lock();
  Queue *queue = null_queue_.load(std::memory_order_relaxed);
  if (!queue) {
    queue = &add_queue(*queues, ZE_COMMAND_QUEUE_PRIORITY_NORMAL);
    queue->lend(Queue::Kind::null_stream);
    null_queue_.store(queue, std::memory_order_release);
  }
  return *queue;
}

Queue &Scheduler::acquire(Queue::Kind kind, ze_command_queue_priority_t priority) {
  check_alive();
  auto queues = queues_.lock();
  std::vector<Queue *> &idle = queues->idle;
  // A queue's numbers go on when it is lent again, so what others have seen of it stays true.
  auto reusable = std::find_if(idle.rbegin(), idle.rend(), [&](Queue *queue) {
    return queue->priority() == priority && queue->empty();
  });
  // None is known empty: some may have become so unnoticed. The one that has been idle longest is the most likely. Where there are
  // many, others are asked the next time.
  if (reusable == idle.rend()) {
    constexpr size_t most_asked = 64;
    const auto end = idle.begin() + ptrdiff_t(std::min(idle.size(), most_asked));
    const auto empty = std::find_if(idle.begin(), end, [&](Queue *queue) {
      return queue->priority() == priority && queue->query();
    });
    if (empty != end)
      reusable = std::make_reverse_iterator(std::next(empty));
    else
      std::rotate(idle.begin(), end, idle.end());
  }
  Queue *queue;
  if (reusable != idle.rend()) {
    queue = *reusable;
    if (!ze::Caches::of_process().queues)
      noticing_loss([&] { queue->replace_list(); });
    idle.erase(std::next(reusable).base());
  } else {
    idle.reserve(queues->all.size() + 1);
    queue = &add_queue(*queues, priority);
  }
  queue->lend(kind);
  return *queue;
}

Queue &Scheduler::adopt(Queue::Kind kind, ze_command_list_handle_t list) {
  check_alive();
  auto queues = queues_.lock();
  Queue *queue;
  if (queues->returned.empty()) {
    queues->returned.reserve(queues->all.size() + 1);
    queue = &add_queue(*queues, ZE_COMMAND_QUEUE_PRIORITY_NORMAL, list);
  } else {
    queue = queues->returned.back();
    queue->borrow_list(list);
    queues->returned.pop_back();
  }
  queue->lend(kind);
  return *queue;
}

void Scheduler::release(Queue &queue) {
  if (queue.has_borrowed_list()) {
    queue.return_list();
    queues_.lock()->returned.push_back(&queue);
    return;
  }
  // Waits that nothing was submitted behind make it busy; whoever finds out that it is empty submits them first.
  queues_.lock()->idle.push_back(&queue);
}

// With what was submitted to each. A copy, since nobody may wait while holding the lock.
template <class Choose>
std::vector<std::pair<Queue *, uint64_t>> Scheduler::busy_queues(Choose &&choose) {
  std::vector<std::pair<Queue *, uint64_t>> busy;
  for_each_queue([&](Queue &queue) {
    if (uint64_t sequence = queue.submitted(); !queue.is_known_done(sequence) && choose(queue))
      busy.emplace_back(&queue, sequence);
  });
  return busy;
}

void Scheduler::throw_lost() const {
  throw Error(error(), "the device is lost: an earlier kernel failed");
}

void Scheduler::set_lost(hipError_t error) noexcept {
  hipError_t none = hipSuccess;
  if (lost_.compare_exchange_strong(none, error, std::memory_order_relaxed))
    if (CompletionObserver *observer = this->observer())
      observer->drain_messages(); // nobody will wait any more
}

void Scheduler::set_lost() noexcept {
  CompletionObserver *observer = error() == hipSuccess ? this->observer() : nullptr;
  const hipError_t reason = observer ? observer->work_completed() : hipSuccess;
  set_lost(reason == hipSuccess ? hipErrorLaunchFailure : reason);
}

void Scheduler::ask_observer() {
  if (hipError_t failure = observer()->work_completed(); failure != hipSuccess) {
    set_lost(failure);
    check_alive();
  }
}

void Scheduler::look_for_failures() noexcept {
  if (CompletionObserver *observer = this->observer())
    if (hipError_t failure = observer->work_completed(); failure != hipSuccess)
      set_lost(failure);
}

void Scheduler::synchronize() {
  check_alive();
  auto busy = busy_queues([](Queue &) { return true; });
  if (busy.empty())
    return;
  for (auto &[queue, sequence] : busy)
    queue->submit_waits();
  if (busy.size() > 1 && driver_.capabilities().device_synchronize && !observer())
    noticing_loss([&] { ze::synchronize_device(driver_, device_); });
  else
    for (auto &[queue, sequence] : busy)
      queue->wait_for_list();
  for (auto &[queue, sequence] : busy)
    queue->raise_drained(sequence);
  work_completed();
}

void Scheduler::finish_legacy() {
  check_alive();
  for (auto &[queue, sequence] : busy_queues(within(Reach::legacy)))
    queue->finish();
}

bool Scheduler::is_idle() {
  auto busy = busy_queues([](Queue &) { return true; });
  return std::ranges::all_of(busy, [](auto &entry) { return entry.first->query(); });
}

std::optional<Error> Scheduler::synchronize_for_release() {
  try {
    synchronize();
    return std::nullopt;
  } catch (const Error &error) {
    if (!tells_of_loss(error.code()))
      throw;
    settle();
    return error;
  }
}

void Scheduler::settle(Reach reach) noexcept {
  try {
    for (auto &[queue, sequence] : busy_queues(within(reach)))
      queue->settle();
  } catch (...) {
    // No memory to list the queues in.
  }
  if (CompletionObserver *observer = this->observer())
    observer->drain_messages();
}

bool Scheduler::settle_until(std::chrono::steady_clock::time_point deadline, Reach reach) noexcept {
  bool settled = true;
  try {
    for (auto &[queue, sequence] : busy_queues(within(reach)))
      settled &= queue->settle_until(deadline);
  } catch (...) {
    settled = false; // no memory to list the queues in
  }
  if (CompletionObserver *observer = this->observer())
    observer->drain_messages();
  return settled;
}

void Scheduler::drop_waits() {
  for_each_queue([](Queue &queue) { queue.drop_waits(); });
}

bool Scheduler::query_legacy() {
  check_alive();
  bool complete = true;
  for_each_queue([&](Queue &queue) {
    if (complete && queue.kind() != Queue::Kind::non_blocking)
      complete = queue.query();
  });
  return complete;
}

uint32_t Scheduler::add_kernel() {
  auto ids = kernel_ids_.lock();
  if (ids->free.empty())
    return ids->next++;
  const uint32_t id = ids->free.back();
  ids->free.pop_back();
  return id;
}

void Scheduler::remove_kernel(uint32_t id) {
  for_each_queue([&](Queue &queue) { queue.forget_kernel(id); });
  kernel_ids_.lock()->free.push_back(id);
}

} // namespace chip
