// memcpy, memmove and memset in kernels, with sizes known to the compiler and not, by both of their names.
#include "../device_test.h"

#include <cstring>

using namespace device_test;

constexpr int span = 40;

template <int size> __global__ void fixed(unsigned char *out, const unsigned char *in) {
  memcpy(out, in, size);
  memset(out + span, 0x5a, size);
}

__global__ void sized(unsigned char *out, const unsigned char *in, size_t size) {
  std::memcpy(out, in, size);
  std::memset(out + span, 0x5a, size);
}

// Onto itself, in either direction.
__global__ void overlapping(unsigned char *out, size_t size) {
  memmove(out + 1, out, size);
  memmove(out + span, out + span + 1, size);
}

template <int size> __global__ void overlapping_fixed(unsigned char *out) {
  memmove(out + 1, out, size);
  memmove(out + span, out + span + 1, size);
}

__global__ void overlapping_much(unsigned char *out) { memmove(out + 1, out, 2 * span - 1); }

__global__ void on_the_stack(unsigned *out, float value) {
  memcpy(out, &value, sizeof value);
}

bool good(const Array<unsigned char> &out, int size) {
  bool result = true;
  for (int i = 0; i < span; ++i) {
    result &= out[i] == (i < size ? i + 1 : 0);
    result &= out[span + i] == (i < size ? 0x5a : 0);
  }
  return result;
}

template <int size> void test(const Array<unsigned char> &in) {
  Array<unsigned char> out(2 * span);
  fixed<size><<<1, 1>>>(out.get(), in.get());
  wait();
  CHECK(good(out, size));
  Array<unsigned char> again(2 * span);
  sized<<<1, 1>>>(again.get(), in.get(), size);
  wait();
  CHECK(good(again, size));
}

template <int size, typename Launch> void test_overlap(Launch launch) {
  Array<unsigned char> moved(2 * span);
  for (int i = 0; i < 2 * span; ++i)
    moved[i] = static_cast<unsigned char>(i);
  launch(moved.get());
  wait();
  bool right = true;
  for (int i = 0; i < size; ++i)
    right &= moved[1 + i] == i && moved[span + i] == span + 1 + i;
  CHECK(right);
}

int main() {
  Array<unsigned char> in(span);
  for (int i = 0; i < span; ++i)
    in[i] = static_cast<unsigned char>(i + 1);
  test<0>(in);
  test<1>(in);
  test<8>(in);
  test<11>(in);
  test<span>(in);

  test_overlap<20>([](unsigned char *out) { overlapping<<<1, 1>>>(out, 20); });
  test_overlap<20>([](unsigned char *out) { overlapping_fixed<20><<<1, 1>>>(out); });
  test_overlap<39>([](unsigned char *out) { overlapping_fixed<39><<<1, 1>>>(out); });

  Array<unsigned char> moved(2 * span);
  for (int i = 0; i < 2 * span; ++i)
    moved[i] = static_cast<unsigned char>(i);
  overlapping_much<<<1, 1>>>(moved.get());
  wait();
  bool right = moved[0] == 0;
  for (int i = 1; i < 2 * span; ++i)
    right &= moved[i] == i - 1;
  CHECK(right);

  Array<unsigned> bits(1);
  on_the_stack<<<1, 1>>>(bits.get(), 1.0f);
  wait();
  CHECK(bits[0] == 0x3f800000u);
  return result();
}
