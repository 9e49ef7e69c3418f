// Numbers of few bits, from the definition of their format: an independent reference for conversions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

struct Reference {
  int exponent_bits, fraction_bits, bias;
  bool has_infinity = true;

  int lowest_exponent() const { return 1 - bias; }

  /// The value of a magnitude: bits without a sign. What would be infinity is the next power of two.
  double value(unsigned magnitude) const {
    const int exponent = int(magnitude >> fraction_bits);
    const double fraction = magnitude & ((1u << fraction_bits) - 1);
    if (exponent == 0)
      return std::ldexp(fraction, lowest_exponent() - fraction_bits);
    return std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  }

  /// The magnitude of x >= 0, rounded by `round`; it may lie beyond the highest.
  template <class Round> unsigned magnitude(double x, Round round) const {
    if (x == 0)
      return 0;
    if (std::isinf(x))
      return (1u << (exponent_bits + fraction_bits)) - (has_infinity ? 1u << fraction_bits : 0);
    const int exponent = std::max(std::ilogb(x), lowest_exponent());
    const double steps = round(std::ldexp(x, fraction_bits - exponent));
    return unsigned(exponent - lowest_exponent()) * (1u << fraction_bits) + unsigned(steps);
  }

  /// Bits of a type with infinities; `round` gets signed numbers.
  template <class Round> unsigned bits(double x, Round round) const {
    const bool negative = std::signbit(x);
    const unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    const unsigned sign = unsigned(negative) << (exponent_bits + fraction_bits);
    if (std::isnan(x))
      return infinity + 1;
    unsigned result =
        magnitude(std::fabs(x), [&](double y) { return std::fabs(round(negative ? -y : y)); });
    const bool cuts_off = round(negative ? -0.75 : 0.75) == 0;
    if (result >= infinity)
      result = cuts_off && !std::isinf(x) ? infinity - 1 : infinity;
    return sign | result;
  }
};

inline double nearest(double x) { return std::nearbyint(x); }
