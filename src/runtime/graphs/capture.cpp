#include "capture.h"
#include "captured_work.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace chip {
namespace {

/// What a thread is to captures.
struct ThreadCapture {
  uint64_t id = 0; // never used again, unlike those of the system
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
};

ThreadCapture &this_thread() {
  constinit static thread_local ThreadCapture own;
  static std::atomic<uint64_t> last{0};
  if (own.id == 0)
    own.id = ++last;
  return own;
}

void check_mode(hipStreamCaptureMode mode) {
  if (mode != hipStreamCaptureModeGlobal && mode != hipStreamCaptureModeThreadLocal &&
      mode != hipStreamCaptureModeRelaxed)
    throw Error(hipErrorInvalidValue, "`mode` is not a hipStreamCaptureMode");
}

[[noreturn]] void refuse_invalid() {
  throw Error(hipErrorStreamCaptureInvalidated,
              "an earlier call made the capture that `stream` takes part in invalid");
}

void add_new(std::vector<hipGraphNode_t> &all, std::span<const hipGraphNode_t> nodes) {
  for (const hipGraphNode_t node : nodes)
    if (!std::ranges::contains(all, node))
      all.push_back(node);
}

// Whoever needs more than one lock takes them in this order: `members`, that of a sequence, those of a stream's capture, of the
// null stream's, of an event and of the tables of handles.
constinit std::mutex members; // for streams that begin to be captured, end, or are destroyed

class Sequence;

/// What one stream does in a capture.
struct Branch {
  Sequence &sequence;
  Stream *stream;                           // null once it is destroyed: what it did stays
  std::vector<hipGraphNode_t> dependencies; // of its next node
  std::atomic<bool> is_invalid{false};
};

/// A stream's own part in captures, the same for each capture of the stream.
class StreamCapture final : public Capture {
public:
  void *add(const StreamTarget &stream, operations::Any &&operation) override;
  void add_node(const StreamTarget &stream, NodeWork &&work) override;
  void invalidate() noexcept override;
  void leave() noexcept override;

  /// Null if the stream is not captured any more. It keeps the sequence.
  std::shared_ptr<Branch> branch() const { return *branch_.lock(); }
  void set_branch(std::shared_ptr<Branch> branch) { branch_.lock()->swap(branch); }

private:
  common::Guarded<std::shared_ptr<Branch>> branch_;
};

/// In the place of the null stream's queue while streams are captured that are ordered with it.
class NullStreamCapture final : public Capture {
public:
  static NullStreamCapture &of(Device &device) {
    // Outlives static destructors, which may call.
    static auto &all = *new common::Guarded<std::unordered_map<Device *, NullStreamCapture>>;
    return (*all.lock())[&device];
  }

  void *add(const StreamTarget &, operations::Any &&) override {
    invalidate();
    refuse_null_stream();
  }
  void add_node(const StreamTarget &stream, NodeWork &&) override {
    add(stream, operations::Free{nullptr}); // refused like any other
  }
  void invalidate() noexcept override;

  void enter(Device &device, Sequence &sequence) {
    const auto sequences = sequences_.lock();
    sequences->push_back(&sequence);
    device.null_stream_capture.store(this, std::memory_order_release);
  }
  void exit(Device &device, Sequence &sequence) noexcept {
    const auto sequences = sequences_.lock();
    sequences->erase(std::ranges::find(*sequences, &sequence));
    if (sequences->empty())
      device.null_stream_capture.store(nullptr, std::memory_order_release);
  }

private:
  common::Guarded<std::vector<Sequence *>> sequences_; // one for each stream
};

/// A capture, with all streams that take part in it.
class Sequence final : public CaptureInProgress, public std::enable_shared_from_this<Sequence> {
public:
  enum class GraphIs : bool { new_one, there_already };
  Sequence(std::shared_ptr<Graph> graph, GraphIs graph_is, hipStreamCaptureMode mode)
      : graph_is_(graph_is), mode_(mode), graph_(std::move(graph)) {}

  bool covers_this_thread() const noexcept override {
    const ThreadCapture &thread = this_thread();
    if (mode_ == hipStreamCaptureModeRelaxed || thread.mode == hipStreamCaptureModeRelaxed)
      return false;
    return thread_ == thread.id ||
           (mode_ == hipStreamCaptureModeGlobal && thread.mode == hipStreamCaptureModeGlobal);
  }
  void invalidate() noexcept override { is_invalid_ = true; }
  /// What a stream does that is not allowed is its own loss, unless the capture began in it.
  void invalidate(Branch &branch) noexcept {
    (began_in(branch) ? is_invalid_ : branch.is_invalid) = true;
  }
  bool is_invalid(const Branch &branch) const { return is_invalid_ || branch.is_invalid; }
  bool has_ended() const { return has_ended_; }
  bool began_in(const Branch &branch) const { return &branch == &branches_.front(); }
  bool may_end_in_this_thread() const {
    return mode_ == hipStreamCaptureModeRelaxed || thread_ == this_thread().id;
  }

