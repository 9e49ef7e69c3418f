#include "enumeration.h"

#include "../../common/environment.h"
#include "../../common/own_thread.h"

#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>

namespace ze_opencl {
namespace {

/// Implementations that compile something at their start need seconds, and many more where others have the processors: while they
/// get something done they may take so many times the limit.
constexpr int at_work = 6;
/// Processor time in a second that is work, and no waiting in small steps.
constexpr std::chrono::milliseconds least_work{20};

std::chrono::nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

void tell(const std::string &what) { std::fprintf(stderr, "ze_opencl: %s\n", what.c_str()); }

std::chrono::seconds start_limit() {
  constexpr uint64_t usual = 10, most = 3600;
  return std::chrono::seconds(
      common::Settings("ze_opencl").number("ZE_OPENCL_START_SECONDS", 1, most).value_or(usual));
}

bool run_with_limit(std::chrono::seconds limit, std::move_only_function<void()> work) {
  struct Shared {
    std::move_only_function<void()> work;
    std::mutex mutex;
    std::condition_variable wake;
    bool is_done = false;

    void run() {
      try {
        work();
      } catch (const std::exception &error) {
        tell(std::string("OpenCL is not used: ") + error.what());
      }
      const std::lock_guard lock(mutex);
      is_done = true;
      wake.notify_one();
    }
  };
  const auto shared = std::make_shared<Shared>();
  shared->work = std::move(work);
  if (!common::start_own_thread([shared] { shared->run(); }))
    shared->run(); // without a limit
  std::unique_lock lock(shared->mutex);
  const auto wait = [&](std::chrono::seconds time) {
    return shared->wake.wait_for(lock, time, [&] { return shared->is_done; });
  };
  constexpr std::chrono::seconds step{1};
  if (wait(limit - step))
    return true;
  for (auto waited = limit; waited <= limit * at_work; waited += step) {
    const auto before = processor_time();
    if (wait(step))
      return true;
    if (processor_time() - before < least_work)
      return false;
  }
  return false;
}

std::string installed_implementations() {
  namespace fs = std::filesystem;
  const std::string_view set = common::variable("OCL_ICD_VENDORS");
  const fs::path place = set.empty() ? fs::path("/etc/OpenCL/vendors") : fs::path(set);
  std::string names;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(place, error)) {
    if (entry.path().extension() != ".icd")
      continue;
    names.append(names.empty() ? "" : ", ").append(entry.path().string());
  }
  return names.empty() ? place.string() : names;
}

} // namespace ze_opencl
