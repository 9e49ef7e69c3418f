// How far the device's mathematics is from the exact results, which MPFR knows. Fails where a bound of rows.h is exceeded.
//
//   accuracy [--values N] [--only NAME] [--figures]
//
// N random values of each kind besides the special ones; --figures prints the largest errors, one function a line:
// type, name, documented bound, largest error in its range and where, bound elsewhere, largest error at all and where.
#include "references.h"
#include "rows.h"

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using reference::Exact;


void call(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorName(error));
  std::exit(1);
}
#define CALL(expression) call(expression, #expression)

template <class T> class Buffer {
public:
  explicit Buffer(size_t count) : size_(count) { CALL(hipMallocManaged(&data_, count * sizeof(T))); }
  ~Buffer() { (void)hipFree(data_); }
  Buffer(const Buffer &) = delete;
  T *get() const { return data_; }
  T &operator[](size_t i) const { return data_[i]; }
  size_t size() const { return size_; }

private:
  T *data_ = nullptr;
  size_t size_;
};

/// Four arguments of each work-item, `count` apart.
template <class T> using Kernel = void (*)(const T *, const int *, T *, unsigned);

// Kernels of their own, as loops with other functions would not be vectorised.
#define KERNEL(type, Number, id, expression)                                                                              \
  __global__ void type##_##id(const type *in, const int *integers, type *out, unsigned count) {                           \
    typedef Number T;                                                                                                     \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                             \
    if (i >= count)                                                                                                       \
      return;                                                                                                             \
    [[maybe_unused]] const T x = in[i], y = in[count + i], z = in[2 * count + i], w = in[3 * count + i];                  \
    [[maybe_unused]] const int k = integers[i];                                                                           \
    out[i] = static_cast<type>(expression);                                                                               \
  }
typedef _Float16 Float16;
#define FLOAT_KERNEL(id, arguments, expression, ...) KERNEL(float, float, id, expression)
#define DOUBLE_KERNEL(id, arguments, expression, ...) KERNEL(double, double, id, expression)
#define HALF_KERNEL(id, arguments, expression, ...) KERNEL(Float16, __half, id, expression)

#define N(name) name##f
FUNCTIONS(FLOAT_KERNEL)
FLOAT_INTRINSICS(FLOAT_KERNEL)
#undef N
#define N(name) name
FUNCTIONS(DOUBLE_KERNEL)
DOUBLE_INTRINSICS(DOUBLE_KERNEL)
#undef N
HALF_FUNCTIONS(HALF_KERNEL)

struct Range {
  double low, high;
  bool holds(double value) const { return low <= value && value <= high; }
};

template <class T> struct Row {
  const char *name;
  std::string_view arguments; // which it has: of x, y, z, w, k
  Kernel<T> kernel;
  reference::Function reference;
  double documented[2], anywhere[2]; // bounds, for float and for the others
  Range first, others;
};

#define B(...) {__VA_ARGS__}
#define R(...) {__VA_ARGS__}
#define ENTRY(type, name, id, arguments, reference, ...) {name, arguments, type##_##id, reference, __VA_ARGS__},
#define FLOAT_ENTRY(id, arguments, expression, ...) ENTRY(float, #id, id, arguments, __VA_ARGS__)
#define DOUBLE_ENTRY(id, arguments, expression, ...) ENTRY(double, #id, id, arguments, __VA_ARGS__)
#define HALF_ENTRY(id, arguments, expression, ...) ENTRY(Float16, #id, id, arguments, __VA_ARGS__)

std::vector<Row<float>> rows_of(float) {
  using namespace reference;
  typedef float T;
  return {FUNCTIONS(FLOAT_ENTRY) FLOAT_INTRINSICS(FLOAT_ENTRY)};
}
std::vector<Row<double>> rows_of(double) {
  using namespace reference;
  typedef double T;
  return {FUNCTIONS(DOUBLE_ENTRY) DOUBLE_INTRINSICS(DOUBLE_ENTRY)};
}
std::vector<Row<_Float16>> rows_of(_Float16) {
  using namespace reference;
  return {HALF_FUNCTIONS(HALF_ENTRY)};
}

struct Options {
  size_t values = 400;
  const char *only = nullptr;
  bool prints_figures = false;
};

constexpr int columns = 4; // x, y, z, w

/// Values of all sizes; those of a row's own ranges come behind them.
template <class T> struct Inputs {
  size_t common, in_range, count;
  Buffer<T> reals;
  std::vector<int> common_integers;
  Buffer<int> integers;
  Buffer<T> results;

  explicit Inputs(size_t random_count)
      : common(exact::values<T>(random_count, 1).size()), in_range(random_count + 8), count(common + in_range),
        reals(columns * count), integers(count), results(count) {
    for (unsigned c = 0; c < columns; ++c) {
      const auto values = exact::values<T>(random_count, c + 1);
      std::copy(values.begin(), values.end(), &reals[c * count]);
    }
    std::mt19937 random(3);
    for (size_t i = 0; i < common; ++i)
      common_integers.push_back(i % 3 == 0   ? static_cast<int>(random())
                                : i % 3 == 1 ? static_cast<int>(random() % 9) - 4
                                             : static_cast<int>(random() % 401) - 200);
  }

  void fill_range(const Row<T> &row) {
    std::mt19937_64 random(4);
    const auto fill = [&](T *values, const Range &range) {
      std::uniform_real_distribution<double> uniform(0, 1);
      // Logarithmic for ranges of many sizes.
      const bool is_wide = range.low > 0 && range.high / range.low > 1e4;
      for (size_t i = 0; i < in_range; ++i) {
        const double part = i < 4 ? 0 : i < 8 ? 1 : uniform(random);
        const double value = is_wide ? range.low * std::pow(range.high / range.low, part)
                                     : range.low + (range.high - range.low) * part;
        values[i] = static_cast<T>(i == 0 ? range.low : i == 4 ? range.high : value);
      }
      // Beside the ends.
      if constexpr (sizeof(T) >= 4)
        for (size_t i : {1, 2, 3, 5, 6, 7})
          for (size_t step = 0; step < i % 4; ++step)
            values[i] = std::nextafter(values[i], static_cast<T>(i < 4 ? range.high : range.low));
    };
    for (int c = 0; c < columns; ++c)
      fill(&reals[static_cast<size_t>(c) * count + common], c == 0 ? row.first : row.others);
    // A Bessel function of an order of millions would take minutes.
    for (size_t i = 0; i < common; ++i)
      integers[i] = row.anywhere[0] < 0 ? 0 : common_integers[i];
    std::uniform_int_distribution<int> uniform(static_cast<int>(row.others.low), static_cast<int>(row.others.high));
    for (size_t i = common; i < count; ++i)
      integers[i] = uniform(random);
  }
};

