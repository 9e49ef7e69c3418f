# Debian packages, which `cpack -G DEB` makes in the build tree: libchip, libchip-dev, libze-cpu and libze-opencl. What an install rule calls no
# component belongs to libchip-dev (CMAKE_INSTALL_DEFAULT_COMPONENT_NAME).
set(CPACK_COMPONENTS_ALL libchip libchip-dev libze-cpu libze-opencl)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/packages/triggers CONTENT "activate-noawait ldconfig\n")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION share/doc/${component} COMPONENT ${component})
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${component})
  set(CPACK_DEBIAN_${name}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packages/triggers)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The libCHIP developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Libraries are what dpkg-shlibdeps says; programs that hipcc and hiprtc run, and versions that go together, it cannot know.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/packages/options.cmake
  CONTENT "set(FILE_EXECUTABLE \"${PROJECT_SOURCE_DIR}/scripts/elf-type\")\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/packages/options.cmake)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})

set(CPACK_DEBIAN_LIBCHIP_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBCHIP_DESCRIPTION "HIP programs on Level Zero
 The library that programs compiled with hipcc are linked to. They run on Intel GPUs, and on the CPU.")
set(CPACK_DEBIAN_LIBCHIP_PACKAGE_DEPENDS "libze-cpu (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_LIBCHIP_PACKAGE_SUGGESTS "libze-intel-gpu1, libze-opencl")
# hipBLAS and hipSOLVER open them; hipBLAS works without.
set(CPACK_DEBIAN_LIBCHIP_PACKAGE_RECOMMENDS "libblas3 | libblas.so.3, liblapack3 | liblapack.so.3")

set(CPACK_DEBIAN_LIBCHIP-DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBCHIP-DEV_DESCRIPTION "compiler and headers for HIP programs on Level Zero
 hipcc, the headers, run-time compilation, and what build systems look for.")
set(CPACK_DEBIAN_LIBCHIP-DEV_PACKAGE_DEPENDS
  "libchip (= ${PROJECT_VERSION}), clang-${CHIP_CLANG_MAJOR}, clang-tools-${CHIP_CLANG_MAJOR}, llvm-${CHIP_CLANG_MAJOR}")
set(CPACK_DEBIAN_LIBCHIP-DEV_PACKAGE_SUGGESTS libomp-${CHIP_CLANG_MAJOR}-dev)
# Programs are linked with a C++ library that is no older than libCHIP.so's; clang takes the newest that is installed.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(REGEX MATCH "^[0-9]+" gcc_major ${CMAKE_CXX_COMPILER_VERSION})
  string(APPEND CPACK_DEBIAN_LIBCHIP-DEV_PACKAGE_DEPENDS ", libstdc++-${gcc_major}-dev")
endif()
# The same commands and headers, for AMD's devices.
set(CPACK_DEBIAN_LIBCHIP-DEV_PACKAGE_CONFLICTS "hipcc, libamdhip64-dev, libhipblas-common-dev, libhipblas-dev, libhipblaslt-dev, libhipsolver-dev, librocblas-dev, rocminfo")

set(CPACK_DEBIAN_LIBZE-CPU_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBZE-CPU_DESCRIPTION "Level Zero on the CPU
 A driver behind Level Zero's loader that executes kernels on the processors of the machine.")

# The ICD loader is opened and not linked.
set(CPACK_DEBIAN_LIBZE-OPENCL_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBZE-OPENCL_DESCRIPTION "Level Zero on OpenCL devices
 A driver behind Level Zero's loader that executes kernels on devices of an OpenCL implementation.")
set(CPACK_DEBIAN_LIBZE-OPENCL_PACKAGE_DEPENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_LIBZE-OPENCL_PACKAGE_SUGGESTS pocl-opencl-icd)
include(CPack)
