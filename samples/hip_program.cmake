# Programs compiled by the hipcc of this build, for samples and tests. A user's own CMake project needs none of this: it
# calls an installed hipcc.

# What compiles, and everything that it uses, so that programs are built again when the compiler changed.
set(chip_hipcc hipcc)
set(chip_compiler_targets hipcc spirv_emitter bitcode_linker chip_passes)

# For another machine the hipcc of a build for this one compiles, as users have it do so.
set(chip_cross_options)
set(chip_cross_libraries)
set(chip_patience 1) # how many times the usual time a test may take
if(CMAKE_CROSSCOMPILING)
  set(chip_hipcc native_hipcc)
  set(chip_compiler_targets native_hipcc)
  set(chip_cross_options --target=${CMAKE_LIBRARY_ARCHITECTURE} --sysroot=${CMAKE_SYSROOT})
  set(chip_cross_libraries -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -Wl,-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  set(chip_patience 20) # emulation compiles some kernels for minutes
endif()

# chip_compile_hip(VARIABLE NAME SOURCES file... [OPTIONS option...])
#
# Compiles files with hipcc, in the directory NAME.dir, and sets VARIABLE to the paths of the objects.
function(chip_compile_hip variable name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "chip_compile_hip(${name}): needs SOURCES, does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source FILENAME file)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${file}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir
      COMMAND $<TARGET_FILE:${chip_hipcc}> ${arg_OPTIONS} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} ${chip_compiler_targets}
      DEPFILE ${object}.d
      COMMENT "Compiling ${file} of ${name} with hipcc"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# chip_compile_kernels(VARIABLE LIBRARY SOURCES file...)
#
# Compiles the kernels of a shared library, whose names only the library itself knows.
function(chip_compile_kernels variable library)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES")
  chip_compile_hip(objects ${library}_kernels SOURCES ${arg_SOURCES}
    OPTIONS ${chip_cross_options} -O2 -std=c++20 -fPIC -fvisibility=hidden -Wall -Wextra)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# chip_add_hip_program(NAME SOURCES file... [RDC] [OPTIONS option...] [LIBRARIES library...] [DEPENDS file or target...])
#
# Adds the target NAME_program, built by default, and sets NAME_PROGRAM to the path of the executable. With RDC the files
# are compiled to relocatable device code and linked together.
function(chip_add_hip_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RDC" "" "SOURCES;OPTIONS;LIBRARIES;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "chip_add_hip_program(${name}): needs SOURCES, does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(options -O2 ${chip_cross_options} ${arg_OPTIONS})
  if(arg_RDC)
    list(APPEND options -fgpu-rdc)
  endif()

  chip_compile_hip(objects ${name} SOURCES ${arg_SOURCES} OPTIONS ${options})

  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND $<TARGET_FILE:${chip_hipcc}> ${options} ${objects} ${arg_LIBRARIES} ${chip_cross_libraries} -o ${program}
    DEPENDS ${objects} ${chip_compiler_targets} ${arg_DEPENDS} CHIP hiprtc
    COMMENT "Linking ${name} with hipcc"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name}_program ALL DEPENDS ${program})
  set(${name}_PROGRAM ${program} PARENT_SCOPE)
endfunction()

# A program that hipcc linked finds a sanitized libCHIP only when the sanitizer's run-time library comes first.
set(chip_program_environment)
if(CHIP_SANITIZE MATCHES "address|thread")
  string(REGEX REPLACE ".*(address|thread).*" "\\1" runtime "${CHIP_SANITIZE}")
  string(REPLACE "address" "libasan.so" runtime "${runtime}")
  string(REPLACE "thread" "libtsan.so" runtime "${runtime}")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime}
    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(chip_program_environment LD_PRELOAD=${runtime})
endif()

# chip_add_device_tests(NAME COMMAND command...)
#
# Registers the command as a test on each device that every machine has: "NAME on the CPU driver", the same with Level
# Zero's validation layer, which turns each wrong argument into an error, and "NAME on the simulated Ponte Vecchio", which no
# other machine has.
function(chip_add_device_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND)
    message(FATAL_ERROR "chip_add_device_tests(${name}): needs COMMAND, does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  math(EXPR limit "300 * ${chip_patience}")
  set(validation ZE_ENABLE_VALIDATION_LAYER=1 ZE_ENABLE_PARAMETER_VALIDATION=1)
  add_test(NAME "${name} on the CPU driver" COMMAND ${arg_COMMAND})
  add_test(NAME "${name} on the CPU driver, validated" COMMAND ${arg_COMMAND})
  set_tests_properties("${name} on the CPU driver" PROPERTIES
    TIMEOUT ${limit} ENVIRONMENT "CHIP_DEVICE=cpu;${chip_program_environment}")
  # In this order, since the second finds the kernels that the first has compiled.
  set_tests_properties("${name} on the CPU driver, validated" PROPERTIES DEPENDS "${name} on the CPU driver"
    TIMEOUT ${limit} ENVIRONMENT "CHIP_DEVICE=cpu;${validation};${chip_program_environment}")
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  add_test(NAME "${name} on the simulated Ponte Vecchio"
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/pvc-sim ${arg_COMMAND})
  add_test(NAME "${name} on the simulated Ponte Vecchio, validated"
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/pvc-sim ${arg_COMMAND})
  set_tests_properties("${name} on the simulated Ponte Vecchio" PROPERTIES
    TIMEOUT 300 ENVIRONMENT "${chip_program_environment}")
  set_tests_properties("${name} on the simulated Ponte Vecchio, validated" PROPERTIES
    TIMEOUT 300 ENVIRONMENT "${validation};${chip_program_environment}")
endfunction()
