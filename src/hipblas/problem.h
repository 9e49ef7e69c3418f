// What a call of hipBLAS asks for, whatever its elements and however many there are: filled in by the entry points, checked, and
// done by host functions or by kernels, which get it as their argument.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hipblas {

enum class Operation : uint8_t {
  // Vectors
  iamax,
  iamin,
  asum,
  axpy,
  copy,
  dot,
  dotc,
  dotu,
  nrm2,
  rot,
  rotg,
  rotm,
  rotmg,
  scal,
  swap,
  // A matrix and vectors
  gbmv,
  gemv,
  ger,
  geru,
  gerc,
  hbmv,
  hemv,
  her,
  her2,
  hpmv,
  hpr,
  hpr2,
  sbmv,
  spmv,
  spr,
  spr2,
  symv,
  syr,
  syr2,
  tbmv,
  tbsv,
  tpmv,
  tpsv,
  trmv,
  trsv,
  // Matrices
  gemm,
  herk,
  herkx,
  her2k,
  symm,
  syrk,
  syr2k,
  syrkx,
  geam,
  hemm,
  trmm,
  trsm,
  dgmm,
  trtri,
  // Systems of equations
  getrf,
  getrs,
  getri,
  geqrf,
  gels,
};

/// Whether there is one problem, an array of pointers to operands, or operands at equal distances.
enum class Kind : uint8_t { single, batched, strided };

/// What elements are. `none`: the function takes it from elsewhere, or it is one that is not known.
enum class Type : uint8_t { none, f16, bf16, f32, f64, c32, c64, i8, i32, i64 };

constexpr size_t size_of(Type type) {
  switch (type) {
  case Type::none:
    return 0;
  case Type::i8:
    return 1;
  case Type::f16:
  case Type::bf16:
    return 2;
  case Type::f32:
  case Type::i32:
    return 4;
  case Type::f64:
  case Type::c32:
  case Type::i64:
    return 8;
  case Type::c64:
    return 16;
  }
  return 0;
}

constexpr bool is_complex(Type type) { return type == Type::c32 || type == Type::c64; }
constexpr bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }

/// What is computed in for elements of a type.
constexpr Type arithmetic(Type type) { return is_half(type) ? Type::f32 : type; }

/// A vector (`step`: increment) or a matrix (`step`: leading dimension).
struct Operand {
  const void *data = nullptr; ///< Of a batch: the array of pointers.
  int64_t step = 0;
  int64_t stride = 0; ///< Elements between those of a strided batch.
  Type type = Type::none;
  int64_t offset = 0; ///< Elements before the first one of each problem.
};

/// A scalar, or the parameters of a rotation. Where `pointer` is null, it is in `bytes`.
struct Scalar {
  const void *pointer = nullptr;
  Type type = Type::none;
  alignas(8) unsigned char bytes[16] = {};
};

struct Result {
  void *pointer = nullptr; ///< One for each problem of a batch, next to each other.
  Type type = Type::none;
};

struct Pivots {
  int *data = nullptr;
  int64_t stride = 0;
};

// The values of HIP's enumerations.
inline constexpr int op_n = 111, op_t = 112, op_c = 113;
inline constexpr int upper = 121, lower = 122, full = 123;
inline constexpr int non_unit = 131, unit = 132;
inline constexpr int left = 141, right = 142, both = 143;

struct Problem {
  Problem() = default;
  Problem(Operation operation, Kind kind, Type type)
      : operation(operation), kind(kind), type(type) {}

  Operation operation = {};
  Kind kind = {};
  Type type = {}; ///< What is computed in.
  bool device_scalars = false;
  int trans_a = op_n, trans_b = op_n, uplo = upper, side = left, diag = non_unit;
  int64_t m = 0, n = 0, k = 0, kl = 0, ku = 0, batch = 1;
  Scalar alpha, beta;
  Operand a, b, c, x, y;
  Result result;
  Pivots pivots;
  int *info = nullptr, *device_info = nullptr;
  alignas(8) unsigned char parameters[40] = {}; ///< Of rotm, where they were on the host.
};

} // namespace hipblas
