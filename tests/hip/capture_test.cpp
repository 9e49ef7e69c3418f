// What calls may do while a stream is captured, as the comments of the headers say it. The capture is one of the test's own, put
// into a stream from inside of the library.
#include "runtime/memory/memory.h"
#include "runtime/operations/enqueue.h"

#include <hip/hip_ext.h>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

// What HIP calls deprecated is not allowed either.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace chip;

namespace {

#define REQUIRE_HIP(call) REQUIRE((call) == hipSuccess)

/// Takes what is asked of one stream, which is a new one.
class TestCapture final : public Capture, public CaptureInProgress {
public:
  explicit TestCapture(bool covers_threads) : covers_threads_(covers_threads) {
    REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    stream->capture = this;
    begin_capture(*this);
  }
  ~TestCapture() {
    end_capture(*this);
    stream->capture = nullptr;
    (void)hipStreamDestroy(stream);
  }

  void *add(const StreamTarget &, operations::Any &&operation) override {
    taken.push_back(std::move(operation));
    return nullptr;
  }
  bool covers_this_thread() const noexcept override { return covers_threads_; }
  void add_node(const StreamTarget &, NodeWork &&) override {}
  void invalidate() noexcept override { ++invalidations; }

  hipStream_t stream = nullptr;
  std::vector<operations::Any> taken;
  int invalidations = 0;

private:
  const bool covers_threads_;
};

enum class Rule { unsafe, implicit, wide, invalidates, uncapturable };

struct Call {
  const char *function;
  Rule rule;
  std::function<hipError_t(hipStream_t)> call;
};

/// The captured stream for a stream, nothing for all else: the rule comes before other checks.
template <class T> T argument([[maybe_unused]] hipStream_t stream) {
  if constexpr (std::is_same_v<T, hipStream_t>)
    return stream;
  else
    return T{};
}

template <class Signature> struct Entry;
template <class... T> struct Entry<hipError_t(T...)> {
  static Call make(const char *name, hipError_t (*function)(T...), Rule rule) {
    return {name, rule,
            [=]([[maybe_unused]] hipStream_t stream) { return function(argument<T>(stream)...); }};
  }
};

const std::vector<Call> &calls() {
  static const std::vector<Call> all = {
#include "capture_rules.inc"
  };
  return all;
}

hipError_t error_of(Rule rule) {
  return rule == Rule::implicit ? hipErrorStreamCaptureImplicit : hipErrorStreamCaptureUnsupported;
}

bool refuses_capture(hipError_t result) {
  return result == hipErrorStreamCaptureImplicit || result == hipErrorStreamCaptureUnsupported;
}

} // namespace

TEST_CASE("hip capture: each function that is not allowed while a stream is captured refuses") {
  REQUIRE(calls().size() > 90);
  for (const Call &c : calls()) {
    TestCapture capture(true);
    const hipError_t result = c.call(capture.stream);
    INFO(c.function << ": " << hipGetErrorName(result));
    CHECK(result == error_of(c.rule));
    CHECK(capture.invalidations == (c.rule == Rule::uncapturable ? 0 : 1));
    CHECK(capture.taken.empty());
    CHECK(hipGetLastError() == result);
  }
}

TEST_CASE("hip capture: functions that are unsafe for other threads refuse only those that the "
          "capture covers") {
  int unsafe = 0;
  TestCapture capture(false);
  for (const Call &c : calls())
    if (c.rule == Rule::unsafe) {
      INFO(c.function);
      CHECK(!refuses_capture(c.call(nullptr)));
      ++unsafe;
    }
  CHECK(unsafe > 0);
  CHECK(capture.invalidations == 0);
}

TEST_CASE("hip capture: no function refuses once the capture has ended") {
  {
    TestCapture capture(true);
  }
  for (const Call &c : calls())
    if (!std::string_view(c.function).ends_with("Reset")) { // which take the streams away
      INFO(c.function);
      CHECK(!refuses_capture(c.call(nullptr)));
    }
}

TEST_CASE("hip capture: copies and fills of a captured stream wait for nothing and move nothing") {
  char *device = nullptr, *host = nullptr;
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&device), 4096));
  REQUIRE_HIP(hipHostMalloc(reinterpret_cast<void **>(&host), 4096, 0));
  std::array<char, 64> from{1}, to{};
  {
    TestCapture capture(false);
    hipStream_t stream = capture.stream;
    const uint64_t submitted = stream->queue->submitted();
    REQUIRE_HIP(hipMemcpyWithStream(host, device, 64, hipMemcpyDefault, stream));
    REQUIRE_HIP(hipMemset2DAsync(device, 64, 1, 32, 2, stream));
    // Between rows of memory of the program, too, where the host copies otherwise.
    REQUIRE_HIP(hipMemcpy2DAsync(to.data(), 16, from.data(), 32, 8, 2, hipMemcpyDefault, stream));
    CHECK(capture.taken.size() == 3);
    CHECK(capture.invalidations == 0);
    CHECK(stream->queue->submitted() == submitted);
    CHECK(to[0] == 0);
    REQUIRE(capture.taken.size() == 3);
    stream->capture = nullptr;
    std::visit([&](const auto &copy) { enqueue(resolve(stream), copy); }, capture.taken.back());
    REQUIRE_HIP(hipStreamSynchronize(stream));
    CHECK(to[0] == 1);
  }
  REQUIRE_HIP(hipHostFree(host));
  REQUIRE_HIP(hipFree(device));
}
