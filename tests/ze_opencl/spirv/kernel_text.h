// Kernels as assembly, for tests of what they do with sub-groups.
#pragma once

#include "../../../src/ze_opencl/spirv/module.h"

#include <string>

/// A module with a kernel "k" of this body, whose first block %30 has begun. It may use
///   %21 a pointer to numbers, %22 a number, %23 a struct of two numbers by value that nobody writes to, %24 another,
///   %25 constant numbers, %50 the work-item's number in its group, %51 the group's, both of 32 bits,
///   %56 true for some work-items, %57 true for all or none, %55 a function that returns the number that it is given,
///   %60 ... %63 variables of the work-item: three numbers, and a pointer; %98 an undefined number,
///   %39 where the work-item is in the grid, in constant memory.
/// `decorations` come before all types, `functions` behind the kernel.
std::string kernel_text(const std::string &body, const std::string &decorations = "",
                        const std::string &functions = "");

/// For a device without sub-groups. The test fails if that is not valid.
ze_opencl::LoweredModule lowered_without_sub_groups(const std::string &text);
