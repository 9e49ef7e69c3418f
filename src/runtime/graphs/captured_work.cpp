#include "captured_work.h"
#include "../memory/box.h"

#include <algorithm>

namespace chip {
namespace {

template <class Details> struct Described {
  hipGraphNodeType type;
  Details details;
};

auto describe(const operations::KeptLaunch &launch) {
  Kernel &kernel = launch.kernel();
  const void *host_function = kernel.host_function;
  KernelDetails details{.function = host_function ? const_cast<void *>(host_function) : &kernel};
  if (launch.shape.cooperative)
    details.attributes[hipLaunchAttributeCooperative].cooperative = 1;
  return Described{hipGraphNodeTypeKernel, std::move(details)};
}

hipPitchedPtr side(void *first, size_t pitch, size_t slice_pitch, const Box &box) {
  const size_t row = pitch ? pitch : box.width;
  return {first, row, box.width, box.depth > 1 ? slice_pitch / row : box.height};
}

auto describe_copy(const BoxSide &to, const BoxSide &from, const Box &box, hipMemcpyKind kind) {
  return Described{hipGraphNodeTypeMemcpy,
                   hipMemcpy3DParms{.srcArray = nullptr,
                                    .srcPos = {},
                                    .srcPtr = side(from.first, from.pitch, from.slice_pitch, box),
                                    .dstArray = nullptr,
                                    .dstPos = {},
                                    .dstPtr = side(to.first, to.pitch, to.slice_pitch, box),
                                    .extent = {box.width, box.height, box.depth},
                                    .kind = kind}};
}

auto describe(const operations::Copy &copy) {
  return describe_copy({static_cast<std::byte *>(copy.destination)},
                       {static_cast<std::byte *>(const_cast<void *>(copy.source))}, {copy.bytes},
                       copy.kind);
}

auto describe(const operations::CopyBox &copy) {
  return describe_copy(copy.destination, copy.source, copy.box, copy.kind);
}

auto describe(const operations::Fill &fill) {
  hipMemsetParams params{};
  params.dst = fill.destination;
  params.elementSize = unsigned(fill.element_bytes);
  params.width = fill.bytes / fill.element_bytes;
  params.height = 1;
  params.value = unsigned(fill.value);
  return Described{hipGraphNodeTypeMemset, params};
}

/// Parameters of fill nodes have no depth. Of slices that do not follow each other as rows do, they are those of the first.
auto describe(const operations::FillBox &fill) {
  const auto &[destination, value, box, element_bytes] = fill;
  hipMemsetParams params{};
  params.dst = destination.first;
  params.elementSize = unsigned(element_bytes);
  params.width = box.width / element_bytes;
  params.height = box.height;
  params.pitch = destination.pitch;
  params.value = value;
  return Described{hipGraphNodeTypeMemset, params};
}

auto describe(const operations::HostFunction &host) {
  return Described{hipGraphNodeTypeHost, hipHostNodeParams{host.function, host.data}};
}

auto describe(operations::KeptRecordEvent &record) {
  record.is_external = false; // it does not matter any more
  return Described{hipGraphNodeTypeEventRecord, EventDetails{&*record.event}};
}

auto describe(operations::KeptWaitEvent &wait) {
  wait.is_external = false;
  return Described{hipGraphNodeTypeWaitEvent, EventDetails{&*wait.event}};
}

// Their entry points refuse captured streams, and memory is not part of a node's work.
template <class Other>
concept NotCaptured =
    std::same_as<Other, operations::WriteValue> || std::same_as<Other, operations::KeptWaitValue> ||
    std::same_as<Other, operations::Prefetch> || std::same_as<Other, operations::Allocate> ||
    std::same_as<Other, operations::Free>;

} // namespace

NodeWork captured_work(const StreamTarget &stream, operations::Any &&operation) {
  NodeWork work{.device = stream.device};
  std::visit(
      [&]<class Operation>(Operation &kept) {
        if constexpr (NotCaptured<Operation>) {
          throw Error(hipErrorStreamCaptureUnsupported,
                      "`stream` is captured, and the call cannot become part of a graph");
        } else {
          auto [type, details] = describe(kept);
          work.type = type;
          if constexpr (std::same_as<decltype(details), hipMemcpy3DParms>)
            work.set_copy(details);
          else
            work.details = std::move(details);
        }
      },
      operation);
  work.operations.push_back(std::move(operation));
  return work;
}

NodeWork captured_allocation(Device &device, size_t bytes) {
  MemoryDetails details{.memory = GraphMemory::allocate(device, bytes)};
  details.parameters.poolProps.allocType = hipMemAllocationTypePinned;
  details.parameters.poolProps.location = {hipMemLocationTypeDevice, device.ordinal()};
  details.parameters.bytesize = bytes;
  details.parameters.dptr = details.memory->address();
  return {.type = hipGraphNodeTypeMemAlloc, .device = &device, .details = std::move(details)};
}

} // namespace chip
