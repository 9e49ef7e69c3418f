// Modules shared by content: programs load the same code again and again, and building it takes milliseconds.
#pragma once

#include "../../common/guarded.h"
#include "module.h"

#include <list>
#include <memory>

namespace chip {

/// Each load of a module has its own variables with their initial values. So code that can write variables is lent to one
/// load at a time, and reset before it is lent again; code that cannot is shared. Thread-safe.
class ModuleCache {
public:
  static ModuleCache &instance();

  /// The code built for the device: built now, or taken from an earlier load of the same bytes.
  std::shared_ptr<BuiltModule> acquire(Device &device, std::span<const std::byte> spirv);
  /// Gives back what acquire() returned; it stays built for later loads, unless it cannot be reset.
  void release(const std::shared_ptr<BuiltModule> &module);
  /// Drops what nobody uses.
  void clear();

private:
  struct Entry {
    uint64_t hash;
    std::shared_ptr<BuiltModule> module;
    unsigned users;
  };
  static constexpr size_t largest_idle = 32;

  std::shared_ptr<BuiltModule> take(Device &device, uint64_t hash,
                                    std::span<const std::byte> spirv);

  struct State {
    std::list<Entry> entries; // the most recently used first
    size_t idle = 0;
  };
  common::Guarded<State> state_;
};

} // namespace chip
