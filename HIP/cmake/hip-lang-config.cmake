# What CMake itself looks for when a project enables the language HIP.
get_filename_component(_chip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED GLOBAL)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_chip_prefix}/lib/libCHIP.so")

  add_library(hip-lang::host INTERFACE IMPORTED GLOBAL)
  set_target_properties(hip-lang::host PROPERTIES INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)

  # Every target with HIP sources is linked with this one.
  add_library(hip-lang::device INTERFACE IMPORTED GLOBAL)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip-lang::host
    # CMake gives programs no run path to the libraries that a language brings along.
    INTERFACE_LINK_OPTIONS "LINKER:-rpath,${_chip_prefix}/lib"
    INTERFACE_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${_chip_prefix}/include>"
    INTERFACE_COMPILE_DEFINITIONS
      "$<$<COMPILE_LANGUAGE:HIP>:__HIP_PLATFORM_AMD__=1;__HIP_PLATFORM_SPIRV__=1>")
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
unset(_chip_prefix)
