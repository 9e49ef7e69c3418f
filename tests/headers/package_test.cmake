# cmake -DPREFIX=... -DPROJECT=... -DWORK=... [-DINSTALL=<build>/HIP/cmake_install.cmake -DLIBRARY=...]
#       -DWANTED=<version or nothing> -DEXPECTED=<major.minor> -P package_test.cmake
#
# Builds and runs a project that uses find_package(hip), with the build tree as the prefix, or with an
# installation of the headers beside a copy of the library.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${result}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
if(INSTALL)
  set(PREFIX "${WORK}/a prefix")
  run(${CMAKE_COMMAND} "-DCMAKE_INSTALL_PREFIX=${PREFIX}" -P ${INSTALL})
  file(COPY ${LIBRARY} DESTINATION "${PREFIX}/lib" FOLLOW_SYMLINK_CHAIN)
  if(IS_SYMLINK "${PREFIX}/include/hip")
    message(FATAL_ERROR "an installation has files, not a link to the sources")
  endif()
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${WORK}/build "-DCMAKE_PREFIX_PATH=${PREFIX}"
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DEXPECTED_PREFIX=${PREFIX}"
    -DHIP_WANTED=${WANTED} -DHIP_EXPECTED=${EXPECTED} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/host)
run(${WORK}/build/by_library)
