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

bool is_named(std::string_view entry, std::string_view platform, std::string_view device) {
  const std::string wanted = lower_case(entry);
  return lower_case(platform).contains(wanted) || lower_case(device).contains(wanted);
}

} // namespace

Selection::Selection(std::string_view list) {
  for (const std::string_view entry : common::list_entries(list))
    if (!entry.empty())
      entries_.emplace_back(entry);
}

std::optional<size_t> Selection::rank(std::string_view platform, std::string_view device) const {
  if (entries_.empty())
    return 0;
  for (size_t i = 0; i < entries_.size(); ++i)
    if (is_named(entries_[i], platform, device))
      return i;
  return std::nullopt;
}

std::vector<std::string> Selection::without_device(std::span<const Names> devices) const {
  std::vector<std::string> entries = entries_;
  std::erase_if(entries, [&](const std::string &entry) {
    return std::ranges::any_of(
        devices, [&](const Names &names) { return is_named(entry, names.platform, names.device); });
  });
  return entries;
}

} // namespace ze_opencl
