#include "launch.h"
#include "../../common/align.h"

#include <algorithm>
#include <cstring>

namespace chip::operations {

KeptLaunch::KeptLaunch(Kernel &kernel, const LaunchShape &launched_shape, void *const *arguments)
    : shape(launched_shape), module_(kernel.module->shared_from_this()), kernel_(&kernel) {
  const size_t count = kernel.target.argument_count();
  offsets_.reserve(count);
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    const Parameter &parameter = kernel.target.parameters[i];
    const size_t alignment = std::max<size_t>(parameter.alignment, 1);
    bytes = common::round_up(bytes, alignment);
    offsets_.push_back(bytes);
    bytes += parameter.bytes;
  }
  values_.resize(bytes);
  set_arguments(arguments);
}

void KeptLaunch::set_arguments(void *const *arguments) {
  for (size_t i = 0; i < offsets_.size(); ++i)
    std::memcpy(values_.data() + offsets_[i], arguments[i], kernel_->target.parameters[i].bytes);
}

void KeptLaunch::append(Encoder &encoder, ze::Waits waits) const {
  std::vector<void *> arguments;
  for (size_t i = 0; i < offsets_.size(); ++i)
    arguments.push_back(const_cast<void *>(argument(i)));
  Launch{*kernel_, shape, arguments.data()}.append(encoder, waits);
}

} // namespace chip::operations
