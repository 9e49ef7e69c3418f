/// What the runtime and malloc of kernels share: where the memory is, and what it is used for.
#pragma once

namespace chip_device {

/// One for each device, in its memory. Kernels find it through the variable `__chip_heap`.
///
/// The memory is cut into pages. A page is free, or holds allocations of one size, or belongs to an
/// allocation of several pages.
struct Heap {
  static constexpr unsigned most_pages = 128;
  static constexpr unsigned unit = 16; // bytes of the smallest allocation
  static constexpr unsigned page_multiple = 4096;

  char *pages;
  unsigned *taken; // for each page page_bytes / unit bits: which of its allocations are in use
  unsigned long page_bytes;
  unsigned page_count;
  /// Of each page: 0 if it is free, else what it holds in the upper 8 bits, below how often.
  unsigned states[most_pages];
};

} // namespace chip_device
