// Random numbers for tests that make their own input: the same on every machine, from one seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace test {

/// splitmix64. Small numbers come as `Number`.
template <class Number> class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 to limit - 1.
  Number below(size_t limit) { return static_cast<Number>(next() % limit); }
  bool one_in(Number n) { return below(static_cast<size_t>(n)) == 0; }

private:
  uint64_t state_;
};

} // namespace test
