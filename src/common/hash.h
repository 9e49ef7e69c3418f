// XXH3 of 128 bits: the keys and the checks of what is kept between processes. Nobody gains by making two things that have one key:
// what is kept is the user's own, and whoever can have something compiled can have it run.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace disk_cache {

using Hash = std::array<uint8_t, 16>;

/// Of the parts with their lengths: parts that are divided differently differ.
inline Hash hash_of(std::initializer_list<std::string_view> parts) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_128bits_reset(&state);
  for (std::string_view part : parts) {
    const uint64_t size = part.size();
    XXH3_128bits_update(&state, &size, sizeof size);
    XXH3_128bits_update(&state, part.data(), part.size());
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  return std::to_array(canonical.digest);
}

inline std::string_view bytes_of(const Hash &hash) {
  return {reinterpret_cast<const char *>(hash.data()), hash.size()};
}

} // namespace disk_cache
