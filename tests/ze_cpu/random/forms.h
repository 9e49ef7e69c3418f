// Which forms random kernels have: how many of them have each.
#pragma once

#include "kernel.h"

#include <map>
#include <string>

namespace random_kernels {

class Forms {
public:
  void add(const Kernel &kernel);
  /// A line for each form.
  std::string to_string() const;

private:
  uint64_t kernels_ = 0;
  std::map<std::string, uint64_t> found_;
};

} // namespace random_kernels
