# find_package(hip CONFIG): HIP on libCHIP.
#
#   hip::amdhip64, hip::host   headers and libCHIP.so, for host code that any compiler compiles
#   hip::device                the same, and C++ sources compiled as HIP; the compiler must be hipcc, or what
#                              `hipconfig --hipclangpath` names
#
# Variables are those of other packages of HIP: hip_INCLUDE_DIRS, hip_LIBRARIES, HIP_PLATFORM, ...
include_guard(DIRECTORY)
get_filename_component(HIP_PACKAGE_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(hip_INCLUDE_DIR "${HIP_PACKAGE_PREFIX_DIR}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${HIP_PACKAGE_PREFIX_DIR}/lib")
set(hip_BIN_INSTALL_DIR "${HIP_PACKAGE_PREFIX_DIR}/bin")
set(hip_HIPCC_EXECUTABLE "${hip_BIN_INSTALL_DIR}/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${hip_BIN_INSTALL_DIR}/hipconfig")
set(hip_LIBRARIES hip::host hip::device)
set(hip_LIBRARY "${hip_LIBRARIES}")

set(_chip_library "${hip_LIB_INSTALL_DIR}/libCHIP.so")
foreach(_chip_file IN ITEMS "${hip_INCLUDE_DIR}/hip/hip_runtime.h" "${_chip_library}")
  if(NOT EXISTS "${_chip_file}")
    set(hip_FOUND FALSE)
    set(hip_NOT_FOUND_MESSAGE "${_chip_file} is missing: build or install libCHIP completely")
    return()
  endif()
endforeach()

# Applications tell only AMD from NVIDIA; see hip_common.h.
if(NOT DEFINED HIP_PLATFORM)
  set(HIP_PLATFORM amd)
endif()
set(HIP_RUNTIME chip)
set(HIP_COMPILER clang)

foreach(_chip_variable IN ITEMS INCLUDE_DIR INCLUDE_DIRS LIB_INSTALL_DIR BIN_INSTALL_DIR
                                HIPCC_EXECUTABLE HIPCONFIG_EXECUTABLE LIBRARIES LIBRARY)
  set(HIP_${_chip_variable} "${hip_${_chip_variable}}")
endforeach()

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_chip_library}"
    INTERFACE_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1;__HIP_PLATFORM_SPIRV__=1")
  if(hip_VERSION_MAJOR EQUAL 7) # as find_package(hip 7) asks for
    set_property(TARGET hip::amdhip64 APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS HIP_FORCE_API_VERSION=700)
  endif()

  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)

  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES INTERFACE_LINK_LIBRARIES hip::host)
  if(CMAKE_CXX_COMPILER MATCHES "hipcc" OR CMAKE_CXX_COMPILER MATCHES "/lib/chip/bin/clang")
    set_target_properties(hip::device PROPERTIES
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")
  endif()
endif()

unset(_chip_library)
unset(_chip_file)
unset(_chip_variable)
