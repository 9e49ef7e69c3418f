// What programs do that are written by programs, or that launch many small kernels, and what a step
// of each costs.
//
//   generated  the host code that a compiler of tensor programs emits: it makes all it needs for
//              each launch, a stream, a module and a function, and destroys it afterwards
//   jit        the launcher of a run-time compiler: buffers for arguments and results come from
//              stream-ordered memory, the arguments are those of the launch before, and it waits
//              only where the host reads a result
//   streams    a simulation whose parts are on 21 streams: a few launches on each, and then one on
//              the null stream, which comes after all of them
//
// Each looks careless, and is quick where what was made before is used again: CHIP_CACHES=0 shows
// what it costs otherwise.
//
//   hipcc -O2 patterns.hip -o patterns && ./patterns && CHIP_CACHES=0 ./patterns
#include "check.h"

#include <hip/hiprtc.h>

#include <chrono>
#include <string>
#include <vector>

static void check_rtc(hiprtcResult result, const char *call) {
  if (result == HIPRTC_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %s\nFAILED\n", call, hiprtcGetErrorString(result));
  std::exit(1);
}
#define RTC_CHECK(call) check_rtc((call), #call)

constexpr int length = 256;

__global__ void add(int *sums, int value) { sums[threadIdx.x] += value; }

// What a compiler has made just now.
static std::vector<char> compile() {
  hiprtcProgram program;
  RTC_CHECK(hiprtcCreateProgram(&program,
                                "extern \"C\" __global__ void step(const int *in, int *out) {\n"
                                "  out[threadIdx.x] = in[threadIdx.x] + 1;\n"
                                "}\n",
                                "step.hip", 0, nullptr, nullptr));
  RTC_CHECK(hiprtcCompileProgram(program, 0, nullptr));
  size_t bytes;
  RTC_CHECK(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  RTC_CHECK(hiprtcGetCode(program, code.data()));
  RTC_CHECK(hiprtcDestroyProgram(&program));
  return code;
}

static hipFunction_t function_of(hipModule_t module) {
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "step"));
  return function;
}

static void launch_step(hipFunction_t function, hipStream_t stream, const int *in, int *out) {
  void *arguments[] = {&in, &out};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, length, 1, 1, 0, stream, arguments, nullptr));
}

static bool are_all(const int *device, int value) {
  std::vector<int> values(length);
  HIP_CHECK(hipMemcpy(values.data(), device, length * sizeof(int), hipMemcpyDeviceToHost));
  return values == std::vector<int>(length, value);
}

class Generated {
public:
  explicit Generated(const std::vector<char> &code) : code_(code) {
    HIP_CHECK(hipMalloc(&values_, length * sizeof(int)));
    HIP_CHECK(hipMemset(values_, 0, length * sizeof(int)));
  }
  void step() {
    hipStream_t stream;
    hipModule_t module;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipModuleLoadData(&module, code_.data()));
    launch_step(function_of(module), stream, values_, values_);
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipModuleUnload(module));
    HIP_CHECK(hipStreamDestroy(stream));
  }
  bool finish(int steps) {
    const bool right = are_all(values_, steps);
    HIP_CHECK(hipFree(values_));
    return right;
  }

private:
  const std::vector<char> &code_;
  int *values_;
};

class Jit {
public:
  explicit Jit(const std::vector<char> &code) : numbers_(length, 1), results_(length) {
    HIP_CHECK(hipModuleLoadData(&module_, code.data()));
    HIP_CHECK(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking));
    function_ = function_of(module_);
  }
  void step() {
    constexpr int reads_each = 10; // the host looks at one result in ten
    constexpr size_t bytes = length * sizeof(int);
    int *in, *out;
    HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&in), bytes, stream_));
    HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&out), bytes, stream_));
    HIP_CHECK(hipMemsetAsync(in, 0, bytes, stream_));
    launch_step(function_, stream_, in, out);
    const bool is_read = ++steps_ % reads_each == 0;
    if (is_read)
      HIP_CHECK(hipMemcpyAsync(results_.data(), out, bytes, hipMemcpyDeviceToHost, stream_));
    HIP_CHECK(hipFreeAsync(in, stream_));
    HIP_CHECK(hipFreeAsync(out, stream_));
    if (!is_read)
      return;
    HIP_CHECK(hipStreamSynchronize(stream_));
    right_ = right_ && results_ == numbers_;
  }
  bool finish(int) {
    HIP_CHECK(hipStreamSynchronize(stream_));
    HIP_CHECK(hipStreamDestroy(stream_));
    HIP_CHECK(hipModuleUnload(module_));
    return right_;
  }

private:
  std::vector<int> numbers_, results_;
  hipModule_t module_;
  hipStream_t stream_;
  hipFunction_t function_;
  int steps_ = 0;
  bool right_ = true;
};

class Streams {
public:
  explicit Streams(const std::vector<char> &) : streams_(21), parts_(streams_.size()) {
    for (hipStream_t &stream : streams_)
      HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMalloc(&whole_, length * sizeof(int)));
    HIP_CHECK(hipMemset(whole_, 0, length * sizeof(int)));
    for (int *&part : parts_) {
      HIP_CHECK(hipMalloc(&part, length * sizeof(int)));
      HIP_CHECK(hipMemset(part, 0, length * sizeof(int)));
    }
  }
  void step() {
    for (int round = 0; round < launches_each; ++round)
      for (size_t i = 0; i < streams_.size(); ++i)
        add<<<1, length, 0, streams_[i]>>>(parts_[i], 1);
    add<<<1, length>>>(whole_, 1);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipStreamSynchronize(nullptr));
  }
  bool finish(int steps) {
    bool right = are_all(whole_, steps);
    for (int *part : parts_) {
      right = right && are_all(part, launches_each * steps);
      HIP_CHECK(hipFree(part));
    }
    HIP_CHECK(hipFree(whole_));
    for (hipStream_t stream : streams_)
      HIP_CHECK(hipStreamDestroy(stream));
    return right;
  }

private:
  static constexpr int launches_each = 3;
  std::vector<hipStream_t> streams_;
  std::vector<int *> parts_;
  int *whole_;
};

// Prints what a step costs, without the first ones.
template <class Pattern>
static bool run(const char *name, const std::vector<char> &code, int steps) {
  using Clock = std::chrono::steady_clock;
  const int warm = steps / 10 + 1;
  Pattern pattern(code);
  for (int i = 0; i < warm; ++i)
    pattern.step();
  HIP_CHECK(hipDeviceSynchronize());
  const auto start = Clock::now();
  for (int i = 0; i < steps; ++i)
    pattern.step();
  HIP_CHECK(hipDeviceSynchronize());
  const std::chrono::duration<double, std::nano> time = Clock::now() - start;
  std::printf("%s_step_ns %.0f\n", name, time.count() / steps);
  return pattern.finish(warm + steps);
}

int main(int argc, char **argv) {
  const int steps = argc == 2 ? std::atoi(argv[1]) : 200;
  if (argc > 2 || steps < 1) {
    std::fputs("usage: patterns [STEPS]\n", stderr);
    return 1;
  }
  const std::vector<char> code = compile();
  bool right = run<Generated>("generated", code, steps);
  right = run<Jit>("jit", code, steps) && right;
  right = run<Streams>("streams", code, steps) && right;
  return report(right);
}
