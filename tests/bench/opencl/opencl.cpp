// What a launch through libCHIP and the driver for OpenCL devices costs next to plain OpenCL: the same kernels of the same
// SPIR-V, with the same arguments, on the same device, in one process and so with the same settings of the implementation
// (on PoCL, POCL_WORK_GROUP_METHOD). Prints one figure a line; tests/bench/reports/opencl.py makes tables.
#define CL_TARGET_OPENCL_VERSION 300
#include "../measure.h"
#include "../program.h"
#include "../raw_level_zero.h"

#include <CL/cl.h>
#include <hip/hip_runtime_api.h>
#include <valgrind/callgrind.h>

#include <atomic>
#include <cstdio>
#include <string_view>

namespace {

using namespace bench;

#define HIP_CHECK(call) ::check_hip(call, #call)
void check_hip(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw std::runtime_error(std::format("{}: {}", call, hipGetErrorString(error)));
}
#define CL_CHECK(call) ::check_cl(call, #call)
void check_cl(cl_int error, const char *call) {
  if (error != CL_SUCCESS)
    throw std::runtime_error(std::format("{}: OpenCL error {}", call, error));
}

constexpr size_t elements = 1 << 22, group = 256;

/// The device that libCHIP runs on, by plain OpenCL.
class RawOpenCl {
public:
  RawOpenCl(const std::vector<uint8_t> &spirv, const std::string &device_name) {
    cl_uint count = 0;
    CL_CHECK(clGetPlatformIDs(0, nullptr, &count));
    std::vector<cl_platform_id> platforms(count);
    CL_CHECK(clGetPlatformIDs(count, platforms.data(), nullptr));
    for (cl_platform_id platform : platforms) {
      cl_device_id device = nullptr;
      char name[256] = {};
      if (!device_ &&
          clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS &&
          clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr) == CL_SUCCESS &&
          device_name == name)
        device_ = device;
    }
    if (!device_)
      throw std::runtime_error("no OpenCL device is called " + device_name);
    cl_int error = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
    CL_CHECK(error);
    program_ = clCreateProgramWithIL(context_, spirv.data(), spirv.size(), &error);
    CL_CHECK(error);
    CL_CHECK(clBuildProgram(program_, 1, &device_, "-cl-fp32-correctly-rounded-divide-sqrt",
                            nullptr, nullptr));
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &error);
    CL_CHECK(error);
  }

  cl_kernel kernel(const char *name) const {
    cl_int error = CL_SUCCESS;
    const cl_kernel made = clCreateKernel(program_, name, &error);
    CL_CHECK(error);
    return made;
  }
  void launch(cl_kernel kernel, size_t items) const {
    const size_t group_items = std::min(items, group);
    CL_CHECK(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &group_items, 0, nullptr,
                                    nullptr));
  }
  void finish() const { CL_CHECK(clFinish(queue_)); }

private:
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_program program_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

struct Memory {
  int *sum;
  float *a, *b, *c;
};

/// The same launches by both ways.
class Launches {
public:
  Launches(const std::string &code, const std::string &device_name)
      : raw(read_spirv(code), device_name) {
    HIP_CHECK(hipModuleLoad(&module_, code.c_str()));
    HIP_CHECK(hipMalloc(&memory.sum, sizeof(int)));
    for (float **array : {&memory.a, &memory.b, &memory.c}) {
      HIP_CHECK(hipMalloc(array, elements * sizeof(float)));
      HIP_CHECK(hipMemset(*array, 0, elements * sizeof(float)));
    }
    HIP_CHECK(hipMemset(memory.sum, 0, sizeof(int)));
    HIP_CHECK(hipHostMalloc(&flag_, sizeof *flag_));
    HIP_CHECK(hipModuleGetFunction(&hold_, module_, "hold"));
    raw_hold_ = raw.kernel("hold");
    set_pointer(raw_hold_, 0, flag_);
    HIP_CHECK(hipModuleGetFunction(&add_, module_, "add"));
    raw_add_ = raw.kernel("add");
    set_pointer(raw_add_, 0, memory.sum);
    CL_CHECK(clSetKernelArg(raw_add_, 1, sizeof value_, &value_));
  }

