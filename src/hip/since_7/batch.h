// Batches of HIP 7: descriptions that several elements of a batch share.
#pragma once

#include "../entry.h"

#include <algorithm>
#include <format>
#include <functional>
#include <span>

namespace chip::hip {

/// Description i of a batch is for the elements from `indices[i]` on, up to the next index.
template <class T> class SharedDescriptions {
public:
  /// Throws hipErrorInvalidValue for null, for more descriptions than elements, and for indices that do not begin with 0, do not
  /// rise, or are of no element. `name` is what the error calls the descriptions.
  SharedDescriptions(const T *descriptions, const size_t *indices, size_t count, size_t elements,
                     const char *name)
      : descriptions_(descriptions, count), indices_(indices, count) {
    if (count == 0)
      return;
    if (!descriptions || !indices || count > elements)
      throw Error(
          hipErrorInvalidValue,
          std::format("`{}` or their indices are null, or there are more than `count`", name));
    const bool rises = std::ranges::adjacent_find(indices_, std::greater_equal()) == indices_.end();
    if (indices_.front() != 0 || !rises || indices_.back() >= elements)
      throw Error(
          hipErrorInvalidValue,
          std::format("the indices of `{}` do not begin with 0, do not rise, or pass `count`",
                      name));
  }

  std::span<const T> all() const { return descriptions_; }
  /// Null if there are no descriptions.
  const T *of(size_t element) const {
    const auto next = std::ranges::upper_bound(indices_, element);
    return next == indices_.begin() ? nullptr : &descriptions_[size_t(next - indices_.begin()) - 1];
  }

private:
  std::span<const T> descriptions_;
  std::span<const size_t> indices_;
};

} // namespace chip::hip
