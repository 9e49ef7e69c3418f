# find_package(HIP) as a module, for projects that compile files with hipcc and the rest with another compiler: they add
# lib/cmake/hip of the installation to CMAKE_MODULE_PATH.
#
#   hip_add_executable(NAME source... [EXCLUDE_FROM_ALL] [HIPCC_OPTIONS option...])
#   hip_add_library(NAME [STATIC|SHARED|MODULE] source... [EXCLUDE_FROM_ALL] [HIPCC_OPTIONS option...])
#   hip_include_directories(directory...)    for the targets that follow
#   hip_reset_flags()                        empties HIP_HIPCC_FLAGS and HIP_CLANG_FLAGS, and those of all configurations
#
# Files that are called .cu or .hip, and those whose property HIP_SOURCE_PROPERTY_FORMAT is set, are HIP. Options of
# HIP_HIPCC_FLAGS, HIP_CLANG_FLAGS and their variants for one configuration (HIP_HIPCC_FLAGS_DEBUG) are for all of them, and
# so are include directories, definitions and options of the target. CLANG_OPTIONS is the same as HIPCC_OPTIONS; NVCC_OPTIONS
# and HCC_OPTIONS are for other platforms. Among options, the name of a configuration in capitals says that those behind it are for that
# one: HIPCC_OPTIONS -DX RELEASE -O3 DEBUG -g. Options may have semicolons or blanks between them.
get_filename_component(_chip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HIP_ROOT_DIR "${_chip_prefix}" CACHE PATH "The installation of HIP" FORCE)
unset(_chip_prefix)
set(HIP_INCLUDE_DIRS "${HIP_ROOT_DIR}/include")
set(HIP_HIPCC_EXECUTABLE "${HIP_ROOT_DIR}/bin/hipcc")
set(HIP_HIPCONFIG_EXECUTABLE "${HIP_ROOT_DIR}/bin/hipconfig")
foreach(_chip_word IN ITEMS version platform compiler runtime)
  string(TOUPPER "HIP_${_chip_word}" _chip_variable)
  execute_process(COMMAND "${HIP_HIPCONFIG_EXECUTABLE}" --${_chip_word} OUTPUT_VARIABLE ${_chip_variable} ERROR_QUIET)
endforeach()
unset(_chip_word)
unset(_chip_variable)
if(HIP_VERSION MATCHES "^([0-9]+)\\.([0-9]+)\\.([0-9]+)")
  set(HIP_VERSION_MAJOR "${CMAKE_MATCH_1}")
  set(HIP_VERSION_MINOR "${CMAKE_MATCH_2}")
  set(HIP_VERSION_PATCH "${CMAKE_MATCH_3}")
  set(HIP_VERSION "${CMAKE_MATCH_0}")
  set(HIP_VERSION_STRING "${HIP_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HIP
  REQUIRED_VARS HIP_ROOT_DIR HIP_HIPCC_EXECUTABLE HIP_HIPCONFIG_EXECUTABLE HIP_PLATFORM HIP_COMPILER HIP_RUNTIME
  VERSION_VAR HIP_VERSION)

