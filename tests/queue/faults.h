// Fault injection: an operation runs in a process of its own, again and again, with each of the driver calls that it makes
// failing in turn and in several ways. What must hold afterwards is checked in the same way for all of them: the error code,
// that the runtime can be used on (or that the device stays lost), that all is released, and that nothing leaks.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>

/// As REQUIRE of the test framework, for the processes that the operations run in.
#define DEMAND(condition)                                                                          \
  ((condition) ? void() : faults::failed(__FILE__, __LINE__, #condition, nullptr))
#define DEMAND_HIP(call) faults::expect(hipSuccess, (call), __FILE__, __LINE__, #call)

namespace faults {

/// Ends the process with a message for the test.
[[noreturn]] void failed(const char *file, int line, const char *what, const char *saw);
void expect(hipError_t expected, hipError_t result, const char *file, int line, const char *call);

/// One process: which call fails, and how.
class Attempt {
public:
  Attempt(uint64_t number, uint32_t result) : number_(number), result_(result) {}

  /// Runs the operation with the chosen call failing and checks the code it returns; if it failed, and the device is not
  /// lost by that, runs it again, which must succeed. When this returns, the operation has succeeded or the device is lost.
  /// An operation may succeed in spite of a failure where that was a destroying call or that of a function in `optional`.
  void run(const std::function<hipError_t()> &operation,
           std::initializer_list<const char *> optional = {});
  /// For operations that find the device first: as long as they have not, there is none that could be lost.
  void run_first(const std::function<hipError_t()> &operation,
                 std::initializer_list<const char *> optional = {});
  /// Ends the process normally, with all driver calls made from here on numbered.
  [[noreturn]] void run_exit();

  bool lost() const { return lost_; }
  /// The first run failed.
  bool failed_once() const { return failed_once_; }

private:
  void run(const std::function<hipError_t()> &operation,
           std::initializer_list<const char *> optional, bool losable);
  uint64_t number_;
  uint32_t result_;
  bool lost_ = false;
  bool failed_once_ = false;
};

/// How many of the driver's objects of a kind there are in this process (ze_counter.h).
int64_t alive(const char *kind);

/// Runs `body` in processes of its own: first with no call failing, then with each in turn. Everything that `body` creates
/// it has to release.
void inject(const std::function<void(Attempt &)> &body);

/// An ordinary program: streams, memory, a module. The destructor does what any program could do next, or sees that the
/// device stays lost, and releases all.
class World {
public:
  explicit World(Attempt &attempt);
  ~World();
  World(const World &) = delete;

  hipFunction_t function(const char *name);
  /// One thread.
  template <class... Args> hipError_t launch(const char *name, hipStream_t stream, Args... args) {
    void *pointers[] = {&args...};
    return hipModuleLaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, stream, pointers, nullptr);
  }
  /// cells[i] += value
  hipError_t add(hipStream_t stream, int i, int value = 1) {
    return launch("add", stream, cells + i, value);
  }
  /// cells[to] becomes the number of cells from 0 on that are not 0: what the launch was ordered after.
  hipError_t count(hipStream_t stream, int n, int to) {
    return launch("count_nonzero", stream, static_cast<const int *>(cells), n, cells + to);
  }
  /// Keeps a stream busy until open().
  void close(hipStream_t stream) { DEMAND_HIP(launch("wait_for_flag", stream, flag)); }
  void open();
  /// Lets what is not ordered after closed streams run, were it so by mistake; then opens them and waits for all.
  void open_and_finish();

  static constexpr size_t bytes = 256 << 10;
  hipModule_t module = nullptr;
  hipStream_t blocking[3] = {}, other[2] = {};
  int *cells = nullptr; // host memory
  int *flag = nullptr;
  char *pinned = nullptr, *device = nullptr; // of `bytes`

private:
  void use();
  void check_lost();
  Attempt &attempt_;
};

} // namespace faults
