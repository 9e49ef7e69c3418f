/// SPIR-V's numbers for who takes part in a synchronisation, and for what it orders.
#pragma once

namespace chip_device {

/// Who: values of SPIR-V's Scope.
enum __Scope { system_scope = 0, device_scope = 1, block_scope = 2, warp_scope = 3 };

/// What: bits of SPIR-V's Memory Semantics, of which one names the order.
enum { acquire_release = 0x8, sequential = 0x10, shared_memory = 0x100, global_memory = 0x200 };
enum { all_memory = acquire_release | shared_memory | global_memory };

} // namespace chip_device
