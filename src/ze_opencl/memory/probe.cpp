#include "probe.h"

#include "../../common/environment.h"
#include "../platform/error.h"
#include "memory_kernels.h"

#include <algorithm>
#include <array>
#include <format>

namespace ze_opencl {
namespace {

using ze_driver::MemoryKind;

constexpr size_t bytes = 256;

/// A queue and memory that go again.
class Probe {
public:
  explicit Probe(const Device &device) : device_(device), memory_(*device.platform->memory) {}
  ~Probe() {
    if (kernel_)
      api().ReleaseKernel(kernel_);
    if (queue_)
      api().ReleaseCommandQueue(queue_);
    for (void *memory : allocated_)
      memory_.free(memory);
  }

  std::string run() {
    cl_int error = CL_SUCCESS;
    queue_ = api().CreateCommandQueueWithProperties(device_.platform->context, device_.id, nullptr,
                                                    &error);
    if (error != CL_SUCCESS) {
      queue_ = nullptr;
      return "it makes no command queue: " + error_name(error);
    }
    if (std::string failure = make_kernel(); !failure.empty())
      return failure;
    for (const MemoryKind kind : {MemoryKind::device, MemoryKind::host, MemoryKind::shared})
      if (std::string failure = test(kind); !failure.empty())
        return std::format("its {} memory does not work: {}", name_of(kind), failure);
    return {};
  }

private:
  std::string make_kernel() {
    cl_int error = CL_SUCCESS;
    const cl_program program = build_own_program(device_.platform->context, error);
    if (!program)
      return "it does not build a kernel: " + error_name(error);
    kernel_ = api().CreateKernel(program, "follow", &error);
    api().ReleaseProgram(program); // the kernel keeps it
    if (error != CL_SUCCESS)
      kernel_ = nullptr;
    else
      error = memory_.allow_indirect_access(kernel_);
    return error == CL_SUCCESS ? "" : "it makes no kernel: " + error_name(error);
  }

  cl_int launch(const void *memory, cl_event *event) {
    if (const cl_int error = memory_.set_pointer(kernel_, 0, memory); error != CL_SUCCESS)
      return error;
    cl_int error = CL_SUCCESS;
    const auto memory_stays = memory_.prepare_launch(kernel_, error);
    if (error != CL_SUCCESS)
      return error;
    const size_t items = 1;
    return api().EnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr,
                                      event);
  }

  /// A kernel follows a pointer that it finds in `memory`.
  std::string test_kernel(void *memory) {
    const uint64_t given[] = {reinterpret_cast<uintptr_t>(memory) + bytes / 2, 0x123456789abcdef0};
    uint64_t seen = 0;
    const auto wait_for = [&](auto enqueue) { return enqueue_and_wait(queue_, enqueue); };
    cl_int error = wait_for([&](cl_event *event) {
      return memory_.copy(queue_, memory, given, sizeof given, {{}, event});
    });
    if (error == CL_SUCCESS)
      error = wait_for([&](cl_event *event) { return launch(memory, event); });
    if (error == CL_SUCCESS)
      error = wait_for([&](cl_event *event) {
        return memory_.copy(queue_, &seen, static_cast<std::byte *>(memory) + bytes / 2,
                            sizeof seen, {{}, event});
      });
    if (error != CL_SUCCESS)
      return "a kernel: " + error_name(error);
    return seen == given[1] || is_unchecked_ ? "" : "a kernel does not follow a pointer to it";
  }

  std::string test(MemoryKind kind) {
    void *memory = nullptr;
    try {
      memory = memory_.allocate(bytes, 64, kind, kind == MemoryKind::host ? nullptr : &device_);
    } catch (const ze_driver::Unsupported &) {
      return {}; // it says that it has none
    } catch (const std::exception &) {
      return "256 bytes cannot be allocated";
    }
    allocated_.push_back(memory);
    std::array<std::byte, bytes> given, seen{};
    for (size_t i = 0; i < bytes; ++i)
      given[i] = static_cast<std::byte>(i * 7 + 1);
    const auto wait_for = [&](auto enqueue) { return enqueue_and_wait(queue_, enqueue); };
    if (const cl_int error = wait_for([&](cl_event *event) {
          return memory_.copy(queue_, memory, given.data(), bytes, {{}, event});
        });
        error != CL_SUCCESS)
      return "a copy to it: " + error_name(error);
    const uint32_t pattern = 0x12345678;
    if (const cl_int error = wait_for([&](cl_event *event) {
          return memory_.fill(queue_, memory, &pattern, sizeof pattern, bytes / 2, {{}, event});
        });
        error != CL_SUCCESS)
      return "a fill: " + error_name(error);
    if (const cl_int error = wait_for([&](cl_event *event) {
          return memory_.copy(queue_, seen.data(), memory, bytes, {{}, event});
        });
        error != CL_SUCCESS)
      return "a copy from it: " + error_name(error);
    if (is_unchecked_)
      return test_kernel(memory);
    const auto *bytes_of_pattern = reinterpret_cast<const std::byte *>(&pattern);
    for (size_t i = 0; i < bytes; ++i)
      if (seen[i] != (i < bytes / 2 ? bytes_of_pattern[i % sizeof pattern] : given[i]))
        return "what was copied and filled does not come back";
    return test_kernel(memory);
  }

  const Device &device_;
  MemoryAccess &memory_;
  // The user says that the device executes nothing: that calls are taken is all there is to see.
  const bool is_unchecked_ = common::Settings("ze_opencl").is_on("ZE_OPENCL_UNCHECKED");
  cl_command_queue queue_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<void *> allocated_;
};

} // namespace

std::string probe_memory(const Device &device) { return Probe(device).run(); }

} // namespace ze_opencl
