set(api ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/api.py)
file(MAKE_DIRECTORY ${work}/api)

# The headers of HIP 7 differ from those of 6.4 in what the official ones do. Debian testing has those of one version only: the
# changes from there to the other are kept as a list.
set(both_headers --header hip/hip_runtime.h --header hip/hiprtc.h)
set(of_7 --define HIP_FORCE_API_VERSION=700)
add_test(NAME "headers: list HIP 6.4: ours"
  COMMAND ${api} dump --clang ${CHIP_CLANG} --include ${include} ${both_headers} --output ${work}/api/hip-6.json)
add_test(NAME "headers: list HIP 7: ours"
  COMMAND ${api} dump --clang ${CHIP_CLANG} --include ${include} ${of_7} ${both_headers} --output ${work}/api/hip-7.json)
set_tests_properties("headers: list HIP 6.4: ours" "headers: list HIP 7: ours" PROPERTIES FIXTURES_SETUP both_versions)
add_test(NAME "headers: HIP 7 changes what it officially changes"
  COMMAND ${api} changes --old ${work}/api/hip-6.json --new ${work}/api/hip-7.json
          --facts ${CMAKE_CURRENT_SOURCE_DIR}/hip_7_changes.txt)
set_tests_properties("headers: HIP 7 changes what it officially changes" PROPERTIES FIXTURES_REQUIRED both_versions)

# Where somebody has the official headers of HIP 7, they are compared as those of 6.4 are below.
set(CHIP_OFFICIAL_HIP_7_INCLUDE "" CACHE PATH "The directory in which the official hip/hip_runtime_api.h of HIP 7.2 is")
if(CHIP_OFFICIAL_HIP_7_INCLUDE)
  add_test(NAME "headers: list HIP 7: official"
    COMMAND ${api} dump --clang ${CHIP_CLANG} --include ${CHIP_OFFICIAL_HIP_7_INCLUDE} --define __HIP_PLATFORM_AMD__
            ${both_headers} --output ${work}/api/hip-7-official.json)
  set_tests_properties("headers: list HIP 7: official" PROPERTIES FIXTURES_SETUP both_versions)
  add_test(NAME "headers: hip_runtime.h and hiprtc.h as in HIP 7"
    COMMAND ${api} compare --official ${work}/api/hip-7-official.json --ours ${work}/api/hip-7.json)
  set_tests_properties("headers: hip_runtime.h and hiprtc.h as in HIP 7" PROPERTIES FIXTURES_REQUIRED both_versions)
endif()

# Our headers declare what the official ones of HIP 6.4 declare: names, values, layouts, types.
if(NOT CHIP_OFFICIAL_HIP_INCLUDE)
  message(STATUS "No official HIP headers (package libamdhip64-dev): ours are not compared with them")
  return()
endif()

# A header that HIP 6.4 has and we lack is named by the test's output.
file(GLOB official_headers RELATIVE ${CHIP_OFFICIAL_HIP_INCLUDE} ${CHIP_OFFICIAL_HIP_INCLUDE}/hip/*.h)
list(TRANSFORM official_headers PREPEND ${include}/)
add_test(NAME "headers: all headers of HIP 6.4 are there"
  COMMAND ${CMAKE_COMMAND} -E sha256sum ${official_headers})

# add_dump(<name> <fixture> <argument>...): a test that lists both sides, for the tests that compare.
function(add_dump name fixture)
  add_test(NAME "headers: list ${name}: official"
    COMMAND ${api} dump --clang ${CHIP_CLANG} --include ${CHIP_OFFICIAL_HIP_INCLUDE}
            --define __HIP_PLATFORM_AMD__ ${ARGN} --output ${work}/api/${fixture}-official.json)
  add_test(NAME "headers: list ${name}: ours"
    COMMAND ${api} dump --clang ${CHIP_CLANG} --include ${include} ${ARGN}
            --output ${work}/api/${fixture}-ours.json)
  set_tests_properties("headers: list ${name}: official" "headers: list ${name}: ours"
    PROPERTIES FIXTURES_SETUP ${fixture})
endfunction()

# add_comparison(<name> <fixture> [<argument>...])
function(add_comparison name fixture)
  add_test(NAME "headers: ${name} as in HIP 6.4"
    COMMAND ${api} compare --official ${work}/api/${fixture}-official.json
            --ours ${work}/api/${fixture}-ours.json ${ARGN})
  set_tests_properties("headers: ${name} as in HIP 6.4" PROPERTIES FIXTURES_REQUIRED ${fixture})
endfunction()

add_dump(hip_runtime_api.h runtime_api --header hip/hip_runtime_api.h)
foreach(aspect enumerators layouts typedefs functions defaults templates macros)
  add_comparison("hip_runtime_api.h: ${aspect}" runtime_api --aspect ${aspect})
endforeach()

foreach(header hip_runtime.h hip_ext.h hiprtc.h library_types.h hip_profile.h)
  string(MAKE_C_IDENTIFIER ${header} fixture)
  add_dump(${header} ${fixture} --header hip/${header})
  add_comparison(${header} ${fixture})
endforeach()
# These need another one first in the official headers.
foreach(header hip_deprecated.h hip_gl_interop.h)
  string(MAKE_C_IDENTIFIER ${header} fixture)
  add_dump(${header} ${fixture} --header hip/hip_runtime_api.h --header hip/${header})
  add_comparison(${header} ${fixture})
endforeach()

add_dump("per-thread default stream" per_thread --header hip/hip_runtime_api.h
  --define HIP_API_PER_THREAD_DEFAULT_STREAM)
add_comparison("per-thread default stream: macros" per_thread --aspect macros)

# The comparison itself: it has to name each changed place.
add_test(NAME "headers: comparison notices what is changed"
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/notices.py --clang ${CHIP_CLANG}
          --include ${include} --official ${work}/api/runtime_api-official.json)
set_tests_properties("headers: comparison notices what is changed" PROPERTIES FIXTURES_REQUIRED runtime_api)
