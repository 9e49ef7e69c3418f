#include "checks.h"

#include <initializer_list>

namespace hipsolver {

namespace {

using enum Operation;

class Check {
public:
  Check(const Problem &p, bool with_data) : p(p), with_data(with_data) {}

  hipsolverStatus_t result() {
    choices();
    sizes();
    if (status == HIPSOLVER_STATUS_SUCCESS)
      operands();
    if (with_data)
      require(p.info || p.batch == 0);
    return status;
  }

private:
  void fail(hipsolverStatus_t reason) {
    if (status == HIPSOLVER_STATUS_SUCCESS)
      status = reason;
  }
  void require(bool condition) {
    if (!condition)
      fail(HIPSOLVER_STATUS_INVALID_VALUE);
  }
  void one_of(int value, std::initializer_list<int> known) {
    if (std::find(known.begin(), known.end(), value) == known.end())
      fail(HIPSOLVER_STATUS_INVALID_ENUM);
  }
  void matrix(const Matrix &m, int64_t rows, int64_t columns) {
    if (!with_data && m.step == Matrix::not_given)
      return; // Some functions that only say how much memory is wanted are not told of it.
    require(m.step >= rows);
    data(m.data, std::min(rows, columns)); // None, where either is 0.
  }
  void data(const void *pointer, int64_t count) {
    require(!with_data || pointer || count <= 0 || p.batch == 0);
  }

  void choices() {
    one_of(p.side, {HIPSOLVER_SIDE_LEFT, HIPSOLVER_SIDE_RIGHT});
    one_of(p.trans, {HIPSOLVER_OP_N, HIPSOLVER_OP_T, HIPSOLVER_OP_C});
    one_of(p.uplo, {HIPSOLVER_FILL_MODE_UPPER, HIPSOLVER_FILL_MODE_LOWER});
    one_of(p.jobz, {HIPSOLVER_EIG_MODE_NOVECTOR, HIPSOLVER_EIG_MODE_VECTOR});
    one_of(p.range, {HIPSOLVER_EIG_RANGE_ALL, HIPSOLVER_EIG_RANGE_V, HIPSOLVER_EIG_RANGE_I});
    one_of(p.itype, {HIPSOLVER_EIG_TYPE_1, HIPSOLVER_EIG_TYPE_2, HIPSOLVER_EIG_TYPE_3});
    for (const signed char job : {p.jobu, p.jobv})
      require(job == 'N' || job == 'A' || job == 'S' || job == 'O');
    require(p.jobu != 'O' || p.jobv != 'O');
    if (p.operation == ormqr || p.operation == ormtr) // What undoes Q, as LAPACK has it.
      require(p.trans != (hipblas::is_complex(p.type) ? HIPSOLVER_OP_T : HIPSOLVER_OP_C));
    if (p.operation == gesvdj || p.operation == syevj || p.operation == sygvj)
      require(p.jacobi != nullptr);
  }

  void sizes() {
    for (const int64_t size : {p.m, p.n, p.k, p.rank, p.batch})
      require(size >= 0);
    if (p.operation == orgqr)
      require(p.n <= p.m && p.k <= p.n);
    if (p.operation == orgbr) {
      const bool left = p.side == HIPSOLVER_SIDE_LEFT;
      const int64_t longer = left ? p.m : p.n, shorter = left ? p.n : p.m;
      require(longer >= shorter && shorter >= std::min(longer, p.k));
    }
    if (p.operation == ormqr)
      require(p.k <= multiplied());
    if (p.operation == gesvda)
      require(p.rank <= std::min(p.m, p.n));
    if (p.range == HIPSOLVER_EIG_RANGE_V)
      require(p.vl < p.vu);
    if (p.range == HIPSOLVER_EIG_RANGE_I)
      require(p.n == 0 || (p.il >= 1 && p.il <= p.iu && p.iu <= p.n));
  }

  /// Of which size an orthogonal matrix is that multiplies from a side.
  int64_t multiplied() const { return p.side == HIPSOLVER_SIDE_LEFT ? p.m : p.n; }

  void operands() {
    const int64_t m = p.m, n = p.n, least = std::min(m, n);
    const bool vectors = p.jobz == HIPSOLVER_EIG_MODE_VECTOR;
    switch (p.operation) {
    case orgbr:
      matrix(p.a, m, n);
      return data(p.tau, std::min(multiplied(), p.k));
    case orgqr:
      matrix(p.a, m, n);
      return data(p.tau, p.k);
    case orgtr:
      matrix(p.a, n, n);
      return data(p.tau, n - 1);
    case ormqr:
      matrix(p.a, multiplied(), p.k);
      matrix(p.c, m, n);
      return data(p.tau, p.k);
    case ormtr:
      matrix(p.a, multiplied(), multiplied());
      matrix(p.c, m, n);
      return data(p.tau, multiplied() - 1);
    case gebrd:
      matrix(p.a, m, n);
      data(p.values, least);
      data(p.e, least - 1);
      data(p.tau, least);
      return data(p.taup, least);
    case gels:
      matrix(p.a, m, n);
      matrix(p.b, m, p.k);
      matrix(p.c, n, p.k);
      return require(p.b.data != p.c.data || !p.b.data || p.b.step >= n);
    case geqrf:
      matrix(p.a, m, n);
      return data(p.tau, least);
    case gesv:
      matrix(p.a, n, n);
      matrix(p.b, n, p.k);
      matrix(p.c, n, p.k);
      return data(p.pivots, n);
    case gesvd:
      matrix(p.a, m, n);
      data(p.values, least);
      if (p.jobu == 'A' || p.jobu == 'S')
        matrix(p.c, m, least);
      if (p.jobv == 'A' || p.jobv == 'S')
        matrix(p.v, p.jobv == 'A' ? n : least, n);
      return;
    case gesvdj:
    case gesvda:
      matrix(p.a, m, n);
      data(p.values, p.operation == gesvda ? p.rank : least);
      if (vectors) {
        matrix(p.c, m, least);
        matrix(p.v, n, least);
      }
      return;
    case getrf: // Without pivots there are none.
      return matrix(p.a, m, n);
    case getrs:
      data(p.pivots, n);
      [[fallthrough]];
    case potrs:
      matrix(p.a, n, n);
      return matrix(p.b, n, p.k);
    case potrf:
    case potri:
      return matrix(p.a, n, n);
    case sytrf:
      data(p.pivots, n);
      return matrix(p.a, n, n);
    case sygvd:
    case sygvdx:
    case sygvj:
      matrix(p.b, n, n);
      [[fallthrough]];
    case syevd:
    case syevdx:
    case syevj:
      matrix(p.a, n, n);
      if (p.operation == syevdx || p.operation == sygvdx)
        data(p.nev, 1);
      return data(p.values, n);
    case sytrd:
      matrix(p.a, n, n);
      data(p.values, n);
      data(p.e, n - 1);
      return data(p.tau, n - 1);
    }
  }

  const Problem &p;
  const bool with_data;
  hipsolverStatus_t status = HIPSOLVER_STATUS_SUCCESS;
};

} // namespace

hipsolverStatus_t check(const Problem &problem, bool with_data) {
  return Check(problem, with_data).result();
}

bool fits_lapack(const Problem &p) {
  const auto sizes = {p.m, p.n, p.k, p.a.step, p.b.step, p.c.step, p.v.step};
  return std::all_of(sizes.begin(), sizes.end(),
                     [](int64_t size) { return size <= std::numeric_limits<int>::max(); });
}

} // namespace hipsolver