  void launch(hipStream_t stream) {
    void *arguments[] = {&memory.sum, &value_};
    HIP_CHECK(hipModuleLaunchKernel(add_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  }
  void launch_other(hipStream_t stream) {
    ++value_;
    launch(stream);
  }
  void launch_raw() { raw.launch(raw_add_, 1); }
  void launch_raw_other() {
    ++value_;
    CL_CHECK(clSetKernelArg(raw_add_, 1, sizeof value_, &value_));
    launch_raw();
  }

  /// Launches in a queue that does not get to them before release(): the launching thread has the implementation to itself.
  void hold(hipStream_t stream) {
    *flag_ = 0;
    void *arguments[] = {&flag_};
    HIP_CHECK(hipModuleLaunchKernel(hold_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  }
  void hold_raw() {
    *flag_ = 0;
    raw.launch(raw_hold_, 1);
  }
  void release() { std::atomic_ref(*flag_).store(1); }

  static void set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
    CL_CHECK(clSetKernelArgSVMPointer(kernel, index, pointer));
  }
  hipFunction_t function(const char *name) {
    hipFunction_t found = nullptr;
    HIP_CHECK(hipModuleGetFunction(&found, module_, name));
    return found;
  }

  RawOpenCl raw;
  Memory memory{};

private:
  hipModule_t module_ = nullptr;
  hipFunction_t add_ = nullptr, hold_ = nullptr;
  cl_kernel raw_add_ = nullptr, raw_hold_ = nullptr;
  int *flag_ = nullptr;
  int value_ = 0;
};

void measure_launches(Launches &launches, Effort effort, Results &results) {
  hipStream_t stream = nullptr;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  const auto finish_raw = [&] { launches.raw.finish(); };
  const auto finish = [&] { HIP_CHECK(hipStreamSynchronize(stream)); };
  std::vector<Operation> operations = {
      {"raw_launch_ns", repeated([&] { launches.launch_raw(); }), finish_raw},
      {"launch_ns", repeated([&] { launches.launch(stream); }), finish},
      {"raw_launch_held_ns",
       [&](int count) {
         launches.hold_raw();
         const double took = repeated([&] { launches.launch_raw(); })(count);
         launches.release();
         return took;
       },
       finish_raw},
      {"launch_held_ns",
       [&](int count) {
         launches.hold(stream);
         const double took = repeated([&] { launches.launch(stream); })(count);
         launches.release();
         return took;
       },
       finish},
      {"raw_launch_other_arguments_ns", repeated([&] { launches.launch_raw_other(); }), finish_raw},
      {"launch_other_arguments_ns", repeated([&] { launches.launch_other(stream); }), finish},
      {"raw_launch_sync_ns", repeated([&] {
         launches.launch_raw();
         launches.raw.finish();
       })},
      {"launch_sync_ns", repeated([&] {
         launches.launch(stream);
         finish();
       })},
      {"raw_finish_idle_ns", repeated(finish_raw)},
      {"finish_idle_ns", repeated(finish)},
  };
  measure(operations, effort);
  results.add(operations);
  const auto ratio = [&](const char *key, const char *ours, const char *theirs) {
    results.add(key, results.at(ours) / results.at(theirs));
  };
  ratio("launch_ratio", "launch_ns", "raw_launch_ns");
  ratio("launch_held_ratio", "launch_held_ns", "raw_launch_held_ns");
  ratio("launch_other_arguments_ratio", "launch_other_arguments_ns",
        "raw_launch_other_arguments_ns");
  ratio("launch_sync_ratio", "launch_sync_ns", "raw_launch_sync_ns");

  // Streams that have nothing to do must cost those that have nothing.
  std::vector<Operation> alone = {
      {"launch_1_stream_ns", repeated([&] { launches.launch(stream); }), finish}};
  measure(alone, effort);
  std::vector<hipStream_t> idle(64);
  for (hipStream_t &other : idle) {
    HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    launches.launch(other);
    HIP_CHECK(hipStreamSynchronize(other));
  }
  std::vector<Operation> among = {
      {"launch_64_idle_streams_ns", repeated([&] { launches.launch(stream); }), finish}};
  measure(among, effort);
  results.add(alone);
  results.add(among);
  ratio("idle_streams_64_ratio", "launch_64_idle_streams_ns", "launch_1_stream_ns");
  for (hipStream_t other : idle)
    HIP_CHECK(hipStreamDestroy(other));
  HIP_CHECK(hipStreamDestroy(stream));
}

void measure_kernels(Launches &launches, Effort effort, Results &results) {
  const Memory &memory = launches.memory;
  float scale = 3;
  struct Case {
    const char *name;
    std::vector<const void *> pointers;
    bool has_scale;
  };
  for (const Case &what :
       {Case{"triad", {memory.a, memory.b, memory.c}, true},
        Case{"group_sums", {memory.a, memory.b}, false}, Case{"polynomial", {memory.a}, false}}) {
    const hipFunction_t function = launches.function(what.name);
    const cl_kernel raw = launches.raw.kernel(what.name);
    std::vector<const void *> pointers = what.pointers;
    std::vector<void *> arguments;
    for (size_t i = 0; i < pointers.size(); ++i) {
      Launches::set_pointer(raw, static_cast<cl_uint>(i), pointers[i]);
      arguments.push_back(&pointers[i]);
    }
    if (what.has_scale) {
      CL_CHECK(clSetKernelArg(raw, static_cast<cl_uint>(pointers.size()), sizeof scale, &scale));
      arguments.push_back(&scale);
    }
    std::vector<Operation> operations = {
        {std::format("raw_kernel_{}_ns", what.name), repeated([&] {
           launches.raw.launch(raw, elements);
           launches.raw.finish();
         })},
        {std::format("kernel_{}_ns", what.name), repeated([&] {
           HIP_CHECK(hipModuleLaunchKernel(function, elements / group, 1, 1, group, 1, 1, 0,
                                           nullptr, arguments.data(), nullptr));
           HIP_CHECK(hipStreamSynchronize(nullptr));
         })}};
    measure(operations, effort);
    results.add(operations);
    results.add(std::format("kernel_{}_ratio", what.name),
                operations[1].nanoseconds / operations[0].nanoseconds);
    CL_CHECK(clReleaseKernel(raw));
  }
}

/// For who counts instructions: what two runs differ in is launches of one of the two ways, and nothing else.
void launch_only(Launches &launches, int ours, int plain) {
  hipStream_t stream = nullptr;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  launches.launch_raw();
  launches.raw.finish();
  launches.launch(stream);
  HIP_CHECK(hipStreamSynchronize(stream));
  CALLGRIND_START_INSTRUMENTATION;
  for (int i = 0; i < plain; ++i)
    launches.launch_raw();
  for (int i = 0; i < ours; ++i)
    launches.launch(stream);
  CALLGRIND_STOP_INSTRUMENTATION;
  launches.raw.finish();
  HIP_CHECK(hipStreamSynchronize(stream));
}

void run(int argc, char **argv) {
  Effort effort;
  std::string json;
  int ours = 0, plain = 0; // launches, if nothing is to be measured
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    int *const number = option == "--batches"          ? &effort.batches
                        : option == "--batch-size"     ? &effort.batch_size
                        : option == "--launches"       ? &ours
                        : option == "--plain-launches" ? &plain
                                                       : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error("usage: bench_opencl [--json FILE] [--batches N] [--batch-size N] | "
                               "[--launches N] [--plain-launches N]");
    if (number)
      *number = positive_number(argv[++i]);
    else
      json = argv[++i];
  }
  HIP_CHECK(hipInit(0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  Launches launches(BENCH_OPENCL_KERNELS, properties.name);
  if (ours || plain)
    return launch_only(launches, ours, plain);
  std::printf("%s; medians of %d batches of %d\n", properties.name, effort.batches,
              effort.batch_size);
  Results results;
  measure_launches(launches, effort, results);
  measure_kernels(launches, effort, results);
  report(results, json);
}

} // namespace

int main(int argc, char **argv) {
  return bench::run_program("bench_opencl", [&] { run(argc, argv); });
}
