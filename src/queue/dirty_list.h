// The blocking queues with work that the null stream does not come after yet. One idle queue or a thousand cost a launch on
// the null stream the same: it asks whether this list is empty.
#pragma once

#include <atomic>

namespace chip {

class Queue;

class DirtyList {
public:
  /// The first part of each queue.
  class Entry {
  public:
    explicit Entry(Queue &owner) : queue(owner) {}
    Queue &queue;
    /// New work of the queue lists it again. With the queue's lock held.
    void unlist() { listed_ = false; }

  private:
    friend class DirtyList;
    bool listed_ = false; // written with the queue's lock held
    Entry *next_ = nullptr;
  };

  bool is_empty() const { return first_.load(std::memory_order_relaxed) == nullptr; }

  /// With the lock of the entry's queue held.
  void add(Entry &entry) {
    if (!entry.listed_) {
      entry.listed_ = true;
      push(entry);
    }
  }

  /// Takes all entries and calls `visit(entry)` for each, which calls unlist(). If it throws, nothing is lost: its entry and
  /// those that were not visited yet are listed as before. With the null queue's lock held: what one thread takes is ordered
  /// before any later work of the null stream.
  template <class Visit> void take(Visit &&visit) {
    Entry *entry = first_.exchange(nullptr, std::memory_order_acquire);
    while (entry) {
      Entry *next = entry->next_; // an entry that was visited may be added again at once
      prefetch(next);
      try {
        visit(*entry);
      } catch (...) {
        for (; entry; entry = next) {
          next = entry->next_;
          push(*entry);
        }
        throw;
      }
      entry = next;
    }
  }

private:
  /// A thousand busy queues are in no cache: the next one comes while the driver works on this one. Prefetching null is harmless.
  static void prefetch(const Entry *entry) {
    for (int line = 0; line < 4; ++line)
      __builtin_prefetch(reinterpret_cast<const char *>(entry) + 64 * line, 1);
  }

  void push(Entry &entry) {
    Entry *first = first_.load(std::memory_order_relaxed);
    do
      entry.next_ = first;
    while (!first_.compare_exchange_weak(first, &entry, std::memory_order_release,
                                         std::memory_order_relaxed));
  }

  std::atomic<Entry *> first_{nullptr};
};

} // namespace chip
