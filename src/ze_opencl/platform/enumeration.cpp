#include "enumeration.h"

#include "../../common/environment.h"
#include "../../common/own_thread.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>

namespace ze_opencl {
namespace {

/// Implementations that compile something at their start need seconds on slow machines.
constexpr std::chrono::seconds time_limit{10};

} // namespace

void tell(const std::string &what) { std::fprintf(stderr, "ze_opencl: %s\n", what.c_str()); }

bool run_with_limit(std::move_only_function<void()> work) {
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
  return shared->wake.wait_for(lock, time_limit, [&] { return shared->is_done; });
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
