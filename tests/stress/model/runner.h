// Runs programs through the HIP API and compares what happened with what the model promises.
#pragma once

#include "order.h"

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace model {

/// What a run did that HIP's rules forbid, in words; empty if nothing.
using Violations = std::vector<std::string>;

/// The device answers no more.
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Lost.
void require(hipError_t result, const char *what);
void sleep_us(uint32_t microseconds);

/// Loads the kernels and the memory that all programs share. One program runs at a time.
class Runner {
public:
  explicit Runner(const char *code_object);
  ~Runner();
  Runner(const Runner &) = delete;

  /// Runs a program with these promises and waits for its end. Leaves nothing behind. Throws Lost.
  Violations run(const Program &program, const std::vector<Promise> &promises);

private:
  struct Shared;    // memory that host and device see
  struct HostCall { // what a host function is given
    Runner *runner;
    uint32_t row; // of the board
  };
  class KernelCall;
  struct Copy;
  struct Graph {
    hipStream_t captured_in = nullptr; // until the capture has ended
    hipGraph_t graph = nullptr;
    hipGraphExec_t exec = nullptr;
    std::vector<hipGraphNode_t> nodes{}; // by the operation that was captured

    /// The operation whose node is the one with the number.
    size_t captured_as(int number) const {
      size_t index = 0;
      while (!nodes[index] || number-- > 0)
        ++index;
      return index;
    }
  };

  void prepare(const Program &program);
  void run_thread(int thread);
  void execute(int index);
  void launch(int index, hipStream_t stream);
  void set(int index, hipStream_t stream);
  void snapshot(int index, hipStream_t stream);
  void use_pool(int index, hipStream_t stream);
  hipError_t copy(int index, hipStream_t stream);
  Copy copy_of(const Op &op, int row) const;
  // Graphs.
  int row_of(int node, int graph, int set_by) const;
  void prepare_turns();
  void remember_node(int index);
  hipError_t set_parameters(hipGraphExec_t exec, hipGraphNode_t node, const Op &op, int row);
  Graph clone(int index, const Graph &graph, int number);
  void update(int index);
  void change_graph(int index);
  static void destroy(Graph &graph);
  void check_complete(int index);
  void check_elapsed(int index, hipError_t result, float ms);
  void check_seen();
  void check_times();
  void check_time(int index, int first, int second, float ms);
  void clean_up();
  static void host_function(void *data);
  static void callback(hipStream_t stream, hipError_t status, void *data);

  hipStream_t stream(const Op &op) const;
  uint32_t token(int index) const;
  bool has_run(int index) const;
  uint32_t mark(int index) const;
  const uint32_t *snapshot_of(int index) const;
  void violate(int index, const std::string &what);
  bool expect(int index, hipError_t result);

  hipModule_t module_ = nullptr;
  hipFunction_t mark_ = nullptr, mark_1040_ = nullptr, mark_4080_ = nullptr, repeated_ = nullptr;
  Shared *shared_ = nullptr;             // pinned
  uint32_t *device_snapshots_ = nullptr; // a row for each operation
  uint32_t *device_tokens_ = nullptr;    // sources of How::from_device
  std::byte *staging_ = nullptr;         // on the device; a piece for each operation
  std::vector<uint32_t> read_back_;      // device_snapshots_ at the end
  std::vector<uint32_t> pageable_;       // a row for each operation

  // Of the program that runs.
  const Program *program_ = nullptr;
  const std::vector<Promise> *promises_ = nullptr;
  std::vector<std::vector<int>> scripts_; // operations of each thread, those it receives included
  std::array<std::atomic<bool>, max_ops> handed_over_{};
  std::vector<hipStream_t> streams_;
  std::vector<hipEvent_t> events_;
  std::vector<void *> memory_;
  std::vector<int> allocated_; // where memory_ comes from hipMallocAsync
  std::vector<Graph> graphs_;
  std::vector<int> rows_; // of the board: where each operation leaves what it did
  std::vector<HostCall> host_calls_;
  std::mutex mutex_;
  Violations violations_;
};

} // namespace model
