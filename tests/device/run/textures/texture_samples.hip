// Reads of textures of one, two and three dimensions: address modes, filters, coordinates, elements and what they become.
#include "texture_test.h"

#include <type_traits>

using namespace texture_test;

template <class T, int dimensions>
__global__ void sample(T *out, hipTextureObject_t texture, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x += 3 * i;
  if constexpr (dimensions == 1)
    out[i] = tex1D<T>(texture, x[0]);
  else if constexpr (dimensions == 2)
    out[i] = tex2D<T>(texture, x[0], x[1]);
  else
    tex3D(out + i, texture, x[0], x[1], x[2]);
}

/// Coordinates in and around a texture, eighths of elements apart.
std::vector<float> coordinates(hipExtent extent, int dimensions, bool normalized) {
  std::vector<float> all;
  const size_t size[] = {extent.width, extent.height, extent.depth};
  for (int n = 0; n < 400; ++n)
    for (int d = 0; d < 3; ++d) {
      // Steps without a common divisor, so that the dimensions differ.
      const int steps[] = {3, 7, 11};
      const int range = d < dimensions ? int(size[d]) * 8 : 1;
      const float x = float((n * steps[d]) % (4 * range) - 2 * range) / 8;
      all.push_back(d >= dimensions ? 0 : normalized ? x / float(size[d]) : x);
    }
  // Far out, and no numbers at all.
  if (!normalized)
    for (float x : {1e30f, -1e30f, INFINITY, -INFINITY})
      all.insert(all.end(), {x, x, x});
  return all;
}

template <class T, class Out, int dimensions>
void test(hipExtent extent, const hipTextureDesc &d, double scale) {
  const size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
  std::vector<T> elements(extent.width * height * depth);
  Expected expected{std::vector<double>(elements.size()), int(extent.width), int(height), int(depth),
                    dimensions, d};
  using Channel = std::remove_reference_t<decltype(*reinterpret_cast<T *>(0))>;
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = Channel(i * 37 % 113);
    expected.values[i] = double(i * 37 % 113) / scale;
  }
  Texture texture(elements, extent, d);
  const std::vector<float> where = coordinates(extent, dimensions, d.normalizedCoords);
  const int count = int(where.size() / 3);
  Array<float> x(where.size());
  std::copy(where.begin(), where.end(), x.get());
  Array<Out> out(count);
  sample<Out, dimensions><<<(count + 63) / 64, 64>>>(out.get(), texture.object, x.get(), count);
  wait();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    std::array<double, 3> at;
    for (int n = 0; n < 3; ++n)
      at[n] = std::clamp<double>(x[3 * i + n], -1e6, 1e6);
    const double want = expected.read(at);
    double got;
    if constexpr (std::is_arithmetic_v<Out>)
      got = double(out[i]);
    else
      got = double(out[i].x);
    if (!close(got, want, 1e-4 * (1 + std::abs(want))) && !unchecked() && wrong++ == 0)
      std::printf("%d dimensions, mode %d, filter %d, normalized %d: at %g %g %g got %g, not %g\n", dimensions,
                  d.addressMode[0], d.filterMode, d.normalizedCoords, x[3 * i], x[3 * i + 1],
                  x[3 * i + 2], got, want);
  }
  CHECK(wrong == 0);
}

template <class T, class Out>
void test_all(hipTextureReadMode read, bool filters, double scale) {
  for (bool normalized : {false, true})
    for (int filter = 0; filter <= int(filters); ++filter)
      for (auto mode : {hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap, hipAddressModeMirror}) {
        if (!normalized && (mode == hipAddressModeWrap || mode == hipAddressModeMirror))
          continue;
        hipTextureDesc d = description(hipTextureFilterMode(filter), normalized, mode, read);
        d.borderColor[0] = 5;
        test<T, Out, 1>({16, 0, 0}, d, scale);
        test<T, Out, 2>({16, 8, 0}, d, scale);
        test<T, Out, 3>({8, 4, 2}, d, scale);
        test<T, Out, 2>({1, 1, 0}, d, scale);
      }
}

/// Without normalized coordinates, what would repeat is clamped.
void no_repetition() {
  hipTextureDesc d = description(hipFilterModePoint, false, hipAddressModeWrap);
  std::vector<float> elements{1, 2, 3, 4};
  Texture texture(elements, {4, 0, 0}, d);
  Array<float> x(3), out(1);
  x[0] = 5.5f;
  sample<float, 1><<<1, 1>>>(out.get(), texture.object, x.get(), 1);
  wait();
  CHECK(out[0] == 4);
}

