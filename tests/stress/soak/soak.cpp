// Random operations on streams, events, memory pools, modules and libraries, by several threads for some time. What they leave
// behind must not grow.
//
//   soak [--seconds N] [--rounds N] [--seed N] [--threads N] [--leak 1] LIBRARY...
//
// Each thread runs rounds of random operations; round and thread decide about them, by the seed. It ends when both the time and,
// in each half, the rounds are over. With --leak a round leaves memory behind, which has to be noticed. The first half has
// operations that wait for nothing but one stream of each thread, so that the library never learns by waiting how far the
// others are; in the second half, modules and libraries come and go, too, and whole devices are waited for. In each half, after
// a first part, resident memory and, with the library ze_counter preloaded, the numbers of the driver's objects stay as they are.
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "soak: %s\n", what.c_str());
  std::_Exit(1);
}

std::string position; // of the round, for messages; set while no thread runs one

void check(hipError_t error, const char *call, int line) {
  if (error != hipSuccess)
    fail(position + ", line " + std::to_string(line) + ": " + call + ": " + hipGetErrorName(error));
}
#define CALL(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

// On the simulated Ponte Vecchio nothing executes.
bool executes() { return !std::getenv("CHIP_SAMPLE_UNCHECKED"); }

/// One thread's streams, events, memory and the rest.
class Worker {
public:
  Worker(unsigned number, const std::vector<std::string> &libraries, bool leaks)
      : number_(number), library_paths_(libraries), leaks_(leaks) {
    CALL(hipHostMalloc(reinterpret_cast<void **>(&wrong_), sizeof(int), 0));
    *wrong_ = 0;
    CALL(hipModuleLoad(&module_, SOAK_KERNELS));
    CALL(hipModuleGetFunction(&fill_, module_, "fill"));
    CALL(hipModuleGetFunction(&compare_, module_, "compare"));
    CALL(hipModuleGetFunction(&take_large_, module_, "take_large"));
    for (hipStream_t *stream : {&waited_for_, &sides_[0], &sides_[1]})
      CALL(hipStreamCreateWithFlags(stream, stream == &sides_[1] ? hipStreamDefault
                                                                 : hipStreamNonBlocking));
    CALL(hipEventCreateWithFlags(&order_, hipEventDisableTiming));
  }

