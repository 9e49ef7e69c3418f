#include "opencl.h"

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <format>
#include <stdexcept>
#include <type_traits>

namespace bench {
namespace {

void check(cl_int result, const char *call) {
  if (result != CL_SUCCESS)
    throw std::runtime_error(std::format("{}: {}", call, result));
}
#define CL_CHECK(call) check(call, #call)

struct Release {
  void operator()(cl_context handle) const { clReleaseContext(handle); }
  void operator()(cl_command_queue handle) const { clReleaseCommandQueue(handle); }
  void operator()(cl_program handle) const { clReleaseProgram(handle); }
  void operator()(cl_kernel handle) const { clReleaseKernel(handle); }
  void operator()(cl_mem handle) const { clReleaseMemObject(handle); }
};
template <typename Handle> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

class Launch final : public OpenClLaunch {
public:
  Launch(cl_context context, cl_command_queue queue, Owned<cl_kernel> kernel, const Case &what,
         Buffers buffers)
      : queue_(queue), kernel_(std::move(kernel)), clears_(what.clears) {
    cl_uint index = 0;
    for (const Buffer &buffer : buffers) {
      cl_int result = CL_SUCCESS;
      memory_.emplace_back(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                          buffer.size_bytes(), buffer.data(), &result));
      check(result, "clCreateBuffer");
      const cl_mem handle = memory_.back().get();
      CL_CHECK(clSetKernelArg(kernel_.get(), index++, sizeof handle, &handle));
    }
    for (const auto &number : what.numbers)
      std::visit(
          [&](auto value) {
            CL_CHECK(clSetKernelArg(kernel_.get(), index++, sizeof value, &value));
          },
          number);
    output_bytes_ = buffers.back().size_bytes();
    const Extent size = what.group_size, groups = what.groups;
    std::ranges::copy(std::array<size_t, 3>{size.x, size.y, size.z}, size_);
    std::ranges::copy(
        std::array<size_t, 3>{size.x * groups.x, size.y * groups.y, size.z * groups.z}, total_);
  }

  void run() override {
    const cl_uint zero = 0;
    if (clears_)
      CL_CHECK(clEnqueueFillBuffer(queue_, memory_.back().get(), &zero, sizeof zero, 0,
                                   output_bytes_, 0, nullptr, nullptr));
    CL_CHECK(clEnqueueNDRangeKernel(queue_, kernel_.get(), 3, nullptr, total_, size_, 0, nullptr,
                                    nullptr));
    CL_CHECK(clFinish(queue_));
  }

private:
  cl_command_queue queue_;
  Owned<cl_kernel> kernel_;
  std::vector<Owned<cl_mem>> memory_;
  size_t total_[3], size_[3], output_bytes_;
  bool clears_;
};

cl_device_id cpu_device() {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
    return nullptr;
  for (cl_uint i = 0; i < count && i < 8; ++i) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  return nullptr;
}

class Device final : public OpenCl {
public:
  Device(cl_device_id device, const std::string &source, const std::string &options)
      : device_(device) {
    cl_int result = CL_SUCCESS;
    context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result));
    check(result, "clCreateContext");
    queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, &result));
    check(result, "clCreateCommandQueueWithProperties");
    const char *text = source.c_str();
    program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &result));
    check(result, "clCreateProgramWithSource");
    if (clBuildProgram(program_.get(), 1, &device, ("-cl-std=CL3.0 " + options).c_str(), nullptr,
                       nullptr) != CL_SUCCESS)
      throw std::runtime_error("clBuildProgram: " + build_log());
  }

  std::string device_name() const override {
    char name[256] = "";
    CL_CHECK(clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof name, name, nullptr));
    return name;
  }

  std::unique_ptr<OpenClLaunch> prepare(const Case &what, Buffers buffers) override {
    cl_int result = CL_SUCCESS;
    Owned<cl_kernel> kernel(clCreateKernel(program_.get(), what.kernel_name(), &result));
    if (result == CL_INVALID_KERNEL_NAME)
      return nullptr; // the source leaves it out where the device lacks what it needs
    check(result, "clCreateKernel");
    return std::make_unique<Launch>(context_.get(), queue_.get(), std::move(kernel), what, buffers);
  }

private:
  std::string build_log() const {
    size_t size = 0;
    CL_CHECK(
        clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
    std::string log(size, 0);
    CL_CHECK(clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(),
                                   nullptr));
    return log;
  }

  cl_device_id device_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
  Owned<cl_program> program_;
};

} // namespace

std::unique_ptr<OpenCl> open_cl(const std::string &source, const std::string &options) {
  const cl_device_id device = cpu_device();
  return device ? std::make_unique<Device>(device, source, options) : nullptr;
}

} // namespace bench
