// Formats of images: what kernels write is compared, byte for byte, with the conversions of the
// OpenCL C specification ("Conversion rules"), and what they read with the reverse.
#include "images.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Components from the lowest bits on: which channel, how many bits.
struct Layout {
  const char *name;
  ze_image_format_layout_t layout;
  std::vector<std::pair<int, int>> components;

  size_t bytes() const {
    int bits = 0;
    for (const auto &part : components)
      bits += part.second;
    return static_cast<size_t>(bits / 8);
  }
  bool has_floats() const { return components[0].second == 16 || components[0].second == 32; }
  bool has_normalized() const { return components[0].second != 32; }
};

std::vector<Layout> all_layouts() {
  const auto even = [](int count, int bits) {
    std::vector<std::pair<int, int>> components;
    for (int i = 0; i < count; ++i)
      components.emplace_back(i, bits);
    return components;
  };
  return {
      {"8", ZE_IMAGE_FORMAT_LAYOUT_8, even(1, 8)},
      {"16", ZE_IMAGE_FORMAT_LAYOUT_16, even(1, 16)},
      {"32", ZE_IMAGE_FORMAT_LAYOUT_32, even(1, 32)},
      {"8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8, even(2, 8)},
      {"16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16, even(2, 16)},
      {"32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32, even(2, 32)},
      {"8_8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8_8, even(3, 8)},
      {"16_16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16_16, even(3, 16)},
      {"32_32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32_32, even(3, 32)},
      {"8_8_8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, even(4, 8)},
      {"16_16_16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, even(4, 16)},
      {"32_32_32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, even(4, 32)},
      {"10_10_10_2", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, {{0, 10}, {1, 10}, {2, 10}, {3, 2}}},
      {"5_6_5", ZE_IMAGE_FORMAT_LAYOUT_5_6_5, {{2, 5}, {1, 6}, {0, 5}}},
      {"5_5_5_1", ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, {{2, 5}, {1, 5}, {0, 5}, {3, 1}}},
      {"4_4_4_4", ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, {{2, 4}, {1, 4}, {0, 4}, {3, 4}}},
  };
}

uint32_t mask(int bits) { return bits == 32 ? UINT32_MAX : (1u << bits) - 1; }

/// Puts components together, and takes them apart again.
void pack(const Layout &layout, std::array<uint32_t, 4> raw, uint8_t *texel) {
  size_t at = 0;
  for (const auto &[channel, bits] : layout.components)
    for (int i = 0; i < bits; ++i, ++at)
      if (raw[static_cast<size_t>(channel)] >> i & 1)
        texel[at / 8] |= static_cast<uint8_t>(1 << at % 8);
}

uint32_t expected_bits(float value, ze_image_format_type_t type, int bits) {
  const auto largest = static_cast<float>(mask(bits)),
             largest_signed = static_cast<float>(mask(bits - 1));
  const auto clamped = [](float v, float low, float high) {
    return std::isnan(v) ? 0.0f : std::clamp(v, low, high);
  };
  if (type == ZE_IMAGE_FORMAT_TYPE_UNORM)
    return static_cast<uint32_t>(std::nearbyint(clamped(value, 0, 1) * largest));
  if (type == ZE_IMAGE_FORMAT_TYPE_SNORM)
    return static_cast<uint32_t>(
               static_cast<int32_t>(std::nearbyint(clamped(value, -1, 1) * largest_signed))) &
           mask(bits);
  return bits == 32 ? std::bit_cast<uint32_t>(value)
                    : std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

float expected_value(uint32_t raw, ze_image_format_type_t type, int bits) {
  const int32_t extended = static_cast<int32_t>(raw << (32 - bits)) >> (32 - bits);
  if (type == ZE_IMAGE_FORMAT_TYPE_UNORM)
    return static_cast<float>(raw) / static_cast<float>(mask(bits));
  if (type == ZE_IMAGE_FORMAT_TYPE_SNORM)
    return bits == 1
               ? 0.0f
               : std::max(-1.0f, static_cast<float>(extended) / static_cast<float>(mask(bits - 1)));
  return bits == 32 ? std::bit_cast<float>(raw)
                    : static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(raw)));
}

bool same(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

std::vector<Int4> places(uint32_t count) {
  std::vector<Int4> at(count);
  for (uint32_t i = 0; i < count; ++i)
    at[i][0] = static_cast<int32_t>(i);
  return at;
}

} // namespace

TEST_CASE_METHOD(Images, "ze_cpu: images: floating-point formats round, saturate and read back") {
  std::vector<Float4> values;
  const float single[] = {0,
                          1,
                          -1,
                          0.5f,
                          2,
                          -2,
                          1e10f,
                          -1e10f,
                          nan,
                          1 / 3.f,
                          0.5f / 255,
                          1.5f / 255,
                          2.5f / 255,
                          -0.5f / 127,
                          -1.5f / 127,
                          65504,
                          65520,
                          1e-7f,
                          1.00048828125f,
                          infinity,
                          -infinity,
                          0.25f,
                          31.5f / 1023,
                          2 / 31.f,
                          7.5f / 15,
                          -0.9999f};
  constexpr size_t count = std::size(single);
  for (size_t i = 0; i < count; ++i)
    values.push_back(
        {single[i], single[(i + 5) % count], single[(i + 11) % count], single[(i + 17) % count]});
  Float4 *in = copied(values), *out = shared<Float4>(count);
  Int4 *at = copied(places(count));

  for (const Layout &layout : all_layouts())
    for (const auto type :
         {ZE_IMAGE_FORMAT_TYPE_UNORM, ZE_IMAGE_FORMAT_TYPE_SNORM, ZE_IMAGE_FORMAT_TYPE_FLOAT}) {
      if (type == ZE_IMAGE_FORMAT_TYPE_FLOAT ? !layout.has_floats() : !layout.has_normalized())
        continue;
      INFO("layout " << layout.name << ", type " << type);
      const ImageHandle image =
          this->image(describe(ZE_IMAGE_TYPE_1D, layout.layout, type, {count}));
      run("write_1d_f", count, static_cast<ze_image_handle_t>(image), at, in);
      run("read_1d_f", count, static_cast<ze_image_handle_t>(image), at, out);
      std::vector<uint8_t> texels(count * layout.bytes()), expected(texels.size());
      download(texels.data(), image);
      bool reads_back = true;
      for (size_t i = 0; i < count; ++i) {
        std::array<uint32_t, 4> raw{};
        Float4 value = {0, 0, 0, 1};
        for (const auto &[channel, bits] : layout.components) {
          const auto c = static_cast<size_t>(channel);
          raw[c] = expected_bits(values[i][c], type, bits);
          value[c] = expected_value(raw[c], type, bits);
        }
        pack(layout, raw, expected.data() + i * layout.bytes());
        for (size_t c = 0; c < 4; ++c)
          reads_back &= same(out[i][c], value[c]);
      }
      if (type != ZE_IMAGE_FORMAT_TYPE_FLOAT) // which of the NaNs is free
        CHECK(texels == expected);
      CHECK(reads_back);
    }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: both of the most negative normalized numbers are -1") {
  const ImageHandle image = this->image(
      describe(ZE_IMAGE_TYPE_1D, ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_SNORM, {3}));
  const int8_t texels[] = {-128, -127, -126};
  upload(image, texels);
  Float4 *out = shared<Float4>(3);
  run("read_1d_f", 3, static_cast<ze_image_handle_t>(image), copied(places(3)), out);
  CHECK(out[0][0] == -1);
  CHECK(out[1][0] == -1);
  CHECK(out[2][0] == -126 / 127.0f);
}

TEST_CASE_METHOD(Images,
                 "ze_cpu: images: integer formats saturate, extend their signs and read back") {
  std::vector<Int4> values;
  const int32_t single[] = {0,         1,     -1,    127,    128,    -128,  -129,  255,
                            256,       32767, 32768, -32768, -32769, 65535, 65536, INT32_MAX,
                            INT32_MIN, 511,   512,   -512,   -513,   1023,  1024,  15};
  constexpr size_t count = std::size(single);
  for (size_t i = 0; i < count; ++i)
    values.push_back(
        {single[i], single[(i + 5) % count], single[(i + 11) % count], single[(i + 17) % count]});
  Int4 *in = copied(values), *out = shared<Int4>(count), *at = copied(places(count));

  for (const Layout &layout : all_layouts())
    for (const bool is_signed : {false, true}) {
      INFO("layout " << layout.name << (is_signed ? " signed" : " unsigned"));
      const ImageHandle image = this->image(
          describe(ZE_IMAGE_TYPE_1D, layout.layout,
                   is_signed ? ZE_IMAGE_FORMAT_TYPE_SINT : ZE_IMAGE_FORMAT_TYPE_UINT, {count}));
      const char *suffix = is_signed ? "i" : "u";
      run(std::string("write_1d_") + suffix, count, static_cast<ze_image_handle_t>(image), at, in);
      run(std::string("read_1d_") + suffix, count, static_cast<ze_image_handle_t>(image), at, out);
      std::vector<uint8_t> texels(count * layout.bytes()), expected(texels.size());
      download(texels.data(), image);
      std::vector<Int4> read_back(count);
      for (size_t i = 0; i < count; ++i) {
        std::array<uint32_t, 4> raw{};
        read_back[i] = {0, 0, 0, 1};
        for (const auto &[channel, bits] : layout.components) {
          const auto c = static_cast<size_t>(channel);
          const int64_t value =
              is_signed ? int64_t{values[i][c]} : int64_t{static_cast<uint32_t>(values[i][c])};
          const int64_t high = is_signed ? (int64_t{1} << (bits - 1)) - 1 : int64_t{mask(bits)};
          const int64_t low = is_signed ? -high - 1 : 0;
          const int64_t clamped = std::clamp(value, low, high);
          raw[c] = static_cast<uint32_t>(clamped) & mask(bits);
          read_back[i][c] = static_cast<int32_t>(clamped);
        }
        pack(layout, raw, expected.data() + i * layout.bytes());
      }
      CHECK(texels == expected);
      CHECK(std::equal(read_back.begin(), read_back.end(), out));
    }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: 11_11_10 holds floats without a sign") {
  struct Case {
    float value;
    uint32_t eleven, ten;
  };
  // Five bits of exponent with bias 15, then 6 or 5 bits of mantissa.
  const std::vector<Case> cases = {
      {0, 0, 0},
      {1, 15 << 6, 15 << 5},
      {-1, 0, 0},
      {1.5f, 15 << 6 | 32, 15 << 5 | 16},
      {65024, 30 << 6 | 63, 30 << 5 | 31}, // the largest of 11 bits; that of 10 is 64512
      {1e9f, 30 << 6 | 63, 30 << 5 | 31},  // finite stays finite
      {infinity, 31 << 6, 31 << 5},
      {-infinity, 0, 0},
      {std::ldexp(1.0f, -14), 1 << 6, 1 << 5},
      {std::ldexp(1.0f, -20), 1, 0}, // half of the smallest with 5 bits: to even
      {std::ldexp(3.0f, -20), 3, 2},
      {1 + 1 / 128.0f, 15 << 6, 15 << 5}, // ties to even
      {1 + 3 / 128.0f, 15 << 6 | 2, 15 << 5 | 1},
  };
  const auto count = static_cast<uint32_t>(cases.size());
  std::vector<Float4> values;
  for (const Case &one : cases)
    values.push_back({one.value, one.value, one.value, 0});
  const ImageHandle image = this->image(describe(ZE_IMAGE_TYPE_1D, ZE_IMAGE_FORMAT_LAYOUT_11_11_10,
                                                 ZE_IMAGE_FORMAT_TYPE_FLOAT, {count}));
  Int4 *at = copied(places(count));
  Float4 *out = shared<Float4>(count);
  run("write_1d_f", count, static_cast<ze_image_handle_t>(image), at, copied(values));
  run("read_1d_f", count, static_cast<ze_image_handle_t>(image), at, out);
  std::vector<uint32_t> texels(count);
  download(texels.data(), image);
  for (uint32_t i = 0; i < count; ++i) {
    INFO(cases[i].value);
    CHECK((texels[i] & 0x7ff) == cases[i].eleven);
    CHECK((texels[i] >> 11 & 0x7ff) == cases[i].eleven);
    CHECK(texels[i] >> 22 == cases[i].ten);
  }
  CHECK(out[3] == Float4{1.5f, 1.5f, 1.5f, 1});
  CHECK(out[5] == Float4{65024, 65024, 64512, 1});
  CHECK(out[6] == Float4{infinity, infinity, infinity, 1});
  CHECK(out[9] == Float4{std::ldexp(1.0f, -20), std::ldexp(1.0f, -20), 0, 1});
}

TEST_CASE_METHOD(Images, "ze_cpu: images: swizzles choose components for reading and writing") {
  struct Case {
    std::array<ze_image_format_swizzle_t, 4> swizzle;
    Int4 read;                    // of the bytes 10, 20, 30, 40
    std::array<uint8_t, 4> wrote; // of the channels 1, 2, 3, 4
    int order;                    // SPIR-V's Image Channel Order
  };
  const Case cases[] = {
      {rgba, {10, 20, 30, 40}, {1, 2, 3, 4}, 5},
      {{ZE_IMAGE_FORMAT_SWIZZLE_B, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_R,
        ZE_IMAGE_FORMAT_SWIZZLE_A},
       {30, 20, 10, 40},
       {3, 2, 1, 4},
       6},
      {{ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B, ZE_IMAGE_FORMAT_SWIZZLE_A,
        ZE_IMAGE_FORMAT_SWIZZLE_R},
       {20, 30, 40, 10},
       {4, 1, 2, 3},
       7},
      {{ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_1,
        ZE_IMAGE_FORMAT_SWIZZLE_X},
       {10, 0, 1, 0},
       {1, 0, 0, 0},
       5},
  };
  Int4 *out = shared<Int4>(1), *at = shared<Int4>(1);
  Int4 *in = copied<Int4>({{1, 2, 3, 4}});
  int *numbers = shared<int>(2);
  for (const Case &one : cases) {
    const ImageHandle image = this->image(describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                                   ZE_IMAGE_FORMAT_TYPE_UINT, {1, 1}, one.swizzle));
    const auto handle = static_cast<ze_image_handle_t>(image);
    std::array<uint8_t, 4> texel = {10, 20, 30, 40};
    upload(image, texel.data());
    run("read_2d_u", 1, handle, at, out);
    CHECK(*out == one.read);
    run("write_2d_u", 1, handle, at, in);
    download(texel.data(), image);
    CHECK(texel == one.wrote);
    run("formats", 1, handle, numbers);
    CHECK(numbers[0] == 10); // UnsignedInt8
    CHECK(numbers[1] == one.order);
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: kernels are told format and size") {
  struct Case {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
    std::array<ze_image_format_swizzle_t, 4> swizzle;
    int channel_type, order;
  };
  constexpr auto R = ZE_IMAGE_FORMAT_SWIZZLE_R, G = ZE_IMAGE_FORMAT_SWIZZLE_G,
                 O = ZE_IMAGE_FORMAT_SWIZZLE_0, I = ZE_IMAGE_FORMAT_SWIZZLE_1;
  const Case cases[] = {
      {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_SNORM, {R, O, O, I}, 0, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_SNORM, {O, O, O, R}, 1, 1},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, rgba, 2, 2},
      {ZE_IMAGE_FORMAT_LAYOUT_16_16, ZE_IMAGE_FORMAT_TYPE_UNORM, {R, O, O, G}, 3, 3},
      {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZE_IMAGE_FORMAT_TYPE_UNORM, rgba, 4, 4},
      {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, ZE_IMAGE_FORMAT_TYPE_UNORM, rgba, 5, 5},
      {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM, rgba, 16, 5},
      {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_SINT, {R, R, R, R}, 7, 8},
      {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_SINT, {R, R, R, I}, 8, 9},
      {ZE_IMAGE_FORMAT_LAYOUT_32_32, ZE_IMAGE_FORMAT_TYPE_SINT, rgba, 9, 2},
      {ZE_IMAGE_FORMAT_LAYOUT_16_16_16, ZE_IMAGE_FORMAT_TYPE_UINT, rgba, 11, 4},
      {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UINT, rgba, 12, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_FLOAT, rgba, 13, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, rgba, 14, 5},
  };
  int *out = shared<int>(13);
  for (const Case &one : cases) {
    const ImageHandle image =
        this->image(describe(ZE_IMAGE_TYPE_2D, one.layout, one.type, {2, 2}, one.swizzle));
    run("formats", 1, static_cast<ze_image_handle_t>(image), out);
    INFO("layout " << one.layout << ", type " << one.type);
    CHECK(out[0] == one.channel_type);
    CHECK(out[1] == one.order);
  }

  const auto make = [&](ze_image_type_t type, Size size) {
    return this->image(describe(type, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, size));
  };
  const ImageHandle a = make(ZE_IMAGE_TYPE_1D, {3}), b = make(ZE_IMAGE_TYPE_1DARRAY, {4, 1, 1, 5}),
                    c = make(ZE_IMAGE_TYPE_2D, {6, 7}),
                    d = make(ZE_IMAGE_TYPE_2DARRAY, {8, 9, 1, 10}),
                    e = make(ZE_IMAGE_TYPE_3D, {11, 12, 13}),
                    f = make(ZE_IMAGE_TYPE_BUFFER, {4 * 14}); // in bytes
  const auto handle = [](const ImageHandle &image) {
    return static_cast<ze_image_handle_t>(image);
  };
  run("sizes", 1, handle(a), handle(b), handle(c), handle(d), handle(e), handle(f), out);
  const int expected[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14};
  CHECK(std::equal(std::begin(expected), std::end(expected), out));
}
