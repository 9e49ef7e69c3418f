// What the device compiler writes into device code and the runtime relies on. Whoever changes one of these, or the layout of
// what kernels and runtime share (hip/spirv_detail/services/messages.h and heap.h), raises the version: a program that was compiled
// for another one is then refused when its device code is loaded, instead of failing in some way later.
#pragma once

#include <string_view>

namespace chip::device_contract {

/// Written into each SPIR-V module as an OpModuleProcessed of this text and the version in decimal.
inline constexpr std::string_view version_prefix = "libCHIP device contract ";
inline constexpr unsigned version = 3;

/// Lanes of a warp: HIP's warpSize on every device that has sub-groups of this size, for which kernels are compiled. The host tells
/// the width of another device's.
inline constexpr int warp_size = 32;

/// The kernel that sets global variables whose initial values contain addresses. The runtime runs it once, with one
/// work-item, after it has loaded a module and before anything else uses the module.
inline constexpr char init_kernel[] = "__chip_init_globals";

/// The variables through which kernels reach what the runtime makes for them: the buffer that printf and assert write to, and
/// the heap of malloc. A module has those that it uses.
inline constexpr char messages_variable[] = "__chip_messages", heap_variable[] = "__chip_heap";

/// A `__managed__` variable is a pointer on the device; the variable with its initial value has the same name with this behind it.
inline constexpr std::string_view managed_suffix = ".managed";

/// A parameter too large for the device's parameter memory is a pointer to global memory, which the runtime fills. Its name
/// begins with this, the size of the value in bytes, in decimal, and a dot.
inline constexpr char spilled_parameter_prefix[] = "chip.spilled.";

/// The parameter for dynamic shared memory. If the kernel rounds its address up, a dot and the bytes that this takes at most
/// follow, in decimal: so much more memory is passed than the launch asks for.
inline constexpr char dynamic_shared_parameter[] = "chip.dynamic_shared";

/// Where in chip_device::Messages the address is that a thread which gives up writes to, in bytes.
inline constexpr unsigned messages_trap_offset = 32;

// __launch_bounds__ is the execution mode LocalSizeHint of a kernel: the most threads of a block, 1, 1.

} // namespace chip::device_contract