/// A linear filter weighs with 8 bits of fraction, whatever the coordinate.
void fractions() {
  Texture texture(std::vector<float>{0, 256}, {2, 0, 0}, description(hipFilterModeLinear, false));
  constexpr int n = 100;
  Array<float> x(3 * n), out(n);
  for (int i = 0; i < n; ++i)
    x[3 * i] = 0.5f + i / 100.0f;
  sample<float, 1><<<1, n>>>(out.get(), texture.object, x.get(), n);
  wait();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != std::round(out[i]) || !close(out[i], i * 2.56, 0.5001);
  CHECK(wrong == 0);
}

/// Each channel of each kind of element: the smallest and the greatest numbers.
__global__ void read_normalized(float4 *out, hipTextureObject_t texture) {
  out[threadIdx.x] = tex1D<float4>(texture, threadIdx.x + 0.5f);
}
__global__ void read_elements(int4 *out, hipTextureObject_t texture) {
  out[threadIdx.x] = tex1D<int4>(texture, threadIdx.x + 0.5f);
}

template <class T> void channels(const std::vector<T> &elements, const std::vector<float4> &expected) {
  Texture texture(elements, {elements.size(), 0, 0},
                  description(hipFilterModePoint, false, hipAddressModeClamp, hipReadModeNormalizedFloat));
  Array<float4> out(elements.size());
  read_normalized<<<1, unsigned(elements.size())>>>(out.get(), texture.object);
  wait();
  for (size_t i = 0; i < elements.size(); ++i) {
    CHECK(close(out[i].x, expected[i].x, 1e-6));
    CHECK(close(out[i].y, expected[i].y, 1e-6));
    CHECK(close(out[i].z, expected[i].z, 1e-6));
    CHECK(close(out[i].w, expected[i].w, 1e-6));
  }
}

void elements() {
  channels<uchar4>({{0, 255, 51, 102}}, {{0, 1, 0.2f, 0.4f}});
  channels<char4>({{-128, -127, 127, 0}}, {{-1, -1, 1, 0}});
  channels<ushort2>({{65535, 13107}}, {{1, 0.2f, 0, 1}});
  channels<short2>({{-32768, 32767}}, {{-1, 1, 0, 1}});
  channels<unsigned char>({51}, {{0.2f, 0, 0, 1}});
  channels<float2>({{-2.5f, 1e10f}}, {{-2.5f, 1e10f, 0, 1}});

  std::vector<char4> signed_bytes{{-128, 127, -1, 5}};
  Texture texture(signed_bytes, {1, 0, 0}, description(hipFilterModePoint, false));
  Array<int4> out(1);
  read_elements<<<1, 1>>>(out.get(), texture.object);
  wait();
  CHECK(out[0] == int4(-128, 127, -1, 5));

  // Halves become floats.
  std::vector<unsigned short> halves{0x3c00, 0xc100, 0x7bff};
  Texture of_halves(halves, {3, 0, 0}, description(hipFilterModePoint, false), hipArrayDefault,
                    hipCreateChannelDescHalf());
  Array<float4> real(3);
  read_normalized<<<1, 3>>>(real.get(), of_halves.object);
  wait();
  CHECK(real[0].x == 1);
  CHECK(real[1].x == -2.5f);
  CHECK(real[2].x == 65504);
}

/// Three channels are converted to linear values, the fourth is not.
void srgb() {
  hipTextureDesc d = description(hipFilterModePoint, false, hipAddressModeClamp, hipReadModeNormalizedFloat);
  d.sRGB = 1;
  std::vector<uchar4> colors{{0, 5, 10, 128}, {128, 200, 255, 255}};
  Texture texture(colors, {2, 0, 0}, d);
  Array<float4> out(2);
  read_normalized<<<1, 2>>>(out.get(), texture.object);
  wait();
  auto linear = [](int byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  for (int i = 0; i < 2; ++i) {
    CHECK(close(out[i].x, linear(colors[i].x), 1e-5));
    CHECK(close(out[i].y, linear(colors[i].y), 1e-5));
    CHECK(close(out[i].z, linear(colors[i].z), 1e-5));
    CHECK(close(out[i].w, colors[i].w / 255.0, 1e-5));
  }
}

int main() {
  test_all<float, float>(hipReadModeElementType, true, 1);
  test_all<float4, float4>(hipReadModeElementType, true, 1);
  test_all<unsigned char, float>(hipReadModeNormalizedFloat, true, 255);
  test_all<short2, float2>(hipReadModeNormalizedFloat, true, 32767);
  test_all<int, int>(hipReadModeElementType, false, 1);
  test_all<uchar4, uchar4>(hipReadModeElementType, false, 1);
  no_repetition();
  fractions();
  elements();
  srgb();
  return result();
}
