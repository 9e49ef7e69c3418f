// Writes HIP/include/hip/spirv_detail/math_tables.h anew.
//
//   tables HEADER            the header as it has to be, on standard output
//
// Each polynomial is interpolated at the Chebyshev nodes of its
// interval, -1 <= t <= 1, or is the first terms of a series in t; math_special.h says what it
// stands for. The number of coefficients makes the error an eighth of the last place or less:
// accuracy.hip would tell.
#include "references.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

/// 90 digits, with the operators of numbers.
class Number {
public:
  Number(double value = 0) { mpfr_init2(value_, 300), mpfr_set_d(value_, value, MPFR_RNDN); }
  Number(const Number &other) : Number() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Number &operator=(const Number &other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Number() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

private:
  mpfr_t value_;
};

template <auto function> Number of(const Number &x) {
  Number result;
  function(result.get(), x.get(), MPFR_RNDN);
  return result;
}
template <auto function> Number of(const Number &x, const Number &y) {
  Number result;
  function(result.get(), x.get(), y.get(), MPFR_RNDN);
  return result;
}
Number operator+(const Number &x, const Number &y) { return of<mpfr_add>(x, y); }
Number operator-(const Number &x, const Number &y) { return of<mpfr_sub>(x, y); }
Number operator*(const Number &x, const Number &y) { return of<mpfr_mul>(x, y); }
Number operator/(const Number &x, const Number &y) { return of<mpfr_div>(x, y); }
Number operator-(const Number &x) { return of<mpfr_neg>(x); }
Number root(const Number &x) { return of<mpfr_sqrt>(x); }
Number exponential(const Number &x) { return of<mpfr_exp>(x); }
Number logarithm(const Number &x) { return of<mpfr_log>(x); }
Number cosine(const Number &x) { return of<mpfr_cos>(x); }
Number sine(const Number &x) { return of<mpfr_sin>(x); }
Number pi() {
  Number result;
  mpfr_const_pi(result.get(), MPFR_RNDN);
  return result;
}

// What the polynomials approximate, as functions of t

Number erfcx_part(const Number &t) {
  const Number x = 2 * (1 + t) / (1 - t);
  return (1 + 2 * x) * of<mpfr_erfc>(x) * exponential(x * x);
}

/// erfinv(y) / y, where w = -log(1 - y^2).
Number inverse_error(const Number &w) {
  const Number rest = exponential(-w), y = root(1 - rest), below_one = rest / (1 + y);
  Number z;
  reference::inverse_erfc_above(z.get(), below_one.get());
  return z / y;
}
/// What is left of it without its value at w = 0, divided by w.
Number inverse_error_1(const Number &t) {
  const Number w = 2.5 * (1 + t);
  return (inverse_error(w) - root(pi()) / 2) / w;
}
/// Beyond 5, all of it; the root of w is `middle` + `half` t.
std::function<Number(const Number &)> inverse_error_far(const char *middle, const char *half) {
  Number m, h;
  mpfr_set_str(m.get(), middle, 10, MPFR_RNDN);
  mpfr_set_str(h.get(), half, 10, MPFR_RNDN);
  return [m, h](const Number &t) {
    const Number at = m + h * t;
    return inverse_error(at * at);
  };
}

/// The modified Bessel function of order n by its series.
Number bessel_i(int n, const Number &x) {
  const Number quarter = x * x / 4;
  Number term = n == 0 ? Number(1) : x / 2, sum = term;
  for (int k = 1;
       mpfr_zero_p(term.get()) == 0 && mpfr_get_exp(term.get()) > mpfr_get_exp(sum.get()) - 300;
       ++k) {
    term = term * quarter / (double(k) * (k + n));
    sum = sum + term;
  }
  return sum;
}
template <int n> Number bessel_i_high(const Number &t) {
  const Number x = 16 / (1 + t);
  return bessel_i(n, x) * exponential(-x) * root(x);
}

/// J or Y around `middle`.
template <auto function> std::function<Number(const Number &)> bessel_around(double middle) {
  return [middle](const Number &t) { return of<function>(middle + t); };
}
/// The same, divided by the distance from its zero in `from`..`from` + 1.
template <auto function>
std::function<Number(const Number &)> bessel_by_zero(double from, double middle, double half = 1) {
  Number low = from, high = from + 1;
  const bool falls = mpfr_signbit(of<function>(high).get());
  for (int bit = 0; bit < 300; ++bit) {
    const Number between = (low + high) / 2;
    (falls == bool(mpfr_signbit(of<function>(between).get())) ? high : low) = between;
  }
  return [=](const Number &t) {
    const Number x = middle + half * t;
    return of<function>(x) / (x - low);
  };
}
Number bessel_y0_low(const Number &t) {
  const Number x = root(2 * (1 + t));
  return of<mpfr_y0>(x) - 2 / pi() * logarithm(x) * of<mpfr_j0>(x);
}
Number bessel_y1_low(const Number &t) {
  const Number x = root(2 * (1 + t));
  return (of<mpfr_y1>(x) - 2 / pi() * (logarithm(x) * of<mpfr_j1>(x) - 1 / x)) / x;
}
/// The amplitudes P and Q, of which J is sqrt(2 / (pi x)) (P cos - Q sin) and Y with sin and cos.
template <int n, bool is_q> Number amplitude(const Number &t) {
  const Number ratio = root((1 + t) / 2), x = 8 / ratio, phase = x - (2 * n + 1) * pi() / 4;
  const Number j = n == 0 ? of<mpfr_j0>(x) : of<mpfr_j1>(x),
               y = n == 0 ? of<mpfr_y0>(x) : of<mpfr_y1>(x);
  const Number scale = root(pi() * x / 2);
  if (is_q)
    return scale * (y * cosine(phase) - j * sine(phase)) / ratio;
  return scale * (j * cosine(phase) + y * sine(phase));
}

/// Coefficients of the first terms of a series: those of `order` of J (alternating) or I.
std::vector<Number> series(int order, bool alternates, bool is_halved, int count) {
  std::vector<Number> coefficients;
  Number term = is_halved ? 0.5 : 1;
  for (int k = 0; k < count; ++k) {
    coefficients.push_back(term);
    term = term / (double(k + 1) * (k + 1 + order));
    if (alternates)
      term = -term;
  }
  return coefficients;
}

/// Of the polynomial that has the function's values at `count` Chebyshev nodes.
std::vector<Number> interpolate(const std::function<Number(const Number &)> &function, int count) {
  std::vector<Number> angles, values;
  for (int k = 0; k < count; ++k) {
    angles.push_back((2 * k + 1) * pi() / (2 * count));
    values.push_back(function(cosine(angles.back())));
  }
  // A sum of Chebyshev polynomials, each from the two before it: T = 2 t T' - T''.
  std::vector<Number> coefficients(count), before(count), current(count);
  current[0] = 1;
  for (int degree = 0; degree < count; ++degree) {
    Number weight;
    for (int k = 0; k < count; ++k)
      weight = weight + values[k] * cosine(degree * angles[k]);
    weight = weight * (degree == 0 ? 1 : 2) / count;
    std::vector<Number> next(count);
    for (int i = 0; i < count; ++i) {
      coefficients[i] = coefficients[i] + weight * current[i];
      if (i > 0)
        next[i] = (degree == 0 ? 1 : 2) * current[i - 1];
      next[i] = next[i] - before[i];
    }
    before = degree == 0 ? std::vector<Number>(count) : before;
    std::swap(before, current);
    current = std::move(next);
  }
  return coefficients;
}

// Text, as clang-format has it

/// As digits of the language: without zeros that say nothing, and with an exponent below 0.01.
std::string text_of(const Number &value, int digits, const char *suffix) {
  char *scientific = nullptr;
  mpfr_asprintf(&scientific, "%.*Re", digits - 1, value.get());
  std::string text = scientific;
  mpfr_free_str(scientific);
  const size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  if (exponent >= -2) {
    char *fixed = nullptr;
    mpfr_asprintf(&fixed, "%.*Rf", digits - 1 - exponent, value.get());
    text = fixed;
    mpfr_free_str(fixed);
  } else {
    text.resize(e);
  }
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text += '0';
  if (exponent < -2)
    text += "e" + std::to_string(exponent);
  return text + suffix;
}

void write(const char *type, const char *name, const std::vector<Number> &coefficients) {
  const bool is_float = std::strcmp(type, "float") == 0;
  std::printf("CHIP_DEVICE %s %s(%s t) {\n", type, name, type);
  std::string line = "  return polynomial(t,";
  for (size_t i = 0; i < coefficients.size(); ++i) {
    std::string word = text_of(coefficients[i], is_float ? 10 : 18, is_float ? "f" : "");
    word += i + 1 == coefficients.size() ? ");" : ",";
    if (line.size() + 1 + word.size() > 98) {
      std::printf("%s\n", line.c_str());
      line = std::string(19, ' ');
    }
    line += " " + word;
  }
  std::printf("%s\n}\n", line.c_str());
}

struct Table {
  const char *name;
  std::function<std::vector<Number>(int count)> coefficients;
  int count_for_float, count_for_double; // 0: not for that type
};

Table interpolated(const char *name, std::function<Number(const Number &)> function, int for_float,
                   int for_double) {
  return {name, [function](int count) { return interpolate(function, count); }, for_float,
          for_double};
}
Table cut_off(const char *name, int order, bool alternates, bool is_halved, int for_float,
              int for_double) {
  return {name, [=](int count) { return series(order, alternates, is_halved, count); }, for_float,
          for_double};
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  const std::string header(std::istreambuf_iterator<char>(file), {});
  const size_t begin = header.find("// For float\n"), end = header.rfind("} // namespace");
  if (begin == header.npos || end == header.npos)
    return std::fprintf(stderr, "usage: tables HEADER\n"), 2;
  std::fputs(header.substr(0, begin).c_str(), stdout);

  const Table tables[] = {
      interpolated("erfcx_part", erfcx_part, 13, 29),
      interpolated("inverse_error_1", inverse_error_1, 10, 23),
      interpolated("inverse_error_2", inverse_error_far("3.1", "0.9"), 10, 23),
      interpolated("inverse_error_3", inverse_error_far("5.5", "1.5"), 9, 23),
      interpolated("inverse_error_4", inverse_error_far("8.75", "1.75"), 7, 0),
      interpolated("inverse_error_4", inverse_error_far("10.5", "3.5"), 0, 21),
      interpolated("inverse_error_5", inverse_error_far("20.75", "6.75"), 0, 19),
      cut_off("bessel_i0_low", 0, false, false, 14, 26),
      interpolated("bessel_i0_high", bessel_i_high<0>, 7, 25),
      cut_off("bessel_i1_low", 1, false, false, 14, 26),
      interpolated("bessel_i1_high", bessel_i_high<1>, 7, 26),
      cut_off("bessel_j0_low", 0, true, false, 9, 15),
      interpolated("bessel_j0_1", bessel_by_zero<mpfr_j0>(2, 3), 9, 15),
      interpolated("bessel_j0_2", bessel_by_zero<mpfr_j0>(5, 5), 9, 16),
      interpolated("bessel_j0_3", bessel_around<mpfr_j0>(7), 9, 16),
      cut_off("bessel_j1_low", 1, true, true, 9, 15),
      interpolated("bessel_j1_1", bessel_by_zero<mpfr_j1>(3, 3), 9, 16),
      interpolated("bessel_j1_2", bessel_by_zero<mpfr_j1>(3, 5), 9, 15),
      interpolated("bessel_j1_3", bessel_by_zero<mpfr_j1>(7, 7), 10, 16),
      interpolated("bessel_y0_low", bessel_y0_low, 6, 10),
      interpolated("bessel_y0_1", bessel_by_zero<mpfr_y0>(0, 1, 0.4), 12, 25),
      interpolated("bessel_y0_2", bessel_by_zero<mpfr_y0>(3, 3), 10, 22),
      interpolated("bessel_y0_3", bessel_by_zero<mpfr_y0>(3, 5), 9, 17),
      interpolated("bessel_y0_4", bessel_by_zero<mpfr_y0>(7, 7), 10, 16),
      interpolated("bessel_y1_low", bessel_y1_low, 6, 10),
      interpolated("bessel_y1_1", bessel_by_zero<mpfr_y1>(2, 3), 11, 23),
      interpolated("bessel_y1_2", bessel_by_zero<mpfr_y1>(5, 5), 9, 18),
      interpolated("bessel_y1_3", bessel_around<mpfr_y1>(7), 9, 16),
      interpolated("bessel_p0", amplitude<0, false>, 4, 13),
      interpolated("bessel_q0", amplitude<0, true>, 5, 16),
      interpolated("bessel_p1", amplitude<1, false>, 4, 13),
      interpolated("bessel_q1", amplitude<1, true>, 5, 15),
  };
  for (const char *type : {"float", "double"}) {
    std::printf("// For %s\n\n", type);
    for (const Table &table : tables) {
      const int count =
          std::strcmp(type, "float") == 0 ? table.count_for_float : table.count_for_double;
      if (count > 0)
        write(type, table.name, table.coefficients(count));
    }
    std::printf("\n");
  }
  std::fputs(header.substr(end).c_str(), stdout);
  return 0;
}
