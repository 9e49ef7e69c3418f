// What a careful Level Zero programmer would write in the place of a graph: kernels in a closed list that an immediate list runs.
#pragma once

#include "../raw_level_zero.h"

#include <level_zero/ze_api.h>

namespace bench {

/// A closed list with launches of `add`, one after the other, each with another argument.
class RawRecording {
public:
  RawRecording(const RawDevice &device, ze_kernel_handle_t kernel, int launches);
  ze_command_list_handle_t get() const { return list_.get(); }

private:
  Owned<ze_command_list_handle_t> list_;
};

/// An immediate list, with the kernel that is recorded for it.
class RawGraphs {
public:
  explicit RawGraphs(const RawDevice &device);
  ~RawGraphs();
  RawGraphs(const RawGraphs &) = delete;
  RawGraphs &operator=(const RawGraphs &) = delete;

  RawRecording record(int launches) const { return {device_, kernel_.get(), launches}; }
  void run(const RawRecording &recording) const;
  void synchronize() const;

private:
  const RawDevice &device_;
  Owned<ze_kernel_handle_t> kernel_;
  Owned<ze_command_list_handle_t> list_;
};

} // namespace bench
