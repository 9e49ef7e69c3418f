// The same kernels on OpenCL's CPU device, PoCL's where that is installed.
#pragma once

#include "kernels.h"

#include <memory>
#include <string>
#include <vector>

namespace bench {

/// One kernel with its arguments, ready to run.
class OpenClLaunch {
public:
  virtual ~OpenClLaunch() = default;
  /// Enqueues it and waits for it. Throws std::runtime_error.
  virtual void run() = 0;
};

class OpenCl {
public:
  virtual ~OpenCl() = default;
  virtual std::string device_name() const = 0;
  /// On the memory of the buffers itself. Null when the device cannot run this kernel.
  virtual std::unique_ptr<OpenClLaunch> prepare(const Case &what, Buffers buffers) = 0;
};

/// Null when there is no CPU device. `options` are its compiler's. Throws std::runtime_error.
std::unique_ptr<OpenCl> open_cl(const std::string &source, const std::string &options = "");

} // namespace bench
