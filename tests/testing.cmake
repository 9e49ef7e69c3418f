# How tests are registered: code objects from the hipcc of this build, and one CTest test per Catch2 test case and device.

# chip_add_code_object(NAME source): compiles device code with `hipcc --genco`; the file is $<TARGET_PROPERTY:NAME,CODE_OBJECT>.
function(chip_add_code_object name source)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.code)
  add_custom_command(OUTPUT ${output}
    COMMAND $<TARGET_FILE:${chip_hipcc}> --genco -O2 ${source} -o ${output}
    DEPENDS ${source} ${ARGN} ${chip_compiler_targets}
    COMMENT "Compiling device code ${name}" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${output})
  set_target_properties(${name} PROPERTIES CODE_OBJECT ${output})
endfunction()

# chip_add_acceptance_test(NAME PROGRAM): Intel's compiler takes all device code of a program, and gives each kernel sub-groups of
# 32. PROGRAM is what chip_add_hip_program(PROGRAM ...) made, before in the same folder.
function(chip_add_acceptance_test name program)
  find_program(CHIP_OBJCOPY NAMES llvm-objcopy-22 objcopy REQUIRED)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/${program}.code)
  add_custom_command(OUTPUT ${code}
    COMMAND ${CHIP_OBJCOPY} -O binary --only-section=.hip_fatbin ${${program}_PROGRAM} ${code}
    DEPENDS ${${program}_PROGRAM} VERBATIM)
  add_custom_target(${program}_code ALL DEPENDS ${code})
  add_dependencies(${program}_code ${program}_program)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/pvc-sim $<TARGET_FILE:module_accepted> ${code})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()

# The variables that bring up the simulated Ponte Vecchio: scripts/pvc-sim is the place that knows them.
file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/pvc-sim chip_pvc_environment REGEX "^export NEO")
string(REGEX REPLACE "^export " "" chip_pvc_environment "${chip_pvc_environment}")
string(REPLACE " " ";" chip_pvc_environment "${chip_pvc_environment}")

set_property(GLOBAL PROPERTY chip_test_registrations 0)

# chip_discover_tests(target DEVICE cpu|pvc [VALIDATED] [PREFIX text] [FILTER spec] [ENVIRONMENT name=value...])
#
# One test per test case of a Catch2 program, on the CPU driver or on the simulated Ponte Vecchio (where nothing executes, so
# only tests that do not look at results belong there; no other machine has it); VALIDATED adds Level Zero's validation layer.
function(chip_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "VALIDATED" "DEVICE;PREFIX;FILTER" "ENVIRONMENT")
  set(environment ${arg_ENVIRONMENT})
  if(arg_DEVICE STREQUAL "pvc" AND CMAKE_CROSSCOMPILING)
    return()
  elseif(arg_DEVICE STREQUAL "pvc")
    list(PREPEND environment --unset=CHIP_DEVICE --unset=ZE_ENABLE_ALT_DRIVERS) # as scripts/pvc-sim does
    list(APPEND environment ${chip_pvc_environment})
  elseif(arg_DEVICE STREQUAL "cpu")
    list(APPEND environment CHIP_DEVICE=cpu)
  else()
    message(FATAL_ERROR "chip_discover_tests(${target}): DEVICE is cpu or pvc")
  endif()
  set(prefix "${arg_DEVICE}: ${arg_PREFIX}")
  if(arg_VALIDATED)
    list(APPEND environment ZE_ENABLE_VALIDATION_LAYER=1 ZE_ENABLE_PARAMETER_VALIDATION=1)
    string(PREPEND prefix "validated ")
  endif()
  if(CHIP_SANITIZE)
    list(APPEND environment ASAN_OPTIONS=verify_asan_link_order=0)
  endif()
  set(spec)
  if(arg_FILTER)
    set(spec TEST_SPEC ${arg_FILTER})
  endif()
  # Catch2's module tells the registrations of one program apart by their arguments only.
  get_property(registration GLOBAL PROPERTY chip_test_registrations)
  math(EXPR registration "${registration} + 1")
  set_property(GLOBAL PROPERTY chip_test_registrations ${registration})
  math(EXPR limit "120 * ${chip_patience}")
  # The module loses all but the first variable of an ENVIRONMENT property; what starts the program sets them instead.
  set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR
    "${CMAKE_COMMAND};-E;env;${environment}")
  catch_discover_tests(${target} ${spec} EXTRA_ARGS --rng-seed ${registration} TEST_PREFIX "${prefix}" DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${limit})
endfunction()

# chip_test_intel_compiler(LIBRARY)
#
# Registers the test that the compiler for Intel's GPUs takes all kernels of a library. None executes there without a GPU.
function(chip_test_intel_compiler library)
  find_program(CHIP_OBJCOPY NAMES llvm-objcopy-22 objcopy REQUIRED)
  get_target_property(objects ${library} KERNELS)
  set(codes)
  foreach(object IN LISTS objects)
    cmake_path(GET object STEM LAST_ONLY name)
    set(code ${CMAKE_CURRENT_BINARY_DIR}/${name}.code)
    add_custom_command(OUTPUT ${code} COMMAND ${CHIP_OBJCOPY} -O binary --only-section=.hip_fatbin ${object} ${code}
      DEPENDS ${library} VERBATIM)
    list(APPEND codes ${code})
  endforeach()
  add_custom_target(${library}_kernels_code ALL DEPENDS ${codes})
  add_test(NAME "${library}: Intel's compiler takes all kernels"
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/pvc-sim $<TARGET_FILE:module_accepted> ${codes})
  set_tests_properties("${library}: Intel's compiler takes all kernels" PROPERTIES TIMEOUT 600)
endfunction()
