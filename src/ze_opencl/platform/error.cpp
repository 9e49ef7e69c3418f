#include "error.h"

#include <format>
#include <utility>

namespace ze_opencl {

std::string error_name(cl_int error) {
#define NAMED(code)                                                                                \
  std::pair<cl_int, const char *> { code, #code }
  constexpr std::pair<cl_int, const char *> names[] = {
      NAMED(CL_DEVICE_NOT_FOUND),
      NAMED(CL_DEVICE_NOT_AVAILABLE),
      NAMED(CL_COMPILER_NOT_AVAILABLE),
      NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
      NAMED(CL_OUT_OF_RESOURCES),
      NAMED(CL_OUT_OF_HOST_MEMORY),
      NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
      NAMED(CL_MEM_COPY_OVERLAP),
      NAMED(CL_BUILD_PROGRAM_FAILURE),
      NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
      NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
      NAMED(CL_LINKER_NOT_AVAILABLE),
      NAMED(CL_LINK_PROGRAM_FAILURE),
      NAMED(CL_INVALID_VALUE),
      NAMED(CL_INVALID_PLATFORM),
      NAMED(CL_INVALID_DEVICE),
      NAMED(CL_INVALID_CONTEXT),
      NAMED(CL_INVALID_QUEUE_PROPERTIES),
      NAMED(CL_INVALID_COMMAND_QUEUE),
      NAMED(CL_INVALID_HOST_PTR),
      NAMED(CL_INVALID_MEM_OBJECT),
      NAMED(CL_INVALID_BINARY),
      NAMED(CL_INVALID_BUILD_OPTIONS),
      NAMED(CL_INVALID_PROGRAM),
      NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
      NAMED(CL_INVALID_KERNEL_NAME),
      NAMED(CL_INVALID_KERNEL),
      NAMED(CL_INVALID_ARG_INDEX),
      NAMED(CL_INVALID_ARG_VALUE),
      NAMED(CL_INVALID_ARG_SIZE),
      NAMED(CL_INVALID_KERNEL_ARGS),
      NAMED(CL_INVALID_WORK_DIMENSION),
      NAMED(CL_INVALID_WORK_GROUP_SIZE),
      NAMED(CL_INVALID_WORK_ITEM_SIZE),
      NAMED(CL_INVALID_GLOBAL_OFFSET),
      NAMED(CL_INVALID_EVENT_WAIT_LIST),
      NAMED(CL_INVALID_EVENT),
      NAMED(CL_INVALID_OPERATION),
      NAMED(CL_INVALID_BUFFER_SIZE),
      NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
      NAMED(CL_INVALID_PROPERTY),
      NAMED(CL_PLATFORM_NOT_FOUND_KHR),
  };
#undef NAMED
  for (const auto &[code, name] : names)
    if (code == error)
      return std::format("{} ({})", name, error);
  return std::format("OpenCL error {}", error);
}

} // namespace ze_opencl
