# Every header compiles without another before it, and without a warning, as each kind of program would
# include it.
file(GLOB headers RELATIVE ${include} CONFIGURE_DEPENDS ${include}/chip/*.h ${include}/roctracer/*.h ${include}/hip/*.h ${include}/hip/api/*.h
  ${include}/hip/api/*/*.h)

# Deprecated as a whole, and says so by a warning.
list(REMOVE_ITEM headers hip/hip_hcc.h)

# C++ by nature.
set(not_for_c hip/hip_bfloat16.h hip/hip_complex.h hip/api/cxx/templates.h hip/api/cxx/templates_since_7.h hip/api/cxx/texture_templates.h hip/api/cxx/kernel_arguments.h
  hip/api/cxx/kernel_launch.h)
# Has `<<<>>>` in it.
set(not_for_host hip/api/cxx/kernel_launch.h)

set(warnings -Wall -Wextra -Wvla -Werror -pedantic)

# add_compile_test(<name> <command> <source text> [<argument>...])
function(add_compile_test name compiler extension text)
  string(MAKE_C_IDENTIFIER "${name}" file)
  file(CONFIGURE OUTPUT ${work}/alone/${file}.${extension} CONTENT "${text}" @ONLY)
  add_test(NAME "headers: ${name}"
    COMMAND ${compiler} ${ARGN} -I${include} -fsyntax-only ${work}/alone/${file}.${extension})
endfunction()

foreach(header IN LISTS headers)
  # A declaration, since C wants one in every file.
  set(text "#include <${header}>\nextern int declared;\n")
  if(NOT header IN_LIST not_for_c)
    add_compile_test("${header} alone, gcc, C11" ${CMAKE_C_COMPILER} c "${text}" -std=c11 ${warnings})
  endif()
  if(NOT header IN_LIST not_for_host)
    add_compile_test("${header} alone, g++, C++17" ${CMAKE_CXX_COMPILER} cpp "${text}" -std=c++17 ${warnings})
    add_compile_test("${header} alone, clang++, C++17" ${CHIP_CLANG} cpp "${text}" -std=c++17 ${warnings})
  endif()
endforeach()