/// The arguments of a row as text.
template <class T> std::string arguments_of(const Row<T> &row, const Inputs<T> &inputs, size_t at) {
  std::string text;
  for (char name : row.arguments) {
    char word[64];
    if (name == 'k')
      std::snprintf(word, sizeof word, "%d", inputs.integers[at]);
    else
      std::snprintf(word, sizeof word, "%a", static_cast<double>(inputs.reals[(name == 'w' ? 3 : static_cast<size_t>(name - 'x')) * inputs.count + at]));
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

/// Whether the bounds hold.
template <class T> bool measure(const Row<T> &row, Inputs<T> &inputs, const Options &options) {
  inputs.fill_range(row);
  const auto count = static_cast<unsigned>(inputs.count);
  row.kernel<<<(count + 255) / 256, 256>>>(inputs.reals.get(), inputs.integers.get(), inputs.results.get(), count);
  CALL(hipGetLastError());
  CALL(hipDeviceSynchronize());

  constexpr int column = sizeof(T) == 4 ? 0 : 1;
  reference::Arguments arguments;
  Exact wanted, scratch;
  mpfr_set_prec(scratch, 5000);
  exact::Worst in_range, anywhere;
  for (size_t i = 0; i < inputs.count; ++i) {
    const T *reals = &inputs.reals[i];
    bool is_in_range = true;
    for (char name : row.arguments) {
      if (name == 'k') {
        is_in_range &= row.others.holds(inputs.integers[i]);
        continue;
      }
      const size_t c = name == 'w' ? 3 : static_cast<size_t>(name - 'x');
      is_in_range &= (c == 0 ? row.first : row.others).holds(static_cast<double>(reals[c * inputs.count]));
    }
    if (!is_in_range && row.anywhere[column] < 0)
      continue;
    mpfr_ptr exact_values[] = {arguments.x, arguments.y, arguments.z, arguments.w};
    for (size_t c = 0; c < columns; ++c)
      exact::set(exact_values[c], reals[c * inputs.count]);
    arguments.k = inputs.integers[i];
    arguments.least_exponent = 3 - exact::Format<T>::max_exponent;
    arguments.is_open = false;
    row.reference(wanted, arguments);
    if (arguments.is_open)
      continue;
    const double error = exact::error_of(inputs.results[i], wanted, scratch, arguments.least_exponent);
    anywhere.add(error, i);
    if (is_in_range)
      in_range.add(error, i);
  }

  const double documented = row.documented[column], bound = row.anywhere[column];
  if (options.prints_figures)
    std::printf("%s\t%s\t%g\t%.3f\t%s\t%g\t%.3f\t%s\n", exact::Format<T>::name, row.name, documented, in_range.error,
                arguments_of(row, inputs, in_range.index).c_str(), bound, anywhere.error,
                arguments_of(row, inputs, anywhere.index).c_str());
  const auto holds = [&](const exact::Worst &worst, double allowed) {
    // HIP counts from the correctly rounded result, which is up to half a unit off itself.
    if (allowed < 0 || worst.error <= allowed + 0.5)
      return true;
    const size_t at = worst.index;
    std::fprintf(stderr, "%s of %s: %g from (%s), %g units in the last place off; %g allowed\n", row.name,
                 exact::Format<T>::name, static_cast<double>(inputs.results[at]), arguments_of(row, inputs, at).c_str(),
                 worst.error, allowed);
    return false;
  };
  const bool is_good_in_range = holds(in_range, documented);
  return holds(anywhere, bound) && is_good_in_range;
}

template <class T> int count_above_bound(const Options &options) {
  Inputs<T> inputs(options.values);
  int above = 0;
  for (const Row<T> &row : rows_of(T()))
    if (!options.only || std::strcmp(options.only, row.name) == 0)
      above += !measure(row, inputs, options);
  return above;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--figures")
      options.prints_figures = true;
    else if (word == "--values" && i + 1 < argc)
      options.values = std::strtoul(argv[++i], nullptr, 10);
    else if (word == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else
      return std::fprintf(stderr, "usage: accuracy [--values N] [--only NAME] [--figures]\n"), 2;
  }
  const int above = count_above_bound<float>(options) + count_above_bound<double>(options) + count_above_bound<_Float16>(options);
  if (above)
    std::fprintf(stderr, "%d functions are above their bounds\n", above);
  return above != 0;
}
