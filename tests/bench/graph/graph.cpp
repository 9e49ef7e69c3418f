// What graphs cost: HIP on libCHIP next to raw Level Zero that records the same kernels in a list, and next to the same launches
// without a graph. Prints one figure a line; tests/bench/reports/graph.py makes tables of them.
#include "../program.h"
#include "hip_graph.h"
#include "raw_graph.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

/// Takes long, in overlap.hip: each round needs the one before.
__global__ void spin(float *result, int rounds);

namespace {

using namespace bench;

constexpr int length = 1000; // kernels of a graph

struct Raw {
  explicit Raw(const RawDevice &device) : launcher(device), graphs(device) {}

  RawLauncher launcher;
  RawGraphs graphs;
};

double since(Clock::time_point start) { return Nanoseconds(Clock::now() - start).count(); }

/// What one graph of the host's costs: launched again and again, waited for outside of the time.
void measure_launches(Raw &raw, int *sum, Effort effort, Results &results) {
  const Stream stream;
  const Line line(sum, length), single(sum, 1);
  const Executable many(line.graph), one(single.graph);
  const RawRecording recorded = raw.graphs.record(length);
  const auto wait = [&stream] { stream.synchronize(); };
  const auto launch = [&stream](const Executable &executable) {
    return repeated([&] { executable.launch(stream); });
  };
  std::vector<Operation> all{
      {"raw_list_1000_launch_ns", repeated([&] { raw.graphs.run(recorded); }),
       [&raw] { raw.graphs.synchronize(); }},
      {"graph_1000_launch_ns", launch(many), wait},
  };
  measure(all, effort);
  results.add(all);
  results.add("graph_1000_launch_ratio", all[1].nanoseconds / all[0].nanoseconds);

  std::vector<Operation> of_one{
      {"raw_launch_ns", repeated([&raw] { raw.launcher.launch_again(); }),
       [&raw] { raw.launcher.synchronize(); }},
      {"graph_1_launch_ns", launch(one), wait},
  };
  measure(of_one, effort);
  results.add(of_one);
  results.add("graph_1_launch_ratio", of_one[1].nanoseconds / of_one[0].nanoseconds);

  std::vector<Operation> one_by_one{
      {"raw_launches_1000_ns", repeated([&raw] {
         for (int i = 0; i < length; ++i)
           raw.launcher.launch();
       }),
       [&raw] { raw.launcher.synchronize(); }},
      {"graph_1000_launch_beside_launches_ns", launch(many), wait},
  };
  measure(one_by_one, effort);
  results.add(one_by_one);
  results.add("graph_1000_to_launches_ratio",
              one_by_one[1].nanoseconds / one_by_one[0].nanoseconds);
}

/// From the launch until the host knows that all kernels are done.
void measure_run(int *sum, Effort effort, Results &results) {
  const Stream stream;
  const Line line(sum, length);
  const Executable executable(line.graph);
  HipLauncher launcher(sum, stream.handle);
  std::vector<Operation> all{{"launches_1000_run_ns", repeated([&] {
                                for (int i = 0; i < length; ++i)
                                  launcher.launch();
                                stream.synchronize();
                              })},
                             {"graph_1000_run_ns", repeated([&] {
                                executable.launch(stream);
                                stream.synchronize();
                              })}};
  measure(all, effort);
  results.add(all);
  results.add("graph_1000_run_ratio", all[1].nanoseconds / all[0].nanoseconds);
}

/// Kernels of one block each in two branches, and the same ones in a line.
void measure_branches(Effort effort, Results &results) {
  constexpr int kernels = 4;         // in each branch
  constexpr double wanted_ns = 20e6; // all of them, one after the other
  constexpr size_t apart = 64;       // floats
  constexpr int trial = 1 << 18;     // rounds
  const Stream stream;
  float *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, 2 * apart * sizeof(float)));
  HIP_CHECK(hipMemset(memory, 0, 2 * apart * sizeof(float)));

  const auto add_branch = [&](Graph &graph, float *result, int rounds, hipGraphNode_t last) {
    void *arguments[] = {&result, &rounds};
    for (int i = 0; i < kernels; ++i)
      last = graph.add(reinterpret_cast<const void *>(spin), arguments, last);
    return last;
  };
  const auto in_line = [&](int rounds) {
    auto graph = std::make_unique<Graph>();
    add_branch(*graph, memory + apart, rounds, add_branch(*graph, memory, rounds, nullptr));
    return graph;
  };
  const auto run = [&](const Executable &executable) {
    executable.launch(stream);
    stream.synchronize();
  };
  const Executable tried(*in_line(trial));
  run(tried); // compiles
  const auto start = Clock::now();
  run(tried);
  const int rounds = int(std::clamp(wanted_ns * trial / since(start), 1.0, 1e9));

  Graph branches;
  add_branch(branches, memory, rounds, nullptr);
  add_branch(branches, memory + apart, rounds, nullptr);
  const Executable line(*in_line(rounds)), branched(branches);
  std::vector<Operation> all{{"graph_line_run_ns", repeated([&] { run(line); })},
                             {"graph_branches_run_ns", repeated([&] { run(branched); })}};
  measure(all, {effort.batches, 1});
  results.add(all);
  results.add("graph_branches_speedup", all[0].nanoseconds / all[1].nanoseconds);
  HIP_CHECK(hipFree(memory));
}

