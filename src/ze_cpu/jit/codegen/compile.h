// From the IR of a module to object code: one unit per kernel, and one for what all kernels share.
#pragma once

#include "../program/module_ir.h"

#include <llvm/Support/MemoryBuffer.h>

namespace ze_cpu {

/// Where the shared unit put work-group variables, which kernels must leave in place.
struct LocalLayout {
  std::map<std::string, uint32_t, std::less<>> offsets;
  uint32_t bytes = 0;
  uint32_t alignment = 1; // of all together
};

struct Unit {
  std::unique_ptr<llvm::MemoryBuffer> object;
  LocalLayout local;              // the kernel's work-group memory
  uint32_t private_bytes = 0;     // of variables that stay in memory
  uint32_t stack_bytes = 0;       // frames of the unit's functions together
  bool has_sync = false;          // work-items wait for each other
  bool in_regions = false;        // and are cut into regions: the entry is a LoopEntry; else fibers
  bool by_sub_group = false;      // a region runs the lanes of one sub-group
  uint32_t lane_bytes = 0;        // kept for each of its lanes
  uint32_t nontemporal_bytes = 0; // that a work-item writes past the caches where that pays
  uint32_t instructions = 0;      // given to the optimiser
  bool has_grid_sync = false;     // work-groups wait for each other
  bool stack_is_bounded = true;
  bool waits_for_memory = false; // a loop may wait for what another work-group writes
};

/// Variables and address-taken functions of the program. Errors are text for the build log.
std::expected<Unit, std::string> compile_shared(const ModuleIr &ir, llvm::TargetMachine &machine);

/// Kernel `index`, given what compile_shared found.
std::expected<Unit, std::string> compile_kernel(const ModuleIr &ir, size_t index,
                                                const Unit &shared, llvm::TargetMachine &machine);

/// An exported function that is not address-taken, under its own symbol.
std::expected<Unit, std::string> compile_function(const ModuleIr &ir, const std::string &symbol,
                                                  const Unit &shared, llvm::TargetMachine &machine);

} // namespace ze_cpu
