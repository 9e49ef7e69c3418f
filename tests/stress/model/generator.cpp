#include "generator.h"
#include "order.h"

#include <algorithm>
#include <array>

namespace model {
namespace {

struct Weight {
  OpKind kind;
  int weight;
};

// Waiting on the host is rare: it ends what could go wrong.
constexpr std::array<Weight, 35> weights{{
    {OpKind::kernel, 60},
    {OpKind::spilled_kernel, 8},
    {OpKind::repeated_kernel, 8},
    {OpKind::host_function, 6},
    {OpKind::callback, 2},
    {OpKind::set, 16},
    {OpKind::snapshot, 10},
    {OpKind::record, 16},
    {OpKind::wait, 20},
    {OpKind::event_query, 6},
    {OpKind::event_synchronize, 4},
    {OpKind::elapsed, 3},
    {OpKind::stream_query, 4},
    {OpKind::stream_synchronize, 4},
    {OpKind::device_synchronize, 2},
    {OpKind::stream_create, 4},
    {OpKind::stream_destroy, 4},
    {OpKind::event_create, 3},
    {OpKind::event_destroy, 2},
    {OpKind::allocate, 3},
    {OpKind::free, 2},
    {OpKind::hand_over, 2},
    {OpKind::pause, 2},
    {OpKind::pool_allocate, 6},
    {OpKind::pool_free, 8},
    {OpKind::write_value, 4},
    {OpKind::wait_value, 5},
    {OpKind::begin_capture, 8},
    {OpKind::end_capture, 5},
    {OpKind::launch_graph, 20},
    {OpKind::set_node, 8},
    {OpKind::update_graph, 6},
    {OpKind::enable_node, 6},
    {OpKind::clone_graph, 3},
    {OpKind::destroy_graph, 3},
}};

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {
    program_.seed = seed;
    program_.threads = random_.one_in(2) ? 1 : 2 + random_.below(max_threads - 1);
    has_graphs_ = random_.one_in(2);
    const size_t much = random_.one_in(2) ? size_t(random_.below(weights.size())) : 0;
    // One capture that lasts, with many forks.
    const bool much_captured = has_graphs_ && random_.one_in(3);
    const auto times = [&](size_t i) {
      constexpr int lean[] = {0, 1, 1, 3};
      const OpKind kind = weights[i].kind;
      if (kind >= OpKind::begin_capture && kind <= OpKind::destroy_graph)
        return has_graphs_ && !(much_captured && kind == OpKind::end_capture) ? 2 : 0;
      if (much_captured && (kind == OpKind::record || kind == OpKind::wait))
        return 4;
      return i == 0 ? 1 : i == much ? 8 : lean[random_.below(4)];
    };
    for (size_t i = 0; i < weights.size(); ++i)
      total_ += weights_[i] = weights[i].weight * times(i);
    constexpr int in_ten[] = {0, 3, 5, 9};
    non_blocking_in_ten_ = in_ten[random_.below(4)];
    null_in_ten_ = random_.below(5);
    per_thread_in_ten_ = random_.below(3);
    slow_one_in_ = 2 << random_.below(4);
    slow_stream_ = random_.below(first_created_stream + 4);
    again_in_ten_ = random_.below(8);
    constexpr int often[] = {0, 5, 9};
    follow_in_ten_ = often[random_.below(3)];
    much_staging_ = random_.one_in(5);
    if (much_staging_)
      again_in_ten_ = 8;
    capture_in_ten_ = much_captured ? 9 : often[1 + random_.below(2)];
    timed_in_ten_ = random_.one_in(2) ? 5 : 10 * random_.below(2);
  }

