#include "raw_graph.h"

namespace bench {

RawRecording::RawRecording(const RawDevice &device, ze_kernel_handle_t kernel, int launches) {
  ze_command_list_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  desc.flags = ZE_COMMAND_LIST_FLAG_IN_ORDER;
  ze_command_list_handle_t list = nullptr;
  ZE_CHECK(zeCommandListCreate(device.context(), device.device(), &desc, &list));
  list_.reset(list);
  const ze_group_count_t groups{1, 1, 1};
  for (int value = 0; value < launches; ++value) {
    ZE_CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof value, &value));
    ZE_CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  }
  ZE_CHECK(zeCommandListClose(list));
}

RawGraphs::RawGraphs(const RawDevice &device)
    : device_(device), kernel_(device.create_kernel()), list_(device.create_list()) {
  void *sum = device.sum();
  ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), 0, sizeof(void *), &sum));
}

RawGraphs::~RawGraphs() { zeCommandListHostSynchronize(list_.get(), UINT64_MAX); }

void RawGraphs::run(const RawRecording &recording) const {
  ze_command_list_handle_t recorded = recording.get();
  ZE_CHECK(
      zeCommandListImmediateAppendCommandListsExp(list_.get(), 1, &recorded, nullptr, 0, nullptr));
}

void RawGraphs::synchronize() const {
  ZE_CHECK(zeCommandListHostSynchronize(list_.get(), UINT64_MAX));
}

} // namespace bench
