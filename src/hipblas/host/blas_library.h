// The BLAS and the LAPACK of the system, by the names that Fortran gives their functions: whichever Debian's alternatives select.
#pragma once

#include "../elements.h"

#include <cstddef>

namespace hipblas {

/// The library that this is compiled into, which defines it: messages begin with it.
extern const char *const library_name;

/// Whether there is one. It is looked for once, and a line on stderr says what to install where it is missing.
bool has_blas();
bool has_lapack();

/// A function of it, by its name in Fortran; null if it has none.
void *find_in_blas(const char *name);
void *find_in_lapack(const char *name);

/// A name as an argument of a template.
template <size_t length> struct Name {
  char text[length + 2] = {}; ///< With the letter of a type before it and an underscore behind it.

  consteval Name(const char (&name)[length]) {
    for (size_t i = 0; i + 1 < length; ++i)
      text[i + 1] = name[i];
    text[length] = '_';
  }
  constexpr Name with(char letter) const {
    Name result = *this;
    result.text[0] = letter;
    return result;
  }
};

template <class T> inline constexpr char letter_of = 's';
template <> inline constexpr char letter_of<double> = 'd';
template <> inline constexpr char letter_of<Complex<float>> = 'c';
template <> inline constexpr char letter_of<Complex<double>> = 'z';

// Fortran takes addresses, also of sizes and characters; the lengths of characters come last. Libraries in C do not look at those.

/// Calls a function of BLAS for elements T, as blas<"gemm", T>(...).
template <Name name, class T, class Result = void, class... Arguments>
Result blas(Arguments *...arguments) {
  static void *const function = find_in_blas(name.with(letter_of<T>).text);
  return reinterpret_cast<Result (*)(Arguments *..., size_t, size_t, size_t, size_t)>(function)(
      arguments..., 1, 1, 1, 1);
}

/// The same of LAPACK.
template <Name name, class T, class... Arguments> void lapack(Arguments *...arguments) {
  static void *const function = find_in_lapack(name.with(letter_of<T>).text);
  reinterpret_cast<void (*)(Arguments *..., size_t)>(function)(arguments..., 1);
}

} // namespace hipblas
