#include "order.h"

#include <algorithm>

namespace model {

StreamKind Order::stream_kind(int stream) const {
  if (stream == null_stream)
    return StreamKind::null;
  if (is_per_thread(stream))
    return StreamKind::per_thread;
  return streams_[size_t(stream)].kind;
}

bool Order::is_ordered(int stream, int other) const {
  if (stream == other)
    return true;
  const StreamKind a = stream_kind(stream), b = stream_kind(other);
  if (a == StreamKind::non_blocking || b == StreamKind::non_blocking)
    return false;
  return a == StreamKind::null || b == StreamKind::null;
}

/// What waiting for the stream waits for, of the given calls; without what comes before that.
Ops Order::work_of_stream(int stream, const Ops &calls) const {
  Ops work;
  for_each(calls, [&](int i) {
    const Op &op = ops_[size_t(i)];
    if (runs_on_device(op) && is_ordered(stream, op.stream) &&
        (op.stream == stream || stream == null_stream))
      work.set(size_t(i));
  });
  return work;
}

Ops Order::with_all_before(const Ops &work) const {
  Ops all = work;
  for_each(work, [&](int i) { all |= promises_[size_t(i)].before; });
  return all;
}

void Order::remove(std::vector<int> &from, int number) { std::erase(from, number); }

Order::Object &Order::object(std::vector<Object> &objects, int number) {
  if (size_t(number) >= objects.size())
    objects.resize(size_t(number) + 1);
  return objects[size_t(number)];
}

/// Exists, and its last change came before.
bool Order::readable(const std::vector<Object> &objects, int number, const Ops &called) const {
  return size_t(number) < objects.size() && objects[size_t(number)].alive &&
         called[size_t(objects[size_t(number)].written)];
}

/// And so did all that named it.
bool Order::writable(const std::vector<Object> &objects, int number, const Ops &called) const {
  return readable(objects, number, called) && covers(called, objects[size_t(number)].used);
}

bool Order::accepts(const Op &op) const {
  const Ops &called = threads_[op.thread].called;
  if (ops_.size() >= size_t(max_ops) || !is_allowed_beside_captures(op))
    return false;
  if (is_per_thread(op.stream) && op.stream != per_thread_stream(op.thread))
    return false;
  if (op.stream >= first_created_stream && op.kind != OpKind::stream_create &&
      !readable(streams_, op.stream, called))
    return false;
  if (op.graph >= 0 && !is_captured(op))
    return accepts_graph(op);
  if (captured_into(op.stream) >= 0)
    return accepts_captured(op);
  if (op.kind == OpKind::stream_destroy)
    return writable(streams_, op.stream, called);
  if (op.kind == OpKind::record || op.kind == OpKind::event_destroy)
    return writable(events_, op.event, called);
  if (op.kind == OpKind::free)
    return writable(memory_, op.memory, called);
  if (op.kind == OpKind::pool_free)
    return writable(memory_, op.memory, called) && memory_[size_t(op.memory)].of_pool &&
           work_before(op)[size_t(memory_[size_t(op.memory)].written)];
  if (op.event >= 0 && op.kind != OpKind::event_create) {
    if (!readable(events_, op.event, called))
      return false;
    if (events_[size_t(op.event)].graph >= 0)
      return op.kind == OpKind::wait && may_capture(op);
  }
  if (op.kind == OpKind::elapsed)
    return readable(events_, op.other, called) && events_[size_t(op.event)].timing &&
           events_[size_t(op.other)].timing && events_[size_t(op.other)].graph < 0;
  // A value that is waited for before it is written could wait for itself.
  if (op.kind == OpKind::write_value)
    return values_[size_t(op.value)] < 0;
  if (op.kind == OpKind::wait_value)
    return values_[size_t(op.value)] >= 0 && called[size_t(values_[size_t(op.value)])];
  if (op.kind == OpKind::set && op.memory >= 0)
    return readable(memory_, op.memory, called) && !memory_[size_t(op.memory)].of_pool;
  return true;
}

/// What is done when work that is submitted now starts to run.
Ops Order::work_before(const Op &op) const {
  const Thread &thread = threads_[op.thread];
  Ops direct;
  const bool only_own_stream = op.kind == OpKind::wait && op.stream != null_stream;
  for_each(thread.called, [&](int i) {
    const Op &earlier = ops_[size_t(i)];
    if (runs_on_device(earlier) && is_ordered(op.stream, earlier.stream) &&
        (!only_own_stream || op.stream == earlier.stream))
      direct.set(size_t(i));
  });
  if (op.kind == OpKind::wait)
    if (int record = events_[size_t(op.event)].record; record >= 0)
      direct.set(size_t(record));
  if (op.kind == OpKind::wait_value)
    direct.set(size_t(values_[size_t(op.value)]));
  return thread.complete | with_all_before(direct);
}

void Order::append(const Op &given) {
  const int index = int(ops_.size());
  Op op = given;
  if (op.kind <= OpKind::skipped)
    op.graph = int16_t(captured_into(op.stream));
  if (op.kind == OpKind::wait && op.graph < 0 && events_[size_t(op.event)].graph >= 0)
    op.graph = int16_t(events_[size_t(op.event)].graph);
  Thread &thread = threads_[op.thread];
  Promise promise;
  promise.called = thread.called;

  if (runs_on_device(op))
    promise.before = work_before(op);

  // What the host knows afterwards.
  Ops waited;
  switch (op.kind) {
  case OpKind::stream_query:
  case OpKind::stream_synchronize:
    waited = work_of_stream(op.stream, thread.called);
    break;
  case OpKind::event_query:
  case OpKind::event_synchronize:
    if (int record = events_[size_t(op.event)].record; record >= 0)
      waited.set(size_t(record));
    break;
  case OpKind::device_synchronize:
  case OpKind::free:
    for_each(thread.called, [&](int i) {
      if (runs_on_device(ops_[size_t(i)]))
        waited.set(size_t(i));
    });
    break;
  case OpKind::elapsed:
    promise.first_record = events_[size_t(op.event)].record;
    promise.second_record = events_[size_t(op.other)].record;
    promise.must_succeed = promise.first_record >= 0 && promise.second_record >= 0 &&
                           thread.complete[size_t(promise.first_record)] &&
                           thread.complete[size_t(promise.second_record)];
    break;
  default:
    break;
  }
  promise.complete = with_all_before(waited);
  if (op.kind == OpKind::event_query || op.kind == OpKind::stream_query)
    promise.must_succeed = covers(thread.complete, waited);
  else
    thread.complete |= promise.complete;
  if (waits_for_itself(op)) {
    promise.complete = promise.before;
    promise.complete.set(size_t(index));
    thread.complete |= promise.complete;
  }
  if (op.kind == OpKind::hand_over) {
    Thread &other = threads_[size_t(op.other)];
    other.called |= thread.called;
    other.called.set(size_t(index));
    other.complete |= thread.complete;
  }
  thread.called.set(size_t(index));

  // Objects.
  if (op.stream >= first_created_stream) {
    Object &stream = object(streams_, op.stream);
    stream.used.set(size_t(index));
    if (op.kind == OpKind::stream_create) {
      stream.alive = true;
      stream.written = index;
      stream.kind = op.stream_kind;
      alive_streams_.push_back(op.stream);
    } else if (op.kind == OpKind::stream_destroy) {
      stream.alive = false;
      remove(alive_streams_, op.stream);
    }
  }
  if (op.event >= 0) {
    Object &event = object(events_, op.event);
    event.used.set(size_t(index));
    if (op.kind == OpKind::event_create) {
      event.alive = true;
      event.written = index;
      event.timing = op.flag;
      alive_events_.push_back(op.event);
    } else if (op.kind == OpKind::record) {
      event.written = event.record = index;
      event.graph = -1; // capture() says otherwise
    } else if (op.kind == OpKind::event_destroy) {
      event.alive = false;
      remove(alive_events_, op.event);
    }
    if (op.kind == OpKind::elapsed)
      object(events_, op.other).used.set(size_t(index));
  }
  if (op.memory >= 0) {
    Object &memory = object(memory_, op.memory);
    memory.used.set(size_t(index));
    if (op.kind == OpKind::allocate || op.kind == OpKind::pool_allocate) {
      memory.alive = true;
      memory.written = index;
      memory.of_pool = op.kind == OpKind::pool_allocate;
      (memory.of_pool ? alive_pool_memory_ : alive_memory_).push_back(op.memory);
    } else if (op.kind == OpKind::free || op.kind == OpKind::pool_free) {
      memory.alive = false;
      remove(memory.of_pool ? alive_pool_memory_ : alive_memory_, op.memory);
    }
  }
  if (op.kind == OpKind::write_value)
    values_[size_t(op.value)] = index;
  wide_[size_t(index)] = is_wide(op);
  of_null_[size_t(index)] = op.stream == null_stream;
  ops_.push_back(op);
  promises_.push_back(promise);
  if (is_captured(op))
    capture(op, index);
  else if (op.graph >= 0)
    change_graph(op, index);
}

std::vector<Promise> Order::finish() && {
  for (size_t i = 0; i < ops_.size(); ++i) {
    for_each(promises_[i].before, [&](int earlier) { promises_[size_t(earlier)].after.set(i); });
    // Work that another thread may submit at the same time leaves a stream's query open.
    if (ops_[i].kind == OpKind::stream_query)
      for (size_t j = 0; j < ops_.size(); ++j)
        if (runs_on_device(ops_[j]) && !promises_[i].called[j] && !promises_[j].called[i] &&
            is_ordered(ops_[i].stream, ops_[j].stream))
          promises_[i].must_succeed = false;
  }
  return std::move(promises_);
}

std::vector<Promise> promises_of(const Program &program) {
  Order order;
  for (const Op &op : program.ops) {
    if (is_run(op)) // its launch brings it
      continue;
    if (!order.accepts(op))
      return {};
    order.append(op);
  }
  return std::move(order).finish();
}

} // namespace model
