// Many lists, many threads, and the ends of a process.
#include "../../src/common/own_thread.h"
#include "support.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <malloc.h>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

size_t thread_count() {
  return static_cast<size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

ze_result_t append_fill(ze_command_list_handle_t list, int *memory, int value) {
  return zeCommandListAppendMemoryFill(list, memory, &value, sizeof value, sizeof value, nullptr, 0,
                                       nullptr);
}

/// Made before the driver is, so that it goes after it.
struct LateCaller {
  ze_command_list_handle_t list = nullptr;
  ~LateCaller() {
    if (list && zeCommandListHostSynchronize(list, 0) != ZE_RESULT_ERROR_UNINITIALIZED)
      _exit(9);
  }
} late_caller;

std::string allowed_processors(pthread_t thread) {
  cpu_set_t allowed;
  REQUIRE(pthread_getaffinity_np(thread, sizeof allowed, &allowed) == 0);
  std::string text;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed))
      text += std::to_string(i) + ' ';
  return text;
}

} // namespace

TEST_CASE_METHOD(Driver,
                 "ze_cpu: zeDeviceSynchronize does the work of lists that nobody has begun") {
  if (std::getenv("ZE_CPU_CHAOS"))
    SKIP("the order of lists is free there");
  std::vector<List> lists;
  for (int i = 0; i < 8; ++i)
    lists.push_back(immediate());
  // A thread of the driver's may come first, though not every time.
  bool is_own = false;
  for (int tries = 0; tries < 10'000 && !is_own; ++tries) {
    std::vector<std::thread::id> ran(lists.size());
    for (size_t i = 0; i < lists.size(); ++i)
      REQUIRE_ZE(zeCommandListAppendHostFunction(
          lists[i],
          [](void *id) { *static_cast<std::thread::id *>(id) = std::this_thread::get_id(); },
          &ran[i], nullptr, nullptr, 0, nullptr));
    REQUIRE_ZE(zeDeviceSynchronize(device));
    is_own = std::ranges::contains(ran, std::this_thread::get_id());
  }
  CHECK(is_own);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: thousands of lists work and hold no threads while they are idle") {
  constexpr int count = 3000;
  const size_t threads_before = thread_count();
  std::vector<List> lists;
  int *memory = shared<int>(count);
  for (int i = 0; i < count; ++i) {
    lists.push_back(immediate());
    REQUIRE_ZE(append_fill(lists.back(), memory + i, i + 1));
  }
  for (List &list : lists)
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += memory[i] != i + 1;
  CHECK(wrong == 0);
  CHECK(thread_count() < threads_before + 50);
}

TEST_CASE("ze_cpu: a thread that is given a processor may still run on all that it might before") {
  if (std::thread::hardware_concurrency() < 2)
    SKIP("there is one processor");
  std::atomic<bool> ends{false};
  std::thread other([&] { ends.wait(false); });
  const std::string before = allowed_processors(other.native_handle());
  common::move_here(other.native_handle());
  CHECK(allowed_processors(other.native_handle()) == before);
  ends = true;
  ends.notify_one();
  other.join();
}

#if !defined(__SANITIZE_ADDRESS__) &&                                                              \
    !defined(__SANITIZE_THREAD__) // they keep memory that was freed
