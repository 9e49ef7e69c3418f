#include "dispatcher.h"

#include "../../common/lock_until.h"
#include "../../common/own_thread.h"
#include "execution_gate.h"
#include "stream.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <new>

namespace ze_cpu {
namespace {

using namespace std::chrono_literals;

// A program whose main thread has ended goes on until its last thread does.
constexpr auto idle_thread_life = 1s;
constexpr auto stop_patience = 100ms;

/// Enough for lists whose kernels wait for each other through memory; more only share the same
/// processors.
unsigned thread_limit() { return std::max(16u, 2 * ze_driver::processor_count()); }

thread_local bool is_dispatcher_thread = false;

} // namespace

Dispatcher &Dispatcher::instance() {
  static Dispatcher *dispatcher = new Dispatcher;
  return *dispatcher;
}

void Dispatcher::before_fork() { mutex_.lock(); }

void Dispatcher::after_fork(bool is_child) {
  if (is_child) {
    // No thread but the forking one lives on; waiting for the others would never end. It may be one
    // of ours, in a host function.
    threads_ = blocked_ = is_dispatcher_thread ? 1 : 0;
    idle_ = 0;
    idle_threads_ = nullptr;
    lingering_ = 0;
    new (&ready_) std::condition_variable; // may remember threads that do not exist here
    new (&leaving_) std::condition_variable;
  }
  mutex_.unlock();
}

void Dispatcher::push(Stream &stream, bool expected_idle) {
  std::unique_lock lock(mutex_);
  if (expected_idle) {
    auto idle = Stream::State::idle;
    if (!stream.state_.compare_exchange_strong(idle, Stream::State::ready))
      return;
    stream.retain(); // pending work keeps the stream alive
  } else {
    stream.state_.store(Stream::State::ready, std::memory_order_release);
  }
  stream.previous_ = last_;
  stream.next_ = nullptr;
  (last_ ? last_->next_ : first_) = &stream;
  last_ = &stream;
  stream.queued_ = true;
  ready_count_.fetch_add(1, std::memory_order_seq_cst);
  const bool is_awaited = // by a thread that lingers, and looks for it next
      ready_count_.load(std::memory_order_relaxed) <= lingering_.load(std::memory_order_seq_cst);
  if (!is_awaited)
    add_thread_if_needed();
  const bool wake = !is_awaited && idle_ != 0;
  lock.unlock(); // else the thread that wakes would run into the lock first of all
  if (wake)
    ready_.notify_one();
}

void Dispatcher::wake_one() {
  std::unique_lock lock(mutex_);
  add_thread_if_needed();
  lock.unlock();
  ready_.notify_one();
}

void Dispatcher::forget(Stream &stream) {
  std::lock_guard lock(mutex_);
  if (stream.queued_)
    unlink(stream);
}

void Dispatcher::add_thread_if_needed() {
  if (stopping_ || ready_count_.load(std::memory_order_relaxed) <= idle_ ||
      threads_ >= thread_limit() + blocked_)
    return;
  // Without it, those that exist, and those that synchronize, do the work.
  if (common::start_own_thread([this] { work(); }))
    ++threads_;
}

void Dispatcher::work() {
  is_dispatcher_thread = true;
  pthread_setname_np(pthread_self(), "ze_cpu list");
  // Waking one does not interrupt the thread that appends, which is about to append more, or to
  // wait and do the work itself.
  const sched_param batch{};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &batch);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!first_) {
      if (!sleep(lock) && !first_)
        break;
      continue;
    }
    // Entered before a list is claimed: while the gate is closed, no list is.
    const ExecutionGate::TryInside inside;
    Stream *const stream = inside ? take_first() : nullptr;
    lock.unlock();
    if (stream)
      stream->run();
    else if (!inside)
      ExecutionGate::instance().wait();
    lock.lock();
  }
  --threads_;
  leaving_.notify_all();
}

/// False: nobody woke the thread.
bool Dispatcher::sleep(std::unique_lock<std::mutex> &lock) {
  IdleThread self{pthread_self(), idle_threads_};
  idle_threads_ = &self;
  ++idle_;
  const auto status = ready_.wait_for(lock, idle_thread_life);
  --idle_;
  IdleThread **place = &idle_threads_;
  while (*place != &self)
    place = &(*place)->next;
  *place = self.next;
  return status != std::cv_status::timeout;
}

void Dispatcher::give_way() {
  const std::lock_guard lock(mutex_);
  if (ready_count_.load(std::memory_order_relaxed) == 0)
    return;
  for (const IdleThread *idle = idle_threads_; idle; idle = idle->next)
    common::move_here(idle->thread);
}

/// The list that has waited longest, claimed; null if another thread has it. With the mutex held.
Stream *Dispatcher::take_first() {
  Stream *stream = first_;
  unlink(*stream);
  // Claimed under the lock: a thread that helps claims first and calls forget() after, so that it
  // cannot be done, and the stream gone, while we look at it.
  return stream->claim(Stream::State::ready) ? stream : nullptr;
}

void Dispatcher::unlink(Stream &stream) {
  (stream.previous_ ? stream.previous_->next_ : first_) = stream.next_;
  (stream.next_ ? stream.next_->previous_ : last_) = stream.previous_;
  stream.queued_ = false;
  ready_count_.fetch_sub(1, std::memory_order_relaxed);
}

void Dispatcher::stop() {
  stopping_ = true;
  const auto end = std::chrono::steady_clock::now() + stop_patience;
  std::unique_lock lock = common::lock_until(mutex_, end);
  if (!lock)
    return;
  ready_.notify_all();
  const unsigned self = is_dispatcher_thread ? 1 : 0; // exit() called in a host function
  leaving_.wait_until(lock, end, [&] { return threads_ == self; });
}

Dispatcher::BlockingSection::BlockingSection() {
  if (!is_dispatcher_thread)
    return;
  Dispatcher &dispatcher = instance();
  std::lock_guard lock(dispatcher.mutex_);
  ++dispatcher.blocked_;
  dispatcher.add_thread_if_needed();
}

Dispatcher::BlockingSection::~BlockingSection() {
  if (!is_dispatcher_thread)
    return;
  Dispatcher &dispatcher = instance();
  std::lock_guard lock(dispatcher.mutex_);
  --dispatcher.blocked_;
}

} // namespace ze_cpu
