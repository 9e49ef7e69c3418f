// Static variables of device code that kernels use before the host does: each file that includes this has its own, with results
// that depend on the constant `file`.
#pragma once

#include "../device_test.h"

static __device__ int counter = 5;
static __constant__ int step = 7;
static __managed__ int managed = 3;
static __device__ int table[4] = {1, 2, 3, 4};
static __device__ int *into_table = &table[1];
static __device__ int never_seen_by_host = 1;
namespace {
__device__ long nameless = 2;
struct Members {
  static __device__ int member;
};
__device__ int Members::member = 6;
} // namespace
template <int number> static __device__ int of_template = number;

static __global__ void change_statics() {
  counter += step;
  managed += file;
  table[2] = file;
  *into_table = counter;
  never_seen_by_host *= 2;
  nameless += file * never_seen_by_host;
  Members::member += file;
  of_template<file> += 10;
}

template <class T> static T value_of(const T &symbol) {
  T value{};
  CALL(hipMemcpyFromSymbol(&value, HIP_SYMBOL(symbol), sizeof value));
  return value;
}

static void check_statics() {
  using namespace device_test;
  const int changed_step = 10 * file;
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(step), &changed_step, sizeof changed_step));
  change_statics<<<1, 1>>>();
  wait();
  CHECK(value_of(counter) == 5 + 10 * file);
  CHECK(managed == 3 + file);
  int values[4] = {};
  CALL(hipMemcpyFromSymbol(values, HIP_SYMBOL(table), sizeof values));
  CHECK(values[0] == 1);
  CHECK(values[1] == 5 + 10 * file);
  CHECK(values[2] == file);
  CHECK(values[3] == 4);
  CHECK(value_of(nameless) == 2 + 2 * file);
  CHECK(value_of(Members::member) == 6 + file);
  CHECK(value_of(of_template<file>) == file + 10);
}