TEST_CASE_METHOD(Driver, "ze_cpu: a thousand lists made and used in turn leave nothing behind") {
  const Module module = test_module();
  const Kernel kernel = this->kernel(module, "increment");
  int *memory = shared<int>(1);
  *memory = 0;
  int launches = 0;
  REQUIRE_ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
  REQUIRE_ZE(zeKernelSetArgumentValue(kernel, 0, sizeof memory, &memory));
  const auto use_lists = [&](int count) {
    const ze_group_count_t one{1, 1, 1};
    for (int i = 0; i < count; ++i) {
      List list = immediate();
      REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, kernel, &one, nullptr, 0, nullptr));
      if (i % 2 == 0) // without, the list is destroyed while it is at work
        REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
      else
        REQUIRE_ZE(zeDeviceSynchronize(device));
      ++launches;
    }
  };
  const auto allocated = [] {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  use_lists(200);
  const size_t threads_before = thread_count(), bytes_before = allocated();
  use_lists(1000);
  CHECK(*memory == launches);
  CHECK(thread_count() < threads_before + 50);
  // The last thread that was at work on a list gives its memory back, in its own time.
  const size_t limit = bytes_before + 32 * 1024;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(long_ns);
  while (allocated() >= limit && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(allocated() < limit);
}
#endif

TEST_CASE_METHOD(
    Driver,
    "ze_cpu: soon after all is done, a thread a processor and those of work-groups are left",
    "[front]") {
  std::vector<List> lists;
  int *memory = shared<int>(100);
  for (int i = 0; i < 100; ++i) {
    lists.push_back(immediate());
    REQUIRE_ZE(append_fill(lists.back(), memory + i, i));
  }
  for (List &list : lists)
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  const size_t processors = std::thread::hardware_concurrency();
  const char *for_groups = std::getenv("ZE_CPU_THREADS");
  const size_t limit =
      1 + processors +
      (for_groups ? std::strtoul(for_groups, nullptr, 10) : processors); // the test is one
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(long_ns);
  while (thread_count() > limit && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(thread_count() <= limit);
}

TEST_CASE_METHOD(Driver, "ze_cpu: lists blocked on an event hold no threads", "[front]") {
  constexpr int count = 1000;
  const size_t threads_before = thread_count();
  const auto gate = pooled_event();
  std::vector<List> lists;
  ze_event_handle_t wait = gate;
  for (int i = 0; i < count; ++i) {
    lists.push_back(immediate());
    REQUIRE_ZE(zeCommandListAppendBarrier(lists.back(), nullptr, 1, &wait));
  }
  CHECK(thread_count() < threads_before + 50);
  REQUIRE_ZE(zeEventHostSignal(gate));
  for (List &list : lists)
    CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: eight threads append to lists of their own") {
  constexpr int threads = 8, rounds = 2000;
  int *memory = shared<int>(threads * 16);
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  std::vector<List> lists;
  for (int i = 0; i < threads; ++i)
    lists.push_back(immediate());
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      ze_command_list_handle_t list = lists[static_cast<size_t>(i)];
      int *mine = memory + i * 16;
      for (int round = 1; round <= rounds; ++round) {
        failures += append_fill(list, mine, round) != ZE_RESULT_SUCCESS;
        failures += zeCommandListAppendMemoryCopy(list, mine + 1, mine, sizeof(int), nullptr, 0,
                                                  nullptr) != ZE_RESULT_SUCCESS;
        if (round % 7 == 0) {
          failures += zeCommandListHostSynchronize(list, forever) != ZE_RESULT_SUCCESS;
          failures += mine[1] != round;
        }
      }
      failures += zeCommandListHostSynchronize(list, long_ns) != ZE_RESULT_SUCCESS;
      failures += mine[1] != rounds;
    });
  for (std::thread &worker : workers)
    worker.join();
  CHECK(failures == 0);
}

TEST_CASE_METHOD(Driver, "ze_cpu: threads synchronize with a list while another appends to it") {
  // Not more: under chaos a list yields now and then, which takes long where many processes run.
  constexpr int rounds = 5'000;
  List list = immediate();
  int *memory = shared<int>(1);
  std::atomic<bool> stop{false};
  std::atomic<int> failures{0};
  std::vector<std::thread> watchers;
  for (int i = 0; i < 3; ++i)
    watchers.emplace_back([&] {
      while (!stop)
        failures += zeCommandListHostSynchronize(list, forever) != ZE_RESULT_SUCCESS;
    });
  for (int i = 1; i <= rounds; ++i)
    failures += append_fill(list, memory, i) != ZE_RESULT_SUCCESS;
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  stop = true;
  for (std::thread &watcher : watchers)
    watcher.join();
  CHECK(failures == 0);
  CHECK(*memory == rounds);
}

TEST_CASE_METHOD(Driver, "ze_cpu: two lists hand a token back and forth") {
  constexpr int rounds = 3000;
  List lists[2] = {immediate(), immediate()};
  const Event events[2] = {counter_event(), counter_event()};
  int *memory = shared<int>(rounds + 1);
  memory[0] = 1;
  for (int i = 0; i < rounds; ++i) {
    const int self = i % 2, other = 1 - self;
    ze_event_handle_t wait = events[other];
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(lists[self], memory + i + 1, memory + i, sizeof(int),
                                             events[self], 1, &wait));
  }
  REQUIRE_ZE(zeCommandListHostSynchronize(lists[(rounds - 1) % 2], long_ns));
  CHECK(memory[rounds] == 1);
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: events signalled and reset in turns by two threads are seen once each",
                 "[front]") {
  constexpr int rounds = 20'000;
  const auto ping = pooled_event(), pong = pooled_event();
  std::atomic<int> failures{0};
  std::thread partner([&] {
    for (int i = 0; i < rounds; ++i) {
      failures += zeEventHostSynchronize(ping, long_ns) != ZE_RESULT_SUCCESS;
      failures += zeEventHostReset(ping) != ZE_RESULT_SUCCESS;
      failures += zeEventHostSignal(pong) != ZE_RESULT_SUCCESS;
    }
  });
  for (int i = 0; i < rounds; ++i) {
    failures += zeEventHostSignal(ping) != ZE_RESULT_SUCCESS;
    failures += zeEventHostSynchronize(pong, long_ns) != ZE_RESULT_SUCCESS;
    failures += zeEventHostReset(pong) != ZE_RESULT_SUCCESS;
  }
  partner.join();
  CHECK(failures == 0);
}

#ifdef __SANITIZE_THREAD__ // it lets no child start threads whose parent had some, unless asked
extern "C" [[gnu::visibility("default")]] const char *__tsan_default_options() {
  return "die_after_fork=0";
}
#endif

