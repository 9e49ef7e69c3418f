/// The formats of printf, read piece by piece: by kernels, which have to know what each argument
/// is, and by the runtime, which prints.
#pragma once

#include <hip/api/types/qualifiers.h>

namespace chip_device {

/// One conversion: what stands between '%' and its letter, with the values of '*' filled in.
struct Conversion {
  enum __Flag { left = 1, sign = 2, space = 4, alternative = 8, zeros = 16 };
  /// Of the length modifiers; L makes no difference, since a device's long double is a double.
  enum __Size : unsigned char { usual, char_size, short_size, long_size };

  unsigned flags = 0;
  int width = 0;
  int precision = -1; // none
  __Size size = usual;
  char letter = 0;
};

class FormatReader {
public:
  enum __Piece {
    end,       // nothing more
    text,      // begin() to end() is to be printed as it is
    width,     // the next argument is an int for take_width()
    precision, // the next argument is an int for take_precision()
    value,     // the next argument is for conversion()
  };

  __host__ __device__ explicit FormatReader(const char *format) : at_(format) {}

  __host__ __device__ __Piece next() {
    begin_ = at_;
    if (state_ == plain) {
      if (*at_ == 0)
        return end;
      if (*at_ != '%') {
        while (*at_ != 0 && *at_ != '%')
          ++at_;
        return text;
      }
      directive_ = at_++;
      conversion_ = Conversion();
      while (add_flag(*at_))
        ++at_;
      state_ = after_width;
      if (*at_ == '*') {
        ++at_;
        return width;
      }
      conversion_.width = number();
    }
    if (state_ == after_width) {
      state_ = after_precision;
      if (*at_ == '.') {
        ++at_;
        if (*at_ == '*') {
          ++at_;
          return precision;
        }
        conversion_.precision = number();
      }
    }
    state_ = plain;
    conversion_.size = size();
    conversion_.letter = *at_;
    if (*at_ == '%') { // the one to print
      begin_ = at_++;
      return text;
    }
    if (!is_conversion(*at_)) { // what nobody knows is printed as it is
      begin_ = directive_;
      return text;
    }
    ++at_;
    return value;
  }

  __host__ __device__ const char *text_begin() const { return begin_; }
  __host__ __device__ const char *text_end() const { return at_; }
  __host__ __device__ const Conversion &conversion() const { return conversion_; }

  __host__ __device__ void take_width(int value) {
    if (value < 0)
      conversion_.flags |= Conversion::left;
    conversion_.width = value >= 0 ? value : value == -2147483647 - 1 ? 2147483647 : -value;
  }
  __host__ __device__ void take_precision(int value) {
    conversion_.precision = value >= 0 ? value : -1;
  }

private:
  __host__ __device__ bool add_flag(char c) {
    const unsigned flag = c == '-'   ? Conversion::left
                          : c == '+' ? Conversion::sign
                          : c == ' ' ? Conversion::space
                          : c == '#' ? Conversion::alternative
                          : c == '0' ? Conversion::zeros
                                     : 0;
    conversion_.flags |= flag;
    return flag != 0;
  }
  __host__ __device__ int number() {
    unsigned n = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_)
      n = n < 200000000 ? n * 10 + static_cast<unsigned>(*at_ - '0') : n;
    return static_cast<int>(n);
  }
  __host__ __device__ Conversion::__Size size() {
    Conversion::__Size result = Conversion::usual;
    for (;; ++at_) {
      if (*at_ == 'h')
        result = result == Conversion::short_size ? Conversion::char_size : Conversion::short_size;
      else if (*at_ == 'l' || *at_ == 'j' || *at_ == 'z' || *at_ == 't' || *at_ == 'q')
        result = Conversion::long_size;
      else if (*at_ != 'L')
        return result;
    }
  }
  static __host__ __device__ bool is_conversion(char c) {
    for (const char *known = "diouxXbBcspnaAeEfFgG"; *known != 0; ++known)
      if (c == *known)
        return true;
    return false;
  }

  enum __State { plain, after_width, after_precision };
  const char *at_;
  const char *begin_ = nullptr;     // of text
  const char *directive_ = nullptr; // its '%'
  __State state_ = plain;
  Conversion conversion_;
};

} // namespace chip_device
