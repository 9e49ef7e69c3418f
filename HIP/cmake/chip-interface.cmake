# Which of HIP's interfaces programs see that use `target`: what find_package() was asked for as `package` decides, or did before.
function(_chip_choose_interface package target)
  set(asked) # a range of versions, or none, leaves the choice to others as long as the answer is 6
  if(${package}_VERSION_MAJOR EQUAL 7 OR
     NOT ("${${package}_FIND_VERSION}" STREQUAL "" OR DEFINED ${package}_FIND_VERSION_RANGE))
    set(asked "${${package}_VERSION_MAJOR}")
  endif()
  get_target_property(before ${target} CHIP_HIP_VERSION)
  if(asked AND before AND NOT asked EQUAL before)
    set(${package}_FOUND FALSE PARENT_SCOPE)
    set(${package}_NOT_FOUND_MESSAGE "find_package(${package} ${before}) was called before, and a program has one version of HIP's interface"
      PARENT_SCOPE)
  elseif(asked AND NOT before)
    set_property(TARGET ${target} PROPERTY CHIP_HIP_VERSION ${asked})
    if(asked EQUAL 7)
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS HIP_FORCE_API_VERSION=700)
    endif()
  endif()
endfunction()
