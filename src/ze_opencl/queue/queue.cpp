#include "queue.h"

#include "../../common/program_function.h"
#include "../../ze_driver/backend.h"
#include "../../ze_driver/memory/allocations.h"
#include "../memory/access.h"
#include "../platform/error.h"
#include "../program/kernel.h"
#include "../program/kernel_clock.h"
#include "unfinished.h"
#include "workers.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <format>

namespace ze_opencl {

using namespace ze_driver;

namespace {

/// Whether it needs a thread that may wait, and everything before it to be finished.
bool is_done_on_host(Opcode opcode) {
  switch (opcode) {
  case Opcode::launch_indirect:
  case Opcode::reset_event:
  case Opcode::write_timestamp:
  case Opcode::query_timestamps:
  case Opcode::host_function:
    return true;
  default:
    return false;
  }
}

/// Whether it needs a queue that measures times.
bool is_timed(const Command &command) {
  return command.stamps || command.opcode == Opcode::write_host_timestamp;
}

const char *what(const Command &command, const char *kernel) {
  switch (command.opcode) {
  case Opcode::launch:
  case Opcode::launch_indirect:
    return kernel;
  case Opcode::copy:
  case Opcode::copy_region:
    return "a memory copy";
  case Opcode::fill:
    return "a memory fill";
  default:
    return "a command";
  }
}

} // namespace

Ref<QueueBackend> Queue::make(const Device &device, const DeviceClock &clock) {
  auto completions = std::make_unique<Completions>(device, clock);
  cl_int error = CL_SUCCESS;
  const cl_command_queue queue =
      api().CreateCommandQueueWithProperties(device.platform->context, device.id, nullptr, &error);
  if (error != CL_SUCCESS)
    throw std::bad_alloc();
  return Ref<QueueBackend>::adopt(new Queue(device, queue, std::move(completions)));
}

Queue::Queue(const Device &device, cl_command_queue queue, std::unique_ptr<Completions> completions)
    : QueueBackend(std::move(completions)), device_(device), completions_(*Completions::of(done())),
      queue_(queue) {
  Unfinished::instance().add(done());
  Unfinished::instance().wait_at_exit();
}

// What was passed on goes on without us: OpenCL keeps its queue until then, and the counter has our Completions.
Queue::~Queue() {
  Unfinished::instance().remove(done());
  api().ReleaseCommandQueue(queue_);
}

void Queue::published() {
  // Only this thread makes an idle queue busy.
  if (state_.load(std::memory_order_acquire) != State::idle &&
      state_.fetch_or(State::has_more, std::memory_order_acq_rel) != State::idle)
    return;
  state_.store(State::idle, std::memory_order_relaxed);
  drive(false);
}

bool Queue::pass_launch(const LaunchCommand &launch, const std::byte *arguments) {
  Kernel &kernel = kernel_of(*launch.kernel);
  if (state_.load(std::memory_order_acquire) != State::idle || is_lost() || chaos_.is_enabled() ||
      is_forked() || kernel.reads_clock || std::ranges::contains(launch.groups, 0u))
    return false;
  const char *const name = kernel.name.c_str();
  cl_event event = nullptr;
  if (const cl_int error = kernel.enqueue(queue_, launch, launch.groups, arguments, {{}, &event});
      error != CL_SUCCESS)
    fail(name, error);
  completions_.add(done(), completed() + 1, ClEvent::adopt(event), name);
  flush();
  return true;
}

void Queue::reached(bool lost) noexcept {
  if (lost)
    lose(); // it is parked: no other thread touches what the driving thread owns
  drive_on_worker();
}

void Queue::drive_on_worker() noexcept {
  become_busy();
  Workers::instance().run([this] { drive(true); });
}

/// Implementations may keep commands until somebody asks for them: the device is to begin, and waits of other queues have to end.
void Queue::flush() noexcept {
  if (!is_forked())
    api().Flush(queue_);
}

/// From here on another thread may drive it.
void Queue::become_busy() noexcept {
  if (std::exchange(is_busy_, true))
    return;
  retain();
  state_.store(State::busy, std::memory_order_release);
}

/// False if something was appended meanwhile.
bool Queue::become_idle() noexcept {
  is_busy_ = false;
  uint32_t expected = State::busy;
  if (state_.compare_exchange_strong(expected, State::idle, std::memory_order_acq_rel))
    return true;
  is_busy_ = true;
  state_.exchange(State::busy, std::memory_order_acq_rel); // and so what was appended is seen
  return false;
}

void Queue::drive(bool may_block) noexcept {
  const auto is_free = [this](Counter &counter, uint64_t value) {
    return this->is_free(counter, value);
  };
  const auto hand_over = [this](Command &command, CommandEnd end) {
    this->hand_over(command, std::move(end));
  };
  for (;;) {
    while (has_work()) {
      if (!may_block && is_done_on_host(next_opcode()) && !is_lost())
        return drive_on_worker();
      if (!pass_on(is_free, hand_over))
        return; // parked; another thread may be driving it by now
    }
    flush();
    if (!is_busy_)
      return rewind();
    if (become_idle())
      return release();
  }
}

/// False: the queue is parked, and no longer the caller's.
bool Queue::is_free(Counter &counter, uint64_t value) {
  if (counter.has_reached(value))
    return true;
  if (Completions *const other = Completions::of(counter);
      other && other->context() == completions_.context()) {
    bool is_known = false;
    ClEvent event = other->event_for(counter, value, is_known);
    if (is_known) {
      if (event)
        waits_.push_back(std::move(event));
      return true;
    }
  }
  flush(); // what the other one waits for may be here
  become_busy();
  return !counter.subscribe(*this, value);
}

void Queue::hand_over(Command &command, CommandEnd end) noexcept {
  try {
    pass(command, end);
  } catch (const std::exception &) {
    // No memory to remember it by: it ends here, and is lost.
    fail("a command", CL_OUT_OF_HOST_MEMORY);
    api().Finish(queue_);
    if (end.signal)
      end.signal->assign(1, true);
    completions_.add(done(), end.value, {}, "a command");
    completions_.refresh(done());
  }
}

/// Takes from `end` only once nothing can fail any more.
void Queue::pass(Command &command, CommandEnd &end) {
  chaos_.disturb();
  const char *kernel = nullptr;
  bool reads_clock = false;
  if (command.opcode == Opcode::launch || command.opcode == Opcode::launch_indirect) {
    const CompiledKernel &launched = *command.payload<LaunchCommand>().kernel;
    kernel = launched.name.c_str();
    reads_clock = kernel_of(launched).reads_clock;
  }
  if (reads_clock)
    KernelClock::instance().begin();
  cl_event event = nullptr;
  if (!is_lost()) {
    const cl_int error = is_forked() ? CL_DEVICE_NOT_AVAILABLE : enqueue(command, &event);
    if (error != CL_SUCCESS)
      fail(what(command, kernel), error);
  }
  waits_.clear();
  ClEvent owned = ClEvent::adopt(event);
  // Fences stand for the end of recordings.
  Completions::AtEnd also{.ends_clock = reads_clock};
  if (command.opcode == Opcode::write_host_timestamp)
    also.time = command.payload<WriteTimestampCommand>().destination;
  if (command.is_named || reads_clock || also.time || command.opcode == Opcode::run_recording)
    completions_.add(done(), end, std::move(owned), what(command, kernel), also);
  else
    completions_.add(done(), end.value, std::move(owned), what(command, kernel));
}

void Queue::fail(const char *what, cl_int error) {
  report_fault(
      std::format("{} cannot be given to {}: {}", what, device_.facts.name, error_name(error)),
      std::nullopt);
  lose();
}

/// Goes over to a queue of OpenCL's that measures times, for good: on PoCL that costs a sixth of a launch, and few programs ask
/// for them. The next command waits for everything in the queue until now.
cl_int Queue::profile() {
  cl_int error = CL_SUCCESS;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_command_queue made = api().CreateCommandQueueWithProperties(
      device_.platform->context, device_.id, properties, &error);
  if (error != CL_SUCCESS)
    return error;
  if (ClEvent before = completions_.event_for_all(done()))
    waits_.push_back(std::move(before));
  flush();
  api().ReleaseCommandQueue(std::exchange(queue_, made));
  profiles_ = true;
  return CL_SUCCESS;
}

/// Leaves `*event` null for what needs no command.
cl_int Queue::enqueue(Command &command, cl_event *event) {
  if (is_timed(command) && !profiles_)
    if (const cl_int error = profile(); error != CL_SUCCESS)
      return error;
  wait_handles_.clear();
  for (const ClEvent &wait : waits_)
    wait_handles_.push_back(wait.get());
  const Order order{wait_handles_, event};
  MemoryAccess &memory = *device_.platform->memory;
  switch (command.opcode) {
  case Opcode::launch: {
    auto &launch = command.payload<LaunchCommand>();
    const auto *arguments = reinterpret_cast<const std::byte *>(&command) + launch.arguments_offset;
    if (std::ranges::contains(launch.groups, 0u))
      break;
    return kernel_of(*launch.kernel).enqueue(queue_, launch, launch.groups, arguments, order);
  }
  case Opcode::copy: {
    auto &copy = command.payload<CopyCommand>();
    if (copy.bytes == 0 || copy.destination == copy.source)
      break;
    return memory.copy(queue_, copy.destination, copy.source, copy.bytes, order);
  }
  case Opcode::copy_region:
    return enqueue_copy_region(command.payload<CopyRegionCommand>(), order);
  case Opcode::fill: {
    auto &fill = command.payload<FillCommand>();
    if (fill.bytes == 0)
      break;
    return memory.fill(queue_, fill.destination, fill.pattern(), fill.pattern_bytes, fill.bytes,
                       order);
  }
  case Opcode::launch_indirect:
    await_all();
    return is_lost() ? CL_SUCCESS : enqueue_indirect(command, event);
  case Opcode::reset_event:
  case Opcode::write_timestamp:
  case Opcode::query_timestamps:
  case Opcode::host_function:
    await_all();
    return is_lost() ? CL_SUCCESS : do_on_host(command);
  case Opcode::jump:
  case Opcode::barrier:
  case Opcode::write_host_timestamp:
  case Opcode::run_recording:
    break;
  }
  if (waits_.empty() && !is_timed(command))
    return CL_SUCCESS;
  return api().EnqueueBarrierWithWaitList(queue_, order.wait_count(), order.wait_list(), event);
}

cl_int Queue::enqueue_copy_region(const CopyRegionCommand &region, const Order &whole) {
  CopyRegionCommand box = region;
  if (box.width == 0 || box.height == 0 || box.depth == 0)
    return CL_SUCCESS;
  // Rows that follow each other are one.
  if (box.height > 1 && box.destination_pitch == box.width && box.source_pitch == box.width) {
    box.width *= box.height;
    box.height = 1;
    if (box.depth > 1 && box.destination_slice_pitch == box.width &&
        box.source_slice_pitch == box.width) {
      box.width *= box.depth;
      box.depth = 1;
    }
  }
  MemoryAccess &memory = *device_.platform->memory;
  if (box.height > 1 || box.depth > 1)
    if (const auto error = memory.copy_box(queue_, box, whole))
      return *error;
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y) {
      const bool is_first = y == 0 && z == 0;
      const bool is_last = y + 1 == box.height && z + 1 == box.depth;
      const Order order{is_first ? whole.waits : std::span<const cl_event>(),
                        is_last ? whole.event : nullptr};
      const cl_int error = memory.copy(
          queue_, box.destination + y * box.destination_pitch + z * box.destination_slice_pitch,
          box.source + y * box.source_pitch + z * box.source_slice_pitch, box.width, order);
      if (error != CL_SUCCESS)
        return error;
    }
  return CL_SUCCESS;
}

