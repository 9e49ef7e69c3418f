#pragma once

#include "../code/module.h"
#include "operation.h"

#include <memory>
#include <vector>

namespace chip::operations {

/// A launch that owns its arguments and keeps the module loaded.
class KeptLaunch {
public:
  KeptLaunch(Kernel &kernel, const LaunchShape &shape, void *const *arguments);

  LaunchShape shape;

  Kernel &kernel() const { return *kernel_; }
  /// The addresses of the values of the arguments.
  std::vector<void *> arguments() const;

  void append(Encoder &encoder, ze::Waits waits) const;
  bool operator==(const KeptLaunch &) const = default;

private:
  void find_arguments(void **addresses) const;

  std::shared_ptr<BuiltModule> module_;
  Kernel *kernel_;
  std::vector<std::byte> values_;
};

/// Launches a kernel. `arguments` points to one value per parameter that the caller passes (KernelTarget). Shape and arguments
/// are the caller's own.
struct Launch {
  Kernel &kernel;
  const LaunchShape &shape;
  void *const *arguments;

  [[gnu::always_inline]] void append(Encoder &encoder, ze::Waits waits) const {
    encoder.kernels.launch(encoder.list, encoder.arena, kernel.target, shape, arguments, waits);
  }
  KeptLaunch keep() const { return KeptLaunch(kernel, shape, arguments); }
};

} // namespace chip::operations
