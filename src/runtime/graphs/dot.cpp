// Graphs as pictures, for people: a cluster for each graph, and in it its nodes, edges and child graphs.
#include "../memory/box.h"
#include "graph.h"

#include <format>
#include <iterator>
#include <string>

namespace chip {
namespace {

/// What stands on each side of a copy.
struct CopySide {
  char letter;
  const char *name;
};
constexpr CopySide host_side{'H', "host"}, device_side{'D', "device"}, array_side{'A', "array"};

CopySide side_of_copy(const CopyPlace &place, bool says_host, bool says_device) {
  if (place.is_array)
    return array_side;
  return !says_host && (says_device || place.device) ? device_side : host_side;
}

const char *name_of(hipGraphNodeType type) {
  switch (type) {
  case hipGraphNodeTypeKernel:
    return "KERNEL";
  case hipGraphNodeTypeMemcpy:
    return "MEMCPY";
  case hipGraphNodeTypeMemset:
    return "MEMSET";
  case hipGraphNodeTypeHost:
    return "HOST";
  case hipGraphNodeTypeGraph:
    return "GRAPH";
  case hipGraphNodeTypeWaitEvent:
    return "EVENT_WAIT";
  case hipGraphNodeTypeEventRecord:
    return "EVENT_RECORD";
  case hipGraphNodeTypeMemAlloc:
    return "MEM_ALLOC";
  case hipGraphNodeTypeMemFree:
    return "MEM_FREE";
  case hipGraphNodeTypeBatchMemOp:
    return "BATCH_MEM_OP";
  default:
    return "EMPTY";
  }
}

class Writer {
public:
  explicit Writer(unsigned flags) : flags_(flags) {}

  std::string take() { return std::move(text_); }

  void write(const Graph &graph, const std::string &title, unsigned depth) {
    const std::lock_guard lock(graph.mutex);
    const unsigned number = graphs_++;
    const std::string indent(2 * depth, ' ');
    add("{}subgraph cluster_{} {{\n{}  label=\"{}\"\n", indent, number, indent, title);
    for (const auto &node : graph.nodes()) {
      add("{}  {} [label=\"{}\"]\n", indent, name(number, *node), escaped(label(*node)));
      if (node->work->child)
        write(*node->work->child, std::format("child graph of node {}", node->index), depth + 1);
    }
    for (const auto &[from, to] : graph.edges())
      add("{}  {} -> {}\n", indent, name(number, *from), name(number, *to));
    add("{}}}\n", indent);
  }

  template <class... T> void add(std::format_string<T...> format, T &&...values) {
    std::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }

private:
  static std::string name(unsigned graph, const GraphNode &node) {
    return std::format("node_{}_{}", graph, node.index);
  }

  static std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text)
      if (c == '\n')
        result += "\\n";
      else if (c == '"' || c == '\\')
        result += {'\\', c};
      else
        result += c;
    return result;
  }

  bool shows(unsigned flag) const { return flags_ & (flag | hipGraphDebugDotFlagsVerbose); }

  std::string label(const GraphNode &node) const {
    std::string text = std::format("{} {}", node.index, name_of(node.work->type));
    if (shows(hipGraphDebugDotFlagsHandles))
      text += std::format("\nhandle {}", static_cast<const void *>(&node));
    text += std::visit([&](const auto &details) { return describe(*node.work, details); },
                       node.work->details);
    return text;
  }

  static std::string describe(const NodeWork &, const std::monostate &) { return {}; }

