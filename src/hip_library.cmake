# Libraries that use libCHIP as programs do, with the names that AMD's have.
include(CMakePackageConfigHelpers)

# chip_add_hip_library(NAME TITLE text VERSION version PACKAGE_VERSION version EXPORTS map [NEEDS package...] SOURCES file...)
#
# Adds libNAME.so, which exports what EXPORTS says. VERSION is that of its file: programs that were linked to AMD's ask for its
# first number. PACKAGE_VERSION is what find_package(NAME) finds, with the packages that it needs beside hip.
function(chip_add_hip_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TITLE;VERSION;PACKAGE_VERSION;EXPORTS" "NEEDS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TITLE OR NOT arg_VERSION OR NOT arg_PACKAGE_VERSION OR NOT arg_EXPORTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "chip_add_hip_library(${name}): an argument is missing, or not known: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  string(REGEX MATCH "^[0-9]+" so_version ${arg_VERSION})
  cmake_path(ABSOLUTE_PATH arg_EXPORTS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  add_library(${name} SHARED ${arg_SOURCES})
  target_compile_definitions(${name} PUBLIC __HIP_PLATFORM_AMD__=1)
  target_link_libraries(${name} PUBLIC chip_headers PRIVATE CHIP)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic -Wl,--no-undefined -Wl,--as-needed -Wl,--version-script=${arg_EXPORTS})
  # Beside it are the libraries that it uses.
  set_target_properties(${name} PROPERTIES VERSION ${arg_VERSION} SOVERSION ${so_version} INSTALL_RPATH "$ORIGIN"
    LINK_DEPENDS ${arg_EXPORTS})
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libchip)

  string(TOUPPER ${name} upper_name)
  list(TRANSFORM arg_NEEDS PREPEND roc:: OUTPUT_VARIABLE interface_libraries)
  list(APPEND interface_libraries hip::host)
  list(JOIN arg_NEEDS " " arg_NEEDS)
  set(template ${PROJECT_SOURCE_DIR}/HIP/cmake/library-config.cmake.in)
  chip_install_package(${name} ${template} ${arg_PACKAGE_VERSION})
endfunction()

# chip_install_package(NAME TEMPLATE VERSION)
#
# Makes find_package(NAME) work in the build tree and in installations.
function(chip_install_package name template version)
  set(directory ${PROJECT_BINARY_DIR}/lib/cmake/${name})
  configure_file(${template} ${directory}/${name}-config.cmake @ONLY)
  write_basic_package_version_file(${directory}/${name}-config-version.cmake VERSION ${version}
    COMPATIBILITY SameMajorVersion)
  install(FILES ${directory}/${name}-config.cmake ${directory}/${name}-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
endfunction()