  Program run() {
    for (int i = has_graphs_ ? 2 + random_.below(4) : random_.below(15); i > 0; --i)
      add(make(OpKind::stream_create, 0));
    for (int i = has_graphs_ ? 2 : random_.below(4); i > 0; --i)
      add(make(OpKind::event_create, 0));
    // Streams that are busy while all the rest is submitted; sleeping leaves the processors to the others.
    for (int i = random_.one_in(2) ? random_.below(4) : 0; i > 0; --i) {
      Op sleeper = make(OpKind::host_function, 0);
      sleeper.amount = 200 + uint32_t(random_.below(1000));
      add(sleeper);
    }
    for (int thread = 1; thread < program_.threads; ++thread)
      add(hand_over(0, thread));
    const size_t end =
        std::min<size_t>(order_.ops().size() + 10 + size_t(random_.below(51)), max_ops - 2);
    if (has_graphs_)
      begin_capture();
    while (order_.ops().size() < end)
      step();
    while (!order_.captures().empty() && end_capture_and_launch(order_.captures().back()))
      ;
    program_.ops = order_.ops();
    return program_;
  }

private:
  void add(const Op &op) {
    order_.append(op);
    if (op.kind == OpKind::stream_destroy && op.stream == last_stream_)
      last_stream_ = -1;
    if (op.kind == OpKind::event_destroy && op.event == last_event_)
      last_event_ = -1;
  }
  bool add_if_accepted(const Op &op) {
    const bool accepted = order_.accepts(op);
    if (accepted)
      add(op);
    return accepted;
  }

  /// Often with a second stream from the beginning, so that the graph has two first nodes.
  void begin_capture() {
    Op op = make(OpKind::begin_capture, 0);
    if (!add_if_accepted(op) || random_.one_in(2))
      return;
    const int16_t stream = op.stream;
    op = make(OpKind::record, 0);
    op.stream = stream;
    if (!add_if_accepted(op))
      return;
    op.kind = OpKind::wait;
    op.stream = int16_t(any(order_.streams()));
    add_if_accepted(op);
  }

  /// Where other streams take part, the first one waits for each before the capture ends.
  bool end_capture(int graph) {
    Op op;
    op.graph = int16_t(graph);
    op.thread = uint8_t(random_.below(size_t(program_.threads)));
    const std::vector<int> streams = order_.captured_streams(graph);
    // A thread's own stream is used by nobody else.
    if (const auto own = std::ranges::find_if(streams, is_per_thread); own != streams.end())
      op.thread = uint8_t(*own - per_thread_stream(0));
    for (const int stream : streams) {
      if (order_.is_joined(stream))
        continue;
      if (order_.events().empty())
        add(make(OpKind::event_create, op.thread));
      op.event = int16_t(any(order_.events()));
      op.kind = OpKind::record;
      op.stream = int16_t(stream);
      if (!add_if_accepted(op))
        return false;
      op.kind = OpKind::wait;
      op.stream = int16_t(streams.front());
      if (!add_if_accepted(op))
        return false;
    }
    op.event = -1;
    op.kind = OpKind::end_capture;
    op.stream = int16_t(streams.front());
    return add_if_accepted(op);
  }

  bool end_capture_and_launch(int graph) {
    if (!end_capture(graph))
      return false;
    for (int i = random_.below(3); i >= 0; --i) {
      Op launch = make(OpKind::launch_graph, order_.ops().back().thread);
      launch.graph = int16_t(graph);
      (void)add_if_accepted(launch);
    }
    return true;
  }

  static Op hand_over(int from, int to) {
    Op op;
    op.kind = OpKind::hand_over;
    op.thread = uint8_t(from);
    op.other = int16_t(to);
    return op;
  }

  OpKind choose_kind() {
    int left = random_.below(size_t(total_));
    size_t i = 0;
    while ((left -= weights_[i]) >= 0)
      ++i;
    return weights[i].kind;
  }

  void step() {
    const int thread = random_.below(size_t(program_.threads));
    const OpKind kind = choose_kind();
    if (!possible(kind))
      return;
    if (kind == OpKind::end_capture)
      return void(end_capture_and_launch(any(order_.captures())));
    Op op = make(kind, thread);
    for (int attempt = 0; attempt < 3 && !order_.accepts(op); ++attempt)
      op = make(kind, thread);
    if (order_.accepts(op)) {
      add(op);
      return follow(op);
    }
    // What it needs was done by another thread.
    if (int from = random_.below(size_t(program_.threads)); from != thread && random_.one_in(2))
      add(hand_over(from, thread));
  }