# A header that we lack would be taken from another HIP, where one is installed. Those by AMD's names for parts of others are
# nothing but includes.
set(all_headers ${headers})
list(REMOVE_ITEM all_headers ${not_for_host})
file(GLOB amd_headers RELATIVE ${include} CONFIGURE_DEPENDS ${include}/hip/amd_detail/*.h)
list(APPEND all_headers ${amd_headers})
list(TRANSFORM all_headers REPLACE "(.+)" "#include <\\1>\n")
list(JOIN all_headers "" text)
file(CONFIGURE OUTPUT ${work}/alone/all_headers.cpp CONTENT "${text}" @ONLY)
add_test(NAME "headers: none reaches a header of another HIP"
  COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -I${include} -M ${work}/alone/all_headers.cpp)
if(CHIP_OFFICIAL_HIP_INCLUDE)
  set_tests_properties("headers: none reaches a header of another HIP" PROPERTIES
    FAIL_REGULAR_EXPRESSION "${CHIP_OFFICIAL_HIP_INCLUDE}/hip/")
endif()

# The headers of HIP 7 as well.
foreach(header IN LISTS headers)
  if(NOT header IN_LIST not_for_host)
    add_compile_test("${header} alone, HIP 7, g++, C++17" ${CMAKE_CXX_COMPILER} cpp "#include <${header}>\nextern int declared;\n"
      -std=c++17 -DHIP_FORCE_API_VERSION=700 ${warnings})
  endif()
endforeach()

# And together, without a warning.
file(READ ${work}/alone/all_headers.cpp text)
add_compile_test("all headers together, g++, C++17" ${CMAKE_CXX_COMPILER} cpp "${text}" -std=c++17 ${warnings})
add_compile_test("all headers together, clang++, C++17" ${CHIP_CLANG} cpp "${text}" -std=c++17 ${warnings})
set(headers_for_c ${headers})
list(REMOVE_ITEM headers_for_c ${not_for_c})
list(TRANSFORM headers_for_c REPLACE "(.+)" "#include <\\1>\n")
list(JOIN headers_for_c "" text)
add_compile_test("all headers together, gcc, C11" ${CMAKE_C_COMPILER} c "${text}extern int declared;\n" -std=c11 ${warnings})
add_compile_test("all headers together, HIP 7, gcc, C11" ${CMAKE_C_COMPILER} c "${text}extern int declared;\n" -std=c11
  -DHIP_FORCE_API_VERSION=700 ${warnings})

# The oldest language that HIP programs are written in, the newest, and the macros of hipcc.
set(text "#include <hip/hip_runtime_api.h>\n#include <hip/hip_ext.h>\n#include <hip/hiprtc.h>\n")
foreach(standard 11 14 20 23)
  add_compile_test("host interface, g++, C++${standard}" ${CMAKE_CXX_COMPILER} cpp "${text}"
    -std=c++${standard} ${warnings})
endforeach()
foreach(standard 11 23)
  add_compile_test("host interface, HIP 7, clang++, C++${standard}" ${CHIP_CLANG} cpp "${text}"
    -std=c++${standard} -DHIP_FORCE_API_VERSION=700 ${warnings})
endforeach()
add_compile_test("host interface, platform given without a value" ${CMAKE_CXX_COMPILER} cpp "${text}"
  -std=c++17 ${warnings} -D__HIP_PLATFORM_AMD__)
add_compile_test("host interface, platforms given by hipcc" ${CMAKE_CXX_COMPILER} cpp "${text}"
  -std=c++17 ${warnings} -D__HIP_PLATFORM_AMD__=1 -D__HIP_PLATFORM_SPIRV__=1)
add_compile_test("host interface, one default stream per thread" ${CMAKE_CXX_COMPILER} cpp
  "${text}hipError_t (*copy)(void *, const void *, size_t, hipMemcpyKind) = hipMemcpy_spt;\nstatic_assert(static_cast<decltype(copy)>(&hipMemcpy) == &hipMemcpy_spt);\n"
  -std=c++17 ${warnings} -DHIP_API_PER_THREAD_DEFAULT_STREAM)

# Refused, and why.
add_compile_test("another implementation's platform is refused" ${CMAKE_CXX_COMPILER} cpp "${text}"
  -D__HIP_PLATFORM_NVIDIA__)
set_tests_properties("headers: another implementation's platform is refused" PROPERTIES
  PASS_REGULAR_EXPRESSION "error.*__HIP_PLATFORM_NVIDIA__ asks for another implementation")
add_compile_test("an error that nobody looks at is warned of" ${CMAKE_CXX_COMPILER} cpp
  "${text}void f() { hipDeviceSynchronize(); }\n" -std=c++17 ${warnings})
set_tests_properties("headers: an error that nobody looks at is warned of" PROPERTIES
  PASS_REGULAR_EXPRESSION "unused-result")
add_compile_test("a deprecated function is warned of" ${CMAKE_C_COMPILER} c
  "#include <hip/hip_runtime_api.h>\nhipError_t f(void) { return hipCtxSynchronize(); }\n"
  -std=c11 ${warnings})
set_tests_properties("headers: a deprecated function is warned of" PROPERTIES
  PASS_REGULAR_EXPRESSION "deprecated-declarations")
add_compile_test("hip/hip_hcc.h names its successor" ${CMAKE_CXX_COMPILER} cpp "#include <hip/hip_hcc.h>\n")
set_tests_properties("headers: hip/hip_hcc.h names its successor" PROPERTIES
  PASS_REGULAR_EXPRESSION "include hip/hip_ext.h")

# Programs in the HIP language, as hipcc compiles them.
set(hip_flags -x hip --offload=spirv64 -nogpuinc -nogpulib -I${include} -fsyntax-only ${warnings}
  -Wno-pedantic -Wno-unused-variable -include hip/spirv_detail/runtime_wrapper.h)
foreach(side host device)
  foreach(standard 14 17 20 23)
    add_test(NAME "headers: HIP language, ${side} side, C++${standard}"
      COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-${side}-only -std=c++${standard}
              ${CMAKE_CURRENT_SOURCE_DIR}/language.hip)
  endforeach()
  add_test(NAME "headers: HIP language, ${side} side, HIP 7"
    COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-${side}-only -std=c++17 -DHIP_FORCE_API_VERSION=700
            ${CMAKE_CURRENT_SOURCE_DIR}/language.hip)
  add_test(NAME "headers: HIP language, ${side} side, a source that chooses HIP 7"
    COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-${side}-only -std=c++17 ${CMAKE_CURRENT_SOURCE_DIR}/version_7.hip)
  add_test(NAME "headers: HIP language, ${side} side, launches by template"
    COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-${side}-only -std=c++17 -DHIP_TEMPLATE_KERNEL_LAUNCH
            ${CMAKE_CURRENT_SOURCE_DIR}/launch_template.hip)
endforeach()
# hiprtc has no C library to include from.
add_test(NAME "headers: HIP language, as hiprtc compiles it"
  COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-device-only -std=c++17 -nostdinc -D__HIPCC_RTC__
          ${CMAKE_CURRENT_SOURCE_DIR}/run_time_compiled.hip)

# A source that includes none of HIP's headers may declare what they would.
foreach(side host device)
  add_compile_test("HIP language, ${side} side, a source's own types instead of HIP's" ${CHIP_CLANG} hip
    "struct float4 { float x; };\nstruct uchar4 { char x; };\ntemplate <typename T> struct HIP_vector_type {};\nint threadIdx, blockIdx, blockDim, gridDim, warpSize;\n"
    ${hip_flags} --cuda-${side}-only -std=c++17)
endforeach()

# Macros of a program do not change what the headers say: those that AMD's headers bear, too.
set(macros Argument Arguments Bits Channel Complex Filter Flag From Group Kernel Kind Label Level Mask Number Operation
  Parent Partition Place Read Real Rest Scope Size State Sum Texture To Type Value Vector)
foreach(letter A C D E G H I J K L M N O P Q R S W X Y Z)
  list(APPEND macros ${letter})
endforeach()
list(TRANSFORM macros PREPEND -D)
list(TRANSFORM macros APPEND =100)
foreach(side host device)
  add_compile_test("HIP language, ${side} side, a program's macros" ${CHIP_CLANG} hip
    "#include <hip/hip_runtime.h>\n#include <hip/hip_bf16.h>\n#include <hip/hip_complex.h>\n#include <hip/hip_cooperative_groups.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_fp8.h>\n"
    ${hip_flags} --cuda-${side}-only -std=c++17 ${macros})
endforeach()

# What only AMD's devices have does not compile, and says why.
foreach(case
    "__builtin_amdgcn_update_dpp(1, 2, 0x100, 15, 15, true)|AMD's devices have no such DPP control"
    "__hip_ds_swizzle(1u, 0xe000)|masks, quads and rotations work"
    "__smid()|Level Zero does not tell kernels which compute unit runs them")
  string(REGEX REPLACE "\\|.*" "" call "${case}")
  string(REGEX REPLACE ".*\\|" "" message "${case}")
  string(REGEX REPLACE "\\(.*" "" name "${call}")
  file(CONFIGURE OUTPUT ${work}/alone/only_amd_${name}.hip CONTENT
    "#include <hip/hip_runtime.h>\n__global__ void kernel(int *p) { *p = ${call}; }\n" @ONLY)
  add_test(NAME "headers: HIP language, ${name} does not compile and says why"
    COMMAND ${CHIP_CLANG} ${hip_flags} --cuda-device-only -std=c++17 ${work}/alone/only_amd_${name}.hip)
  set_tests_properties("headers: HIP language, ${name} does not compile and says why" PROPERTIES
    PASS_REGULAR_EXPRESSION "error.*${message}")
endforeach()
