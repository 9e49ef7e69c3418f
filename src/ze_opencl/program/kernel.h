// A compiled kernel: OpenCL's, with the arguments that it was given last.
#pragma once

#include "../../ze_driver/program.h"
#include "../../ze_driver/records/command.h"
#include "../memory/access.h"

#include <array>
#include <mutex>
#include <span>
#include <vector>

namespace ze_opencl {

class Kernel final : public ze_driver::CompiledKernel {
public:
  /// Owns `kernel`; `info` and `device` outlive it. The error is why it cannot be used.
  static std::expected<std::unique_ptr<Kernel>, std::string>
  make(cl_kernel kernel, const ze_driver::KernelInfo &info, const Device &device);
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;
  ~Kernel();

  /// Enqueues a launch of `groups` with the argument buffer that the front laid out. From any thread. OpenCL's error code.
  cl_int enqueue(cl_command_queue queue, const ze_driver::LaunchCommand &launch,
                 const uint32_t (&groups)[3], const std::byte *arguments, const Order &order);

  bool reads_clock = false; // that of kernel_clock.h, or some kernel of its program does

private:
  Kernel(cl_kernel kernel, const ze_driver::KernelInfo &info, const Device &device);

  /// How many work-items a launch has, as OpenCL takes it.
  class Range {
  public:
    Range() = default;
    Range(const uint32_t (&groups)[3], const uint32_t (&group_size)[3],
          const uint32_t (&global_offset)[3]);
    bool is_of(const uint32_t (&groups)[3], const uint32_t (&group_size)[3],
               const uint32_t (&global_offset)[3]) const {
      return same(groups_, groups) && same(group_size_, group_size) &&
             same(given_offset_, global_offset);
    }

    cl_uint dimensions = 1; // those behind have one work-item: implementations copy and check each
    size_t items[3]{}, group_items[3]{}, offset[3]{};
    bool has_offset = false;

  private:
    static bool same(const std::array<uint32_t, 3> &a, const uint32_t (&b)[3]) {
      return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
    }
    std::array<uint32_t, 3> groups_{}, group_size_{}, given_offset_{};
  };

  cl_int set_arguments(const std::byte *arguments, uint32_t local_bytes);
  uint32_t bytes_of_local(size_t index, const std::byte *arguments, uint32_t local_end) const;

  const cl_kernel kernel_;
  const ze_driver::KernelInfo &info_;
  MemoryAccess &memory_;
  bool has_local_arguments_ = false;

  std::mutex mutex_; // guards the arguments of kernel_, and what follows
  Range range_;      // of the last launch: the next one is often the same
  bool is_set_ = false;
  std::vector<std::byte> last_; // the argument buffer that was set
  uint32_t last_local_bytes_ = 0;
};

/// The driver's own object behind a kernel of the front's.
inline Kernel &kernel_of(const ze_driver::CompiledKernel &kernel) {
  return const_cast<Kernel &>(static_cast<const Kernel &>(kernel));
}

} // namespace ze_opencl
