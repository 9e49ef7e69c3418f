# find_package(hip CONFIG): HIP on libCHIP.
#
#   hip::amdhip64, hip::host   headers and libCHIP.so, for host code that any compiler compiles
#   hip::device                the same, and C++ sources compiled as HIP; the compiler must be hipcc, or what
#                              `hipconfig --hipclangpath` names
#
# Variables are those of other packages of HIP: hip_INCLUDE_DIRS, hip_LIBRARIES, HIP_PLATFORM, ...
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
set(HIP_RUNTIME rocclr) # as hipconfig says
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

  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)

  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES INTERFACE_LINK_LIBRARIES hip::host)
  # A wrapper, as those of MPI, does not have the name of the compiler that it calls.
  set(_chip_compiler "${CMAKE_CXX_COMPILER}")
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT _chip_compiler MATCHES "hipcc|/lib/chip/bin/clang")
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -x hip -dM -E /dev/null OUTPUT_VARIABLE _chip_compiler ERROR_QUIET)
  endif()
  if(_chip_compiler MATCHES "hipcc|/lib/chip/bin/clang|__HIP_PLATFORM_SPIRV__")
    set_target_properties(hip::device PROPERTIES
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")
  endif()
  unset(_chip_compiler)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/chip-interface.cmake")
_chip_choose_interface(hip hip::amdhip64)

unset(_chip_library)
unset(_chip_file)
unset(_chip_variable)
