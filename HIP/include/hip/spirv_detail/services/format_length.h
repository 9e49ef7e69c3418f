/// How many characters printf will print: kernels ask before anybody prints.
#pragma once

#include <hip/spirv_detail/services/messages.h>

namespace chip_device {

/// Of at most `most` characters.
template <typename __Character>
__host__ __device__ inline unsigned long string_length(const __Character *string,
                                                       unsigned long most) {
  unsigned long length = 0;
  while (length < most && string[length] != 0)
    ++length;
  return length;
}

/// The decimal digits of a finite number: an integer, of which some digits stand behind the point.
/// Exact, as the rounding of what is printed depends on all of them.
class __Decimal {
public:
  __host__ __device__ explicit __Decimal(double x) {
    const auto bits = __builtin_bit_cast(unsigned long, x);
    int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    unsigned long mantissa = bits & ((1ul << 52) - 1);
    if (exponent != 0)
      mantissa |= 1ul << 52;
    else
      exponent = 1;
    exponent -= 1075;
    for (; mantissa != 0 && mantissa % 2 == 0; mantissa /= 2)
      ++exponent;
    for (; mantissa != 0; mantissa /= base)
      limbs_[count_++] = static_cast<unsigned>(mantissa % base);
    if (count_ == 0)
      return;
    // x = mantissa * 2^-n = mantissa * 5^n / 10^n
    behind_ = exponent < 0 ? -exponent : 0;
    multiply(exponent < 0 ? 5 : 2, exponent < 0 ? -exponent : exponent);
    digits_ = (count_ - 1) * 9;
    for (unsigned top = limbs_[count_ - 1]; top != 0; top /= 10)
      ++digits_;
  }

  /// All, and those behind the point. Zero has none.
  __host__ __device__ int digits() const { return digits_; }
  __host__ __device__ int behind() const { return behind_; }

  /// Whether the rest is rounded up when the lowest `dropped` digits go.
  __host__ __device__ bool rounds_up(int dropped) const {
    if (dropped <= 0 || dropped > digits_)
      return false;
    const int first = digit(dropped - 1);
    if (first != 5)
      return first > 5;
    for (int i = 0; i < dropped - 1; ++i)
      if (digit(i) != 0)
        return true;
    return digit(dropped) % 2 != 0;
  }
  /// Digits that are left then, with the one that a carry may add.
  __host__ __device__ int digits_without(int dropped) const {
    const int kept = dropped < digits_ ? digits_ - dropped : 0;
    return kept + (rounds_up(dropped) && run_of(9, dropped) == kept);
  }
  /// How many of those are zeros at the end.
  __host__ __device__ int zeros_at_end(int dropped) const {
    return rounds_up(dropped) ? run_of(9, dropped) : run_of(0, dropped);
  }

private:
  static constexpr unsigned base = 1000000000;

  __host__ __device__ void multiply(unsigned factor, int times) {
    while (times > 0) {
      unsigned long product = factor;
      for (--times; times > 0 && product * factor < base; --times)
        product *= factor;
      unsigned long carry = 0;
      for (int i = 0; i < count_; ++i) {
        carry += limbs_[i] * product;
        limbs_[i] = static_cast<unsigned>(carry % base);
        carry /= base;
      }
      if (carry != 0)
        limbs_[count_++] = static_cast<unsigned>(carry);
    }
  }
  __host__ __device__ int digit(int i) const {
    if (i < 0 || i >= digits_)
      return 0;
    unsigned limb = limbs_[i / 9];
    for (int j = i % 9; j > 0; --j)
      limb /= 10;
    return static_cast<int>(limb % 10);
  }
  /// How many digits from that place on are `value`.
  __host__ __device__ int run_of(int value, int place) const {
    int length = 0;
    while (place + length < digits_ && digit(place + length) == value)
      ++length;
    return length;
  }

