// The libFuzzer target: see CMakeLists.txt for how to run it.
#include "mutate.h"
#include "target.h"

#include <algorithm>
#include <cstring>

using namespace fuzz;

namespace {

Words to_words(const uint8_t *data, size_t size) {
  Words words(size / sizeof(uint32_t));
  std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  return words;
}

size_t to_bytes(const Words &words, uint8_t *data, size_t max_size) {
  size_t size = std::min(words.size(), max_size / sizeof(uint32_t)) * sizeof(uint32_t);
  std::memcpy(data, words.data(), size);
  return size;
}

} // namespace

extern "C" {

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

[[gnu::visibility("default")]] int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  build_all(std::as_bytes(std::span(data, size)));
  return 0;
}

[[gnu::visibility("default")]] size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                                              size_t max_size, unsigned seed) {
  if (seed % 50 == 0) // any bytes
    return LLVMFuzzerMutate(data, size, max_size);
  Random random(seed);
  Words words = to_words(data, size);
  for (unsigned changes = 1 + seed % 3; changes > 0; --changes)
    mutate(words, words, random);
  return to_bytes(words, data, max_size);
}

[[gnu::visibility("default")]] size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size,
                                                                const uint8_t *other,
                                                                size_t other_size, uint8_t *out,
                                                                size_t max_size, unsigned seed) {
  Random random(seed);
  Words words = to_words(data, size);
  mutate(words, to_words(other, other_size), random);
  return to_bytes(words, out, max_size);
}
}
