#include "launch.h"
#include "../../common/align.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace chip::operations {
namespace {

/// Calls `visit(index, offset, bytes)` for each argument, where the values lie one behind the other, as in a struct. Returns the
/// end of the last one.
template <class Visit> size_t lay_out(const KernelTarget &target, const Visit &visit) {
  size_t end = 0;
  for (size_t i = 0; i < target.argument_count(); ++i) {
    const Parameter &parameter = target.parameters[i];
    const size_t offset = common::round_up(end, std::max<size_t>(parameter.alignment, 1));
    visit(i, offset, parameter.bytes);
    end = offset + parameter.bytes;
  }
  return end;
}

} // namespace

KeptLaunch::KeptLaunch(Kernel &kernel, const LaunchShape &launched_shape, void *const *arguments)
    : shape(launched_shape), module_(kernel.module->shared_from_this()), kernel_(&kernel),
      values_(lay_out(kernel.target, [](size_t, size_t, size_t) {})) {
  lay_out(kernel.target, [&](size_t i, size_t offset, size_t bytes) {
    std::memcpy(values_.data() + offset, arguments[i], bytes);
  });
}

void KeptLaunch::find_arguments(void **addresses) const {
  auto *values = const_cast<std::byte *>(values_.data());
  lay_out(kernel_->target,
          [&](size_t i, size_t offset, size_t) { addresses[i] = values + offset; });
}

std::vector<void *> KeptLaunch::arguments() const {
  std::vector<void *> addresses(kernel_->target.argument_count());
  find_arguments(addresses.data());
  return addresses;
}

void KeptLaunch::append(Encoder &encoder, ze::Waits waits) const {
  std::array<void *, 32> few; // for nearly all kernels
  std::vector<void *> many;
  void **addresses = few.data();
  if (kernel_->target.argument_count() > few.size()) {
    many = arguments();
    addresses = many.data();
  } else {
    find_arguments(addresses);
  }
  Launch{*kernel_, shape, addresses}.append(encoder, waits);
}

} // namespace chip::operations
