// Two metal bars cool down, until one end of each touches the other: a graph that is captured once and launched for each step.
//
// In a step both bars are independent of each other, so their kernels are captured in two streams, and run at the same time.
// Only the exchange at the contact comes after both. Half-way the bars are brought closer: that changes one parameter of one
// node, for which the graph is not made again.
//
//   hipcc -O2 graph.hip -o graph && ./graph graph.dot && dot -Tsvg graph.dot -o graph.svg
#include "check.h"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int cells = 4096, steps = 1000;
constexpr float diffusion = 0.24f, far = 0.01f, close = 0.2f;

/// One step inside of a bar, whose ends keep the heat.
__host__ __device__ inline float next_temperature(const float *bar, int i) {
  const float left = bar[i == 0 ? i : i - 1], right = bar[i == cells - 1 ? i : i + 1];
  return bar[i] + diffusion * (left - 2 * bar[i] + right);
}

__global__ void diffuse(const float *from, float *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    to[i] = next_temperature(from, i);
}

/// The last cell of one bar touches the first of the other.
__host__ __device__ inline void exchange_heat(float &last, float &first, float contact) {
  const float flow = contact * (last - first);
  last -= flow;
  first += flow;
}

__global__ void touch(float *hot, float *cold, float contact) {
  exchange_heat(hot[cells - 1], cold[0], contact);
}

struct Bar {
  float *now, *next;
};

static Bar make_bar(float temperature) {
  const std::vector<float> cold_or_hot(cells, temperature);
  Bar bar{};
  for (float **buffer : {&bar.now, &bar.next}) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(buffer), cells * sizeof(float)));
    HIP_CHECK(hipMemcpy(*buffer, cold_or_hot.data(), cells * sizeof(float), hipMemcpyHostToDevice));
  }
  return bar;
}

static void step(const Bar &bar, hipStream_t stream) {
  diffuse<<<cells / 256, 256, 0, stream>>>(bar.now, bar.next);
  HIP_CHECK(
      hipMemcpyAsync(bar.now, bar.next, cells * sizeof(float), hipMemcpyDeviceToDevice, stream));
}

/// The work of one step: two branches, and what comes after both.
static hipGraph_t capture_step(const Bar &hot, const Bar &cold) {
  hipStream_t stream, other;
  hipEvent_t fork, join;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamCreate(&other));
  HIP_CHECK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
  HIP_CHECK(hipEventCreateWithFlags(&join, hipEventDisableTiming));

  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  HIP_CHECK(hipEventRecord(fork, stream));
  HIP_CHECK(hipStreamWaitEvent(other, fork, 0)); // the other stream is captured from here on
  step(hot, stream);
  step(cold, other);
  HIP_CHECK(hipEventRecord(join, other));
  HIP_CHECK(hipStreamWaitEvent(stream, join, 0));
  touch<<<1, 1, 0, stream>>>(hot.now, cold.now, far);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));

  HIP_CHECK(hipEventDestroy(join));
  HIP_CHECK(hipEventDestroy(fork));
  HIP_CHECK(hipStreamDestroy(other));
  HIP_CHECK(hipStreamDestroy(stream));
  return graph;
}

/// The node that nothing comes after.
static hipGraphNode_t last_node(hipGraph_t graph) {
  hipGraphNode_t nodes[5];
  size_t count = std::size(nodes);
  HIP_CHECK(hipGraphGetNodes(graph, nodes, &count));
  for (size_t i = 0; i < count; ++i) {
    size_t followers = 0;
    HIP_CHECK(hipGraphNodeGetDependentNodes(nodes[i], nullptr, &followers));
    if (followers == 0)
      return nodes[i];
  }
  return nullptr;
}

static void simulate_on_host(std::vector<float> &hot, std::vector<float> &cold) {
  std::vector<float> next(cells);
  for (int i = 0; i < steps; ++i) {
    for (std::vector<float> *bar : {&hot, &cold}) {
      for (int cell = 0; cell < cells; ++cell)
        next[cell] = next_temperature(bar->data(), cell);
      std::swap(*bar, next);
    }
    exchange_heat(hot[cells - 1], cold[0], i < steps / 2 ? far : close);
  }
}

int main(int argc, char **argv) {
  const Bar hot = make_bar(500), cold = make_bar(300);
  hipGraph_t graph = capture_step(hot, cold);
  if (argc > 1)
    HIP_CHECK(hipGraphDebugDotPrint(graph, argv[1],
                                    hipGraphDebugDotFlagsKernelNodeParams |
                                        hipGraphDebugDotFlagsMemcpyNodeParams));
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));

  hipGraphNode_t contact_node = last_node(graph);
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) {
      hipKernelNodeParams parameters;
      HIP_CHECK(hipGraphKernelNodeGetParams(contact_node, &parameters));
      float contact = close;
      void *arguments[] = {parameters.kernelParams[0], parameters.kernelParams[1], &contact};
      parameters.kernelParams = arguments;
      HIP_CHECK(hipGraphExecKernelNodeSetParams(executable, contact_node, &parameters));
    }
    HIP_CHECK(hipGraphLaunch(executable, nullptr));
  }

  std::vector<float> result[2] = {std::vector<float>(cells), std::vector<float>(cells)};
  HIP_CHECK(hipMemcpy(result[0].data(), hot.now, cells * sizeof(float), hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpy(result[1].data(), cold.now, cells * sizeof(float), hipMemcpyDeviceToHost));
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
  for (const Bar &bar : {hot, cold})
    for (float *buffer : {bar.now, bar.next})
      HIP_CHECK(hipFree(buffer));

  std::vector<float> expected[2] = {std::vector<float>(cells, 500), std::vector<float>(cells, 300)};
  simulate_on_host(expected[0], expected[1]);
  bool right = true;
  for (int bar = 0; bar < 2; ++bar)
    for (int cell = 0; cell < cells; ++cell)
      right = right && std::fabs(result[bar][cell] - expected[bar][cell]) < 0.01f;
  if (!results_unchecked())
    std::printf("after %d steps the bars meet at %.1f and %.1f degrees\n", steps, result[0].back(),
                result[1].front());
  return report(right);
}
