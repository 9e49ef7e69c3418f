#include "selection.h"

#include "../../common/environment.h"

#include <algorithm>
#include <cctype>

namespace ze_opencl {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  return lower;
}

} // namespace

Selection::Selection(std::string_view list) {
  for (const std::string_view entry : common::list_entries(list))
    if (!entry.empty())
      entries_.push_back(lower_case(entry));
}

std::optional<size_t> Selection::rank(std::string_view platform, std::string_view device) const {
  if (entries_.empty())
    return 0;
  const std::string names[] = {lower_case(platform), lower_case(device)};
  for (size_t i = 0; i < entries_.size(); ++i)
    if (names[0].contains(entries_[i]) || names[1].contains(entries_[i]))
      return i;
  return std::nullopt;
}

} // namespace ze_opencl