  /// Random operations, after which all work of this thread is complete; only one stream has been waited for unless `all`.
  void round(uint64_t seed, bool all) {
    random_.seed(seed);
    for (int i = 0; i < 300; ++i)
      operation(all);
    join();
    if (void *left = nullptr; leaks_)
      CALL(hipMalloc(&left, 100'000)); // more than what hipMalloc takes from a pool
    if (executes() && *wrong_ != 0)
      fail(position + ", thread " + std::to_string(number_) + ": " + std::to_string(*wrong_) +
           " values are wrong");
    operations += 300;
  }

  /// More of everything at once than random operations come to, so that what is kept for later use is there from the beginning.
  void fill_caches() {
    for (int i = 0; i < 2; ++i) {
      while (streams_.size() < 6)
        make_stream();
      while (events_.size() < 12)
        make_event();
      std::vector<hipStream_t> all = streams_;
      all.insert(all.end(), {sides_[0], sides_[1], waited_for_, nullptr});
      for (hipStream_t stream : all) {
        for (int launches = 0; launches < 250; ++launches)
          launch_large(stream);
        for (hipEvent_t event : events_)
          CALL(hipEventRecord(event, stream));
        for (int count : block_sizes)
          for (int blocks = 0; blocks < 4; ++blocks)
            allocate(count, stream);
      }
      while (!streams_.empty())
        destroy_stream();
    }
    join();
  }

  static inline std::atomic<uint64_t> operations{0};

private:
  struct Block {
    int *memory;
    int count, tag;
    hipStream_t stream; // where it was used last
  };
  struct Library {
    void *handle;
    hipError_t (*run)(int *wrong, hipStream_t);
  };

  unsigned pick(unsigned count) { return unsigned(random_() % count); }
  template <class T> T &any(std::vector<T> &of) { return of[pick(unsigned(of.size()))]; }
  template <class T> T take(std::vector<T> &from) {
    std::swap(any(from), from.back());
    T taken = from.back();
    from.pop_back();
    return taken;
  }
  hipStream_t stream() {
    const unsigned choice = pick(unsigned(streams_.size()) + 4);
    return choice < 2    ? sides_[choice]
           : choice == 2 ? waited_for_
           : choice == 3 ? nullptr
                         : streams_[choice - 4];
  }

  void launch(hipFunction_t function, hipStream_t stream, auto... arguments) {
    void *pointers[] = {&arguments...};
    CALL(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, pointers, nullptr));
  }

  void put_after(hipStream_t later, hipStream_t earlier) {
    CALL(hipEventRecord(order_, earlier));
    CALL(hipStreamWaitEvent(later, order_, 0));
  }
  void move(Block &block, hipStream_t to) {
    if (block.stream != to)
      put_after(to, block.stream);
    block.stream = to;
  }

  void operation(bool all) {
    using Operation = void (Worker::*)();
    static constexpr Operation often[] = {
        &Worker::make_stream,    &Worker::destroy_stream, &Worker::make_event,
        &Worker::destroy_event,  &Worker::record_event,   &Worker::record_event,
        &Worker::wait_for_event, &Worker::wait_for_event, &Worker::ask_events,
        &Worker::allocate,       &Worker::allocate,       &Worker::free,
        &Worker::free,           &Worker::move_block,     &Worker::launch_large,
        &Worker::copy_pageable,  &Worker::call_host,      &Worker::wait_for_one,
        &Worker::compare_block};
    static constexpr Operation rarely[] = {&Worker::load_module,     &Worker::open_library,
                                           &Worker::open_library,    &Worker::close_library,
                                           &Worker::close_library,   &Worker::wait_for_all,
                                           &Worker::use_plain_memory};
    if (all && pick(10) == 0)
      (this->*rarely[pick(std::size(rarely))])();
    else
      (this->*often[pick(std::size(often))])();
  }

  void make_stream() {
    if (streams_.size() == 6)
      return;
    hipStream_t stream = nullptr;
    CALL(hipStreamCreateWithFlags(&stream, pick(2) ? hipStreamDefault : hipStreamNonBlocking));
    streams_.push_back(stream);
  }
  void destroy_stream() {
    if (streams_.empty())
      return;
    const hipStream_t stream = take(streams_);
    put_after(sides_[0], stream);
    for (Block &block : blocks_)
      if (block.stream == stream)
        block.stream = sides_[0];
    CALL(hipStreamDestroy(stream));
  }
  void make_event() {
    if (events_.size() == 12)
      return;
    hipEvent_t event = nullptr;
    CALL(hipEventCreateWithFlags(&event, pick(2) ? hipEventDefault : hipEventDisableTiming));
    events_.push_back(event);
  }
  void destroy_event() {
    if (!events_.empty())
      CALL(hipEventDestroy(take(events_)));
  }
  void record_event() {
    if (!events_.empty())
      CALL(hipEventRecord(any(events_), stream()));
  }
  void wait_for_event() {
    if (!events_.empty())
      CALL(hipStreamWaitEvent(stream(), any(events_), 0));
  }
  void ask_events() {
    if (events_.empty())
      return;
    if (hipError_t error = hipEventQuery(any(events_)); error != hipErrorNotReady)
      CALL(error);
    float ms = 0; // an event may have no timing, or be neither recorded nor complete
    const hipError_t error = hipEventElapsedTime(&ms, any(events_), any(events_));
    if (error != hipErrorNotReady && error != hipErrorInvalidHandle)
      CALL(error);
    (void)hipGetLastError();
  }
  static constexpr int block_sizes[] = {16, 100, 1000, 5000, 20'000, 100'000};
  void allocate() {
    if (blocks_.size() < 16)
      allocate(block_sizes[pick(std::size(block_sizes))], stream());
  }
  void allocate(int count, hipStream_t stream) {
    Block block{nullptr, count, int(random_() >> 1), stream};
    CALL(hipMallocAsync(reinterpret_cast<void **>(&block.memory), size_t(block.count) * sizeof(int),
                        block.stream));
    launch(fill_, block.stream, block.memory, block.count, block.tag);
    blocks_.push_back(block);
  }
  void compare_block() {
    if (blocks_.empty())
      return;
    const Block &block = any(blocks_);
    launch(compare_, block.stream, block.memory, block.count, block.tag, wrong_);
  }
  void free(Block block) {
    launch(compare_, block.stream, block.memory, block.count, block.tag, wrong_);
    CALL(hipFreeAsync(block.memory, block.stream));
  }
  void free() {
    if (!blocks_.empty())
      free(take(blocks_));
  }
  void move_block() {
    if (!blocks_.empty())
      move(any(blocks_), stream());
  }
  void launch_large() { launch_large(stream()); }
  void launch_large(hipStream_t stream) {
    struct Large {
      int words[1000];
    } large;
    const int tag = int(random_() >> 1);
    std::ranges::fill(large.words, tag);
    launch(take_large_, stream, large, tag, wrong_);
  }
  void copy_pageable() {
    if (blocks_.empty())
      return;
    Block &block = any(blocks_);
    const std::vector<int> values(size_t(std::min(block.count, 2000)), block.tag);
    CALL(hipMemcpyAsync(block.memory, values.data(), values.size() * sizeof(int),
                        hipMemcpyHostToDevice, block.stream));
  }
  void call_host() {
    CALL(hipLaunchHostFunc(stream(), [](void *) {}, nullptr));
  }
  void wait_for_one() {
    if (!streams_.empty() && pick(2))
      CALL(hipStreamSynchronize(any(streams_)));
    else if (hipError_t error = hipStreamQuery(waited_for_); error != hipErrorNotReady)
      CALL(error);
    (void)hipGetLastError();
  }

  void load_module() {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    CALL(hipModuleLoad(&module, SOAK_KERNELS));
    CALL(hipModuleGetFunction(&function, module, "count_loads"));
    launch(function, stream(), wrong_);
    CALL(hipModuleUnload(module));
  }
  void open_library() {
    if (libraries_.size() == 2 || library_paths_.empty())
      return;
    Library library{
        dlopen(any(library_paths_).c_str(), RTLD_NOW | (pick(2) ? RTLD_GLOBAL : RTLD_LOCAL)),
        nullptr};
    if (!library.handle)
      fail(dlerror());
    library.run = reinterpret_cast<decltype(library.run)>(dlsym(library.handle, "run"));
    CALL(library.run(wrong_, stream()));
    libraries_.push_back(library);
  }
  void close_library() {
    if (libraries_.empty())
      return;
    CALL(any(libraries_).run(wrong_, stream()));
    if (dlclose(take(libraries_).handle) != 0)
      fail(dlerror());
  }
  void wait_for_all() { CALL(hipDeviceSynchronize()); }
  void use_plain_memory() {
    void *device = nullptr, *host = nullptr;
    CALL(hipMalloc(&device, 1 + pick(100'000)));
    CALL(hipHostMalloc(&host, 1 + pick(100'000), 0));
    CALL(hipMemsetAsync(device, 1, 1, stream()));
    CALL(hipFree(device));
    CALL(hipHostFree(host));
  }

  void join() {
    while (!libraries_.empty())
      close_library();
    for (Block &block : blocks_) {
      move(block, waited_for_);
      free(block);
    }
    blocks_.clear();
    for (hipStream_t stream : streams_) {
      put_after(waited_for_, stream);
      CALL(hipStreamDestroy(stream));
    }
    streams_.clear();
    for (hipStream_t stream : {sides_[0], sides_[1], hipStream_t(nullptr)})
      put_after(waited_for_, stream);
    CALL(hipStreamSynchronize(waited_for_));
    for (hipEvent_t event : events_)
      CALL(hipEventDestroy(event));
    events_.clear();
  }

  const unsigned number_;
  std::vector<std::string> library_paths_;
  const bool leaks_;
  std::mt19937_64 random_;
  int *wrong_ = nullptr;
  hipModule_t module_ = nullptr;
  hipFunction_t fill_ = nullptr, compare_ = nullptr, take_large_ = nullptr;
  hipStream_t waited_for_ = nullptr, sides_[2] = {}; // the host never waits for the sides
  hipEvent_t order_ = nullptr;
  std::vector<hipStream_t> streams_;
  std::vector<hipEvent_t> events_;
  std::vector<Block> blocks_;
  std::vector<Library> libraries_;
};

/// What must not grow, by name: resident memory in KB, the driver's objects in numbers.
using Sample = std::map<std::string, int64_t>;

Sample sample() {
  Sample now;
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  now["KB of resident memory"] = resident * (sysconf(_SC_PAGESIZE) / 1024);
  static const auto alive =
      reinterpret_cast<int64_t (*)(const char *)>(dlsym(RTLD_DEFAULT, "ze_counter_alive"));
  if (alive)
    for (const char *kind : {"contexts", "command lists", "event pools", "events", "modules",
                             "kernels", "allocations"})
      now[kind] = alive(kind);
  return now;
}

void raise(Sample &peak, const Sample &now) {
  for (auto &[name, value] : now)
    peak[name] = std::max(peak[name], value);
}

std::string text(const Sample &sample) {
  std::string all;
  for (auto &[name, value] : sample)
    all += (all.empty() ? "" : ", ") + std::to_string(value) + " " + name;
  return all;
}

/// How far `later` may be over the peak of the first part: caches meet higher peaks now and then, ever more rarely.
int64_t allowance(const std::string &name, int64_t peak) {
  return name.starts_with("KB") ? 8 * 1024 + peak / 20 : 16 + peak / 8;
}

/// For how long, at least, and how many.
struct Extent {
  double seconds = 0;
  uint64_t rounds = 0;
};

/// The first third of the time, and the first half of the rounds, says what there may be: peaks come with rounds, however long
/// the machine takes for them.
void run_phase(const char *phase, std::vector<Worker> &workers, Extent extent, uint64_t seed,
               bool all) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Sample first, later;
  uint64_t round = 0;
  bool done = false;
  auto completed = [&]() noexcept {
    const Sample now = sample();
    const bool warming = elapsed() < extent.seconds / 3 || 2 * round < extent.rounds;
    raise(warming ? first : later, now);
    ++round;
    position = std::string(phase) + ", round " + std::to_string(round);
    if (round % 500 == 0)
      std::printf("%s: %s\n", position.c_str(), text(now).c_str());
    done = elapsed() >= extent.seconds && round >= extent.rounds;
  };
  position = std::string(phase) + ", round 0";
  std::barrier barrier(ptrdiff_t(workers.size()), completed);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < workers.size(); ++i)
    threads.emplace_back([&, i] {
      workers[i].fill_caches();
      while (!done) {
        workers[i].round(seed + 1000 * round + i, all);
        barrier.arrive_and_wait();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%s, %llu rounds\n  at first:  %s\n  afterwards: %s\n", phase,
              (unsigned long long)round, text(first).c_str(), text(later).c_str());
  // Each list has kernels of its own.
  if (later["command lists"] > first["command lists"])
    first["kernels"] = first["kernels"] * later["command lists"] / first["command lists"];
  for (auto &[name, peak] : later)
    if (peak > first[name] + allowance(name, first[name]))
      fail(std::string(phase) + ": " + name + " grew from " + std::to_string(first[name]) + " to " +
           std::to_string(peak));
}

} // namespace

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Extent extent{20, 3000};
  uint64_t seed = 1;
  unsigned threads = 4;
  bool leaks = false;
  std::vector<std::string> libraries;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option.starts_with("--") && i + 1 == argc)
      fail("an option without its value");
    if (option == "--seconds")
      extent.seconds = std::atof(argv[++i]);
    else if (option == "--rounds")
      extent.rounds = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--leak")
      leaks = std::atoi(argv[++i]) != 0;
    else if (option == "--seed")
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--threads")
      threads = unsigned(std::atoi(argv[++i]));
    else
      libraries.push_back(argv[i]);
  }
  std::printf("seed %llu, %u threads, %g s, %llu rounds\n", (unsigned long long)seed, threads,
              extent.seconds, (unsigned long long)extent.rounds);
  std::vector<Worker> workers;
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back(i, libraries, leaks);
  extent.seconds /= 2;
  run_phase("streams, events and pools", workers, extent, seed, false);
  run_phase("modules and libraries, too", workers, extent, seed + 500, true);
  std::printf("%llu operations\n", (unsigned long long)Worker::operations.load());
}
