# Where libCHIP is built for another machine: device code, which is the same for all, is compiled by a build for this one.
set(CHIP_NATIVE_BUILD ${PROJECT_SOURCE_DIR}/build/release CACHE PATH "A build tree whose hipcc runs on this machine")
add_executable(hipcc IMPORTED GLOBAL)
set_target_properties(hipcc PROPERTIES IMPORTED_LOCATION ${CHIP_NATIVE_BUILD}/bin/hipcc)
add_library(chip_passes INTERFACE) # of that build too
