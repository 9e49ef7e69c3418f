// What the tests of graphs that run share: executable graphs, host nodes that tell when they ran, and gates.
#pragma once

#include "nodes.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace fixture {

class Executable {
public:
  explicit Executable(hipGraph_t graph, unsigned long long flags = 0) {
    REQUIRE_HIP(hipGraphInstantiateWithFlags(&exec_, graph, flags));
  }
  ~Executable() { (void)hipGraphExecDestroy(exec_); }
  Executable(const Executable &) = delete;
  operator hipGraphExec_t() const { return exec_; }
  void run(hipStream_t stream = nullptr) const {
    REQUIRE_HIP(hipGraphLaunch(exec_, stream));
    REQUIRE_HIP(hipStreamSynchronize(stream));
  }

private:
  hipGraphExec_t exec_ = nullptr;
};

using Nodes = std::vector<hipGraphNode_t>;

inline hipGraphNode_t add_host(hipGraph_t graph, hipHostFn_t function, void *data,
                               const Nodes &dependencies = {}) {
  const hipHostNodeParams params{function, data};
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddHostNode(&node, graph, dependencies.data(), dependencies.size(), &params));
  return node;
}

inline hipGraphNode_t add_child(hipGraph_t graph, hipGraph_t child,
                                const Nodes &dependencies = {}) {
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(
      hipGraphAddChildGraphNode(&node, graph, dependencies.data(), dependencies.size(), child));
  return node;
}

inline hipGraphNode_t add_copy(hipGraph_t graph, void *to, const void *from, size_t bytes,
                               const Nodes &dependencies = {}) {
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddMemcpyNode1D(&node, graph, dependencies.data(), dependencies.size(), to,
                                      from, bytes, hipMemcpyDefault));
  return node;
}

inline hipMemsetParams bytes_of(void *memory, size_t bytes, unsigned value) {
  hipMemsetParams fill{};
  fill.dst = memory;
  fill.elementSize = 1;
  fill.width = bytes;
  fill.height = 1;
  fill.value = value;
  return fill;
}

inline hipGraphNode_t add_fill(hipGraph_t graph, void *memory, size_t bytes, unsigned value,
                               const Nodes &dependencies = {}) {
  const hipMemsetParams fill = bytes_of(memory, bytes, value);
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddMemsetNode(&node, graph, dependencies.data(), dependencies.size(), &fill));
  return node;
}

/// A launch of `append_digit` (tests/queue/kernels): the value tells the order in which launches ran.
struct Digit {
  long long *value;
  int digit;
  void *arguments[2] = {&value, &digit};
  hipKernelNodeParams params{};

  Digit(long long *memory, int number, const char *kernel = "append_digit")
      : value(memory), digit(number) {
    params.func = reinterpret_cast<void *>(function(kernel));
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = arguments;
  }
  Digit(const Digit &) = delete;
  hipGraphNode_t add(hipGraph_t graph, const Nodes &dependencies = {}) const {
    hipGraphNode_t node = nullptr;
    REQUIRE_HIP(
        hipGraphAddKernelNode(&node, graph, dependencies.data(), dependencies.size(), &params));
    return node;
  }
};

inline hipGraphNode_t add_digit(hipGraph_t graph, long long *memory, int number,
                                const Nodes &dependencies = {}) {
  return Digit(memory, number).add(graph, dependencies);
}

inline void set_digit(hipGraphExec_t exec, hipGraphNode_t node, long long *memory, int number) {
  const Digit changed(memory, number);
  REQUIRE_HIP(hipGraphExecKernelNodeSetParams(exec, node, &changed.params));
}

/// Work of a stream or a graph stops here until the test opens it.
class Gate {
public:
  ~Gate() { open(); }
  void open() { is_open_ = true; }
  void await_arrival() const {
    while (!has_arrived_)
      std::this_thread::yield();
  }
  static void pass(void *gate) {
    auto &self = *static_cast<Gate *>(gate);
    self.has_arrived_ = true;
    while (!self.is_open_)
      std::this_thread::yield();
  }

private:
  std::atomic<bool> is_open_{false}, has_arrived_{false};
};

inline uint64_t memory_attribute(hipGraphMemAttributeType which) {
  uint64_t value = 0;
  REQUIRE_HIP(hipDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

} // namespace fixture