/// Waits for everything before the next command. A failure of that is seen by is_lost().
void Queue::await_all() {
  if (!wait_handles_.empty() && api().WaitForEvents(static_cast<cl_uint>(wait_handles_.size()),
                                                    wait_handles_.data()) != CL_SUCCESS)
    lose();
  if (completions_.event_for_all(done()))
    api().Finish(queue_);
  completions_.refresh(done());
}

cl_int Queue::copy_now(void *destination, const void *source, size_t bytes) {
  return enqueue_and_wait(queue_, [&](cl_event *event) {
    return device_.platform->memory->copy(queue_, destination, source, bytes, {{}, event});
  });
}

cl_int Queue::enqueue_indirect(Command &command, cl_event *event) {
  auto &launch = command.payload<LaunchCommand>();
  if (launch.launch_count) {
    uint32_t count = 0;
    if (const cl_int error = copy_now(&count, launch.launch_count, sizeof count);
        error != CL_SUCCESS)
      return error;
    if (launch.launch_index >= count)
      return CL_SUCCESS;
  }
  uint32_t groups[3];
  if (const cl_int error = copy_now(groups, launch.indirect_groups, sizeof groups);
      error != CL_SUCCESS)
    return error;
  if (std::ranges::contains(groups, 0u))
    return CL_SUCCESS;
  const auto *arguments = reinterpret_cast<const std::byte *>(&command) + launch.arguments_offset;
  return kernel_of(*launch.kernel).enqueue(queue_, launch, groups, arguments, {{}, event});
}

