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
