// Implementations that fail, lie or do nothing: the device is left out, or goes without what does not work, and one line says so;
// or it does what it must all the same.
#include "device_check.h"
#include "settings.h"

#include <cstdlib>
#include <vector>

using settings::Case;
using settings::Outcome;

namespace {

/// What must come of a case.
struct Lie {
  Case of;
  int status;
  const char *line; // what the driver's only line has; null: it says nothing
};

constexpr const char *unified = "system_svm"; // hidden, cl_intel_unified_shared_memory is used
constexpr const char *no_buffers = "cl_ext_buffer_device_address";
constexpr const char *fine =
    "system_svm,cl_intel_unified_shared_memory,cl_ext_buffer_device_address";

std::vector<Lie> lies() {
  std::vector<Lie> all = {
      // Answers.
      {{"names of a megabyte", {{"SHIM_LIE", "long_texts"}}}, right, nullptr},
      {{"texts without an end", {{"SHIM_LIE", "open_texts"}}}, right, nullptr},
      {{"texts of no characters", {{"SHIM_LIE", "no_texts"}}}, left_out, "does not tell its name"},
      {{"texts of control characters", {{"SHIM_LIE", "garbage_texts"}}}, left_out, "OpenCL 2.1"},
      {{"texts of half the memory there is", {{"SHIM_LIE", "huge_sizes"}}}, left_out, "its name"},
      {{"texts that grow", {{"SHIM_LIE", "growing_sizes"}}}, left_out, "its name"},
      {{"no platforms", {{"SHIM_LIE", "no_platforms"}}}, left_out, "no OpenCL platform"},
      {{"no devices", {{"SHIM_LIE", "no_devices"}}}, left_out, "no device is found"},
      {{"a list of no devices", {{"SHIM_LIE", "zero_devices"}}}, left_out, "no device is found"},
      {{"four billion devices", {{"SHIM_LIE", "many_devices"}}},
       left_out,
       "does not tell its devices"},
      {{"a device that is none", {{"SHIM_LIE", "null_devices"}}}, right, nullptr},
      {{"an error for the devices", {{"SHIM_FAIL", "clGetDeviceIDs"}}},
       left_out,
       "does not tell its devices"},
      {{"no memory for the devices", {{"SHIM_FAIL", "clGetDeviceIDs"}, {"SHIM_CODE", "-6"}}},
       left_out,
       "CL_OUT_OF_HOST_MEMORY"},
      // Commands.
      {{"copies that copy nothing", {{"SHIM_BREAK", "copies"}, {"SHIM_HIDE", no_buffers}}},
       left_out,
       "does not come back"},
      {{"fills that fill nothing", {{"SHIM_BREAK", "fills"}, {"SHIM_HIDE", fine}}},
       left_out,
       "does not come back"},
      {{"a kernel that ends with an error", {}}, right, "plain failed on"},
      {{"kernels that do nothing", {{"SHIM_BREAK", "kernels"}, {"SHIM_HIDE", unified}}},
       left_out,
       "does not follow a pointer"},
      {{"kernels that end with an error", {{"SHIM_BREAK", "failures"}, {"SHIM_HIDE", unified}}},
       left_out,
       "a kernel: CL_EXEC_STATUS_ERROR"},
      {{"commands that never end", {{"SHIM_BREAK", "never"}, {"ZE_OPENCL_START_SECONDS", "1"}}},
       left_out,
       "platform Portable Computing Language does not come back within 1 seconds"},
      {{"a loader that hangs", {{"SHIM_HANG", "1"}, {"ZE_OPENCL_START_SECONDS", "1"}}},
       left_out,
       "an implementation does not come back within 1 seconds"},
      {{"callbacks that tell of an error", {{"SHIM_BREAK", "callbacks"}}}, right, nullptr},
      {{"SPIR-V that is not taken", {{"SHIM_FAIL", "clCreateProgramWithIL"}}},
       left_out,
       "it does not build a kernel: CL_OUT_OF_RESOURCES"},
      {{"SPIR-V that is not built", {{"SHIM_FAIL", "clBuildProgram"}}},
       left_out,
       "it does not build a kernel: CL_OUT_OF_RESOURCES"},
      {{"a claim of unified memory",
        {{"SHIM_HIDE", "system_svm"}, {"SHIM_CLAIM", "cl_intel_unified_shared_memory"}}},
       right,
       "lacks functions"},
  };
  for (const char *name : {"clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL",
                           "clMemBlockingFreeINTEL", "clEnqueueMemcpyINTEL",
                           "clEnqueueMemFillINTEL", "clSetKernelArgMemPointerINTEL"}) {
    const std::string function = name;
    all.push_back({{"no " + function, {{"SHIM_HIDE", unified}, {"SHIM_LACK", function}}},
                   right,
                   "fine-grained SVM: cl_intel_unified_shared_memory: it lacks functions"});
    const bool is_free = function == "clMemBlockingFreeINTEL"; // whose failure nobody can mend
    all.push_back({{function + " fails", {{"SHIM_HIDE", unified}, {"SHIM_FAIL", function}}},
                   right,
                   is_free ? nullptr : "fine-grained SVM: cl_intel_unified_shared_memory: "});
  }
  return all;
}

} // namespace

/// Arguments: the driver, the shim's .icd file, the module.
int main(int argc, char **argv) {
  if (argc != 4)
    return wrong;
  prepare(argv[1], argv[2], argv[3]);
  const std::vector<Lie> all = lies();
  std::vector<Case> cases;
  for (const Lie &lie : all)
    cases.push_back(lie.of);
  const auto judge = [&](const Case &of, const Outcome &outcome) -> std::string {
    for (const Lie &lie : all) {
      if (lie.of.name != of.name)
        continue;
      const auto lines = outcome.lines("ze_opencl: ");
      if (outcome.status != lie.status)
        return "it ends with " + std::to_string(outcome.status);
      if (lines.size() != (lie.line ? 1 : 0))
        return std::to_string(lines.size()) + " lines";
      if (lie.line && !lines.front().contains(lie.line))
        return std::string("no line with '") + lie.line + "'";
    }
    return "";
  };
  const auto work = [](const Case &of) {
    return of.name == "a kernel that ends with an error" ? try_failing_kernel() : try_device();
  };
  return settings::run(cases, work, judge) != 0;
}
