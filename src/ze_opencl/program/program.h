// Programs: SPIR-V lowered to what a device takes (spirv/module.h), built by OpenCL, with variables in memory of the driver's.
#pragma once

#include "../../ze_driver/program.h"
#include "../platform/platform.h"

namespace ze_opencl {

/// DeviceBackend::build() for a device, which outlives the program.
ze_driver::BuildResult build_program(const Device &device, std::span<const std::byte> spirv,
                                     std::string_view build_flags,
                                     std::span<const ze_driver::SpecializationConstant> constants);
/// DeviceBackend::join().
ze_driver::LinkResult join_modules(std::span<const std::span<const std::byte>> modules);

} // namespace ze_opencl
