// What threads that meet compute, on the host: all threads of a block in lock step, those that are elsewhere left out.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>

template <unsigned threads> struct LockStep {
  using Mask = std::bitset<threads>;
  using Values = std::array<unsigned, threads>;

  Mask here = Mask().set(); // Of the threads that execute what comes next.
  Mask gone;                // Those that have returned.

  template <class Body> void each(Body body) const {
    for (unsigned t = 0; t < threads; ++t)
      if (here[t])
        body(t);
  }
  // The threads that are here and for which a condition is true.
  template <class Condition> Mask where(Condition condition) const {
    Mask result;
    each([&](unsigned t) { result[t] = bool(condition(t)); });
    return result;
  }
  template <class Value> Values values(Value value) const {
    Values result{};
    each([&](unsigned t) { result[t] = value(t); });
    return result;
  }

  // Warps, of which the last one may have fewer threads. What needs all of a warp takes no heed of who is here.
  static unsigned begin(unsigned t) { return t & ~31u; }
  static unsigned end(unsigned t) { return std::min(begin(t) + 32, threads); }
  template <class Condition> unsigned lanes(unsigned t, Condition condition) const {
    unsigned result = 0;
    for (unsigned other = begin(t); other < end(t); ++other)
      result |= unsigned(here[other] && condition(other)) << other % 32;
    return result;
  }
  unsigned active(unsigned t) const {
    return lanes(t, [](unsigned) { return true; });
  }
  unsigned ballot(const Values &x, unsigned t) const {
    return lanes(t, [&](unsigned other) { return x[other] != 0; });
  }
  unsigned match(const Values &x, unsigned t) const {
    return lanes(t, [&](unsigned other) { return x[other] == x[t]; });
  }
  unsigned rank(unsigned t) const { return __builtin_popcount(active(t) & ((1u << t % 32) - 1)); }
  unsigned first(const Values &x, unsigned t) const {
    return x[begin(t) + __builtin_ctz(active(t))];
  }
  template <class Operation>
  unsigned reduce(const Values &x, unsigned t, Operation operation) const {
    const unsigned from = begin(t) + __builtin_ctz(active(t));
    unsigned result = x[from];
    for (unsigned other = from + 1; other < end(t); ++other)
      if (here[other])
        result = operation(result, x[other]);
    return result;
  }
  unsigned sum(const Values &x, unsigned t) const {
    return reduce(x, t, [](unsigned a, unsigned b) { return a + b; });
  }
  unsigned sum_up_to(const Values &x, unsigned t) const {
    unsigned result = 0;
    for (unsigned other = begin(t); other <= t; ++other)
      result += x[other];
    return result;
  }
  static unsigned shuffle(const Values &x, unsigned t, unsigned from, unsigned width) {
    return x[(t & ~(width - 1)) + (from & (width - 1))];
  }
  static unsigned shuffle_up(const Values &x, unsigned t, unsigned distance, unsigned width) {
    return x[t % width < distance ? t : t - distance];
  }
  static unsigned shuffle_down(const Values &x, unsigned t, unsigned distance, unsigned width) {
    return x[t % width + distance >= width ? t : t + distance];
  }
  static unsigned shuffle_xor(const Values &x, unsigned t, unsigned bits, unsigned width) {
    const unsigned lane = t % 32, other = lane ^ bits;
    return x[other / width > lane / width ? t : begin(t) + other];
  }

  // Of the block.
  unsigned count(const Values &x) const {
    return unsigned(where([&](unsigned t) { return x[t] != 0; }).count());
  }
};
