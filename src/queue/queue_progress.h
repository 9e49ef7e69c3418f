// How far the device is with the list of a queue, also where the list is the program's, which takes it back one day.
#pragma once

#include "../ze/command_list.h"

#include <mutex>
#include <shared_mutex>

namespace chip {

class QueueProgress {
public:
  /// `may_end`: whether end() may be called, which costs a lock in each question.
  QueueProgress(ze::ListProgress list, bool may_end) : list_(list), may_end_(may_end) {}

  /// Blocks until all that was appended is complete.
  void synchronize() const {
    ask([](const ze::ListProgress &list) {
      list.synchronize();
      return true;
    });
  }
  bool is_complete() const {
    return ask([](const ze::ListProgress &list) { return list.is_complete(); });
  }
  /// Waits no longer than that.
  bool is_complete_within(uint64_t nanoseconds) const {
    return ask([&](const ze::ListProgress &list) { return list.is_complete_within(nanoseconds); });
  }

  /// The list, which is complete, is not asked any more, and whoever asks it now has returned: the program may destroy it.
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  /// After end().
  void begin(ze::ListProgress list) {
    const std::lock_guard lock(mutex_);
    list_ = list;
    has_ended_ = false;
  }

private:
  template <class Question> bool ask(const Question &question) const {
    if (!may_end_)
      return question(list_);
    const std::shared_lock lock(mutex_);
    return has_ended_ || question(list_);
  }

  ze::ListProgress list_;
  const bool may_end_;
  bool has_ended_ = false;
  mutable std::shared_mutex mutex_;
};

} // namespace chip
