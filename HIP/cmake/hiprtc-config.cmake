# find_package(hiprtc CONFIG): run-time compilation, hiprtc::hiprtc.
include_guard(DIRECTORY)
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
  if(hiprtc_VERSION_MAJOR EQUAL 7) # as find_package(hiprtc 7) asks for
    set_property(TARGET hiprtc::hiprtc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS HIP_FORCE_API_VERSION=700)
  endif()
endif()
unset(_chip_prefix)
