// Devices that lack one thing or two, or all of them: each is taken and right in what it has, or left out with one line that says
// why. Kernels that need what is missing are refused with a reason, and the others of their module run.
#include "device_check.h"
#include "settings.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

using settings::Case;
using settings::Outcome;

namespace {

/// What makes a device useless, and what the line that leaves it out must say.
const std::vector<std::pair<Case, const char *>> useless = {
    {{"no SPIR-V", {{"SHIM_HIDE", "il"}}}, "takes no SPIR-V"},
    {{"no memory for pointers",
      {{"SHIM_HIDE", "system_svm,cl_ext_buffer_device_address,cl_intel_unified_shared_memory,fine_"
                     "svm,coarse_svm"}}},
     "cannot follow pointers"},
    {{"OpenCL 1.2", {{"SHIM_SAY", "version=12"}}}, "OpenCL 2.1"},
    {{"OpenCL 2.0", {{"SHIM_SAY", "version=20"}}}, "OpenCL 2.1"},
};

std::string judge(const Case &of, const Outcome &outcome) {
  std::vector<const char *> reasons;
  for (const auto &[without, reason] : useless)
    if (of.name.contains(without.name))
      reasons.push_back(reason);
  const auto lines = outcome.lines("ze_opencl: ");
  if (!outcome.lines("shim: ").empty())
    return "the device is given what it cannot take";
  if (outcome.status != right && outcome.status != left_out)
    return "it is not right";
  if ((outcome.status == left_out) == reasons.empty())
    return reasons.empty() ? "it is left out" : "it is taken";
  if (reasons.empty())
    return lines.empty() ? "" : "a line on what can be used";
  if (lines.size() != 1)
    return "it is left out with " + std::to_string(lines.size()) + " lines";
  for (const char *reason : reasons)
    if (lines.front().contains(reason))
      return "";
  return "the line does not say why";
}

Case hiding(const std::string &name, const std::string &what) {
  return {name, {{"SHIM_HIDE", what}}};
}
Case saying(const std::string &what) { return {what, {{"SHIM_SAY", what}}}; }

} // namespace

/// Arguments: the driver, the shim's .icd file, the module.
int main(int argc, char **argv) {
  if (argc != 4)
    return wrong;
  prepare(argv[1], argv[2], argv[3]);

  const std::string no_address = "cl_ext_buffer_device_address";
  const std::string unified = "system_svm";
  const std::string fine = unified + ",cl_intel_unified_shared_memory";
  const std::string buffers = fine + ",fine_svm";
  const std::string coarse = buffers + "," + no_address;
  const std::vector<settings::Feature> features = {
      {hiding("unified memory", unified), hiding("fine-grained SVM", fine),
       hiding("buffers", buffers), hiding("coarse-grained SVM", coarse)},
      {saying("spirv=0"), saying("spirv=1"), saying("spirv=2"), saying("spirv=3"),
       saying("spirv=4")},
      {saying("version=21")},
      {hiding("no doubles", "fp64")},
      {hiding("no 64-bit atomics", "cl_khr_int64_base_atomics")},
      {hiding("no float atomics", "cl_ext_float_atomics")},
      {hiding("no generic pointers", "generic")},
      {hiding("no profiling timer", "timer")},
      {hiding("no host timer", "host_timer")},
      {hiding("no uuid", "uuid")},
      {saying("group=1"), saying("group=16")},
      {saying("parameters=64"), saying("parameters=256")},
      {saying("local=0")},
      {saying("allocation=65536")},
  };
  std::vector<Case> cases = settings::covering(features);
  cases.push_back({"everything", {}});
  for (const auto &[without, reason] : useless) {
    cases.push_back(without);
    for (const settings::Feature &feature : features)
      cases.push_back(settings::on_top(without, feature.back()));
  }
  return settings::run(cases, [](const Case &) { return try_device(); }, judge) != 0;
}
