// Random programs on several streams: captured, they give what they give when they run directly, in any order that their graph allows.
#include "captures.h"
#include "runtime/graphs/capture.h"

#include <deque>
#include <functional>
#include <map>
#include <random>

using namespace fixture;

namespace {

constexpr size_t stream_count = 4;

/// Calls on streams, each of which has a cell of its own. What one hands to another is in a cell that is written once, so that the
/// result depends on the order of streams and of events only.
class Program {
public:
  explicit Program(unsigned seed) : random_(seed) {
    fork();
    for (unsigned n = 0; n < 60; ++n) {
      const size_t stream = pick();
      switch (random_() % 6) {
      case 0:
        add_call([this, stream, value = unsigned(random_())](const Streams &streams) {
          return hipMemsetD32Async(&cells_[stream], int(value), 1, streams[stream]);
        });
        break;
      case 1:
        if (const size_t other = pick(); other != stream)
          hand_on(stream, other);
        break;
      default:
        mix(stream, nullptr);
      }
    }
    for (size_t stream = 1; stream < stream_count; ++stream)
      hand_on(stream, 0);
  }

  void reset() {
    for (size_t i = 0; i < stream_count; ++i)
      cells_[i] = unsigned(i);
  }
  unsigned result() const { return cells_[0]; }
  void call(const Streams &streams) const {
    for (const auto &call : calls_)
      REQUIRE_HIP(call(streams));
  }

private:
  struct Mix {
    unsigned *cell;
    const unsigned *with; // or null
    unsigned number;
  };
  static void do_mix(void *data) {
    const Mix &mix = *static_cast<const Mix *>(data);
    *mix.cell = *mix.cell * 31 + mix.number + (mix.with ? *mix.with : 0);
  }

  size_t pick() { return random_() % stream_count; }
  void add_call(std::function<hipError_t(const Streams &)> call) {
    calls_.push_back(std::move(call));
  }
  void mix(size_t stream, const unsigned *with) {
    Mix &data = mixes_.emplace_back(Mix{&cells_[stream], with, unsigned(random_())});
    add_call([stream, &data](const Streams &streams) {
      return hipLaunchHostFunc(streams[stream], do_mix, &data);
    });
  }
  void connect(size_t from, size_t to) {
    const hipEvent_t event = events_.emplace_back();
    add_call([=](const Streams &streams) { return hipEventRecord(event, streams[from]); });
    add_call([=](const Streams &streams) { return hipStreamWaitEvent(streams[to], event, 0); });
  }
  void fork() {
    for (size_t to = 1; to < stream_count; ++to)
      connect(0, to);
  }
  void hand_on(size_t from, size_t to) {
    unsigned *const snapshot = &cells_[stream_count + snapshots_++];
    add_call([this, from, snapshot](const Streams &streams) {
      return hipMemcpyAsync(snapshot, &cells_[from], sizeof *snapshot, hipMemcpyDefault,
                            streams[from]);
    });
    connect(from, to);
    mix(to, snapshot);
  }

  std::mt19937 random_;
  HostMemory<unsigned> cells_{stream_count + 100}; // of the streams, and of what is handed on
  size_t snapshots_ = 0;
  std::deque<Mix> mixes_;
  std::deque<Event> events_;
  std::vector<std::function<hipError_t(const Streams &)>> calls_;
};

/// Does what the nodes say, in an order that their edges allow.
void run(hipGraph_t graph, std::mt19937 &random) {
  std::map<const chip::GraphNode *, size_t> waits_for;
  std::vector<const chip::GraphNode *> ready;
  for (const auto &node : chip::find_graph(graph)->nodes()) {
    waits_for[node.get()] = node->dependencies.size();
    if (node->dependencies.empty())
      ready.push_back(node.get());
  }
  const chip::StreamTarget stream = chip::resolve(nullptr);
  while (!ready.empty()) {
    const size_t i = random() % ready.size();
    const chip::GraphNode *node = ready[i];
    ready.erase(ready.begin() + ptrdiff_t(i));
    for (const chip::operations::Any &operation : node->work->operations)
      std::visit([&](const auto &each) { chip::enqueue(stream, each); }, operation);
    for (const chip::GraphNode *dependent : node->dependents)
      if (--waits_for[dependent] == 0)
        ready.push_back(dependent);
  }
  REQUIRE_HIP(hipDeviceSynchronize());
}

} // namespace

TEST_CASE("hip capture: a random program gives what it gives without, in any order of its graph") {
  const Streams streams(stream_count);
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    Program program(seed);
    program.reset();
    program.call(streams);
    REQUIRE_HIP(hipDeviceSynchronize());
    const unsigned expected = program.result();
    StreamCapture capture(streams[0]);
    program.call(streams);
    const hipGraph_t graph = capture.end();
    for (unsigned turn = 0; turn < 3; ++turn) {
      program.reset();
      run(graph, random);
      REQUIRE(program.result() == expected);
    }
  }
}

TEST_CASE("hip capture: a kernel runs with the arguments of its call, and memory of the program is "
          "read when the graph runs") {
  const Streams streams(1);
  HostMemory<float> cells(4);
  float start[4] = {1, 1, 1, 1};
  float *out = cells.get();
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipMemcpyAsync(out, start, sizeof start, hipMemcpyDefault, streams[0]));
  REQUIRE_HIP(launch(function("scale"), streams[0], 4, out));
  const hipGraph_t graph = capture.end();
  out = nullptr;
  std::mt19937 random(1);
  for (const float factor : {1, 5}) {
    for (float &value : start)
      value = factor;
    run(graph, random);
    for (unsigned i = 0; i < 4; ++i)
      CHECK(cells[i] == factor * float(i + 1));
  }
}
