#include "forms.h"

#include <format>
#include <set>

namespace random_kernels {

void Forms::add(const Kernel &kernel) {
  std::set<std::string> found;
  for_each_statement(kernel.body, [&](const Statement &s) {
    using enum StatementKind;
    switch (s.kind) {
    case sub_group:
      found.insert("sub-group operations");
      if (s.op <= SubGroupOp::shuffle_down)
        found.insert("shuffles");
      break;
    case barrier:
    case work_group:
    case share:
    case read_tally:
      found.insert("barriers");
      break;
    case strided_loop:
      found.insert("strided loops");
      break;
    case fill:
      found.insert({"barriers", "strided loops", "strided loops that fill tables"});
      break;
    case relay:
    case turns:
      found.insert({"waits", "waits for sub-groups"});
      break;
    case look_back:
      found.insert({"waits", "waits for work-groups"});
      break;
    case lock:
      found.insert("locks");
      break;
    default:
      break;
    }
  });
  if (kernel.columns)
    found.insert("columns of work-items' own");
  if (kernel.restricted && !kernel.takes_struct)
    found.insert("restricted pointers");
  ++kernels_;
  for (const std::string &form : found)
    ++found_[form];
}

std::string Forms::to_string() const {
  std::string lines;
  for (const auto &[form, count] : found_)
    lines += std::format("{:5.1f} % {}\n", 100.0 * double(count) / double(kernels_), form);
  return lines;
}

} // namespace random_kernels