  unsigned limbs_[88]; // of the smallest number: 751 digits and 16 more
  int count_ = 0;
  int digits_ = 0;
  int behind_ = 0;
};

__host__ __device__ inline int digit_count(unsigned long n, unsigned base) {
  int count = 0;
  for (; n != 0; n /= base)
    ++count;
  return count;
}

__host__ __device__ inline int fraction_length(int digits, const Conversion &c) {
  return digits > 0 ? 1 + digits : (c.flags & Conversion::alternative) != 0;
}
__host__ __device__ inline int exponent_length(int exponent, int least) {
  const int digits =
      digit_count(static_cast<unsigned long>(exponent < 0 ? -exponent : exponent), 10);
  return 2 + (digits > least ? digits : least); // the letter and the sign
}

/// %e, and %g where it prints an exponent: one digit and `behind` others.
__host__ __device__ inline int scientific_length(int exponent, int behind, const Conversion &c) {
  return 1 + fraction_length(behind, c) + exponent_length(exponent, 2);
}

/// Without the sign.
__host__ __device__ inline int decimal_length(double x, const Conversion &c) {
  const __Decimal decimal(x);
  const char letter = static_cast<char>(c.letter | 0x20);
  const int precision = c.precision >= 0 ? c.precision : 6;
  if (letter == 'f') {
    const int dropped = decimal.behind() > precision ? decimal.behind() - precision : 0;
    const int before = decimal.digits_without(dropped) + dropped - decimal.behind();
    return (before > 0 ? before : 1) + fraction_length(precision, c);
  }
  const int significant = letter == 'e' ? precision + 1 : precision > 0 ? precision : 1;
  const int dropped = decimal.digits() > significant ? decimal.digits() - significant : 0;
  const int kept = decimal.digits_without(dropped);
  const int exponent = kept > 0 ? kept + dropped - decimal.behind() - 1 : 0;
  if (letter == 'e')
    return scientific_length(exponent, precision, c);
  int shown = significant;
  if (!(c.flags & Conversion::alternative)) {
    shown = kept - decimal.zeros_at_end(dropped);
    if (shown < 1 || shown > significant)
      shown = 1;
  }
  if (exponent < -4 || exponent >= significant)
    return scientific_length(exponent, shown - 1, c);
  const int behind = shown - 1 - exponent;
  return (exponent > 0 ? exponent + 1 : 1) + fraction_length(behind, c);
}

/// %a, without the sign.
__host__ __device__ inline int hexadecimal_length(double x, const Conversion &c) {
  const auto bits = __builtin_bit_cast(unsigned long, x);
  const unsigned long fraction = bits & ((1ul << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  const int exponent = biased != 0 ? biased - 1023 : fraction != 0 ? -1022 : 0;
  int digits = c.precision;
  if (digits < 0)
    for (digits = 13; digits > 0 && (fraction >> 4 * (13 - digits) & 15) == 0;)
      --digits;
  return 3 + fraction_length(digits, c) + exponent_length(exponent, 1);
}

__host__ __device__ inline int number_length(double x, const Conversion &c) {
  const auto bits = __builtin_bit_cast(unsigned long, x);
  const bool finite = (bits >> 52 & 0x7ff) != 0x7ff;
  const int sign = bits >> 63 != 0 || (c.flags & (Conversion::sign | Conversion::space)) != 0;
  return sign + (!finite                    ? 3
                 : (c.letter | 0x20) == 'a' ? hexadecimal_length(x, c)
                                            : decimal_length(x, c));
}

/// What is left of an integer argument when it is taken for the type that the format names.
__host__ __device__ inline unsigned long cut_integer(unsigned long bits, const Conversion &c) {
  const bool is_signed = c.letter == 'd' || c.letter == 'i';
  switch (c.size) {
  case Conversion::char_size:
    return is_signed ? static_cast<unsigned long>(static_cast<signed char>(bits))
                     : static_cast<unsigned char>(bits);
  case Conversion::short_size:
    return is_signed ? static_cast<unsigned long>(static_cast<short>(bits))
                     : static_cast<unsigned short>(bits);
  case Conversion::usual:
    return is_signed ? static_cast<unsigned long>(static_cast<int>(bits))
                     : static_cast<unsigned>(bits);
  default:
    return bits;
  }
}

__host__ __device__ inline int integer_length(unsigned long value, const Conversion &c) {
  const char letter = c.letter == 'p' ? 'x' : static_cast<char>(c.letter | 0x20);
  const bool is_signed = letter == 'd' || letter == 'i';
  const bool negative = is_signed && static_cast<long>(value) < 0;
  const unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  const bool alternative = (c.flags & Conversion::alternative) != 0 || c.letter == 'p';
  int digits = digit_count(negative ? 0 - value : value, base);
  const bool prefixed = alternative && value != 0 && (letter == 'x' || letter == 'b');
  const int least = c.precision >= 0 ? c.precision : 1;
  if (alternative && letter == 'o' && digits >= least)
    ++digits;
  const bool signs = negative || (is_signed && (c.flags & (Conversion::sign | Conversion::space)));
  const int bare = signs + 2 * prefixed;
  int length = bare + (digits > least ? digits : least);
  if ((c.flags & Conversion::zeros) && !(c.flags & Conversion::left) && c.precision < 0 &&
      length < c.width)
    length = c.width;
  return length;
}

__host__ __device__ inline double number_of(const MessageArgument &argument) {
  if (argument.kind == MessagePiece::single)
    return __builtin_bit_cast(float, static_cast<unsigned>(argument.bits));
  if (argument.kind == MessagePiece::real)
    return __builtin_bit_cast(double, argument.bits);
  return static_cast<double>(static_cast<long>(argument.bits));
}

__host__ __device__ inline int conversion_length(const Conversion &c,
                                                 const MessageArgument &argument) {
  constexpr int null_pointer = 5; // (nil)
  switch (c.letter) {
  case 'n':
    return 0;
  case 'c':
    return 1;
  case 's': {
    if (argument.kind != MessagePiece::address || argument.bits == 0)
      return 0; // a null string is an empty one, as on AMD's devices
    const unsigned long most = c.precision >= 0 ? static_cast<unsigned long>(c.precision) : ~0ul;
    return static_cast<int>(
        c.size == Conversion::long_size
            ? string_length(reinterpret_cast<const wchar_t *>(argument.bits), most)
            : string_length(reinterpret_cast<const char *>(argument.bits), most));
  }
  case 'p':
    return argument.bits == 0 ? null_pointer : integer_length(argument.bits, c);
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    return integer_length(cut_integer(argument.bits, c), c);
  default:
    return number_length(number_of(argument), c);
  }
}

/// What printf returns.
__host__ __device__ inline int formatted_length(const char *format,
                                                const MessageArgument *arguments, unsigned count) {
  FormatReader reader(format);
  int length = 0;
  unsigned used = 0;
  for (;;) {
    const FormatReader::__Piece piece = reader.next();
    if (piece == FormatReader::end)
      return length;
    if (piece == FormatReader::text) {
      length += static_cast<int>(reader.text_end() - reader.text_begin());
      continue;
    }
    if (used == count)
      return length;
    const MessageArgument &argument = arguments[used++];
    if (piece == FormatReader::width) {
      reader.take_width(static_cast<int>(argument.bits));
    } else if (piece == FormatReader::precision) {
      reader.take_precision(static_cast<int>(argument.bits));
    } else {
      const Conversion &c = reader.conversion();
      const int printed = conversion_length(c, argument);
      length += c.letter != 'n' && printed < c.width ? c.width : printed;
    }
  }
}

} // namespace chip_device
