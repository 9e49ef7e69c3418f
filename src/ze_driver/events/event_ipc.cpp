// Events between processes. A pool's events lie in a file that all processes map. What a
// counter-based event stands for is passed on as an event of such a pool, which is signalled when
// the list gets there: others can wait for it, and do not see what it is used for later.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "../ipc/ipc_handle.h"
#include "event.h"
#include "event_pool.h"

#include "deferred.h"
#include "shared_counters.h"

namespace ze_driver {
namespace {

/// The file of `slots`, as a handle says it.
template <class Handle> Handle handle_to(const SharedSlots &slots, IpcType type) {
  return to_ipc_handle<Handle>(
      ipc_content(slots.file().descriptor(), 0, slots.file().bytes(), type).value());
}

template <class Handle>
std::expected<std::shared_ptr<SharedSlots>, ze_result_t> slots_of(const Handle &handle,
                                                                  IpcType type) {
  const auto content = read_ipc_handle(handle);
  if (!content || content->type != type)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  auto file = file_of(*content);
  if (!file)
    return std::unexpected(file.error());
  auto slots = SharedSlots::open(std::move(*file));
  if (!slots)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return slots;
}

/// Signals a shared event when a point is reached, and says when that was.
class Relay final : public Waiter {
public:
  Relay(Point point, const std::shared_ptr<SharedSlots> &slots, Timestamps *stamps)
      : point_(std::move(point)), slot_(slots->slots().front()),
        target_(Ref<Counter>::make(slots, slot_)), stamps_(Ref<Timestamps>::share(stamps)) {
    if (!point_.counter || !point_.counter->subscribe(*this, point_.value))
      reached(point_.is_lost());
  }
  ~Relay() override {
    if (point_.counter)
      point_.counter->unsubscribe(*this); // also waits until reached() has returned
  }

private:
  void reached(bool lost) noexcept override {
    if (stamps_) {
      slot_.start.store(stamps_->start.load(std::memory_order_relaxed), std::memory_order_relaxed);
      slot_.end.store(stamps_->end.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    target_->assign(1, lost);
  }

  const Point point_;
  SharedSlot &slot_;
  const Ref<Counter> target_; // keeps the slot
  const Ref<Timestamps> stamps_;
};

} // namespace

ze_result_t zeEventPoolGetIpcHandle(ze_event_pool_handle_t pool,
                                    ze_ipc_event_pool_handle_t *handle) {
  return entry(required(pool, handle), [&]() -> ze_result_t {
    const EventPool &self = object<EventPool>(pool);
    if (!self.shared)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // not made for this
    *handle = handle_to<ze_ipc_event_pool_handle_t>(*self.shared, IpcType::event_pool);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolPutIpcHandle(ze_context_handle_t context,
                                    ze_ipc_event_pool_handle_t handle) {
  // The descriptor stays with the pool: other handles may name it.
  return entry(required(context), [&]() -> ze_result_t {
    const auto content = read_ipc_handle(handle);
    return content && content->type == IpcType::event_pool ? ZE_RESULT_SUCCESS
                                                           : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeEventPoolOpenIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle,
                                     ze_event_pool_handle_t *pool) {
  return entry(required(context, pool), [&]() -> ze_result_t {
    auto slots = slots_of(handle, IpcType::event_pool);
    if (!slots)
      return slots.error();
    auto opened = std::make_unique<EventPool>();
    opened->context = &object<Context>(context);
    opened->flags = (*slots)->pool_flags();
    opened->count = static_cast<uint32_t>((*slots)->slots().size());
    opened->shared = std::move(*slots);
    opened->is_opened = true;
    *pool = handle_of(*opened.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolCloseIpcHandle(ze_event_pool_handle_t pool) {
  return entry(required(pool), [&]() -> ze_result_t {
    EventPool &self = object<EventPool>(pool);
    if (!self.is_opened)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    delete &self;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedGetIpcHandle(ze_event_handle_t event,
                                            ze_ipc_event_counter_based_handle_t *handle) {
  return entry(required(event, handle), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    const uint32_t flags = self.options().counter_based_flags;
    if (!(flags & ZE_EVENT_COUNTER_BASED_FLAG_IPC) || self.options().wait_only)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const Point point = self.point();
    const auto slots = SharedSlots::create(1, flags);
    const auto relay = std::make_shared<Relay>(point, slots, self.timestamps());
    // The relay is needed until then, whatever becomes of the event.
    DeferredActions::instance().add({point}, [relay] {});
    self.keep_shared(slots);
    *handle = handle_to<ze_ipc_event_counter_based_handle_t>(*slots, IpcType::event);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedOpenIpcHandle(ze_context_handle_t context,
                                             ze_ipc_event_counter_based_handle_t handle,
                                             ze_event_handle_t *event) {
  return entry(required(context, event), [&]() -> ze_result_t {
    auto slots = slots_of(handle, IpcType::event);
    if (!slots)
      return slots.error();
    Event::Options options;
    options.kind = Event::Kind::counter_based;
    options.counter_based_flags = (*slots)->pool_flags();
    options.timestamps = (options.counter_based_flags & timestamp_event_flags) != 0;
    options.wait_only = true;
    options.shared = std::move(*slots);
    *event = handle_of(*new Event(options));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedCloseIpcHandle(ze_event_handle_t event) {
  return entry(required(event), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    if (!self.options().wait_only)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    self.release();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