namespace {

/// Whether a list executes two commands one after the other.
bool is_usable(ze_command_list_handle_t list, int *memory) {
  for (int value : {2, 3})
    if (append_fill(list, memory, value) != ZE_RESULT_SUCCESS ||
        zeCommandListHostSynchronize(list, long_ns) != ZE_RESULT_SUCCESS || *memory != value)
      return false;
  return true;
}

/// Whether `works` says so in a child.
template <class Works> bool child_of_fork(Works works) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0)
    std::quick_exit(works() ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

TEST_CASE_METHOD(Driver, "ze_cpu: a forked child exits, and can use the driver", "[process]") {
  List list = immediate();
  int *memory = shared<int>(1);
  REQUIRE_ZE(append_fill(list, memory, 1));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(child_of_fork([&] {
    List own;
    const ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                       nullptr,
                                       0,
                                       0,
                                       ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                       ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                       ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    return zeCommandListCreateImmediate(context, device, &desc, own.out()) == ZE_RESULT_SUCCESS &&
           is_usable(own, memory) && is_usable(list, memory);
  }));
}

TEST_CASE_METHOD(Driver, "ze_cpu: a child of fork finds no list in the middle of a command",
                 "[process]") {
  constexpr int count = 300;
  int *memory = shared<int>(count + 1);
  const auto gate = pooled_event();
  const Event done = counter_event();
  ze_event_handle_t wait_gate = gate, wait_done = done;
  List first = immediate();
  REQUIRE_ZE(zeCommandListAppendBarrier(first, done, 1, &wait_gate));
  std::vector<List> others;
  for (int i = 0; i < count; ++i) {
    others.push_back(immediate());
    REQUIRE_ZE(zeCommandListAppendBarrier(others.back(), nullptr, 1, &wait_done));
    REQUIRE_ZE(append_fill(others.back(), memory + i, 1));
  }
  REQUIRE_ZE(zeEventHostSignal(gate));
  // The first one counts as done while it still tells the others.
  while (zeCommandListHostSynchronize(first, 0) == ZE_RESULT_NOT_READY)
    ;
  CHECK(child_of_fork([&] {
    if (!is_usable(first, memory + count))
      return false;
    for (int i = 0; i < count; ++i)
      if (!is_usable(others[static_cast<size_t>(i)], memory + i))
        return false;
    return true;
  }));
  for (List &list : others)
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(std::all_of(memory, memory + count, [](int value) { return value == 1; }));
}

TEST_CASE_METHOD(Driver, "ze_cpu: a child of fork runs kernels, and its parent goes on",
                 "[process]") {
  constexpr uint32_t size = 64, groups = 2000, count = groups * size; // for several threads
  const Module module = test_module();
  struct Side {
    List list;
    Kernel kernel;
    float *values;
  };
  const auto side = [&] {
    Side made{immediate(), kernel(module, "scale"), shared<float>(count)};
    const float factor = 2;
    REQUIRE_ZE(zeKernelSetGroupSize(made.kernel, size, 1, 1));
    REQUIRE_ZE(zeKernelSetArgumentValue(made.kernel, 0, sizeof made.values, &made.values));
    REQUIRE_ZE(zeKernelSetArgumentValue(made.kernel, 1, sizeof factor, &factor));
    REQUIRE_ZE(zeKernelSetArgumentValue(made.kernel, 2, sizeof count, &count));
    return made;
  };
  const auto doubles = [&](const Side &side) {
    std::fill_n(side.values, count, 1.f);
    const ze_group_count_t all{groups, 1, 1};
    return zeCommandListAppendLaunchKernel(side.list, side.kernel, &all, nullptr, 0, nullptr) ==
               ZE_RESULT_SUCCESS &&
           zeCommandListHostSynchronize(side.list, long_ns) == ZE_RESULT_SUCCESS &&
           std::all_of(side.values, side.values + count, [](float value) { return value == 2; });
  };
  const Side ours = side(), childs = side();
  std::atomic<bool> stop{false};
  std::atomic<int> failures{0};
  std::thread parent([&] {
    while (!stop)
      failures += !doubles(ours);
  });
  for (int round = 0; round < 100; ++round)
    CHECK(child_of_fork([&] { return doubles(childs); }));
  stop = true;
  parent.join();
  CHECK(failures == 0);
}

// Not a test of its own: what the next one starts.
TEST_CASE_METHOD(Driver, "ze_cpu: leaves a list blocked", "[.leaves-blocked]") {
  static PooledEvent gate = pooled_event();
  static List &list = *new List(immediate()); // destroyed by nobody
  static Context kept = std::move(context);
  late_caller.list = list;
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendBarrier(list, nullptr, 1, &wait));
}

TEST_CASE("ze_cpu: a process ends while lists are blocked, and late calls are answered",
          "[front][process]") {
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const int status = std::system(("'" + self + "' '[.leaves-blocked]' >/dev/null").c_str());
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
