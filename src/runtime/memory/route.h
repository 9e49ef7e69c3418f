// Who copies and fills memory, where devices have different Level Zero drivers: one driver's lists cannot reach what another has
// allocated on a device, unless that is memory of the host as well.
#pragma once

#include "../operations/enqueue.h"
#include "../streams/bridge.h"
#include "box.h"

namespace chip {

/// A device whose lists can copy from one side to the other, of those that take part: the stream's if it can; null if none can.
/// What is no allocation is memory of the host.
Device *copying_device(Device &stream_device, const std::optional<Allocation> &to,
                       const std::optional<Allocation> &from);

/// Copies a box from one device to another through memory of the host, and waits for it. Throws hipErrorStreamCaptureUnsupported
/// for a stream that is captured, and invalidates the capture.
void copy_through_host(const StreamTarget &stream, Device &to_device, const BoxSide &to,
                       Device &from_device, const BoxSide &from, const Box &box);

/// Does an operation in the stream's place in HIP's order, by a list of `device` if that has another driver than the stream. What
/// is captured becomes a node of that device.
template <class Operation>
void enqueue_on(Device &device, const StreamTarget &stream, const Operation &operation) {
  if (have_one_driver(device, *stream.device)) [[likely]] {
    enqueue(stream, operation);
    return;
  }
  if (stream.capture) {
    StreamTarget beside = stream;
    beside.device = &device;
    enqueue(beside, operation);
    return;
  }
  InternalQueue queue(device.scheduler());
  wait_for(*queue, stream.queue->record_marker());
  queue->submit(operation);
  wait_for(*stream.queue, queue->marker());
}

} // namespace chip
