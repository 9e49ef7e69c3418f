// The HIP side of the graph benchmark: graphs of kernels, by hand and captured.
#pragma once

#include "../hip_launcher.h"

#include <utility>
#include <vector>

namespace bench {

struct Stream {
  Stream() { HIP_CHECK(hipStreamCreateWithFlags(&handle, hipStreamNonBlocking)); }
  ~Stream() { static_cast<void>(hipStreamDestroy(handle)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  void synchronize() const { HIP_CHECK(hipStreamSynchronize(handle)); }

  hipStream_t handle = nullptr;
};

/// What a node launches: one block of one thread.
template <class Launch> auto with_node_params(const void *kernel, void **arguments, Launch launch) {
  hipKernelNodeParams params{};
  params.blockDim = params.gridDim = dim3(1);
  params.func = const_cast<void *>(kernel);
  params.kernelParams = arguments;
  return launch(params);
}

class Graph {
public:
  Graph() { HIP_CHECK(hipGraphCreate(&graph_, 0)); }
  explicit Graph(hipGraph_t captured) : graph_(captured) {}
  ~Graph() { static_cast<void>(hipGraphDestroy(graph_)); }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  hipGraph_t get() const { return graph_; }

  /// A node that launches a kernel behind another one, if there is one. Returns the node.
  hipGraphNode_t add(const void *kernel, void **arguments, hipGraphNode_t after) {
    return with_node_params(kernel, arguments, [&](const hipKernelNodeParams &params) {
      hipGraphNode_t node = nullptr;
      HIP_CHECK(hipGraphAddKernelNode(&node, graph_, &after, after ? 1 : 0, &params));
      return node;
    });
  }

private:
  hipGraph_t graph_ = nullptr;
};

class Executable {
public:
  explicit Executable(const Graph &graph) {
    HIP_CHECK(hipGraphInstantiate(&exec_, graph.get(), nullptr, nullptr, 0));
  }
  ~Executable() { static_cast<void>(hipGraphExecDestroy(exec_)); }
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  void upload(const Stream &stream) const { HIP_CHECK(hipGraphUpload(exec_, stream.handle)); }
  void launch(const Stream &stream) const { HIP_CHECK(hipGraphLaunch(exec_, stream.handle)); }
  void set(hipGraphNode_t node, const void *kernel, void **arguments) const {
    with_node_params(kernel, arguments, [&](const hipKernelNodeParams &params) {
      HIP_CHECK(hipGraphExecKernelNodeSetParams(exec_, node, &params));
    });
  }

private:
  hipGraphExec_t exec_ = nullptr;
};

/// Launches of `add`, one after the other, each with another argument.
class Line {
public:
  Line(int *sum, int launches) : sum_(sum) {
    hipGraphNode_t last = nullptr;
    for (int value = 0; value < launches; ++value) {
      void *arguments[] = {&sum_, &value};
      last = graph.add(kernel(), arguments, last);
      nodes_.push_back(last);
    }
  }
  static const void *kernel() { return reinterpret_cast<const void *>(add); }
  hipGraphNode_t middle() const { return nodes_[nodes_.size() / 2]; }

  Graph graph;

private:
  int *sum_;
  std::vector<hipGraphNode_t> nodes_;
};

} // namespace bench
