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

/// Bounds on blocks of a grid in its second and third direction.
constexpr int64_t most_blocks = 65535;

inline unsigned blocks_for(int64_t items, int64_t block) {
  const int64_t blocks = (items + block - 1) / block;
  return unsigned(blocks < most_blocks ? blocks : most_blocks);
}

/// Adds up what the threads of a block have; all of them get the sum.
template <class T, int threads> __device__ T sum_of_block(T value, T *shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const T sum = shared[0];
  __syncthreads();
  return sum;
}

} // namespace hipblas
