// What a node of a graph does, and what the functions that look at it give back.
#pragma once

#include "../operations/enqueue.h"
#include "graph_memory.h"

#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

struct ihipGraph;

namespace chip {

/// What a kernel node has beside its launch.
struct KernelDetails {
  void *function = nullptr; // as the program gave it: a function of the host, or a hipFunction_t
  std::map<hipLaunchAttributeID, hipLaunchAttributeValue> attributes{};
};

/// A copy of a node's launch whose arguments the program may look at.
struct ShownLaunch {
  operations::KeptLaunch launch;
  std::vector<void *> arguments = launch.arguments(); // their addresses
};

struct BatchDetails {
  hipCtx_t context;
  std::vector<hipStreamBatchMemOpParams> operations;
};

/// Of nodes that allocate memory and of nodes that free it.
struct MemoryDetails {
  std::shared_ptr<GraphMemory> memory;
  hipMemAllocNodeParams parameters{};          // of a node that allocates
  std::vector<hipMemAccessDesc> descriptors{}; // that the parameters refer to
};

/// Where one side of a copy is.
struct CopyPlace {
  bool is_array = false;
  const Device *device = nullptr; // null: of the host
  bool operator==(const CopyPlace &) const = default;
};

/// Where a copy leads, as it was when its node was made: the memory may be freed before the node changes.
struct CopyRoute {
  CopyPlace from, to;
};

struct EventDetails {
  hipEvent_t event;
};

/// What nothing changes once a node has it. The operations are done one after the other, on a queue of the device. A node that does nothing has none; neither
/// have those that allocate or free memory, which is there all the time.
struct NodeWork {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  Device *device = nullptr;
  std::vector<operations::Any> operations{};
  std::variant<std::monostate, KernelDetails, hipMemcpy3DParms, HIP_MEMCPY3D, hipMemsetParams,
               hipHostNodeParams, EventDetails, BatchDetails, MemoryDetails>
      details{};
  CopyRoute route{};                  // of a copy
  std::shared_ptr<ihipGraph> child{}; // of a child graph node, its own

  /// Gives the work the parameters of a copy, in either form, and the route as it is now.
  void set_copy(const hipMemcpy3DParms &copy);
  void set_copy(const HIP_MEMCPY3D &copy);
  /// Null if the node is of another kind, or was described in another form.
  template <class Details> Details *find() { return std::get_if<Details>(&details); }
  template <class Details> const Details *find() const { return std::get_if<Details>(&details); }
  bool owns_memory() const { return std::holds_alternative<MemoryDetails>(details); }
};

/// Takes what a call asks of its stream, with all checks of the call and nothing done.
class Collector final : public Capture {
public:
  StreamTarget stream(Device &device) {
    return {&device, &device.scheduler().null_queue(), false, this};
  }
  Device *device = nullptr; // of the operations; null if there are none
  std::vector<operations::Any> operations;

  void *add(const StreamTarget &stream, operations::Any &&operation) override {
    if (device && device != stream.device)
      throw Error(hipErrorNotSupported, "the work of the node needs devices of several drivers");
    device = stream.device;
    operations.push_back(std::move(operation));
    return nullptr;
  }
  void add_node(const StreamTarget &, NodeWork &&) override {
    throw Error(hipErrorNotSupported, "the work of a node cannot be the launch of a graph");
  }
  void invalidate() noexcept override {}
};

/// The work that `call(stream)` asks of a stream of the device. Throws hipErrorNotSupported for what cannot wait for later.
template <class Call>
NodeWork collect_work(hipGraphNodeType type, Device &device, const Call &call) {
  Collector collector;
  try {
    call(collector.stream(device));
  } catch (const Error &error) {
    if (error.code() == hipErrorStreamCaptureUnsupported)
      throw Error(hipErrorNotSupported, "the work of the node needs devices of several drivers");
    throw;
  }
  return {.type = type,
          .device = collector.device ? collector.device : &device,
          .operations = std::move(collector.operations)};
}

} // namespace chip
