// What a kernel takes: scalars, structs by value of 1 byte to 16 KB, templates, lambdas, many arguments.
#include "device_test.h"

using namespace device_test;

template <int bytes> struct Block {
  unsigned char data[bytes];
};

template <int bytes> __global__ void sum_block(Block<bytes> block, unsigned *out, unsigned scale) {
  unsigned sum = 0;
  for (int i = 0; i < bytes; ++i)
    sum += block.data[i];
  *out = sum * scale;
}

// The kernel's copy is its own: it may write to it.
template <int bytes> __global__ void change_block(Block<bytes> block, unsigned *out) {
  block.data[threadIdx.x % bytes] = 0;
  unsigned sum = 0;
  for (int i = 0; i < bytes; ++i)
    sum += block.data[i];
  out[threadIdx.x] = sum;
}

struct Number {
  double re, im;
};
struct Update {
  long rows, columns, x_step, y_step, leading;
  const Number *x, *y;
  Number *out;
};
struct Factor {
  const Number *pointer;
  Number value;
};

// More pairs of pointers than compilers compare before a loop, and steps that only execution knows.
__device__ void add_products(const Update &u, const Factor &factor) {
  constexpr long together = 8;
  const Number alpha = factor.pointer ? *factor.pointer : factor.value;
  const long blocks = (u.rows + 63) / 64;
  const long i = blockIdx.x % blocks * 64 + threadIdx.x, begin = blockIdx.x / blocks * together;
  if (i >= u.rows || (alpha.re == 0 && alpha.im == 0))
    return;
  const Number x = u.x[i * u.x_step];
  const Number scaled{alpha.re * x.re - alpha.im * x.im, alpha.re * x.im + alpha.im * x.re};
  const auto add = [&](long j) {
    Number sum = u.out[i + j * u.leading];
    const Number y = u.y[j * u.y_step];
    sum.re += scaled.re * y.re - scaled.im * y.im;
    sum.im += scaled.re * y.im + scaled.im * y.re;
    u.out[i + j * u.leading] = sum;
  };
  if (begin + together <= u.columns) {
#pragma unroll
    for (int k = 0; k < together; ++k)
      add(begin + k);
  } else {
    for (long j = begin; j < u.columns; ++j)
      add(j);
  }
}

__global__ void add_products_of_structs(Update u, Factor factor) { add_products(u, factor); }
__global__ void add_products_of_restricted(long rows, long columns, long x_step, long y_step,
                                           long leading, const Number *__restrict__ x,
                                           const Number *__restrict__ y, Number *__restrict__ out,
                                           const Number *__restrict__ factor, double re,
                                           double im) {
  add_products({rows, columns, x_step, y_step, leading, x, y, out}, {factor, {re, im}});
}

void test_steps(long step, bool restricted) {
  constexpr long rows = 64, columns = 8;
  Array<Number> x(rows * step), y(columns * step), out(rows * columns);
  // Small whole numbers: the products are exact.
  for (long i = 0; i < rows * step; ++i)
    x[i] = {double(i % 13), double(i % 7)};
  for (long j = 0; j < columns * step; ++j)
    y[j] = {double(j % 5), double(j % 3)};
  for (long at = 0; at < rows * columns; ++at)
    out[at] = {double(at % 11), 1};
  const Number alpha{2, 3};
  if (restricted)
    add_products_of_restricted<<<1, 64>>>(rows, columns, step, step, rows, x.get(), y.get(),
                                          out.get(), nullptr, alpha.re, alpha.im);
  else
    add_products_of_structs<<<1, 64>>>(
        {rows, columns, step, step, rows, x.get(), y.get(), out.get()}, {nullptr, alpha});
  wait();
  bool right = true;
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < rows; ++i) {
      const Number a = x[i * step], b = y[j * step], sum = out[i + j * rows];
      const Number scaled{alpha.re * a.re - alpha.im * a.im, alpha.re * a.im + alpha.im * a.re};
      right = right &&
              sum.re == double((i + j * rows) % 11) + scaled.re * b.re - scaled.im * b.im &&
              sum.im == 1 + scaled.re * b.im + scaled.im * b.re;
    }
  CHECK(right);
}

template <int bytes> void test_block() {
  Block<bytes> block;
  unsigned expected = 0;
  for (int i = 0; i < bytes; ++i)
    expected += block.data[i] = static_cast<unsigned char>(i * 31 + 1);
  Array<unsigned> out(1), changed(2);
  sum_block<<<1, 1>>>(block, out.get(), 3u);
  change_block<<<1, 2>>>(block, changed.get());
  wait();
  CHECK(out[0] == 3 * expected);
  CHECK(changed[0] == expected - block.data[0]);
  CHECK(changed[1] == expected - block.data[1 % bytes]);
}

template <int bytes>
__global__ void sum_three(Block<bytes> a, Block<bytes> b, unsigned scale, Block<bytes> c, unsigned *out) {
  unsigned sum = 0;
  for (int i = 0; i < bytes; ++i)
    sum += a.data[i] + 2 * b.data[i] + 3 * c.data[i];
  *out = sum * scale;
}

template <int bytes> void test_three() {
  static Block<bytes> blocks[3];
  for (unsigned i = 0; i < 3; ++i)
    for (int j = 0; j < bytes; ++j)
      blocks[i].data[j] = static_cast<unsigned char>(i + 1);
  Array<unsigned> out(1);
  sum_three<<<1, 1>>>(blocks[0], blocks[1], 5u, blocks[2], out.get());
  wait();
  CHECK(out[0] == 5 * bytes * (1 + 2 * 2 + 3 * 3));
}

__global__ void many(signed char a, short b, int c, long long d, float e, double f, bool g, unsigned char h,
                     float4 i, int2 j, const char *k, double *out) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = double(d);
  out[4] = e;
  out[5] = f;
  out[6] = g;
  out[7] = h;
  out[8] = i.x + i.y + i.z + i.w;
  out[9] = j.x - j.y;
  out[10] = *k;
}

struct Nested {
  char tag;
  struct {
    double x;
    float *values;
  } inner;
};
__global__ void nested(Nested n) { n.inner.values[0] = float(n.inner.x) + n.tag; }

template <class F> __global__ void apply(F f, int n) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    f(i);
}

int main() {
  test_three<100>();
  test_three<4096>();
  test_block<1>();
  test_block<16>();
  test_block<1000>();
  test_block<1024>();
  test_block<1025>();
  test_block<4080>();
  test_block<16384>();
  for (long step : {1, 2, 3})
    for (bool restricted : {false, true})
      test_steps(step, restricted);

  Array<double> out(11);
  Array<char> text(1);
  text[0] = 'z';
  many<<<1, 1>>>(-1, -2, -3, -4000000000ll, 0.5f, 0.25, true, 200, make_float4(1, 2, 3, 4),
                 make_int2(7, 9), text.get(), out.get());
  wait();
  const double expected[] = {-1, -2, -3, -4e9, 0.5, 0.25, 1, 200, 10, -2, 'z'};
  for (size_t i = 0; i < 11; ++i)
    CHECK(out[i] == expected[i]);

  Array<float> values(1);
  nested<<<1, 1>>>(Nested{3, {4.5, values.get()}});
  wait();
  CHECK(values[0] == 7.5f);

  Array<int> squares(100);
  int *p = squares.get();
  int offset = 5;
  apply<<<4, 32>>>([=] __device__(int i) { p[i] = i * i + offset; }, 100);
  wait();
  CHECK(squares[99] == 99 * 99 + 5);
  return result();
}
