#include "runner_work.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <thread>
#include <utility>

namespace model {
namespace {

uint32_t hash(uint64_t value) { return uint32_t(Random(value).next()) | 1; }

} // namespace

void require(hipError_t result, const char *what) {
  if (result != hipSuccess)
    throw Lost(std::format("{}: {}", what, hipGetErrorName(result)));
}

void sleep_us(uint32_t microseconds) {
  if (microseconds)
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

Runner::Runner(const char *code_object)
    : read_back_(size_t(max_ops) * snapshot_words), pageable_(size_t(max_ops) * snapshot_words) {
  require(hipModuleLoad(&module_, code_object), code_object);
  require(hipModuleGetFunction(&mark_, module_, "mark"), "mark");
  require(hipModuleGetFunction(&mark_1040_, module_, "mark_1040"), "mark_1040");
  require(hipModuleGetFunction(&mark_4080_, module_, "mark_4080"), "mark_4080");
  require(hipModuleGetFunction(&repeated_, module_, "repeated"), "repeated");
  auto device = [](auto &pointer, size_t bytes) {
    require(hipMalloc(reinterpret_cast<void **>(&pointer), bytes), "hipMalloc");
  };
  require(hipHostMalloc(reinterpret_cast<void **>(&shared_), sizeof *shared_, 0), "hipHostMalloc");
  device(device_snapshots_, read_back_.size() * sizeof(uint32_t));
  device(device_tokens_, max_ops * sizeof(uint32_t));
  device(staging_, max_ops * staging_bytes);
  std::vector<uint32_t> tokens;
  for (int i = 0; i < max_ops; ++i)
    tokens.push_back(hash(uint64_t(i)));
  require(hipMemcpy(device_tokens_, tokens.data(), tokens.size() * sizeof(uint32_t),
                    hipMemcpyHostToDevice),
          "hipMemcpy");
}

Runner::~Runner() {
  for (void *memory : {static_cast<void *>(device_snapshots_), static_cast<void *>(device_tokens_),
                       static_cast<void *>(staging_)})
    (void)hipFree(memory);
  (void)hipHostFree(shared_);
  (void)hipModuleUnload(module_);
}

hipStream_t Runner::stream(const Op &op) const {
  if (op.stream == null_stream)
    return op.flag ? hipStreamLegacy : nullptr;
  if (op.stream < first_created_stream)
    return hipStreamPerThread;
  return streams_[size_t(op.stream)];
}

/// What the operation's mark becomes: never 0.
uint32_t Runner::token(int index) const {
  const Op &op = program_->ops[size_t(index)];
  if (op.kind == OpKind::pool_free)
    return token(allocated_[size_t(op.memory)]); // what was written then is still there
  if (op.how == How::from_device)
    return hash(uint64_t(index));
  const uint32_t token = hash(program_->seed + uint64_t(index));
  return op.how == How::fill_bytes || op.how == How::fill_null ? (token & 0xff) * 0x01010101u
                                                               : token;
}

uint32_t Runner::mark(int index) const {
  return std::atomic_ref(shared_->board.marks[index]).load(std::memory_order_acquire);
}

/// As far as the host can tell.
bool Runner::has_run(int index) const {
  const Op &op = program_->ops[size_t(index)];
  if (marks_itself(op))
    return mark(index) == token(index);
  if (looks_at_marks(op) && op.how == How::to_pinned)
    return std::atomic_ref(const_cast<uint32_t &>(snapshot_of(index)[program_->ops.size()]))
               .load(std::memory_order_acquire) == last_word;
  return true;
}

/// On the host. Runs of a node with the same parameters leave theirs in the same place, and all but the last are not looked at.
const uint32_t *Runner::snapshot_of(int index) const {
  const Op &op = program_->ops[size_t(index)];
  const int row = is_run(op) ? op.first : index;
  return op.how == How::to_device ? read_back_.data() + size_t(row) * snapshot_words
                                  : shared_->snapshots[row];
}

void Runner::violate(int index, const std::string &what) {
  std::lock_guard lock(mutex_);
  violations_.push_back(
      std::format("{}\n       {}", to_string(program_->ops[size_t(index)], index), what));
}

bool Runner::expect(int index, hipError_t result) {
  if (result != hipSuccess)
    violate(index, std::format("answered {}", hipGetErrorName(result)));
  return result == hipSuccess;
}

void Runner::prepare(const Program &program) {
  const size_t count = program.ops.size();
  Board &board = shared_->board;
  std::memset(&board, 0, sizeof board);
  board.marks[count] = last_word;
  std::fill(std::begin(shared_->values), std::end(shared_->values), 0);
  for (auto &snapshot : shared_->snapshots)
    snapshot[count] = 0;
  scripts_.assign(size_t(program.threads), {});
  size_t streams = first_created_stream, events = 0, memory = 0, graphs = 0;
  host_calls_.clear();
  for (size_t i = 0; i < count; ++i) {
    const Op &op = program.ops[i];
    if (!is_run(op))
      scripts_[op.thread].push_back(int(i));
    if (op.kind == OpKind::hand_over)
      scripts_[size_t(op.other)].push_back(int(i));
    handed_over_[i] = false;
    host_calls_.push_back({this, uint32_t(i)});
    streams = std::max(streams, size_t(op.stream + 1));
    events = std::max(events, size_t(op.event + 1));
    memory = std::max(memory, size_t(op.memory + 1));
    graphs = std::max(graphs, size_t(op.graph + 1));
  }
  allocated_.assign(memory, -1);
  for (size_t i = 0; i < count; ++i)
    if (program.ops[i].kind == OpKind::pool_allocate)
      allocated_[size_t(program.ops[i].memory)] = int(i);
  streams_.assign(streams, nullptr);
  events_.assign(events, nullptr);
  memory_.assign(memory, nullptr);
  graphs_.assign(graphs, {});
  for (Graph &graph : graphs_)
    graph.nodes.resize(count);
  rows_.resize(count);
  prepare_turns();
  violations_.clear();
}

Violations Runner::run(const Program &program, const std::vector<Promise> &promises) {
  program_ = &program;
  promises_ = &promises;
  prepare(program);
  std::vector<std::thread> threads;
  for (int thread = 1; thread < program.threads; ++thread)
    threads.emplace_back([this, thread] { run_thread(thread); });
  run_thread(0);
  for (std::thread &thread : threads)
    thread.join();
  for (Graph &graph : graphs_)
    if (graph.captured_in)
      destroy(graph);
  require(hipDeviceSynchronize(), "hipDeviceSynchronize at the end of a program");
  check_seen();
  check_times();
  clean_up();
  return std::move(violations_);
}

void Runner::run_thread(int thread) {
  for (int index : scripts_[size_t(thread)]) {
    const Op &op = program_->ops[size_t(index)];
    if (op.kind != OpKind::hand_over) {
      execute(index);
      if (is_captured(op))
        remember_node(index);
    } else if (op.thread == thread) {
      handed_over_[size_t(index)].store(true, std::memory_order_release);
      handed_over_[size_t(index)].notify_all();
    } else {
      handed_over_[size_t(index)].wait(false, std::memory_order_acquire);
    }
  }
}

void Runner::execute(int index) {
  const Op &op = program_->ops[size_t(index)];
  const Promise &promise = (*promises_)[size_t(index)];
  hipError_t result = hipSuccess;
  switch (op.kind) {
  case OpKind::kernel:
  case OpKind::spilled_kernel:
  case OpKind::repeated_kernel:
    return launch(index, stream(op));
  case OpKind::host_function:
    result =
        hipLaunchHostFunc(stream(op), host_function, &host_calls_[size_t(rows_[size_t(index)])]);
    break;
  case OpKind::callback:
    result = hipStreamAddCallback(stream(op), callback, &host_calls_[size_t(index)], 0);
    break;
  case OpKind::set:
    return set(index, stream(op));
  case OpKind::snapshot:
    return snapshot(index, stream(op));
  case OpKind::pool_allocate:
  case OpKind::pool_free:
    return use_pool(index, stream(op));
  case OpKind::record:
    result = hipEventRecord(events_[size_t(op.event)], stream(op));
    break;
  case OpKind::wait:
    result = hipStreamWaitEvent(stream(op), events_[size_t(op.event)], 0);
    break;
  case OpKind::write_value:
    result = hipStreamWriteValue32(stream(op), &shared_->values[op.value], 1, 0);
    break;
  case OpKind::wait_value:
    result = hipStreamWaitValue32(stream(op), &shared_->values[op.value], 1, hipStreamWaitValueGte,
                                  UINT32_MAX);
    break;
  case OpKind::begin_capture:
  case OpKind::end_capture:
  case OpKind::launch_graph:
  case OpKind::set_node:
  case OpKind::update_graph:
  case OpKind::enable_node:
  case OpKind::clone_graph:
  case OpKind::destroy_graph:
    return change_graph(index);
  case OpKind::event_query:
  case OpKind::stream_query:
    result = op.kind == OpKind::event_query ? hipEventQuery(events_[size_t(op.event)])
                                            : hipStreamQuery(stream(op));
    if (result == hipErrorNotReady && !promise.must_succeed)
      return;
    break;
  case OpKind::event_synchronize:
    result = hipEventSynchronize(events_[size_t(op.event)]);
    break;
  case OpKind::elapsed: {
    float ms = 0;
    result = hipEventElapsedTime(&ms, events_[size_t(op.event)], events_[size_t(op.other)]);
    return check_elapsed(index, result, ms);
  }
  case OpKind::stream_synchronize:
    result = hipStreamSynchronize(stream(op));
    break;
  case OpKind::device_synchronize:
    result = hipDeviceSynchronize();
    break;
  case OpKind::stream_create:
    result = hipStreamCreateWithPriority(
        &streams_[size_t(op.stream)],
        op.stream_kind == StreamKind::non_blocking ? hipStreamNonBlocking : hipStreamDefault,
        op.priority);
    break;
  case OpKind::stream_destroy:
    result = hipStreamDestroy(std::exchange(streams_[size_t(op.stream)], nullptr));
    break;
  case OpKind::event_create:
    result = hipEventCreateWithFlags(&events_[size_t(op.event)],
                                     op.flag ? hipEventDefault : hipEventDisableTiming);
    break;
  case OpKind::event_destroy:
    result = hipEventDestroy(std::exchange(events_[size_t(op.event)], nullptr));
    break;
  case OpKind::allocate:
    result = hipMalloc(&memory_[size_t(op.memory)], max_ops * sizeof(uint32_t));
    break;
  case OpKind::free:
    result = hipFree(std::exchange(memory_[size_t(op.memory)], nullptr));
    break;
  case OpKind::hand_over:
  case OpKind::skipped:
    break;
  case OpKind::pause:
    sleep_us(op.amount);
    break;
  }
  if (expect(index, result))
    check_complete(index);
}

/// The call has returned: what it promises is done.
void Runner::check_complete(int index) {
  const Ops &complete = (*promises_)[size_t(index)].complete;
  for (size_t i = complete._Find_first(); i < complete.size(); i = complete._Find_next(i))
    if (!has_run(int(i)))
      violate(index, std::format("returned before this was done:\n     {}",
                                 to_string(program_->ops[i], int(i))));
}

void Runner::check_elapsed(int index, hipError_t result, float ms) {
  const Promise &promise = (*promises_)[size_t(index)];
  const int first = promise.first_record, second = promise.second_record;
  if (first < 0 || second < 0) {
    if (result != hipErrorInvalidHandle)
      violate(index,
              std::format("answered {} for an event without a record", hipGetErrorName(result)));
    return;
  }
  if (result == hipErrorNotReady && !promise.must_succeed)
    return;
  if (expect(index, result))
    check_time(index, first, second, ms);
}

/// All has run: which marks did each operation see?
void Runner::check_seen() {
  const auto &ops = program_->ops;
  bool on_device = false;
  uint32_t repeated = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    on_device |= ops[i].how == How::to_device;
    repeated += ops[i].kind == OpKind::repeated_kernel && !is_captured(ops[i]);
    if (!has_run(int(i)))
      violate(int(i), mark(int(i)) ? "wrote something else than it was given" : "was lost");
    if (shared_->board.wrong[i])
      violate(int(i), "had its arguments changed");
  }
  if (shared_->board.repeated != repeated || shared_->board.repeated_wrong)
    violations_.push_back(std::format("repeated_kernel ran {} times of {}, its arguments were {}",
                                      shared_->board.repeated, repeated,
                                      shared_->board.repeated_wrong ? "changed" : "right"));
  if (on_device)
    require(hipMemcpy(read_back_.data(), device_snapshots_,
                      ops.size() * snapshot_words * sizeof(uint32_t), hipMemcpyDeviceToHost),
            "hipMemcpy at the end of a program");
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!looks_at_marks(ops[i]))
      continue;
    const uint32_t *snapshot = snapshot_of(int(i));
    const Promise &promise = (*promises_)[i];
    for (size_t j = 0; j < ops.size(); ++j) {
      if (!marks_itself(ops[j]))
        continue;
      const bool saw = ops[i].kind == OpKind::snapshot
                           ? promise.before[j] ? snapshot[j] == token(int(j)) : snapshot[j] != 0
                           : shared_->board.seen[i][j / 64] >> (j % 64) & 1;
      if (promise.before[j] && !saw)
        violate(int(i), "ran before\n     " + to_string(ops[j], int(j)));
      if (promise.after[j] && saw)
        violate(int(i), "ran after\n     " + to_string(ops[j], int(j)));
    }
  }
}

