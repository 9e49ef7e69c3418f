// One problem of a batch, for BLAS: its operands with elements of the type that is computed in, and its sizes in 32 bits.
#pragma once

#include "../elements.h"

#include <vector>

namespace hipblas {

template <class T> inline constexpr Type type_for = Type::f32;
template <> inline constexpr Type type_for<double> = Type::f64;
template <> inline constexpr Type type_for<Complex<float>> = Type::c32;
template <> inline constexpr Type type_for<Complex<double>> = Type::c64;

/// A vector or a matrix of one problem.
template <class T> struct Array {
  T *data;
  int step;
};

/// The elements of a vector, converted where they are of another type, and written back when this goes.
template <class T> class Vector {
public:
  Vector(const Problem &problem, const Operand &operand, int64_t index, int64_t n, bool written)
      : origin_(data_of(operand, problem.kind, index)), operand_(operand), n_(n),
        written_(written) {
    if (operand.type == type_for<T>) {
      array = {static_cast<T *>(origin_), int(operand.step)};
      return;
    }
    copy_.resize(size_t(n));
    const int64_t first = first_of(n, operand.step);
    for (int64_t i = 0; i < n; ++i)
      copy_[size_t(i)] = load<T>(origin_, operand.type, first + i * operand.step);
    array = {copy_.data(), 1};
  }
  ~Vector() {
    const int64_t first = first_of(n_, operand_.step);
    if (written_ && operand_.type != type_for<T>)
      for (int64_t i = 0; i < n_; ++i)
        store(origin_, operand_.type, first + i * operand_.step, copy_[size_t(i)]);
  }
  Vector(const Vector &) = delete;
  Vector &operator=(const Vector &) = delete;

  Array<T> array;

private:
  void *origin_;
  Operand operand_;
  int64_t n_;
  bool written_;
  std::vector<T> copy_;
};

template <class T> struct Item {
  Item(const Problem &problem, int64_t index)
      : p(problem), index(index), m(int(problem.m)), n(int(problem.n)), k(int(problem.k)),
        kl(int(problem.kl)), ku(int(problem.ku)), alpha(scalar(problem.alpha)),
        beta(scalar(problem.beta)), trans_a(letter(problem.trans_a)),
        trans_b(letter(problem.trans_b)), uplo(problem.uplo == upper ? 'U' : 'L'),
        side(problem.side == left ? 'L' : 'R'), diag(problem.diag == unit ? 'U' : 'N'),
        a(array(problem.a)), b(array(problem.b)), c(array(problem.c)), x(array(problem.x)),
        y(array(problem.y)) {}

  Array<T> array(const Operand &operand) const {
    if (!operand.data)
      return {nullptr, int(operand.step)};
    return {static_cast<T *>(data_of(operand, p.kind, index)), int(operand.step)};
  }
  static T scalar(const Scalar &scalar) {
    return scalar.type == Type::none ? T(0) : value_of<T>(scalar);
  }
  static char letter(int operation) {
    // For real matrices the conjugate transpose is the transpose.
    return operation == op_n ? 'N' : operation == op_t ? 'T' : 'C';
  }
  template <class Value> void set_result(Value value) const {
    if (p.result.type == Type::i64)
      static_cast<int64_t *>(p.result.pointer)[index] = int64_t(real(value));
    else
      store(p.result.pointer, p.result.type, index, value);
  }

  const Problem &p;
  int64_t index;
  int m, n, k, kl, ku;
  T alpha, beta;
  char trans_a, trans_b, uplo, side, diag;
  Array<T> a, b, c, x, y;
};

/// C = beta C. What a product that is 0 leaves: BLAS may read the factors of one, which need not be there.
template <class T> void scale(T *c, int64_t step, int64_t rows, int64_t columns, T beta) {
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) {
      T &element = c[i + j * step];
      element = beta == T(0) ? T(0) : beta * element;
    }
}

// What computes a problem of a batch; the first two take all operations of BLAS's levels between them.
template <class T> void compute_vectors(const Item<T> &item);
template <class T> void compute_matrix_vector(const Item<T> &item);
template <class T> void compute_matrices(const Item<T> &item);
template <class T> void compute_product(const Item<T> &item);
template <class T> void compute_solvers(const Item<T> &item);
/// A product of matrices of 8 bits.
void compute_integer_product(const Problem &problem, int64_t index);

} // namespace hipblas
