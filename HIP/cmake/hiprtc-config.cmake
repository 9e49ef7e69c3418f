# find_package(hiprtc CONFIG): run-time compilation, hiprtc::hiprtc.
get_filename_component(_chip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(hiprtc_INCLUDE_DIR "${_chip_prefix}/include")
set(hiprtc_INCLUDE_DIRS "${hiprtc_INCLUDE_DIR}")
set(hiprtc_LIBRARIES hiprtc::hiprtc)
if(NOT EXISTS "${_chip_prefix}/lib/libhiprtc.so")
  set(hiprtc_FOUND FALSE)
  set(hiprtc_NOT_FOUND_MESSAGE "${_chip_prefix}/lib/libhiprtc.so is missing: build or install libCHIP completely")
elseif(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_chip_prefix}/lib/libhiprtc.so"
    INTERFACE_INCLUDE_DIRECTORIES "${hiprtc_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1;__HIP_PLATFORM_SPIRV__=1")
endif()
if(TARGET hiprtc::hiprtc)
  include("${CMAKE_CURRENT_LIST_DIR}/../hip/chip-interface.cmake")
  _chip_choose_interface(hiprtc hiprtc::hiprtc)
endif()
unset(_chip_prefix)
