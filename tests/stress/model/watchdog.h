// Ends the process when a program does not end.
#pragma once

#include "program.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace model {

class Watchdog {
public:
  /// A program that takes longer than `limit` is printed, and the process exits with `status`.
  Watchdog(std::chrono::seconds limit, int status)
      : limit_(limit), status_(status), thread_([this](std::stop_token stop) { watch(stop); }) {}

  /// Watches `program`, which lives until the next call.
  void begin(const Program &program) {
    std::lock_guard lock(mutex_);
    program_ = &program;
    deadline_ = std::chrono::steady_clock::now() + limit_;
  }
  void end() {
    std::lock_guard lock(mutex_);
    program_ = nullptr;
  }

private:
  void watch(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      stopped_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
      if (!program_ || std::chrono::steady_clock::now() < deadline_)
        continue;
      std::printf("program %llu has not ended in %lld s:\n%s",
                  static_cast<unsigned long long>(program_->seed),
                  static_cast<long long>(limit_.count()), to_string(*program_).c_str());
      std::fflush(stdout);
      std::_Exit(status_);
    }
  }

  const std::chrono::seconds limit_;
  const int status_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  const Program *program_ = nullptr;
  std::chrono::steady_clock::time_point deadline_;
  std::jthread thread_; // the last: it uses the others
};

} // namespace model
