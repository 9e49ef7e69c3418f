// Images to one whose imports are resolved.
#pragma once

#include "image.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace ze_cpu {

/// A variable that stays where a provider has it.
struct BorrowedVariable {
  std::string symbol;   // in the linked image
  uint32_t provider;    // by number
  std::string original; // the provider's symbol
};

struct LinkedImage {
  Image image;
  std::vector<BorrowedVariable> borrowed;
};

/// Makes one image of `members`, which may import from each other, and of what they need of
/// `providers`, which import nothing: their code is copied, their variables stay where they are.
/// The error is text for the link log.
std::expected<LinkedImage, std::string> link_images(std::span<const Image> members,
                                                    std::span<const Image> providers);

} // namespace ze_cpu
