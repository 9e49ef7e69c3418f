// BLAKE3: the keys and the checks of what is kept between processes. Cryptographic, so that nothing
// can be made to be taken for another one, and several times faster than SHA-256.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <llvm/Support/BLAKE3.h>
#include <string_view>

namespace disk_cache {

using Hash = std::array<uint8_t, 32>;

/// Of the parts with their lengths: parts that are divided differently differ.
inline Hash hash_of(std::initializer_list<std::string_view> parts) {
  llvm::BLAKE3 hasher;
  for (std::string_view part : parts) {
    const uint64_t size = part.size();
    hasher.update({reinterpret_cast<const uint8_t *>(&size), sizeof size});
    hasher.update({reinterpret_cast<const uint8_t *>(part.data()), part.size()});
  }
  const auto result = hasher.final<sizeof(Hash)>();
  Hash hash;
  std::copy(result.begin(), result.end(), hash.begin());
  return hash;
}

inline std::string_view bytes_of(const Hash &hash) {
  return {reinterpret_cast<const char *>(hash.data()), hash.size()};
}

} // namespace disk_cache
