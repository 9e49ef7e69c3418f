#include "enumeration.h"

#include "../../common/environment.h"
#include "../../common/own_thread.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <format>
#include <fstream>
#include <memory>
#include <mutex>
#include <vector>

namespace ze_opencl {

namespace fs = std::filesystem;

namespace {

/// Implementations that compile something at their start need seconds, and many more where others have the processors: while they
/// get something done they may take so many times the limit.
constexpr int at_work = 6;
/// Processor time in a second that is work, and no waiting in small steps.
constexpr std::chrono::milliseconds least_work{20};

constexpr const char *usual_place = "/etc/OpenCL/vendors", *place_variable = "OCL_ICD_VENDORS";

/// As the ICD loader finds them: OCL_ICD_VENDORS names a folder, or a file there or elsewhere.
std::vector<fs::path> icd_files() {
  const fs::path set = common::variable(place_variable);
  if (set.extension() == ".icd")
    return {set.has_parent_path() ? set : usual_place / set};
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(set.empty() ? usual_place : set, error))
    if (entry.path().extension() == ".icd")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

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
  std::string names;
  for (const fs::path &file : icd_files())
    names.append(names.empty() ? "" : ", ").append(file.string());
  const std::string_view set = common::variable(place_variable);
  return !names.empty() ? names : set.empty() ? usual_place : std::string(set);
}

void tell_missing_implementations() {
  for (const fs::path &file : icd_files()) {
    std::ifstream text(file);
    std::string line;
    std::getline(text, line);
    const std::string library(common::trimmed(line));
    std::error_code error;
    if (library.empty()) {
      tell(std::format("{} names no library, or cannot be read", file.string()));
    } else if (library.contains('/') && !fs::exists(library, error)) {
      tell(std::format("{} names {}, which does not exist", file.string(), library));
    } else if (void *const loaded = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      dlclose(loaded);
    } else {
      // Nothing is loaded here to find out which: that may hang.
      tell(std::format("{} names {}, which cannot be loaded, or has no platform", file.string(),
                       library));
    }
  }
}

} // namespace ze_opencl
