# find_package(rocblas CONFIG): rocBLAS on libCHIP, roc::rocblas.
include(CMakeFindDependencyMacro)
get_filename_component(_chip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_dependency(hip HINTS "${_chip_prefix}")
set(rocblas_INCLUDE_DIR "${_chip_prefix}/include")
set(rocblas_INCLUDE_DIRS "${rocblas_INCLUDE_DIR}")
set(ROCBLAS_INCLUDE_DIR "${rocblas_INCLUDE_DIR}")
set(ROCBLAS_INCLUDE_DIRS "${rocblas_INCLUDE_DIR}")
foreach(_chip_variable IN ITEMS rocblas_LIBRARY rocblas_LIBRARIES ROCBLAS_LIBRARY ROCBLAS_LIBRARIES)
  set(${_chip_variable} roc::rocblas)
endforeach()
if(NOT EXISTS "${_chip_prefix}/lib/librocblas.so")
  set(rocblas_FOUND FALSE)
  set(rocblas_NOT_FOUND_MESSAGE "${_chip_prefix}/lib/librocblas.so is missing: build or install libCHIP completely")
elseif(NOT TARGET roc::rocblas)
  add_library(roc::rocblas SHARED IMPORTED)
  set_target_properties(roc::rocblas PROPERTIES
    IMPORTED_LOCATION "${_chip_prefix}/lib/librocblas.so"
    IMPORTED_SONAME librocblas.so.@ROCBLAS_MAJOR@
    INTERFACE_INCLUDE_DIRECTORIES "${rocblas_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "hip::host")
endif()
unset(_chip_prefix)
unset(_chip_variable)
