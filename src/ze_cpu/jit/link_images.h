// Images to one whose imports are resolved.
#pragma once

#include "image.h"

#include <functional>
#include <span>
#include <utility>

namespace ze_cpu {

/// An image without imports whose program exists: its code is copied where it is needed, its
/// variables stay where they are.
struct Provider {
  const Image &image;
  std::function<void *(const std::string &symbol)> address; // of a variable; null if there is none
};

struct LinkedImage {
  Image image;
  std::vector<std::pair<std::string, void *>>
      addresses; // of variables that it takes from providers
};

/// Makes one image of `members`, which may import from each other, and of what they need of
/// `providers`. The error is text for the link log.
std::expected<LinkedImage, std::string> link_images(std::span<const Image *const> members,
                                                    std::span<const Provider> providers);

} // namespace ze_cpu
