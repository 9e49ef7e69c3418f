# find_package(hipblas-common CONFIG): the header that hipBLAS and hipBLASLt share, roc::hipblas-common.
get_filename_component(hipblas-common_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)
set(hipblas-common_INCLUDE_DIRS "${hipblas-common_INCLUDE_DIR}")
set(hipblas-common_LIBRARY roc::hipblas-common)
set(hipblas-common_LIBRARIES roc::hipblas-common)
if(NOT TARGET roc::hipblas-common)
  add_library(roc::hipblas-common INTERFACE IMPORTED)
  set_target_properties(roc::hipblas-common PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${hipblas-common_INCLUDE_DIR}")
endif()
