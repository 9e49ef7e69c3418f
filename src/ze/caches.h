// What libCHIP keeps so that calls need not go to the driver, and which of it a user has switched off, to see what it is worth.
#pragma once

namespace chip::ze {

/// Read once; what is kept by the driver itself, such as compiled code on disk, is the driver's.
struct Caches {
  bool modules = true;   // what was built, and the kernel handles, for loads of the same code
  bool queues = true;    // the command lists of streams that were destroyed
  bool memory = true;    // what was freed, and the rest of what was allocated for it
  bool arguments = true; // what kernel handles were last given

  /// Those that CHIP_CACHES leaves on.
  static const Caches &of_process();
};

} // namespace chip::ze
