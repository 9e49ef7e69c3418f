// What the process that compiles makes of a module, and what programs keep of it.
#pragma once

#include "../contract/program.h"
#include "options.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ze_cpu {

/// A translated module made ready for compilation: LLVM's bitcode, which each kernel's compilation takes its part of.
struct ModuleIr {
  struct Kernel {
    KernelInfo info;
    uint32_t sub_group_size = 32;
  };
  struct Global {
    std::string symbol; // its name in compiled code
    size_t bytes;
  };

  std::string bitcode;
  std::vector<Kernel> kernels;
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::string, std::less<>> exported_functions; // name: symbol
  /// Symbols of functions whose address is taken: compiled once, so that an address means the same
  /// in all kernels.
  std::set<std::string, std::less<>> shared_functions;
  std::vector<std::pair<std::string, Global>> variables; // all of them, with their names
  std::vector<std::string> imports; // functions and variables that are used, and another has
  bool contract = false;            // the module allows a * b + c to be fused
  BuildOptions options;
};

/// A variable that stays where a provider has it.
struct BorrowedVariable {
  std::string symbol;   // in the linked IR
  uint32_t provider;    // by number
  std::string original; // the provider's symbol
};

struct LinkedIr {
  ModuleIr ir;
  std::vector<BorrowedVariable> borrowed;
};

/// Where the shared unit put work-group variables, which kernels must leave in place.
struct LocalLayout {
  std::map<std::string, uint32_t, std::less<>> offsets;
  uint32_t bytes = 0;
  uint32_t alignment = 1; // of all together
};

/// Those of kernels run any work-groups, if need be slowly (Unit::has_small_parts), but for the columns (Unit::of_columns).
enum class UnitKind : uint8_t {
  shared,
  function,
  kernel, // as the kernel looks: of columns or not
  kernel_of_rows,
  kernel_of_rows_for_parts, // fast with work-groups that are not made up of whole sub-groups
  kernel_of_columns,
  kernel_of_columns_for_parts
};

inline bool is_for_parts(UnitKind kind) {
  return kind == UnitKind::kernel_of_rows_for_parts ||
         kind == UnitKind::kernel_of_columns_for_parts;
}

/// The symbol of the kernel's entry point.
inline std::string entry_symbol(const std::string &kernel, UnitKind kind) {
  return kernel + ".kernel" + (kind == UnitKind::kernel ? "" : std::to_string(int(kind)));
}

/// Compiled code: of a kernel, of a function, or of what all kernels share.
struct Unit {
  std::string object;             // an ELF file; empty if there is no code
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
  /// Whether the code for sub-groups that lack lanes, or lie in several rows of work-items, is small and slow.
  bool has_small_parts = false;
  /// Whether the code is for work-groups of one work-item in dimension 0, which then is the dimension 1 of the code, and the other way round:
  /// as loops over lanes are loops over its dimension 0.
  bool of_columns = false;
  bool may_be_of_columns = false;
};

} // namespace ze_cpu
