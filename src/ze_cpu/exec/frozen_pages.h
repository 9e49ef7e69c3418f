// Pages that are read and not written for a moment, while what is in them moves elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ze_cpu {

/// While it exists, threads that write to the pages wait, kernels in the middle of what they do
/// among them: their faults are held back. System calls that write there fail instead. At most one
/// exists at a time.
class FrozenPages {
public:
  /// Throws std::bad_alloc.
  FrozenPages(void *pages, size_t bytes);
  FrozenPages(const FrozenPages &) = delete;
  FrozenPages &operator=(const FrozenPages &) = delete;
  /// The pages may be written again, whatever is mapped there by now.
  ~FrozenPages();

private:
  void *const pages_;
  const size_t bytes_;
};

/// In the handler of a fault at `address`: true when the instruction is to be tried again, since
/// the pages were frozen and no longer are.
bool outlasts_freeze(uintptr_t address);

} // namespace ze_cpu
