// HIP API reference: Graph management, nodes that launch kernels.
#include "../../runtime/code/program.h"
#include "../stream_work.h"
#include "nodes.h"

#include <algorithm>

using namespace chip;
using chip::hip::add_node;
using chip::hip::entry;
using chip::hip::get_from_node;
using chip::hip::kernel_work;
using chip::hip::required;
using chip::hip::set_node;

namespace {

/// The kernel of a function of the host on the current device, or of a handle.
Kernel &kernel_of(void *function) {
  try {
    return find_kernel(function, Platform::current_device());
  } catch (const Error &error) {
    if (error.code() != hipErrorInvalidDeviceFunction)
      throw;
  }
  try {
    return find_function(static_cast<hipFunction_t>(function));
  } catch (const Error &) {
    throw Error(hipErrorInvalidDeviceFunction,
                "`func` is neither a kernel of the program nor a live hipFunction_t");
  }
}

auto &launch_of(auto &work) { return std::get<operations::KeptLaunch>(work.operations.front()); }

hipLaunchAttributeID known_attribute(hipLaunchAttributeID attribute) {
  switch (attribute) {
  case hipLaunchAttributeAccessPolicyWindow:
  case hipLaunchAttributeCooperative:
  case hipLaunchAttributePriority:
    return attribute;
  default:
    throw Error(hipErrorInvalidValue, "`attribute` is not a hipKernelNodeAttrID");
  }
}

void check_window(const hipAccessPolicyWindow &window, const Device &device) {
  const int most = device.attribute(hipDeviceAttributeAccessPolicyMaxWindowSize);
  if (window.num_bytes > size_t(std::max(most, 0)))
    throw Error(hipErrorInvalidValue,
                "`num_bytes` of the window is above the device's accessPolicyMaxWindowSize");
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1))
    throw Error(hipErrorInvalidValue, "`hitRatio` of the window is not from 0 to 1");
  if (window.missProp == hipAccessPropertyPersisting)
    throw Error(hipErrorInvalidValue, "`missProp` of the window is hipAccessPropertyPersisting");
}

void set_attribute(NodeWork &work, hipLaunchAttributeID attribute, hipLaunchAttributeValue value) {
  if (attribute == hipLaunchAttributeAccessPolicyWindow)
    check_window(value.accessPolicyWindow, *work.device);
  if (attribute == hipLaunchAttributePriority)
    value.priority = std::clamp(value.priority, highest_priority, lowest_priority);
  if (attribute == hipLaunchAttributeCooperative) {
    if (value.cooperative != 0 && !work.device->info().cooperative)
      throw Error(hipErrorInvalidValue, "the device of the node has no cooperative launches");
    launch_of(work).shape.cooperative = value.cooperative != 0;
  }
  work.find<KernelDetails>()->attributes[attribute] = value;
}

} // namespace

NodeWork chip::hip::kernel_work(const hipKernelNodeParams &parameters, const NodeWork *earlier) {
  KernelDetails details{.function = parameters.func};
  if (earlier)
    details.attributes = earlier->find<KernelDetails>()->attributes;
  Kernel &kernel = kernel_of(parameters.func);
  LaunchShape shape;
  shape.groups = {parameters.gridDim.x, parameters.gridDim.y, parameters.gridDim.z};
  shape.group_size = {parameters.blockDim.x, parameters.blockDim.y, parameters.blockDim.z};
  shape.dynamic_local_bytes = parameters.sharedMemBytes;
  if (const auto cooperative = details.attributes.find(hipLaunchAttributeCooperative);
      cooperative != details.attributes.end())
    shape.cooperative = cooperative->second.cooperative != 0;
  try {
    NodeWork work =
        collect_work(hipGraphNodeTypeKernel, *kernel.device, [&](const StreamTarget &stream) {
          launch_kernel(kernel, shape, stream, {parameters.kernelParams, parameters.extra});
        });
    work.details = std::move(details);
    return work;
  } catch (const Error &error) {
    // What a launch answers to a block that __launch_bounds__ forbids is elsewhere the code of a lost device.
    if (error.code() == hipErrorLaunchFailure && kernel.device->scheduler().error() == hipSuccess)
      throw Error(hipErrorInvalidConfiguration, error.what());
    throw;
  }
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipKernelNodeParams *params) {
  return add_node(node, graph, dependencies, dependency_count,
                  [&](const Graph &) { return kernel_work(required(params)); });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *params) {
  return get_from_node(node, hipGraphNodeTypeKernel, params, [](GraphNode &found) {
    const operations::KeptLaunch &launch = launch_of(*found.work);
    if (!found.shown || !(found.shown->launch == launch))
      found.shown = std::make_unique<const ShownLaunch>(launch);
    const auto &[groups, block, shared_bytes, cooperative] = launch.shape;
    return hipKernelNodeParams{
        .blockDim = dim3(block.groupSizeX, block.groupSizeY, block.groupSizeZ),
        .extra = nullptr,
        .func = found.work->find<KernelDetails>()->function,
        .gridDim = dim3(groups.groupCountX, groups.groupCountY, groups.groupCountZ),
        .kernelParams = const_cast<void **>(found.shown->arguments.data()),
        .sharedMemBytes = unsigned(shared_bytes)};
  });
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *params) {
  return set_node(node, hipGraphNodeTypeKernel,
                  [&](const NodeWork &earlier) { return kernel_work(required(params), &earlier); });
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          const hipKernelNodeAttrValue *value) {
  return entry([&] {
    const auto found = find_node(node, hipGraphNodeTypeKernel);
    required(value);
    auto work = std::make_shared<NodeWork>(*found->work);
    set_attribute(*work, known_attribute(attribute), *value);
    found->work = std::move(work);
  });
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue *value) {
  return get_from_node(node, hipGraphNodeTypeKernel, value, [&](const GraphNode &found) {
    const auto &attributes = found.work->find<KernelDetails>()->attributes;
    const auto set = attributes.find(known_attribute(attribute));
    return set == attributes.end() ? hipKernelNodeAttrValue{} : set->second;
  });
}

hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t src, hipGraphNode_t dst) {
  return entry([&] {
    const auto from = find_node(src, hipGraphNodeTypeKernel, "src");
    const auto to = find_node(dst, hipGraphNodeTypeKernel, "dst");
    if (from->work->device != to->work->device)
      throw Error(hipErrorInvalidContext, "`src` and `dst` are of different devices");
    auto work = std::make_shared<NodeWork>(*to->work);
    work->find<KernelDetails>()->attributes = from->work->find<KernelDetails>()->attributes;
    launch_of(*work).shape.cooperative = launch_of(*from->work).shape.cooperative;
    to->work = std::move(work);
  });
}