  /// The first is the one in which the capture begins.
  void join(Stream &stream, std::span<const hipGraphNode_t> dependencies);
  /// Both end the capture, leave() if it began in the branch. `graph` receives the graph, lost or not, for a caller that lets go of
  /// it without a lock: its memory may be waited for.
  void leave(Branch &branch, std::shared_ptr<Graph> &graph) noexcept;
  void end(std::shared_ptr<Graph> &graph);

  void *add(Branch &branch, const StreamTarget &stream, operations::Any &&operation);
  void add(Branch &branch, NodeWork &&work);
  void update(Branch &branch, std::span<const hipGraphNode_t> dependencies, unsigned flags);
  CaptureInfo info(const Branch &branch) const;

private:
  // With the lock.
  void check_valid(const Branch &branch) const {
    if (is_invalid(branch) || has_ended_)
      refuse_invalid();
  }
  void check_nodes(std::span<const hipGraphNode_t> nodes) const;
  void wait(Branch &branch, Event &event);
  void *add_node(Branch &branch, NodeWork &&work, void *result = nullptr);
  bool is_joined() const;
  std::shared_ptr<Graph> finish() noexcept;
  void drop(Graph &graph) const {
    if (graph_is_ == GraphIs::new_one)
      graph.retire();
  }

  const uint64_t id_ = [] {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }();
  const uint64_t thread_ = this_thread().id;
  const GraphIs graph_is_;
  const hipStreamCaptureMode mode_;
  std::atomic<bool> is_invalid_{false}, has_ended_{false};

  mutable std::mutex mutex_;     // for what follows
  std::shared_ptr<Graph> graph_; // until the capture ends
  std::deque<Branch> branches_;
  // Nodes that hipStreamUpdateCaptureDependencies took from a stream: nothing need wait for them.
  std::vector<hipGraphNode_t> released_;
};

/// Where a stream was when it recorded an event.
class Point final : public CapturedPoint {
public:
  explicit Point(std::shared_ptr<Branch> recorded_by)
      : branch(std::move(recorded_by)), nodes(branch->dependencies) {}

  bool is_in_progress() const noexcept override { return !branch->sequence.has_ended(); }
  void invalidate() noexcept override { branch->sequence.invalidate(*branch); }
  void join(Stream &stream) override {
    if (branch->sequence.is_invalid(*branch))
      refuse_invalid();
    const std::lock_guard lock(members);
    branch->sequence.join(stream, nodes);
  }

