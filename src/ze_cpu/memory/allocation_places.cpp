#include "allocation_places.h"

#include "../exec/checks/findings.h"

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <format>
#include <map>
#include <mutex>
#include <new>
#include <stacktrace>
#include <vector>

namespace ze_cpu {
namespace {

constexpr size_t most_frames = 24, most_freed = 8192;

struct Block {
  size_t bytes;
  ze_driver::MemoryKind kind;
  std::stacktrace calls;
};

struct FreedBlock {
  uintptr_t base;
  Block block;
  std::stacktrace calls; // that freed it
};

struct Blocks {
  std::mutex mutex;
  std::map<uintptr_t, Block> by_base;
  std::deque<FreedBlock> freed; // oldest first
  std::vector<Block> leaked;
};

// Threads may outlive static objects.
Blocks &blocks() {
  static auto *const all = new Blocks;
  return *all;
}

/// Who asked for memory, out of the calls that led to the driver.
struct Caller {
  bool is_hip = false;  // else the program calls Level Zero itself
  std::string function; // of HIP; empty: not known
  std::string place;    // in the program; empty: not known
};

bool is_of_hip(const Dl_info &info) {
  const std::string_view library = info.dli_fname ? info.dli_fname : "";
  return library.contains("libCHIP.so") || library.contains("libamdhip64.so");
}

bool is_of_level_zero(const Dl_info &info) {
  const std::string_view library = info.dli_fname ? info.dli_fname : "";
  return library.contains("libze_");
}

// A return address may be that of what follows the function.
Dl_info library_of(const std::stacktrace_entry &call) {
  Dl_info info{};
  dladdr(reinterpret_cast<const void *>(call.native_handle() - 1), &info);
  return info;
}

Caller caller_of(const std::stacktrace &calls) {
  Caller caller;
  for (const std::stacktrace_entry &call : calls) {
    const Dl_info info = library_of(call);
    if (is_of_level_zero(info))
      continue;
    if (is_of_hip(info)) {
      caller.is_hip = true;
      const std::string name = call.description();
      caller.function = name.starts_with("hip") ? name.substr(0, name.find('(')) : std::string();
      continue;
    }
    if (std::string_view(info.dli_fname ? info.dli_fname : "").contains("/libc.so"))
      break; // what called main()
    // HIP's headers have functions that only call others. Where GCC inlines one, no more is told of its caller than the file.
    if (const std::string file = call.source_file(); call.source_line() != 0) {
      if (file.contains("/include/hip/")) {
        caller.place = info.dli_sname ? info.dli_sname : info.dli_fname ? info.dli_fname : "";
        continue;
      }
      caller.place = std::format("{}:{}", file, call.source_line());
    } else {
      caller.place = call.description();
    }
    break;
  }
  return caller;
}

std::string text_of(const Caller &caller, const char *what = ", allocated") {
  std::string text = what;
  if (!caller.function.empty())
    text += " by " + caller.function;
  if (!caller.place.empty())
    text += " at " + caller.place;
  return text;
}

} // namespace

void remember_allocation(const void *base, size_t bytes, ze_driver::MemoryKind kind) {
  Block block{bytes, kind, std::stacktrace::current(1, most_frames)};
  Blocks &all = blocks();
  const std::lock_guard lock(all.mutex);
  all.by_base.insert_or_assign(reinterpret_cast<uintptr_t>(base), std::move(block));
}

void forget_allocation(const void *base) noexcept {
  Blocks &all = blocks();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_base.find(reinterpret_cast<uintptr_t>(base));
  if (found == all.by_base.end())
    return;
  try {
    all.freed.push_back(
        {found->first, std::move(found->second), std::stacktrace::current(1, most_frames)});
    if (all.freed.size() > most_freed)
      all.freed.pop_front();
  } catch (const std::bad_alloc &) { // then it is not told who has freed it
  }
  all.by_base.erase(found);
}

/// What is said of those who made the calls; nothing if they are not known.
static std::string told_of(const std::stacktrace &calls, const char *what) {
  const Caller caller = caller_of(calls);
  return caller.function.empty() && caller.place.empty() ? std::string() : text_of(caller, what);
}

std::string allocated_by(uintptr_t address) {
  Blocks &all = blocks();
  std::stacktrace calls, freed;
  bool is_freed = false;
  {
    const std::lock_guard lock(all.mutex);
    const auto after = all.by_base.upper_bound(address);
    const auto last =
        std::ranges::find_if(all.freed.rbegin(), all.freed.rend(), [&](const FreedBlock &one) {
          return address - one.base < one.block.bytes;
        });
    if (after != all.by_base.begin() &&
        address - std::prev(after)->first < std::prev(after)->second.bytes) {
      calls = std::prev(after)->second.calls;
    } else if (last != all.freed.rend()) {
      calls = last->block.calls;
      freed = last->calls;
      is_freed = true;
    } else {
      return {};
    }
  }
  return told_of(calls, ", allocated") + (is_freed ? told_of(freed, ", freed") : std::string());
}

void note_leak(const void *base, size_t bytes) noexcept try {
  Blocks &all = blocks();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_base.find(reinterpret_cast<uintptr_t>(base));
  if (found == all.by_base.end())
    return;
  all.leaked.push_back(std::move(found->second));
  all.leaked.back().bytes = bytes;
  all.by_base.erase(found);
} catch (const std::bad_alloc &) { // then it is not told of
}

void tell_leaks() {
  struct Leak {
    size_t count = 0, bytes = 0;
  };
  std::map<std::pair<std::string, std::string>, Leak> leaks; // by kind and caller
  Blocks &all = blocks();
  const std::lock_guard lock(all.mutex);
  const auto add = [&](const Block &block, const Caller &caller) {
    Leak &leak = leaks[{name_of(block.kind), text_of(caller)}];
    ++leak.count;
    leak.bytes += block.bytes;
  };
  for (const Block &block : all.leaked)
    add(block, caller_of(block.calls));
  for (const auto &[base, block] : all.by_base)
    if (const Caller caller = caller_of(block.calls); !caller.is_hip)
      add(block, caller);
  for (const auto &[what, leak] : leaks)
    tell_finding("leaks", "", what.first + what.second,
                 std::format("{} {} {} of {} bytes never freed{}", leak.count, what.first,
                             leak.count == 1 ? "allocation" : "allocations", leak.bytes,
                             what.second));
}

} // namespace ze_cpu