  /// What goes wrong often does so between neighbours.
  void follow(const Op &op) {
    auto one_of = [&](auto... kinds) {
      const OpKind all[] = {kinds...};
      return all[random_.below(std::size(all))];
    };
    OpKind kind;
    switch (op.kind) {
    case OpKind::record:
      kind = one_of(OpKind::wait, OpKind::wait, OpKind::record, OpKind::event_query);
      break;
    case OpKind::wait:
      kind = one_of(OpKind::stream_synchronize, OpKind::stream_query, OpKind::stream_destroy,
                    OpKind::stream_destroy, OpKind::record);
      break;
    case OpKind::stream_create:
      kind = one_of(OpKind::kernel, OpKind::stream_query);
      break;
    case OpKind::stream_destroy:
      kind = one_of(OpKind::kernel, OpKind::stream_create, OpKind::stream_query,
                    OpKind::stream_synchronize);
      break;
    case OpKind::event_synchronize:
      kind = one_of(OpKind::stream_synchronize, OpKind::kernel);
      break;
    case OpKind::stream_synchronize:
      kind = one_of(OpKind::kernel, OpKind::record);
      break;
    case OpKind::pool_free:
      kind = OpKind::pool_allocate;
      break;
    case OpKind::launch_graph:
      kind =
          one_of(OpKind::launch_graph, OpKind::launch_graph, OpKind::set_node, OpKind::update_graph,
                 OpKind::enable_node, OpKind::destroy_graph, OpKind::kernel, OpKind::record);
      break;
    case OpKind::set_node:
    case OpKind::update_graph:
    case OpKind::enable_node:
    case OpKind::clone_graph:
      kind = OpKind::launch_graph;
      break;
    default:
      return;
    }
    if (random_.below(10) >= follow_in_ten_ || !possible(kind))
      return;
    if (kind == OpKind::wait || kind == OpKind::pool_allocate)
      last_stream_ = -1; // another one
    Op next = make(kind, op.thread);
    if (kind == OpKind::wait)
      next.event = op.event;
    else if ((op.kind == OpKind::wait &&
              (kind != OpKind::stream_destroy || op.stream >= first_created_stream)) ||
             kind == OpKind::stream_query)
      next.stream = op.stream;
    if (op.kind == OpKind::stream_destroy
            ? kind != OpKind::stream_create
            : op.kind == OpKind::stream_create && kind == OpKind::kernel)
      next.stream = null_stream;
    if (order_.accepts(next)) {
      add(next);
      follow(next);
    }
  }

  bool possible(OpKind kind) const {
    switch (kind) {
    case OpKind::record:
    case OpKind::wait:
    case OpKind::event_query:
    case OpKind::event_synchronize:
    case OpKind::event_destroy:
      return !order_.events().empty();
    case OpKind::elapsed:
      return std::count_if(order_.events().begin(), order_.events().end(),
                           [&](int event) { return order_.has_timing(event); }) >= 2;
    case OpKind::write_value:
      return std::ranges::count(order_.values(), -1) > 0;
    case OpKind::wait_value:
      return std::ranges::count(order_.values(), -1) < max_values;
    case OpKind::stream_create:
      return order_.streams().size() < 14;
    case OpKind::stream_destroy:
      return !order_.streams().empty();
    case OpKind::event_create:
      return order_.events().size() < 3;
    case OpKind::free:
      return !order_.memory().empty() || !order_.pool_memory().empty();
    case OpKind::pool_allocate:
      return order_.pool_memory().size() < 3;
    case OpKind::pool_free:
      return !order_.pool_memory().empty();
    case OpKind::begin_capture:
      return !order_.streams().empty() && order_.captures().size() < 2 && next_graph_ < 6;
    case OpKind::end_capture:
      return !order_.captures().empty();
    case OpKind::set_node:
    case OpKind::enable_node:
    case OpKind::launch_graph:
    case OpKind::update_graph:
    case OpKind::clone_graph:
    case OpKind::destroy_graph:
      return !order_.graphs().empty();
    case OpKind::hand_over:
      return program_.threads > 1;
    default:
      return true;
    }
  }

