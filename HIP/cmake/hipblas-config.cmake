# find_package(hipblas CONFIG): hipBLAS on libCHIP, roc::hipblas.
include(CMakeFindDependencyMacro)
get_filename_component(_chip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_dependency(hip HINTS "${_chip_prefix}")
find_dependency(hipblas-common HINTS "${_chip_prefix}")
set(hipblas_INCLUDE_DIR "${_chip_prefix}/include")
set(hipblas_INCLUDE_DIRS "${hipblas_INCLUDE_DIR}")
set(HIPBLAS_INCLUDE_DIR "${hipblas_INCLUDE_DIR}")
set(HIPBLAS_INCLUDE_DIRS "${hipblas_INCLUDE_DIR}")
foreach(_chip_variable IN ITEMS hipblas_LIBRARY hipblas_LIBRARIES HIPBLAS_LIBRARY HIPBLAS_LIBRARIES)
  set(${_chip_variable} roc::hipblas)
endforeach()
if(NOT EXISTS "${_chip_prefix}/lib/libhipblas.so")
  set(hipblas_FOUND FALSE)
  set(hipblas_NOT_FOUND_MESSAGE "${_chip_prefix}/lib/libhipblas.so is missing: build or install libCHIP completely")
elseif(NOT TARGET roc::hipblas)
  add_library(roc::hipblas SHARED IMPORTED)
  set_target_properties(roc::hipblas PROPERTIES
    IMPORTED_LOCATION "${_chip_prefix}/lib/libhipblas.so"
    IMPORTED_SONAME libhipblas.so.@HIPBLAS_MAJOR@
    INTERFACE_INCLUDE_DIRECTORIES "${hipblas_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "roc::hipblas-common;hip::host")
endif()
unset(_chip_prefix)
unset(_chip_variable)