  const std::shared_ptr<Branch> branch; // which keeps the sequence
  const std::vector<hipGraphNode_t> nodes;
};

// ---- Streams that take part

bool is_ordered_with_null_stream(const Stream &stream) {
  return stream.queue->kind() == Queue::Kind::blocking;
}

/// The stream is not captured from now on. With the lock of `members`, and while somebody else keeps the sequence.
void detach(Branch &branch) noexcept {
  Stream &stream = *std::exchange(branch.stream, nullptr);
  if (is_ordered_with_null_stream(stream))
    NullStreamCapture::of(*stream.device).exit(*stream.device, branch.sequence);
  stream.capture.store(nullptr, std::memory_order_release);
  static_cast<StreamCapture *>(stream.own_capture)->set_branch(nullptr);
}

// With the lock of `members`.
void Sequence::join(Stream &stream, std::span<const hipGraphNode_t> dependencies) {
  if (stream.capture)
    throw Error(hipErrorIllegalState, "`stream` is captured already");
  const std::lock_guard lock(mutex_);
  if (is_invalid_ || has_ended_)
    refuse_invalid();
  check_nodes(dependencies);
  if (!stream.own_capture)
    stream.own_capture = new StreamCapture;
  Branch &branch = branches_.emplace_back(*this, &stream);
  try {
    add_new(branch.dependencies, dependencies);
    if (is_ordered_with_null_stream(stream))
      NullStreamCapture::of(*stream.device).enter(*stream.device, *this);
  } catch (...) {
    branches_.pop_back();
    throw;
  }
  static_cast<StreamCapture *>(stream.own_capture)
      ->set_branch(std::shared_ptr<Branch>(shared_from_this(), &branch));
  stream.capture.store(stream.own_capture, std::memory_order_release);
  if (began_in(branch))
    graph_->captures.fetch_add(1);
}

// With the lock of `members`.
void Sequence::leave(Branch &branch, std::shared_ptr<Graph> &graph) noexcept {
  const std::lock_guard lock(mutex_);
  if (has_ended_)
    return;
  if (!began_in(branch))
    return detach(branch);
  graph = finish();
  drop(*graph);
}

std::shared_ptr<Graph> Sequence::finish() noexcept {
  end_capture(*this);
  has_ended_ = true;
  for (Branch &branch : branches_)
    if (branch.stream)
      detach(branch);
  graph_->captures.fetch_sub(1);
  return std::move(graph_);
}

// With the lock of `members`.
void Sequence::end(std::shared_ptr<Graph> &graph) {
  const std::lock_guard lock(mutex_);
  if (has_ended_)
    throw Error(hipErrorIllegalState, "`stream` is not captured");
  const bool joined = is_invalid_ || is_joined();
  const bool is_valid = !is_invalid_ && graph_->is_published() &&
                        std::ranges::none_of(branches_, [](const Branch &branch) {
                          return branch.is_invalid.load();
                        });
  graph = finish();
  if (joined && is_valid)
    return;
  drop(*graph);
  if (!joined)
    throw Error(hipErrorStreamCaptureUnjoined,
                "a stream has captured work that `stream` does not wait for");
  refuse_invalid();
}

bool Sequence::is_joined() const {
  if (branches_.size() == 1)
    return true; // without a look at all nodes
  const std::lock_guard lock(graph_->mutex);
  std::unordered_set<const GraphNode *> reached;
  std::vector<const GraphNode *> open(released_.begin(), released_.end());
  std::ranges::copy(branches_.front().dependencies, std::back_inserter(open));
  while (!open.empty()) {
    const GraphNode *node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      std::ranges::copy(node->dependencies, std::back_inserter(open));
  }
  return std::ranges::all_of(branches_, [&](const Branch &branch) {
    return std::ranges::all_of(branch.dependencies,
                               [&](const GraphNode *node) { return reached.contains(node); });
  });
}

// ---- What they do

void Sequence::check_nodes(std::span<const hipGraphNode_t> nodes) const {
  for (const hipGraphNode_t node : nodes)
    if (&find_node(node, "dependencies")->graph != graph_.get())
      throw Error(hipErrorInvalidValue,
                  "an element of `dependencies` is not a node of the graph of the capture");
}

void *Sequence::add_node(Branch &branch, NodeWork &&work, void *result) {
  branch.dependencies = {&graph_->add_after(std::move(work), branch.dependencies)};
  return result;
}

void Sequence::wait(Branch &branch, Event &event) {
  const auto captured = captured_point(event);
  if (!captured) {
    if (!event.was_recorded)
      return; // counts as done
    invalidate();
    throw Error(hipErrorStreamCaptureIsolation,
                "`stream` is captured, and `event` was recorded outside of its capture");
  }
  const Point &point = static_cast<const Point &>(*captured);
  Sequence &other = point.branch->sequence;
  if (&other != this) {
    invalidate();
    other.invalidate();
    throw Error(hipErrorStreamCaptureMerge, "`event` was recorded in another capture");
  }
  if (point.branch->is_invalid)
    refuse_invalid();
  add_new(branch.dependencies, point.nodes);
}

void *Sequence::add(Branch &branch, const StreamTarget &stream, operations::Any &&operation) {
  const std::lock_guard lock(mutex_);
  check_valid(branch);
  if (const auto *wait_event = std::get_if<operations::KeptWaitEvent>(&operation);
      wait_event && !wait_event->is_external)
    return wait(branch, *wait_event->event), nullptr;
  if (const auto *record = std::get_if<operations::KeptRecordEvent>(&operation);
      record && !record->is_external) {
    set_captured_point(*record->event, std::make_shared<Point>(
                                           std::shared_ptr<Branch>(shared_from_this(), &branch)));
    return nullptr;
  }
  if (const auto *allocate = std::get_if<operations::Allocate>(&operation)) {
    NodeWork work = captured_allocation(allocate->pool->device(), allocate->bytes);
    void *const address = work.find<MemoryDetails>()->memory->address();
    return add_node(branch, std::move(work), address);
  }
  if (const auto *free = std::get_if<operations::Free>(&operation))
    return add_node(branch, free_work(*graph_, free->pointer));
  return add_node(branch, captured_work(stream, std::move(operation)));
}

void Sequence::add(Branch &branch, NodeWork &&work) {
  const std::lock_guard lock(mutex_);
  check_valid(branch);
  add_node(branch, std::move(work));
}

void Sequence::update(Branch &branch, std::span<const hipGraphNode_t> dependencies,
                      unsigned flags) {
  const std::lock_guard lock(mutex_);
  check_valid(branch);
  check_nodes(dependencies);
  if (flags == hipStreamSetCaptureDependencies)
    add_new(released_, std::exchange(branch.dependencies, {}));
  add_new(branch.dependencies, dependencies);
}

CaptureInfo Sequence::info(const Branch &branch) const {
  const std::lock_guard lock(mutex_);
  if (has_ended_)
    return {};
  if (is_invalid(branch))
    return {.status = hipStreamCaptureStatusInvalidated};
  return {hipStreamCaptureStatusActive, id_, graph_, branch.dependencies};
}

void *StreamCapture::add(const StreamTarget &stream, operations::Any &&operation) {
  const auto own = branch();
  if (!own) // another thread has just ended it
    refuse_invalid();
  return own->sequence.add(*own, stream, std::move(operation));
}

void StreamCapture::add_node(const StreamTarget &, NodeWork &&work) {
  const auto own = branch();
  if (!own)
    refuse_invalid();
  own->sequence.add(*own, std::move(work));
}

void StreamCapture::invalidate() noexcept {
  if (const auto own = branch())
    own->sequence.invalidate(*own);
}

void StreamCapture::leave() noexcept {
  std::shared_ptr<Graph> lost;
  const std::lock_guard lock(members);
  if (const auto own = branch())
    own->sequence.leave(*own, lost);
}

void NullStreamCapture::invalidate() noexcept {
  for (Sequence *sequence : *sequences_.lock())
    sequence->invalidate();
}

void begin(const std::shared_ptr<Sequence> &sequence, Stream &stream,
           std::span<const hipGraphNode_t> dependencies) {
  const std::lock_guard lock(members);
  begin_capture(*sequence);
  try {
    sequence->join(stream, dependencies);
  } catch (...) {
    end_capture(*sequence);
    throw;
  }
}

/// Null if the stream is not captured.
std::shared_ptr<Branch> branch_of(const Stream &stream) {
  const Capture *capture = stream.capture.load(std::memory_order_acquire);
  return capture && capture == stream.own_capture
             ? static_cast<const StreamCapture *>(capture)->branch()
             : nullptr;
}

} // namespace

