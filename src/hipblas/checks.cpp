#include "checks.h"

#include "elements.h"

#include <algorithm>
#include <climits>
#include <initializer_list>

namespace hipblas {

namespace {

using enum Operation;

constexpr Verdict invalid{HIPBLAS_STATUS_INVALID_VALUE, true};
constexpr Verdict invalid_enum{HIPBLAS_STATUS_INVALID_ENUM, true};
constexpr Verdict unsupported{HIPBLAS_STATUS_NOT_SUPPORTED, true};
constexpr Verdict nothing{HIPBLAS_STATUS_SUCCESS, true};

bool is(Operation operation, std::initializer_list<Operation> list) {
  return std::ranges::contains(list, operation);
}

bool is_op(int value) { return value >= op_n && value <= op_c; }
bool is_half_filled(int value) { return value == upper || value == lower; }

bool enums_are_known(const Problem &p) {
  return is_op(p.trans_a) && is_op(p.trans_b) && (is_half_filled(p.uplo) || p.uplo == full) &&
         (p.side == left || p.side == right || p.side == both) &&
         (p.diag == non_unit || p.diag == unit);
}

/// Whether elements of a type can be read for, and written from, arithmetic in another.
bool types_fit(Type arithmetic, Type element) {
  switch (arithmetic) {
  case Type::f32:
    return is_half(element) || element == Type::f32;
  case Type::c32:
  case Type::f64:
  case Type::c64:
    return element == arithmetic;
  default:
    return false;
  }
}

/// Whether x and y are floats that are multiplied and summed in doubles.
bool is_widened(const Problem &p) {
  return is(p.operation, {dot, dotc}) && p.type == Type::f64 && p.x.type == Type::f32 &&
         p.y.type == Type::f32 && p.result.type == Type::f64;
}

bool scalar_fits(Type arithmetic, Type scalar) {
  return types_fit(arithmetic, scalar) || (arithmetic == Type::c32 && scalar == Type::f32) ||
         (arithmetic == Type::c64 && scalar == Type::f64);
}

bool types_are_known(const Problem &p) {
  if (p.type == Type::i32)
    return p.operation == gemm && p.a.type == Type::i8 && p.b.type == Type::i8 &&
           p.c.type == Type::i32;
  if (p.operation == gemm && (p.a.type != p.b.type || (p.c.type != p.a.type && p.c.type != p.type)))
    return false;
  const bool converts = is(p.operation, {gemm, axpy, scal, dot, dotc, nrm2, rot});
  for (const Operand *operand : {&p.a, &p.b, &p.c, &p.x, &p.y}) {
    if (!operand->data)
      continue;
    if (is_widened(p))
      continue;
    if (converts ? !types_fit(p.type, operand->type)
                 : operand->type != p.type &&
                       !(p.operation == rotg && scalar_fits(p.type, operand->type)))
      return false;
  }
  for (const Scalar *scalar : {&p.alpha, &p.beta})
    if (scalar->pointer && !scalar_fits(p.type, scalar->type))
      return false;
  return p.type != Type::none;
}

Verdict after_batch(const Problem &p, bool empty, bool valid) {
  if (!valid || p.batch < 0)
    return invalid;
  return empty || p.batch == 0 ? nothing : Verdict{};
}

/// A scalar on the host that is 0: what it multiplies is not read.
bool is_zero(const Problem &p, const Scalar &scalar) {
  return !p.device_scalars && scalar.pointer && scalar.type != Type::none &&
         value_of<Complex<double>>(scalar) == Complex<double>(0);
}

bool is_one(const Problem &p, const Scalar &scalar) {
  return !p.device_scalars && scalar.pointer && scalar.type != Type::none &&
         value_of<Complex<double>>(scalar) == Complex<double>(1);
}

Verdict check_vectors(const Problem &p) {
  if (p.batch <= 0)
    return nothing;
  if (is(p.operation, {rotg, rotmg})) {
    const bool all =
        p.a.data && p.b.data && p.x.data && p.y.data && (p.operation == rotg || p.c.data);
    return all ? Verdict{} : invalid;
  }
  const bool has_result = is(p.operation, {iamax, iamin, asum, nrm2, dot, dotc, dotu});
  if (has_result && !p.result.pointer)
    return invalid;
  // These have one vector, which goes forwards.
  const bool forwards = is(p.operation, {iamax, iamin, asum, nrm2, scal});
  if (p.n <= 0 || (forwards && p.x.step <= 0))
    return {HIPBLAS_STATUS_SUCCESS, !has_result, has_result};
  if (is(p.operation, {axpy, scal, rot}) && !p.alpha.pointer)
    return invalid;
  if (p.operation == axpy && is_zero(p, p.alpha))
    return nothing;
  if ((p.operation == rot && !p.beta.pointer) || (p.operation == rotm && !p.a.data))
    return invalid;
  if (!p.x.data || (!forwards && !p.y.data))
    return invalid;
  return {};
}

Verdict check_matrix_vector(const Problem &p) {
  const bool rectangular = is(p.operation, {gemv, gbmv, ger, geru, gerc});
  const bool band = is(p.operation, {hbmv, sbmv, tbmv, tbsv});
  const bool packed = is(p.operation, {hpmv, hpr, hpr2, spmv, spr, spr2, tpmv, tpsv});
  const bool triangular = is(p.operation, {tbmv, tbsv, tpmv, tpsv, trmv, trsv});
  const bool one_vector = triangular || is(p.operation, {her, hpr, syr, spr});
  const bool updates_y = !triangular && !is(p.operation, {ger, geru, gerc, her, hpr, syr, spr, her2,
                                                          hpr2, syr2, spr2});
  int64_t rows = rectangular ? p.m : p.n;
  if (band)
    rows = p.k + 1;
  if (p.operation == gbmv)
    rows = p.kl + p.ku + 1;
  const bool valid = p.m >= 0 && p.n >= 0 && p.k >= 0 && p.kl >= 0 && p.ku >= 0 &&
                     (packed || p.a.step >= std::max<int64_t>(1, rows)) && p.x.step != 0 &&
                     (one_vector || p.y.step != 0);
  const Verdict verdict = after_batch(p, p.n == 0 || (rectangular && p.m == 0), valid);
  if (verdict.nothing_to_do)
    return verdict;
  if (!triangular && (!p.alpha.pointer || (updates_y && !p.beta.pointer)))
    return invalid;
  const bool alpha_is_zero = !triangular && is_zero(p, p.alpha);
  if (alpha_is_zero && (!updates_y || is_one(p, p.beta)))
    return nothing;
  if (updates_y)
    return p.y.data && (alpha_is_zero || (p.a.data && p.x.data)) ? Verdict{} : invalid;
  return p.a.data && p.x.data && (one_vector || p.y.data) ? Verdict{} : invalid;
}

struct Rows {
  int64_t a, b, c;
};

/// How many rows the matrices of an operation have.
Rows rows_of(const Problem &p) {
  const bool a_plain = p.trans_a == op_n, b_plain = p.trans_b == op_n;
  switch (p.operation) {
  case gemm:
    return {a_plain ? p.m : p.k, b_plain ? p.k : p.n, p.m};
  case geam:
    return {a_plain ? p.m : p.n, b_plain ? p.m : p.n, p.m};
  case symm:
  case hemm:
  case trmm:
  case trsm:
    return {p.side == left ? p.m : p.n, p.m, p.m};
  case dgmm:
    return {p.m, 0, p.m};
  case trtri:
    return {p.n, p.n, 0};
  default: { // of rank k
    const int64_t rows = a_plain ? p.n : p.k;
    return {rows, rows, p.n};
  }
  }
}

/// Whether C may be where it is: it may be one of the matrices that it is made of, element for element.
bool fits_in_place(const Problem &p) {
  const auto fits = [&](const Operand &operand, int operation) {
    return operand.data != p.c.data || (operation == op_n && operand.step == p.c.step);
  };
  if (!p.c.data)
    return true;
  if (p.operation == geam)
    return fits(p.a, p.trans_a) && fits(p.b, p.trans_b);
  return p.operation != trmm || fits(p.b, op_n);
}

Verdict check_matrices(const Problem &p) {
  const bool of_rank = is(p.operation, {syrk, herk, syr2k, her2k, syrkx, herkx});
  const bool has_b = !is(p.operation, {syrk, herk, dgmm});
  const bool has_c = !is(p.operation, {trsm, trtri});
  const bool has_alpha = !is(p.operation, {dgmm, trtri});
  const bool has_beta = has_alpha && !is(p.operation, {trmm, trsm});
  // Complex matrices have no such products.
  const int foreign = p.operation == herk || p.operation == herkx || p.operation == her2k ? op_t
                      : is_complex(p.type) && of_rank                                     ? op_c
                                                                                          : 0;
  if (p.trans_a == foreign)
    return invalid;
  const Rows rows = rows_of(p);
  const auto has_room = [](const Operand &operand, int64_t rows) {
    return operand.step >= std::max<int64_t>(1, rows);
  };
  const bool valid = p.m >= 0 && p.n >= 0 && p.k >= 0 && has_room(p.a, rows.a) &&
                     (!has_b || has_room(p.b, rows.b)) && (!has_c || has_room(p.c, rows.c));
  const bool square = of_rank || p.operation == trtri;
  const Verdict verdict = after_batch(p, p.n == 0 || (!square && p.m == 0), valid);
  if (verdict.nothing_to_do)
    return verdict;
  const bool has_terms = p.k > 0 || !(of_rank || p.operation == gemm);
  const bool needs_alpha = has_alpha && (has_terms || p.operation != gemm);
  if ((needs_alpha && !p.alpha.pointer) || (has_beta && !p.beta.pointer))
    return invalid;
  if (has_beta && p.operation != geam && (!has_terms || is_zero(p, p.alpha)) && is_one(p, p.beta))
    return nothing;
  if (!fits_in_place(p))
    return invalid;
  if ((has_c && !p.c.data) || (!has_c && !p.b.data))
    return invalid;
  const bool a_is_read = !(has_alpha && is_zero(p, p.alpha)) && has_terms;
  const bool b_is_read = p.operation == geam ? !is_zero(p, p.beta) : a_is_read;
  if ((a_is_read && !p.a.data) || (b_is_read && has_b && !p.b.data) ||
      (p.operation == dgmm && (!p.x.data)))
    return invalid;
  return {};
}

/// Which parameter of a solver is wrong, as LAPACK counts them: from 1 on, behind the handle. 0 if none is.
int wrong_parameter(const Problem &p, bool empty) {
  const int strides = p.kind == Kind::strided ? 1 : 0;
  const auto lacks_room = [](const Operand &operand, int64_t rows) {
    return operand.step < std::max<int64_t>(1, rows);
  };
  struct Rule {
    bool is_broken;
    int parameter;
  };
  const auto first = [](std::initializer_list<Rule> rules) {
    const auto found = std::ranges::find(rules, true, &Rule::is_broken);
    return found == rules.end() ? 0 : found->parameter;
  };
  const auto lacks = [&](const void *pointer) { return !pointer && !empty; };
  switch (p.operation) {
  case getrs:
    return first({{p.n < 0, 2},
                  {p.k < 0, 3},
                  {lacks(p.a.data), 4},
                  {lacks_room(p.a, p.n), 5},
                  {lacks(p.pivots.data), 6 + strides},
                  {lacks(p.b.data), 7 + 2 * strides},
                  {lacks_room(p.b, p.n), 8 + 2 * strides},
                  {p.batch < 0, 10 + 3 * strides}});
  case geqrf:
    return first({{p.m < 0, 1},
                  {p.n < 0, 2},
                  {lacks(p.a.data), 3},
                  {lacks_room(p.a, p.m), 4},
                  {lacks(p.x.data), 5 + strides},
                  {p.batch < 0, 7 + 2 * strides}});
  case gels:
    return first({{p.trans_a == (is_complex(p.type) ? op_t : op_c), 1},
                  {p.m < 0, 2},
                  {p.n < 0, 3},
                  {p.k < 0, 4},
                  {lacks(p.a.data), 5},
                  {lacks_room(p.a, p.m), 6},
                  {lacks(p.b.data), 7 + strides},
                  {lacks_room(p.b, std::max(p.m, p.n)), 8 + strides},
                  {lacks(p.device_info), 10 + 2 * strides},
                  {p.batch < 0, 11 + 2 * strides}});
  default: // getrf and getri, whose results are on the device
    return first({{p.n < 0, 1},
                  {lacks(p.a.data), 2},
                  {lacks_room(p.a, p.n), 3},
                  {p.operation == getri && (lacks(p.c.data) || lacks_room(p.c, p.n)), 5},
                  {lacks(p.info), 6},
                  {p.batch < 0, 7}});
  }
}

Verdict check_solvers(const Problem &p) {
  const bool tells_host = is(p.operation, {getrs, geqrf, gels});
  if (tells_host && !p.info)
    return invalid;
  const bool empty = p.n == 0 || (p.operation == geqrf && p.m == 0) ||
                     (p.operation == getrs && p.k == 0) || p.batch == 0;
  const int wrong = wrong_parameter(p, empty);
  if (tells_host)
    *p.info = -wrong;
  if (wrong)
    return invalid;
  return empty ? nothing : Verdict{};
}

} // namespace

Verdict check(const Problem &p) {
  if (!enums_are_known(p))
    return invalid_enum;
  if (p.uplo == full || p.side == both)
    return invalid;
  Verdict verdict = p.operation <= swap    ? check_vectors(p)
                    : p.operation <= trsv  ? check_matrix_vector(p)
                    : p.operation <= trtri ? check_matrices(p)
                                           : check_solvers(p);
  if (!verdict.nothing_to_do && !types_are_known(p))
    return unsupported;
  return verdict;
}

bool fits_blas(const Problem &p) {
  for (int64_t size : {p.m, p.n, p.k, p.kl, p.ku, p.a.step, p.b.step, p.c.step, p.x.step, p.y.step})
    if (size > INT_MAX || size < -INT_MAX)
      return false;
  return true;
}

} // namespace hipblas