void measure_updates(int *sum, Effort effort, Results &results) {
  const Stream stream;
  const Line line(sum, length);
  const Executable executable(line.graph);
  executable.launch(stream);
  stream.synchronize();
  int value = 0;
  const auto update = [&] {
    ++value;
    void *arguments[] = {&sum, &value};
    executable.set(line.middle(), Line::kernel(), arguments);
  };
  std::vector<Operation> all{{"graph_update_node_ns", repeated(update)},
                             {"graph_update_launch_ns", repeated([&] {
                                update();
                                executable.launch(stream);
                              }),
                              [&stream] { stream.synchronize(); }}};
  measure(all, effort);
  results.add(all);
}

void measure_capture(int *sum, Effort effort, Results &results) {
  const Stream stream;
  const auto capture = [&](int count) {
    double total = 0;
    for (int i = 0; i < count; ++i) {
      HipLauncher launcher(sum, stream.handle);
      hipGraph_t captured = nullptr;
      const auto start = Clock::now();
      HIP_CHECK(hipStreamBeginCapture(stream.handle, hipStreamCaptureModeThreadLocal));
      for (int k = 0; k < length; ++k)
        launcher.launch();
      HIP_CHECK(hipStreamEndCapture(stream.handle, &captured));
      total += since(start);
      const Graph graph(captured); // which is destroyed
    }
    return total / length;
  };
  std::vector<Operation> all{{"capture_ns_per_node", capture}};
  measure(all, effort);
  results.add(all);
}

/// With what the first launch would have to do, and without.
void measure_instantiation(const Raw &raw, int *sum, Effort effort, Results &results) {
  const Stream stream;
  const Line line(sum, length);
  const auto instantiate = [&](bool uploads) {
    return [&, uploads](int count) {
      double total = 0;
      for (int i = 0; i < count; ++i) {
        const auto start = Clock::now();
        const Executable executable(line.graph);
        if (uploads)
          executable.upload(stream);
        total += since(start);
      }
      return total / length;
    };
  };
  const auto record = [&raw](int count) {
    double total = 0;
    for (int i = 0; i < count; ++i) {
      const auto start = Clock::now();
      const RawRecording recorded = raw.graphs.record(length);
      total += since(start);
    }
    return total / length;
  };
  std::vector<Operation> all{{"raw_record_ns_per_node", record},
                             {"instantiate_alone_ns_per_node", instantiate(false)},
                             {"instantiate_ns_per_node", instantiate(true)}};
  measure(all, effort);
  results.add(all);
  results.add("instantiate_ratio", all[2].nanoseconds / all[0].nanoseconds);
}

struct Options {
  Effort effort;
  bool executes = false;
  std::string json;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--executes") { // the device runs kernels: how long they take can be measured
      options.executes = true;
      continue;
    }
    int *number = option == "--batches"      ? &options.effort.batches
                  : option == "--batch-size" ? &options.effort.batch_size
                                             : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error(
          "usage: bench_graph [--json FILE] [--batches N] [--batch-size N] [--executes]");
    if (number)
      *number = positive_number(argv[++i]);
    else
      options.json = argv[++i];
  }
  return options;
}

void run(const Options &options) {
  HIP_CHECK(hipInit(0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s; medians of %d batches of %d\n", properties.name, options.effort.batches,
              options.effort.batch_size);
  const RawDevice device(read_spirv(path_beside_program("bench_add.code")));
  Raw raw(device);
  const DeviceInt sum;
  Results results;
  measure_launches(raw, sum.get(), options.effort, results);
  measure_updates(sum.get(), options.effort, results);
  measure_capture(sum.get(), options.effort, results);
  measure_instantiation(raw, sum.get(), options.effort, results);
  if (options.executes) {
    measure_run(sum.get(), options.effort, results);
    measure_branches(options.effort, results);
  }
  results.add("batches", options.effort.batches);
  results.add("batch_size", options.effort.batch_size);
  report(results, options.json);
}

} // namespace

int main(int argc, char **argv) {
  return bench::run_program("bench_graph", [&] { run(parse(argc, argv)); });
}