  int any(const std::vector<int> &numbers) {
    return numbers[size_t(random_.below(numbers.size()))];
  }

  void choose_stream(Op &op) {
    const int chance = random_.below(10);
    op.flag = random_.one_in(4);
    if (!order_.captures().empty() && random_.below(10) < capture_in_ten_)
      op.stream = int16_t(any(order_.captured_streams(any(order_.captures()))));
    else if (last_stream_ >= 0 && random_.below(10) < again_in_ten_) {
      op.stream =
          int16_t(is_per_thread(last_stream_) ? per_thread_stream(op.thread) : last_stream_);
    } else if (chance < null_in_ten_)
      op.stream = null_stream;
    else if (chance < null_in_ten_ + per_thread_in_ten_ || order_.streams().empty())
      op.stream = int16_t(per_thread_stream(op.thread));
    else
      op.stream = int16_t(any(order_.streams()));
    last_stream_ = op.stream;
  }

  bool is_slow(const Op &op) { return op.stream == slow_stream_ || random_.one_in(slow_one_in_); }

  int any_event() {
    if (last_event_ < 0 || random_.below(10) >= again_in_ten_)
      last_event_ = any(order_.events());
    return last_event_;
  }

  int any_graph() {
    const auto &graphs = order_.graphs();
    return random_.one_in(2) ? graphs.back() : any(graphs);
  }

  How how_to_set() {
    if (much_staging_ && !random_.one_in(4))
      return How::through_staging;
    constexpr How all[] = {How::fill_bytes,     How::fill_words,      How::fill_null,
                           How::from_pageable,  How::from_pinned,     How::from_device,
                           How::from_pageable,  How::through_memory,  How::from_pinned,
                           How::from_host_wait, How::through_staging, How::write_value};
    How how = all[random_.below(std::size(all))];
    return how == How::through_memory && order_.memory().empty() ? How::from_pageable : how;
  }

  How how_to_look() {
    constexpr How all[] = {How::to_device,      How::to_device,  How::to_pinned,
                           How::to_pinned,      How::to_pinned,  How::to_host_wait,
                           How::to_host_stream, How::to_pageable};
    return all[random_.below(std::size(all))];
  }

