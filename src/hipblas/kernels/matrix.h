// Matrices as kernels see them: whatever is stored of one, and how, each of its elements can be asked for.
#pragma once

#include "../elements.h"
#include "../stream_memory.h"
#include "launch.h"
#include "launch_kernel.h"

#include <hip/hip_runtime.h>

namespace hipblas {

enum class Structure : uint8_t { general, symmetric, hermitian, triangular };
enum class Storage : uint8_t { full, band, packed };

/// How a matrix of a problem is stored and what it stands for.
struct Layout {
  Structure structure = Structure::general;
  Storage storage = Storage::full;
  int operation = op_n;
  int uplo = upper;
  bool unit_diagonal = false;
  int64_t n = 0;                ///< Rows of one that is packed.
  int64_t below = 0, above = 0; ///< Diagonals of a band.
};

/// Element (i, j) of what a matrix of one problem stands for.
template <class T>
__device__ T element(const void *data, const Operand &matrix, const Layout &layout, int64_t i,
                     int64_t j) {
  bool conjugated = layout.operation == op_c;
  if (layout.operation != op_n) {
    const int64_t row = i;
    i = j;
    j = row;
  }
  const Structure structure = layout.structure;
  if (structure != Structure::general) {
    if (structure == Structure::triangular && i == j && layout.unit_diagonal)
      return T(1);
    const bool stored = layout.uplo == upper ? i <= j : i >= j;
    if (!stored) {
      if (structure == Structure::triangular)
        return T(0);
      const int64_t row = i;
      i = j;
      j = row;
      conjugated = conjugated != (structure == Structure::hermitian);
    }
  }
  int64_t offset = i + j * matrix.step;
  if (layout.storage == Storage::band) {
    if (i - j > layout.below || j - i > layout.above)
      return T(0);
    offset = layout.above + i - j + j * matrix.step;
  } else if (layout.storage == Storage::packed) {
    offset = layout.uplo == upper ? i + j * (j + 1) / 2 : i + (2 * layout.n - j - 1) * j / 2;
  }
  const T value = load<T>(data, matrix.type, offset);
  // The diagonal of a hermitian matrix is real, whatever its imaginary parts in memory are.
  if (structure == Structure::hermitian && i == j)
    return T(real(value));
  return conj_if(conjugated, value);
}

/// Complex numbers have two fused operations for each part of the sum in this order.
template <class T> __device__ void add_product(T &sum, T a, T b) {
  if constexpr (is_complex_v<T>)
    sum = {sum.re + a.re * b.re - a.im * b.im, sum.im + a.re * b.im + a.im * b.re};
  else
    sum += a * b;
}

/// A factor of a problem: known when a kernel is launched, or in memory of the device.
template <class T> class Factor {
public:
  explicit Factor(const Scalar &scalar)
      : pointer_(scalar.pointer), type_(scalar.type),
        value_(scalar.pointer ? T(0) : value_of<T>(scalar)) {}

  /// `stored` is what it is stored as, where the kernel knows.
  template <Type stored = Type::none> __device__ T get() const {
    return pointer_ ? load<T>(pointer_, stored == Type::none ? type_ : stored, 0) : value_;
  }

private:
  const void *pointer_;
  Type type_;
  T value_;
};

template <class T> void set_value(Scalar &scalar, T value) {
  scalar.type = own_type<T>;
  std::memcpy(scalar.bytes, &value, sizeof value);
}

/// What an operation of several steps has for a factor of the problem in one of them.
enum class Scale : uint8_t {
  own, ///< The problem's.
  conjugated,
  zero,
  one,
  // 0 where alpha is, so that nothing is read that is multiplied by it.
  one_or_zero,
  minus_one_or_zero,
  alpha, ///< For beta.
};

/// The factors of a problem. Kernels take them beside it: one that reads the bytes of a Scalar of a Problem, wherever they are, has all
/// of the Problem copied by each thread.
template <class T> struct Factors {
  explicit Factors(const Problem &p) : alpha(p.alpha), beta(p.beta) {}
  Factor<T> alpha, beta;

  /// `stored` is what they are stored as, where the kernel knows.
  template <Type stored = Type::none> __device__ T get_alpha(Scale scale) const {
    return get<stored>(scale, alpha);
  }
  template <Type stored = Type::none> __device__ T get_beta(Scale scale) const {
    return get<stored>(scale, beta);
  }

private:
  template <Type stored> __device__ T get(Scale scale, const Factor<T> &own) const {
    switch (scale) {
    case Scale::own:
      return own.template get<stored>();
    case Scale::conjugated:
      return conj(own.template get<stored>());
    case Scale::zero:
      return T(0);
    case Scale::one:
      return T(1);
    case Scale::one_or_zero:
      return T(alpha.template get<stored>() == T(0) ? 0 : 1);
    case Scale::minus_one_or_zero:
      return T(alpha.template get<stored>() == T(0) ? 0 : -1);
    case Scale::alpha:
      return alpha.template get<stored>();
    }
    return T(0);
  }
};

/// Bounds on blocks of a grid in its second and third direction.
constexpr int64_t most_blocks = 65535;

/// A grid of `blocks` for each problem of a batch. A loop over the batch in a kernel would keep compilers from vectorising its threads.
inline dim3 blocks_of_batch(int64_t blocks, int64_t batch) {
  const int64_t y = batch < most_blocks ? batch : most_blocks;
  return dim3(unsigned(blocks), unsigned(y), unsigned((batch + y - 1) / y));
}

/// The problem that a block of such a grid is for; not less than there are where there is none.
__device__ inline int64_t batch_of_block() { return int64_t(blockIdx.z) * gridDim.y + blockIdx.y; }

inline unsigned blocks_for(int64_t items, int64_t block) {
  const int64_t blocks = (items + block - 1) / block;
  return unsigned(blocks < most_blocks ? blocks : most_blocks);
}

} // namespace hipblas