void begin_capture(Stream &stream, hipStreamCaptureMode mode) {
  check_mode(mode);
  const auto graph = std::make_shared<Graph>();
  begin(std::make_shared<Sequence>(graph, Sequence::GraphIs::new_one, mode), stream, {});
  graph->publish();
}

void begin_capture(Stream &stream, hipStreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::span<const hipGraphNode_t> dependencies) {
  check_mode(mode);
  begin(std::make_shared<Sequence>(std::move(graph), Sequence::GraphIs::there_already, mode),
        stream, dependencies);
}

std::shared_ptr<Graph> end_capture(Stream &stream) {
  std::shared_ptr<Graph> graph;
  const std::lock_guard lock(members);
  const auto branch = branch_of(stream);
  if (!branch)
    throw Error(hipErrorIllegalState, "`stream` is not captured");
  Sequence &sequence = branch->sequence;
  if (!sequence.began_in(*branch))
    throw Error(hipErrorStreamCaptureUnmatched, "the capture did not begin in `stream`");
  if (!sequence.may_end_in_this_thread())
    throw Error(hipErrorStreamCaptureWrongThread,
                "the capture began in another thread, and not in hipStreamCaptureModeRelaxed");
  sequence.end(graph);
  return graph;
}

CaptureInfo capture_info(const Stream *stream) {
  if (!stream) {
    if (Platform::current_device().null_stream_capture.load(std::memory_order_acquire))
      refuse_null_stream();
    return {};
  }
  const auto branch = branch_of(*stream);
  return branch ? branch->sequence.info(*branch) : CaptureInfo{};
}

void update_dependencies(Stream &stream, std::span<const hipGraphNode_t> dependencies,
                         unsigned flags) {
  if (flags != hipStreamAddCaptureDependencies && flags != hipStreamSetCaptureDependencies)
    throw Error(hipErrorInvalidValue, "`flags` is not a hipStreamUpdateCaptureDependenciesFlags");
  const auto branch = branch_of(stream);
  if (!branch)
    throw Error(hipErrorIllegalState, "`stream` is not captured");
  branch->sequence.update(*branch, dependencies, flags);
}

hipStreamCaptureMode exchange_capture_mode(hipStreamCaptureMode mode) {
  check_mode(mode);
  return std::exchange(this_thread().mode, mode);
}

} // namespace chip