  Op make(OpKind kind, int thread) {
    Op op;
    op.kind = kind;
    op.thread = uint8_t(thread);
    switch (kind) {
    case OpKind::kernel:
    case OpKind::repeated_kernel:
    case OpKind::stream_query:
    case OpKind::stream_synchronize:
      choose_stream(op);
      if (kind == OpKind::kernel && is_slow(op))
        op.amount = uint32_t(random_.below(random_.one_in(8) ? 100'000 : 10'000));
      break;
    case OpKind::spilled_kernel:
      choose_stream(op);
      op.amount = random_.one_in(2) ? 1040 : 4080;
      break;
    case OpKind::host_function:
    case OpKind::callback:
      choose_stream(op);
      if (is_slow(op))
        op.amount = uint32_t(random_.below(random_.one_in(3) ? 2000 : 300));
      break;
    case OpKind::set:
      choose_stream(op);
      op.how = how_to_set();
      if (op.how == How::fill_null || op.how == How::from_host_wait)
        op.stream = null_stream, op.flag = false;
      if (op.how == How::through_memory)
        op.memory = int16_t(any(order_.memory()));
      if (op.how == How::through_staging)
        op.amount = random_.one_in(4)
                        ? 80'000
                        : 4 * uint32_t(much_staging_ ? 15'000 : 1 + random_.below(15'000));
      break;
    case OpKind::snapshot:
      choose_stream(op);
      op.how = how_to_look();
      if (op.how == How::to_host_wait)
        op.stream = null_stream, op.flag = false;
      break;
    case OpKind::record:
    case OpKind::wait:
      choose_stream(op);
      op.event = int16_t(any_event());
      break;
    case OpKind::event_query:
    case OpKind::event_synchronize:
    case OpKind::event_destroy:
    case OpKind::elapsed:
      op.event = int16_t(any_event());
      if (kind == OpKind::elapsed)
        op.other = int16_t(any(order_.events()));
      break;
    case OpKind::stream_create:
      op.stream = int16_t(next_stream_++);
      op.stream_kind = random_.below(10) < non_blocking_in_ten_ ? StreamKind::non_blocking
                                                                : StreamKind::blocking;
      op.priority = int8_t(random_.one_in(4) ? random_.below(3) - 1 : 0);
      break;
    case OpKind::stream_destroy:
      op.stream = int16_t(last_stream_ >= first_created_stream && random_.below(10) < again_in_ten_
                              ? last_stream_
                              : any(order_.streams()));
      break;
    case OpKind::event_create:
      op.event = int16_t(next_event_++);
      op.flag = random_.below(10) < timed_in_ten_;
      break;
    case OpKind::allocate:
      op.memory = int16_t(next_memory_++);
      break;
    case OpKind::free:
      op.memory = int16_t(any(order_.memory().empty() ? order_.pool_memory() : order_.memory()));
      break;
    case OpKind::pool_allocate:
      choose_stream(op);
      op.memory = int16_t(next_memory_++);
      break;
    case OpKind::write_value:
    case OpKind::wait_value:
      choose_stream(op);
      do
        op.value = int16_t(random_.below(max_values));
      while ((order_.values()[size_t(op.value)] < 0) != (kind == OpKind::write_value));
      break;
    case OpKind::pool_free:
      choose_stream(op);
      op.memory = int16_t(any(order_.pool_memory()));
      break;
    case OpKind::begin_capture:
      op.stream = int16_t(any(order_.streams()));
      op.graph = int16_t(next_graph_++);
      break;
    case OpKind::launch_graph:
      choose_stream(op);
      op.graph = int16_t(any_graph());
      break;
    case OpKind::set_node:
    case OpKind::enable_node:
      op.graph = int16_t(any_graph());
      op.node = int16_t(random_.below(size_t(std::max(order_.nodes(op.graph), 1))));
      op.flag = random_.one_in(2);
      break;
    case OpKind::update_graph:
    case OpKind::destroy_graph:
      op.graph = int16_t(any_graph());
      break;
    case OpKind::clone_graph:
      op.graph = int16_t(next_graph_++);
      op.other = int16_t(any(order_.graphs()));
      break;
    case OpKind::end_capture: // makes itself
    case OpKind::skipped:
      break;
    case OpKind::hand_over:
      op.other =
          int16_t((thread + 1 + random_.below(size_t(program_.threads - 1))) % program_.threads);
      break;
    case OpKind::pause:
      op.amount = uint32_t(random_.below(200));
      break;
    case OpKind::device_synchronize:
      break;
    }
    return op;
  }

  Random random_;
  Program program_;
  Order order_;
  std::array<int, weights.size()> weights_{};
  int total_ = 0;
  int non_blocking_in_ten_, null_in_ten_, per_thread_in_ten_, slow_one_in_, slow_stream_;
  int again_in_ten_; // how often the same stream or event again
  int follow_in_ten_;
  int timed_in_ten_;
  bool much_staging_;
  bool has_graphs_;
  int capture_in_ten_; // how often on a captured stream, if there is one
  int last_stream_ = -1, last_event_ = -1;
  int next_stream_ = first_created_stream, next_event_ = 0, next_memory_ = 0, next_graph_ = 0;
};

} // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

} // namespace model