cl_int Queue::do_on_host(Command &command) {
  Timestamps *const stamps = command.stamps;
  const uint64_t start = now_ns();
  cl_int error = CL_SUCCESS;
  switch (command.opcode) {
  case Opcode::reset_event:
    command.payload<ResetEventCommand>().event->assign(0);
    break;
  case Opcode::write_timestamp: {
    const uint64_t time = device_time(start);
    error = copy_now(command.payload<WriteTimestampCommand>().destination, &time, sizeof time);
    break;
  }
  case Opcode::query_timestamps: {
    auto &query = command.payload<QueryTimestampsCommand>();
    for (uint32_t i = 0; i < query.count && error == CL_SUCCESS; ++i) {
      const auto &entry = query.entries()[i];
      ze_kernel_timestamp_result_t result{};
      if (entry.stamps) {
        result.global = {device_time(entry.stamps->start), device_time(entry.stamps->end)};
        result.context = result.global;
      }
      error = copy_now(query.destination + entry.offset, &result, sizeof result);
    }
    break;
  }
  default: {
    auto &call = command.payload<HostFunctionCommand>();
    common::call_program_function(backend().identity().name, [&] { call.function(call.data); });
    break;
  }
  }
  if (stamps) {
    stamps->start.store(start, std::memory_order_relaxed);
    stamps->end.store(now_ns(), std::memory_order_relaxed);
  }
  return error;
}

} // namespace ze_opencl
