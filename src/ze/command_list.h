// Command lists: what can be appended to them, and the two kinds that libCHIP has. An immediate list executes what is
// appended; a recorded list is filled once and then run by immediate lists, any number of times. All are in order.
#pragma once

#include "../common/uncancelled.h"
#include "driver.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace chip::ze {

using Waits = std::span<ze_event_handle_t>;

class RecordedList;

/// The calls that append to a list, which is borrowed. Not thread-safe: the owner of the list locks.
class Appender {
public:
  Appender(ze_command_list_handle_t list, const Capabilities &capabilities)
      : list_(list), capabilities_(&capabilities) {}

  ze_command_list_handle_t native() const { return list_; }
  void launch(ze_kernel_handle_t kernel, const ze_group_count_t &groups, Waits waits) {
    check(
        zeCommandListAppendLaunchKernel(list_, kernel, &groups, nullptr, count(waits), data(waits)),
        "zeCommandListAppendLaunchKernel");
  }
  bool launches_with_arguments() const { return capabilities_->append_launch_with_arguments; }
  /// `arguments` points to one pointer per kernel parameter. Only where the driver has it (Capabilities).
  void launch(ze_kernel_handle_t kernel, const ze_group_count_t &groups,
              const ze_group_size_t &size, void **arguments, Waits waits) {
    check(capabilities_->append_launch_with_arguments(list_, kernel, groups, size, arguments,
                                                      nullptr, nullptr, count(waits), data(waits)),
          "zeCommandListAppendLaunchKernelWithArguments");
  }
  /// A launch whose groups all run at once, so that they can wait for each other.
  void launch_cooperative(ze_kernel_handle_t kernel, const ze_group_count_t &groups, Waits waits) {
    check(zeCommandListAppendLaunchCooperativeKernel(list_, kernel, &groups, nullptr, count(waits),
                                                     data(waits)),
          "zeCommandListAppendLaunchCooperativeKernel");
  }
  void copy(void *destination, const void *source, size_t bytes, Waits waits) {
    check(zeCommandListAppendMemoryCopy(list_, destination, source, bytes, nullptr, count(waits),
                                        data(waits)),
          "zeCommandListAppendMemoryCopy");
  }
  struct Pitches {
    size_t row, slice; // bytes; each fits into 32 bits where the box has more than one
  };
  struct Extent {
    uint32_t width, height, depth; // the width is in bytes
  };
  void copy_box(void *destination, Pitches destination_pitches, const void *source,
                Pitches source_pitches, const Extent &box, Waits waits) {
    const ze_copy_region_t region{0, 0, 0, box.width, box.height, box.depth};
    check(zeCommandListAppendMemoryCopyRegion(
              list_, destination, &region, uint32_t(destination_pitches.row),
              uint32_t(destination_pitches.slice), source, &region, uint32_t(source_pitches.row),
              uint32_t(source_pitches.slice), nullptr, count(waits), data(waits)),
          "zeCommandListAppendMemoryCopyRegion");
  }
  void fill(void *destination, const void *pattern, size_t pattern_bytes, size_t bytes,
            Waits waits) {
    check(zeCommandListAppendMemoryFill(list_, destination, pattern, pattern_bytes, bytes, nullptr,
                                        count(waits), data(waits)),
          "zeCommandListAppendMemoryFill");
  }
  void wait(Waits waits) {
    check(zeCommandListAppendWaitOnEvents(list_, count(waits), data(waits)),
          "zeCommandListAppendWaitOnEvents");
  }
  void signal(ze_event_handle_t event) {
    check(zeCommandListAppendSignalEvent(list_, event), "zeCommandListAppendSignalEvent");
  }
  void reset(ze_event_handle_t event) {
    check(zeCommandListAppendEventReset(list_, event), "zeCommandListAppendEventReset");
  }
  /// Writes the device's time in ticks to `*destination` (USM), which only the host reads, and signals `event`.
  void write_timestamp(uint64_t *destination, ze_event_handle_t event, Waits waits) {
    const auto append = capabilities_->append_host_timestamp
                            ? capabilities_->append_host_timestamp
                            : &zeCommandListAppendWriteGlobalTimestamp;
    check(append(list_, destination, event, count(waits), data(waits)),
          "zeCommandListAppendWriteGlobalTimestamp");
  }
  void host_function(ze_host_function_callback_t function, void *user_data, Waits waits) {
    check(capabilities_->append_host_function(list_, function, user_data, nullptr, nullptr,
                                              count(waits), data(waits)),
          "zeCommandListAppendHostFunction");
  }
  /// Whether the driver ends the process for a host function that does not return; else what is behind it never runs.
  bool guards_host_functions() const { return capabilities_->guards_host_functions; }
  /// Runs a recorded list, which is closed, on an immediate one, and signals an event behind it unless that is null. Only where
  /// the driver has it (Capabilities).
  void run(const RecordedList &list, ze_event_handle_t signal, Waits waits);
  void prefetch(const void *pointer, size_t bytes) {
    check(zeCommandListAppendMemoryPrefetch(list_, pointer, bytes),
          "zeCommandListAppendMemoryPrefetch");
  }

private:
  static uint32_t count(Waits waits) { return uint32_t(waits.size()); }
  static ze_event_handle_t *data(Waits waits) { return waits.data(); }