/// All has run: the times between the events that are left.
void Runner::check_times() {
  std::vector<int> timed; // the last record of each
  for (size_t event = 0; event < events_.size(); ++event) {
    int record = -1;
    bool timing = false;
    for (size_t i = 0; i < program_->ops.size(); ++i) {
      const Op &op = program_->ops[i];
      if (op.event != int(event))
        continue;
      if (op.kind == OpKind::record)
        record = is_captured(op) ? -1 : int(i);
      else if (op.kind == OpKind::event_create)
        timing = op.flag;
    }
    if (events_[event] && timing && record >= 0)
      timed.push_back(record);
  }
  for (int first : timed)
    for (int second : timed)
      if ((*promises_)[size_t(second)].before[size_t(first)]) {
        float ms = 0;
        if (expect(second,
                   hipEventElapsedTime(&ms, events_[size_t(program_->ops[size_t(first)].event)],
                                       events_[size_t(program_->ops[size_t(second)].event)])))
          check_time(second, first, second, ms);
      }
}

void Runner::check_time(int index, int first, int second, float ms) {
  if ((ms < 0 && (*promises_)[size_t(second)].before[size_t(first)]) ||
      (ms > 0 && (*promises_)[size_t(first)].before[size_t(second)]))
    violate(index, std::format("{} ms are said to be between\n     {}\n     {}", ms,
                               to_string(program_->ops[size_t(first)], first),
                               to_string(program_->ops[size_t(second)], second)));
}

void Runner::clean_up() {
  for (Graph &graph : graphs_)
    destroy(graph);
  for (hipStream_t stream : streams_)
    if (stream)
      require(hipStreamDestroy(stream), "hipStreamDestroy");
  for (hipEvent_t event : events_)
    if (event)
      require(hipEventDestroy(event), "hipEventDestroy");
  for (void *memory : memory_)
    if (memory)
      require(hipFree(memory), "hipFree");
}

} // namespace model