  std::string describe(const NodeWork &work, const KernelDetails &details) const {
    const auto &launch = std::get<operations::KeptLaunch>(work.operations.front());
    std::string text = "\n" + launch.kernel().target.name; // mangled, as tools look for it
    const auto &[groups, block, shared_bytes, cooperative] = launch.shape;
    if (shows(hipGraphDebugDotFlagsKernelNodeParams))
      text += std::format("\ngrid ({}, {}, {})\nblock ({}, {}, {})\n{} bytes of dynamic shared "
                          "memory",
                          groups.groupCountX, groups.groupCountY, groups.groupCountZ,
                          block.groupSizeX, block.groupSizeY, block.groupSizeZ, shared_bytes);
    if (shows(hipGraphDebugDotFlagsKernelNodeAttributes)) {
      text += std::format("\ncooperative {}", int(cooperative));
      for (const auto &[id, value] : details.attributes)
        if (id == hipLaunchAttributePriority)
          text += std::format("\npriority {}", value.priority);
        else if (id == hipLaunchAttributeAccessPolicyWindow)
          text += std::format("\nwindow of {} bytes at {}", value.accessPolicyWindow.num_bytes,
                              value.accessPolicyWindow.base_ptr);
    }
    return text;
  }

  std::string describe_copy(CopySide from, CopySide to, const Box &box, const char *unit) const {
    std::string text = std::format("\n({}to{}, {}", from.letter, to.letter, box.width);
    if (box.height > 1 || box.depth > 1)
      text += std::format(" x {} x {}", box.height, box.depth);
    text += std::format(" {})", unit);
    if (shows(hipGraphDebugDotFlagsMemcpyNodeParams))
      text += std::format("\nfrom {} to {}", from.name, to.name);
    return text;
  }

  std::string describe(const NodeWork &work, const hipMemcpy3DParms &copy) const {
    const auto is = [&](auto... kinds) { return ((copy.kind == kinds) || ...); };
    return describe_copy(side_of_copy(work.route.from,
                                      is(hipMemcpyHostToDevice, hipMemcpyHostToHost),
                                      is(hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice)),
                         side_of_copy(work.route.to, is(hipMemcpyDeviceToHost, hipMemcpyHostToHost),
                                      is(hipMemcpyHostToDevice, hipMemcpyDeviceToDevice)),
                         {copy.extent.width, copy.extent.height, copy.extent.depth},
                         copy.srcArray || copy.dstArray ? "elements" : "bytes");
  }

  std::string describe(const NodeWork &work, const HIP_MEMCPY3D &copy) const {
    return describe_copy(
        side_of_copy(work.route.from, false, copy.srcMemoryType == hipMemoryTypeDevice),
        side_of_copy(work.route.to, false, copy.dstMemoryType == hipMemoryTypeDevice),
        {copy.WidthInBytes, copy.Height, copy.Depth}, "bytes");
  }

  std::string describe(const NodeWork &, const hipMemsetParams &fill) const {
    std::string text =
        std::format("\n({} x {} elements of {} bytes)", fill.width, fill.height, fill.elementSize);
    if (shows(hipGraphDebugDotFlagsMemsetNodeParams))
      text += std::format("\nvalue {}, at {}, pitch {}", fill.value, fill.dst, fill.pitch);
    return text;
  }

  std::string describe(const NodeWork &, const hipHostNodeParams &host) const {
    if (!shows(hipGraphDebugDotFlagsHostNodeParams))
      return {};
    return std::format("\nfunction {}, data {}", reinterpret_cast<void *>(host.fn), host.userData);
  }

  std::string describe(const NodeWork &, const EventDetails &details) const {
    if (!shows(hipGraphDebugDotFlagsEventNodeParams))
      return {};
    return std::format("\nevent {}", static_cast<void *>(details.event));
  }

  static std::string describe(const NodeWork &, const BatchDetails &details) {
    return std::format("\n({} operations)", details.operations.size());
  }

  static std::string describe(const NodeWork &, const MemoryDetails &details) {
    return std::format("\n({} bytes at {})", details.memory->bytes(), details.memory->address());
  }

  const unsigned flags_;
  unsigned graphs_ = 0; // written so far
  std::string text_;
};

} // namespace

std::string to_dot(const Graph &graph, unsigned flags) {
  Writer writer(flags);
  writer.add("digraph graphs {{\n  node [shape=box]\n");
  writer.write(graph, "graph", 1);
  writer.add("}}\n");
  return writer.take();
}

} // namespace chip
