#include "gathers.h"

#include "../../contract/environment.h"

#include <algorithm>
#include <array>
#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ze_cpu {

Gathers gathers_named(std::string_view value, Gathers otherwise) {
  return value == "fast" ? Gathers::fast : value == "slow" ? Gathers::slow : otherwise;
}

Gathers gathers_from_environment() {
  static const Gathers chosen = [] {
    constexpr const char *name = "ZE_CPU_GATHERS";
    const auto value = common::variable(name);
    const Gathers gathers = gathers_named(value, Gathers::measured);
    if (gathers == Gathers::measured && !value.empty())
      settings.complain(name, "is ignored", "fast or slow");
    return gathers;
  }();
  return chosen;
}

#if defined(__x86_64__)
namespace {

// How long it takes to make vectors of elements at places that are in a vector, too.
template <bool gathers> [[gnu::target("avx2"), gnu::noinline]] std::chrono::nanoseconds time() {
  constexpr int times = 512;
  std::array<float, 128> elements{};
  __m256i places = _mm256_setr_epi32(0, 8, 16, 24, 32, 40, 48, 56);
  __m256 sum = _mm256_setzero_ps();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    const float *const from = elements.data();
    __m256 vector;
    if constexpr (gathers)
      vector = _mm256_i32gather_ps(from, places, sizeof(float));
    else
      vector = _mm256_setr_ps(
          from[_mm256_extract_epi32(places, 0)], from[_mm256_extract_epi32(places, 1)],
          from[_mm256_extract_epi32(places, 2)], from[_mm256_extract_epi32(places, 3)],
          from[_mm256_extract_epi32(places, 4)], from[_mm256_extract_epi32(places, 5)],
          from[_mm256_extract_epi32(places, 6)], from[_mm256_extract_epi32(places, 7)]);
    sum = _mm256_add_ps(sum, vector);
    places = _mm256_xor_si256(places, _mm256_set1_epi32(i & 7));
  }
  asm volatile("" ::"x"(sum));
  return std::chrono::steady_clock::now() - begin;
}

} // namespace

bool are_gathers_slow() {
  if (!__builtin_cpu_supports("avx2"))
    return false;
  // The fastest of some rounds is the one that nothing else disturbed.
  auto with_gathers = std::chrono::nanoseconds::max(), with_loads = with_gathers;
  for (int round = 0; round < 12; ++round) {
    with_gathers = std::min(with_gathers, time<true>());
    with_loads = std::min(with_loads, time<false>());
  }
  return 2 * with_gathers > 3 * with_loads;
}
#else
bool are_gathers_slow() { return false; }
#endif

} // namespace ze_cpu
