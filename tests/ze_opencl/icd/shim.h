// An implementation of OpenCL that is PoCL but for what variables of the environment say, which are read at each call, so that a
// process may change them as it goes.
//   SHIM_FAIL=clName       that function fails (SHIM_CODE, else CL_OUT_OF_RESOURCES); clName@n: from its n-th call on (failing.h)
//   SHIM_HIDE=a,b          what devices do not have: extensions, and what answers.cpp and modules.cpp name
//   SHIM_CLAIM=a           an extension that devices claim, and whose functions are not to be had
//   SHIM_LACK=clName       a function of an extension that is not to be had
//   SHIM_SAY=name=n,...    a number that devices tell instead of theirs (answers.cpp)
//   SHIM_LIE=a,b           answers that no caller can count on (answers.cpp)
//   SHIM_BREAK=a,b         commands that do not do what they are for (commands.cpp)
//   SHIM_HANG=1            never comes back from the loader's first call
//   SHIM_TWO=1             there is a second platform (platforms.cpp); SHIM_HIDE_2 is what its devices do not have
// It says on stderr, behind "shim: ", what a driver must not do on such a device.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shim {

/// The variable's value; empty if it is not set.
std::string_view variable(const char *name);
/// Whether the list of the variable has the entry.
bool lists(const char *name, std::string_view entry);
/// What SHIM_SAY says for `name`.
std::optional<uint64_t> said(std::string_view name);

/// PoCL's functions, of those that the driver uses.
extern cl_icd_dispatch original;

/// Functions of cl_intel_unified_shared_memory that enqueue: PoCL's.
struct UnifiedFunctions {
  clHostMemAllocINTEL_fn clHostMemAllocINTEL;
  clDeviceMemAllocINTEL_fn clDeviceMemAllocINTEL;
  clSharedMemAllocINTEL_fn clSharedMemAllocINTEL;
  clMemBlockingFreeINTEL_fn clMemBlockingFreeINTEL;
  clEnqueueMemcpyINTEL_fn clEnqueueMemcpyINTEL;
  clEnqueueMemFillINTEL_fn clEnqueueMemFillINTEL;
  clSetKernelArgMemPointerINTEL_fn clSetKernelArgMemPointerINTEL;
};
#define SHIM_UNIFIED_FUNCTIONS(X)                                                                  \
  X(clHostMemAllocINTEL)                                                                           \
  X(clDeviceMemAllocINTEL)                                                                         \
  X(clSharedMemAllocINTEL)                                                                         \
  X(clMemBlockingFreeINTEL)                                                                        \
  X(clEnqueueMemcpyINTEL)                                                                          \
  X(clEnqueueMemFillINTEL)                                                                         \
  X(clSetKernelArgMemPointerINTEL)
extern UnifiedFunctions original_unified;

/// Whether the device does not have it: SHIM_HIDE, or SHIM_HIDE_2.
bool is_hidden(cl_device_id device, std::string_view what);

// Each puts its functions in the place of PoCL's.
void change_answers(cl_icd_dispatch &table);
void change_modules(cl_icd_dispatch &table);
void change_commands(cl_icd_dispatch &table, UnifiedFunctions &unified);
void change_platforms(cl_icd_dispatch &table, UnifiedFunctions &unified);
/// Those that came with later versions of OpenCL than SHIM_SAY says.
void drop_newer_functions(cl_icd_dispatch &table);

// The second platform (platforms.cpp): an object of its own whose devices stand for PoCL's.

/// Writes the platforms that the loader is to know; OpenCL's error code.
cl_int list_platforms(cl_uint count, cl_platform_id *platforms, cl_uint *available,
                      clGetPlatformIDs_t *get);
bool is_second(cl_platform_id platform);
bool is_second(cl_device_id device);
/// PoCL's object.
cl_platform_id real(cl_platform_id platform);
cl_device_id real(cl_device_id device);
/// True: it was the second platform's, and is seen to.
bool set_dispatch_data(cl_platform_id platform, void *data);

} // namespace shim
