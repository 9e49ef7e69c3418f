// Programs that round their own way, trap or have no denormals: kernels do not notice, and the
// program does not notice kernels.
#include "support.h"

#include <catch2/generators/catch_generators.hpp>

#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace {

/// The driver reads it when the first launch is shared.
const int chosen = setenv("ZE_CPU_THREADS", "4", 1) | setenv("ZE_CPU_CACHE", "0", 1);

constexpr uint32_t group_size = 64;
constexpr int exceptions = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
/// One that kernels here do not raise and that is not trapped, so that it can be set.
constexpr int raised = FE_UNDERFLOW;

/// All that a program can set, for as long as it lives.
class Unusual {
public:
  Unusual() {
    std::fegetenv(&before_);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::fesetround(FE_UPWARD);
    feenableexcept(exceptions);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); // neither results nor operands are denormal
#endif
    std::feraiseexcept(raised);
  }
  Unusual(const Unusual &) = delete;
  Unusual &operator=(const Unusual &) = delete;
  ~Unusual() { std::fesetenv(&before_); }

private:
  std::fenv_t before_;
};

struct State {
  int rounding, traps, flags;
  unsigned control = 0;

  static State now() {
    State state{std::fegetround(), fegetexcept(), std::fetestexcept(FE_ALL_EXCEPT)};
#ifdef __x86_64__
    state.control = _mm_getcsr();
#endif
    return state;
  }
  bool operator==(const State &) const = default;
};

class FloatTest : public Driver {
public:
  Module module;
  Kernel arithmetic;
  List list = immediate();
  float *out = nullptr;
  uint32_t groups = 1;

  void build(uint32_t work_groups = 1, int rounds = 0) {
    module = test_module();
    arithmetic = kernel(module, "arithmetic");
    groups = work_groups;
    out = shared<float>(5 * group_size * groups);
    const float one = 1, zero = 0, smallest = std::numeric_limits<float>::min(),
                denormal = std::numeric_limits<float>::denorm_min();
    set(arithmetic, 0, out);
    set(arithmetic, 1, one);
    set(arithmetic, 2, zero);
    set(arithmetic, 3, smallest);
    set(arithmetic, 4, denormal);
    set(arithmetic, 5, rounds);
    REQUIRE_ZE(zeKernelSetGroupSize(arithmetic, group_size, 1, 1));
  }

  ze_result_t launch() {
    const ze_group_count_t count{groups, 1, 1};
    return zeCommandListAppendLaunchKernel(list, arithmetic, &count, nullptr, 0, nullptr);
  }
  template <class T> void set(ze_kernel_handle_t kernel, uint32_t index, const T &value) {
    REQUIRE_ZE(zeKernelSetArgumentValue(kernel, index, sizeof value, &value));
  }

  void check_results() const {
    static const float computed_by_compiler = [] {
      volatile float tenth = 0.1f;
      return std::sin(tenth);
    }();
    size_t wrong = 0;
    for (uint32_t i = 0; i < group_size * groups; ++i) {
      const float *mine = out + 5 * i;
      wrong += mine[0] != std::numeric_limits<float>::infinity();
      wrong += mine[1] != 1;
      wrong += mine[2] != std::numeric_limits<float>::min() / 2;
      wrong += mine[3] != std::numeric_limits<float>::denorm_min() * 0x1p+40f;
      wrong += std::abs(mine[4] - computed_by_compiler) > 1e-8f;
    }
    CHECK(wrong == 0);
  }
};

} // namespace

TEST_CASE_METHOD(FloatTest,
                 "ze_cpu: a kernel computes in the default environment on the thread that waits") {
  build();
  ze_result_t launched, waited;
  State before, after;
  {
    const Unusual unusual;
    before = State::now();
    launched = launch();
    waited = zeCommandListHostSynchronize(list, forever);
    after = State::now();
  }
  REQUIRE_ZE(launched);
  REQUIRE_ZE(waited);
  CHECK(before == after);
  check_results();
}

TEST_CASE_METHOD(FloatTest,
                 "ze_cpu: a kernel computes in the default environment on the driver's threads") {
  const bool shared_work = GENERATE(false, true);
  build(shared_work ? 4000 : 1, shared_work ? 50 : 0);
  ze_result_t launched, waited;
  State before, after;
  {
    const Unusual unusual; // what threads that are started now inherit
    before = State::now();
    launched = launch();
    // With a limit the calling thread does not take part.
    waited = zeCommandListHostSynchronize(list, long_ns);
    after = State::now();
  }
  REQUIRE_ZE(launched);
  REQUIRE_ZE(waited);
  CHECK(before == after);
  check_results();
}

TEST_CASE_METHOD(FloatTest,
                 "ze_cpu: a kernel that is compiled in an unusual environment is the same") {
  ze_result_t launched, waited;
  State before, after;
  {
    const Unusual unusual;
    before = State::now();
    build();
    launched = launch();
    waited = zeCommandListHostSynchronize(list, forever);
    after = State::now();
  }
  REQUIRE_ZE(launched);
  REQUIRE_ZE(waited);
  CHECK(before.rounding == after.rounding);
  CHECK(before.traps == after.traps);
  check_results();
}

TEST_CASE_METHOD(FloatTest, "ze_cpu: a fault in a kernel or a copy leaves the environment alone",
                 "[fault]") {
  const bool copies = GENERATE(false, true);
  build();
  const Kernel store = kernel(module, "store");
  auto *nowhere = reinterpret_cast<int *>(uintptr_t{64});
  set(store, 0, nowhere);
  set(store, 1, 3);
  int *source = shared<int>(1);
  ze_result_t waited;
  State before, after;
  {
    const Unusual unusual;
    before = State::now();
    const ze_group_count_t one{1, 1, 1};
    if (copies)
      zeCommandListAppendMemoryCopy(list, nowhere, source, sizeof(int), nullptr, 0, nullptr);
    else
      zeCommandListAppendLaunchKernel(list, store, &one, nullptr, 0, nullptr);
    waited = zeCommandListHostSynchronize(list, forever);
    after = State::now();
  }
  CHECK(waited == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(before == after);
}

TEST_CASE_METHOD(FloatTest,
                 "ze_cpu: a host function has the default environment, and its own alone") {
  // With a limit the driver's own thread calls it.
  const uint64_t limit = GENERATE(forever, long_ns);
  build();
  State inside{};
  const auto function = [](void *data) {
    *static_cast<State *>(data) = State::now();
    std::fesetround(FE_UPWARD);
    feenableexcept(exceptions);
  };
  ze_result_t appended, launched, waited;
  State before, after;
  {
    const Unusual unusual;
    before = State::now();
    appended =
        zeCommandListAppendHostFunction(list, function, &inside, nullptr, nullptr, 0, nullptr);
    launched = launch();
    waited = zeCommandListHostSynchronize(list, limit);
    after = State::now();
  }
  REQUIRE_ZE(appended);
  REQUIRE_ZE(launched);
  REQUIRE_ZE(waited);
  CHECK(before == after);
  CHECK(inside.rounding == FE_TONEAREST);
  CHECK(inside.traps == 0);
  CHECK(inside.flags == 0);
  check_results();
}