foreach(_chip_configuration IN ITEMS "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
  set(HIP_HIPCC_FLAGS${_chip_configuration} "" CACHE STRING "Options of hipcc")
  set(HIP_CLANG_FLAGS${_chip_configuration} "" CACHE STRING "Options of hipcc")
  mark_as_advanced(HIP_HIPCC_FLAGS${_chip_configuration} HIP_CLANG_FLAGS${_chip_configuration})
endforeach()
unset(_chip_configuration)

# Macros where the caller's scope is meant.
macro(hip_include_directories)
  list(APPEND HIP_HIPCC_INCLUDE_ARGS_USER ${ARGN})
endmacro()

macro(hip_reset_flags)
  foreach(_chip_configuration IN ITEMS "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
    set(HIP_HIPCC_FLAGS${_chip_configuration} "")
    set(HIP_CLANG_FLAGS${_chip_configuration} "")
  endforeach()
  unset(_chip_configuration)
endmacro()

# The configurations that there may be, in capitals.
function(_chip_configurations result)
  set(names DEBUG RELEASE RELWITHDEBINFO MINSIZEREL ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(TRANSFORM names TOUPPER)
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# Appends the options behind `names` to the list `variable`, one by one: for the configuration, if one is given, and behind one of `names` for
# the configuration of that name.
function(_chip_append_options variable configuration names)
  set(result ${${variable}})
  foreach(text IN LISTS ARGN)
    if(text MATCHES "\\$<") # which may have blanks
      set(words "${text}")
    else()
      separate_arguments(words UNIX_COMMAND "${text}")
    endif()
    foreach(word IN LISTS words)
      if(word IN_LIST names)
        set(configuration ${word})
      elseif(configuration)
        string(REPLACE ">" "$<ANGLE-R>" word "${word}")
        list(APPEND result "$<$<CONFIG:${configuration}>:${word}>")
      else()
        list(APPEND result "${word}")
      endif()
    endforeach()
  endforeach()
  set(${variable} "${result}" PARENT_SCOPE)
endfunction()

# Sets `objects` to what hipcc makes of the HIP files among `sources`, with the options of `target`, and `others` to the rest.
function(_chip_compile target objects others sources options)
  set(made)
  set(left)
  set(own_options ${options})
  set(options "")
  _chip_append_options(options "" "" ${CMAKE_CXX_FLAGS})
  _chip_configurations(configurations)
  foreach(configuration IN LISTS configurations)
    _chip_append_options(options ${configuration} "" ${CMAKE_CXX_FLAGS_${configuration}})
  endforeach()
  _chip_append_options(options "" "" ${HIP_HIPCC_FLAGS} ${HIP_CLANG_FLAGS})
  foreach(configuration IN LISTS configurations)
    _chip_append_options(options ${configuration} "" ${HIP_HIPCC_FLAGS_${configuration}} ${HIP_CLANG_FLAGS_${configuration}})
  endforeach()
  list(APPEND options ${own_options})
  set(include_directories ${HIP_HIPCC_INCLUDE_ARGS_USER} "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(target_options "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  foreach(source IN LISTS sources)
    get_source_file_property(is_hip "${source}" HIP_SOURCE_PROPERTY_FORMAT)
    get_source_file_property(is_header "${source}" HEADER_FILE_ONLY)
    if(is_header OR NOT (is_hip OR source MATCHES "\\.(cu|hip)$"))
      list(APPEND left "${source}")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE file)
    if(NOT EXISTS "${file}")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE file)
    endif()
    list(LENGTH made number)
    cmake_path(GET file FILENAME name)
    set(directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/hip/${number}")
    file(MAKE_DIRECTORY "${directory}")
    set(object "${directory}/${name}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${HIP_HIPCC_EXECUTABLE}" -fPIC ${options} "${target_options}"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        "$<$<BOOL:${include_directories}>:-I$<JOIN:${include_directories},;-I>>"
        -MD -MF "${object}.d" -MT "${object}" -x hip -c "${file}" -o "${object}"
      DEPENDS "${file}" DEPFILE "${object}.d" COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Compiling HIP object ${target}.dir/${name}.o")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND made "${object}")
  endforeach()
  if(options MATCHES "-fgpu-rdc" AND NOT CMAKE_CXX_COMPILER MATCHES "hipcc|/lib/chip/bin/clang")
    message(FATAL_ERROR "${target} has -fgpu-rdc, which the linker of ${CMAKE_CXX_COMPILER} cannot do: "
      "make hipcc the C++ compiler, or enable CMake's language HIP")
  endif()
  set(${objects} "${made}" PARENT_SCOPE)
  set(${others} "${left}" PARENT_SCOPE)
endfunction()

function(_chip_add_target command target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STATIC;SHARED;MODULE;EXCLUDE_FROM_ALL;WIN32;MACOSX_BUNDLE" ""
    "HIPCC_OPTIONS;CLANG_OPTIONS;HCC_OPTIONS;NVCC_OPTIONS")
  set(kind)
  foreach(word IN ITEMS STATIC SHARED MODULE EXCLUDE_FROM_ALL)
    if(arg_${word})
      list(APPEND kind ${word})
    endif()
  endforeach()
  set(options "")
  _chip_configurations(configurations)
  _chip_append_options(options "" "${configurations}" ${arg_HIPCC_OPTIONS})
  _chip_append_options(options "" "${configurations}" ${arg_CLANG_OPTIONS})
  _chip_compile("${target}" objects others "${arg_UNPARSED_ARGUMENTS}" "${options}")
  cmake_language(CALL ${command} "${target}" ${kind} ${objects} ${others})
  # By properties, as projects may call target_link_libraries() with keywords or without, but not both.
  set(library "${HIP_ROOT_DIR}/lib/libCHIP.so")
  set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES "${library}")
  if(command STREQUAL add_library AND NOT arg_MODULE)
    set_property(TARGET "${target}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${library}")
  endif()
  set_property(TARGET "${target}" APPEND PROPERTY INCLUDE_DIRECTORIES "${HIP_INCLUDE_DIRS}")
  set_property(TARGET "${target}" APPEND PROPERTY COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__=1 __HIP_PLATFORM_SPIRV__=1)
  set_target_properties("${target}" PROPERTIES LINKER_LANGUAGE CXX)
  if(options MATCHES "-fgpu-rdc")
    set_property(TARGET "${target}" APPEND PROPERTY LINK_OPTIONS -fgpu-rdc --hip-link)
  endif()
endfunction()

macro(hip_add_executable target)
  _chip_add_target(add_executable "${target}" ${ARGN})
endmacro()

macro(hip_add_library target)
  _chip_add_target(add_library "${target}" ${ARGN})
endmacro()