  ze_command_list_handle_t list_;
  const Capabilities *capabilities_;
};

/// How far the device is with an immediate list, which is borrowed. Safe beside appends of other threads.
class ListProgress {
public:
  explicit ListProgress(ze_command_list_handle_t list) : list_(list) {}

  /// Blocks until all that was appended is complete.
  void synchronize() const {
    const common::Uncancelled uncancelled;
    check(zeCommandListHostSynchronize(list_, UINT64_MAX), "zeCommandListHostSynchronize");
  }
  bool is_complete() const { return completes_within(0); }
  /// Waits no longer than that.
  bool is_complete_within(uint64_t nanoseconds) const {
    const common::Uncancelled uncancelled;
    return completes_within(nanoseconds);
  }

private:
  bool completes_within(uint64_t nanoseconds) const {
    ze_result_t result = zeCommandListHostSynchronize(list_, nanoseconds);
    if (result == ZE_RESULT_NOT_READY)
      return false;
    check(result, "zeCommandListHostSynchronize");
    return true;
  }

  ze_command_list_handle_t list_;
};

/// A list that executes what is appended, asynchronously.
class ImmediateList {
public:
  /// One of somebody else's, which has to live longer.
  ImmediateList(const Driver &driver, ze_command_list_handle_t borrowed)
      : capabilities_(&driver.capabilities()), list_(borrowed) {}
  ImmediateList(const Driver &driver, const DeviceInfo &device,
                ze_command_queue_priority_t priority)
      : capabilities_(&driver.capabilities()), list_(nullptr) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.ordinal = device.compute_ordinal;
    // The hint lets the driver use a copy engine and keep the order itself; it halves the cost of a small copy.
    desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER | ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    desc.priority = priority;
    ze_command_list_handle_t list = nullptr;
    check(zeCommandListCreateImmediate(driver.context(), device.handle, &desc, &list),
          "zeCommandListCreateImmediate");
    own_ = CommandListHandle(list);
    list_ = list;
  }

  Appender appender() { return Appender(list_, *capabilities_); }
  ListProgress progress() const { return ListProgress(list_); }

private:
  const Capabilities *capabilities_;
  CommandListHandle own_;
  ze_command_list_handle_t list_;
};

/// Whether a list of somebody else's is an immediate one of the device and the driver's context.
inline bool is_immediate_list_of(ze_command_list_handle_t list, const Driver &driver,
                                 const DeviceInfo &device) {
  ze_bool_t is_immediate = false;
  ze_device_handle_t of_device = nullptr;
  ze_context_handle_t of_context = nullptr;
  check(zeCommandListIsImmediate(list, &is_immediate), "zeCommandListIsImmediate");
  check(zeCommandListGetDeviceHandle(list, &of_device), "zeCommandListGetDeviceHandle");
  check(zeCommandListGetContextHandle(list, &of_context), "zeCommandListGetContextHandle");
  return is_immediate && of_device == device.handle && of_context == driver.context();
}

/// A list that is filled once, closed, and then run by immediate lists of its device, any number of times.
class RecordedList {
public:
  RecordedList(const Driver &driver, const DeviceInfo &device)
      : capabilities_(driver.capabilities()) {
    ze_command_list_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
    desc.commandQueueGroupOrdinal = device.compute_ordinal;
    desc.flags = ZE_COMMAND_LIST_FLAG_IN_ORDER;
    ze_command_list_handle_t list = nullptr;
    check(zeCommandListCreate(driver.context(), device.handle, &desc, &list),
          "zeCommandListCreate");
    list_ = CommandListHandle(list);
  }

  Appender appender() { return Appender(list_.get(), capabilities_); }
  /// Nothing is appended from now on.
  void close() { check(zeCommandListClose(list_.get()), "zeCommandListClose"); }

private:
  friend class Appender;
  const Capabilities &capabilities_;
  CommandListHandle list_;
};

inline void Appender::run(const RecordedList &list, ze_event_handle_t signal, Waits waits) {
  ze_command_list_handle_t recorded = list.list_.get();
  check(capabilities_->append_command_lists(list_, 1, &recorded, signal, count(waits), data(waits)),
        "zeCommandListImmediateAppendCommandListsExp");
}

inline bool event_is_complete(ze_event_handle_t event) {
  ze_result_t result = zeEventQueryStatus(event);
  if (result == ZE_RESULT_NOT_READY)
    return false;
  check(result, "zeEventQueryStatus");
  return true;
}

inline void wait_for_event(ze_event_handle_t event) {
  const common::Uncancelled uncancelled;
  check(zeEventHostSynchronize(event, UINT64_MAX), "zeEventHostSynchronize");
}
/// Waits no longer than that.
inline bool event_is_complete_within(ze_event_handle_t event, uint64_t nanoseconds) {
  const common::Uncancelled uncancelled;
  ze_result_t result = zeEventHostSynchronize(event, nanoseconds);
  if (result == ZE_RESULT_NOT_READY)
    return false;
  check(result, "zeEventHostSynchronize");
  return true;
}

/// Blocks until all work submitted to the device is complete. Only where the driver has it (Capabilities).
inline void synchronize_device(const Driver &driver, const DeviceInfo &device) {
  const common::Uncancelled uncancelled;
  check(driver.capabilities().device_synchronize(device.handle), "zeDeviceSynchronize");
}

} // namespace chip::ze
