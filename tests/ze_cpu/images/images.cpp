// Kernels that sample images, against the formulas of the OpenCL C specification ("Image addressing
// and filtering") written down plainly.
#include "images.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

struct Kind {
  const char *name;
  ze_image_type_t type;
  int dimensions;
  bool has_layers;
};
constexpr Kind kinds[] = {{"1d", ZE_IMAGE_TYPE_1D, 1, false},
                          {"1d_array", ZE_IMAGE_TYPE_1DARRAY, 1, true},
                          {"2d", ZE_IMAGE_TYPE_2D, 2, false},
                          {"2d_array", ZE_IMAGE_TYPE_2DARRAY, 2, true},
                          {"3d", ZE_IMAGE_TYPE_3D, 3, false}};

constexpr int extent[] = {7, 5, 3}; // odd, and different in each direction

/// A kind of image with texels to look up.
struct Texels {
  const Kind &kind;
  int size[3] = {1, 1, 1};
  std::vector<Float4> values;

  explicit Texels(const Kind &k) : kind(k) {
    for (int i = 0; i < k.dimensions + k.has_layers; ++i)
      size[i] = extent[i];
    std::mt19937 random(1);
    values.resize(static_cast<size_t>(size[0] * size[1] * size[2]));
    for (Float4 &texel : values)
      for (float &channel : texel)
        channel = static_cast<float>(random() % 2001) / 1000 - 1;
  }

  ze_image_desc_t desc() const {
    Size s{static_cast<uint64_t>(size[0])};
    if (kind.dimensions > 1)
      s.height = static_cast<uint32_t>(size[1]);
    if (kind.dimensions > 2)
      s.depth = static_cast<uint32_t>(size[2]);
    if (kind.has_layers)
      s.layers = static_cast<uint32_t>(size[kind.dimensions]);
    return describe(kind.type, ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, s);
  }

  Float4 at(const int (&i)[3]) const {
    for (int k = 0; k < 3; ++k)
      if (i[k] < 0 || i[k] >= size[k])
        return {}; // the border of a format with alpha
    return values[static_cast<size_t>((i[2] * size[1] + i[1]) * size[0] + i[0])];
  }
};

struct Mode {
  ze_sampler_address_mode_t address;
  ze_sampler_filter_mode_t filter;
  bool normalized;
};

int address_mode(const Mode &mode, int i, int size) {
  switch (mode.address) {
  case ZE_SAMPLER_ADDRESS_MODE_CLAMP:
    return std::clamp(i, 0, size - 1);
  case ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
    return std::clamp(i, -1, size);
  default:
    return i;
  }
}

/// Which texels a coordinate means, and how much of the second.
struct Choice {
  int first, second;
  float second_part;
};
Choice choose(const Mode &mode, float s, int size) {
  const bool linear = mode.filter == ZE_SAMPLER_FILTER_MODE_LINEAR;
  const auto width = static_cast<float>(size);
  // Where coordinates count texels, folding goes by the image's size instead of by 1.
  const float period = mode.normalized ? 1 : width, scale = width / period;
  const auto part = [](float u) { return (u - 0.5f) - std::floor(u - 0.5f); };
  if (mode.address == ZE_SAMPLER_ADDRESS_MODE_REPEAT) {
    const float u = (s - period * std::floor(s / period)) * scale;
    if (!linear) {
      int i = static_cast<int>(std::floor(u));
      if (i > size - 1)
        i -= size;
      return {i, i, 0};
    }
    int i0 = static_cast<int>(std::floor(u - 0.5f)), i1 = i0 + 1;
    if (i0 < 0)
      i0 += size;
    if (i1 > size - 1)
      i1 -= size;
    return {i0, i1, part(u)};
  }
  if (mode.address == ZE_SAMPLER_ADDRESS_MODE_MIRROR) {
    const float u = std::fabs(s - 2.0f * period * std::rint(0.5f * s / period)) * scale;
    if (!linear) {
      const int i = std::min(static_cast<int>(std::floor(u)), size - 1);
      return {i, i, 0};
    }
    const int i0 = static_cast<int>(std::floor(u - 0.5f));
    return {std::max(i0, 0), std::min(i0 + 1, size - 1), part(u)};
  }
  const float u = s * scale;
  if (!linear) {
    const int i = address_mode(mode, static_cast<int>(std::floor(u)), size);
    return {i, i, 0};
  }
  const int i0 = static_cast<int>(std::floor(u - 0.5f));
  return {address_mode(mode, i0, size), address_mode(mode, i0 + 1, size), part(u)};
}

Float4 reference(const Texels &texels, const Mode &mode, const Float4 &coordinate) {
  Choice choice[3] = {};
  for (int k = 0; k < texels.kind.dimensions; ++k)
    choice[k] = choose(mode, coordinate[static_cast<size_t>(k)], texels.size[k]);
  if (texels.kind.has_layers) {
    const int k = texels.kind.dimensions, last = texels.size[k] - 1;
    const auto layer = static_cast<int>(
        std::clamp(std::rint(coordinate[static_cast<size_t>(k)]), 0.0f, static_cast<float>(last)));
    choice[k] = {layer, layer, 0};
  }
  double sum[4] = {};
  for (int corner = 0; corner < 8; ++corner) {
    int at[3];
    double weight = 1;
    for (int k = 0; k < 3; ++k) {
      const bool second = corner >> k & 1;
      at[k] = second ? choice[k].second : choice[k].first;
      weight *= second ? choice[k].second_part : 1.0 - choice[k].second_part;
    }
    const Float4 texel = weight > 0 ? texels.at(at) : Float4{};
    for (size_t c = 0; c < 4; ++c)
      sum[c] += weight * texel[c];
  }
  return {static_cast<float>(sum[0]), static_cast<float>(sum[1]), static_cast<float>(sum[2]),
          static_cast<float>(sum[3])};
}

float distance(const Float4 &a, const Float4 &b) {
  float largest = 0;
  for (size_t c = 0; c < 4; ++c)
    largest = std::max(largest, std::fabs(a[c] - b[c]));
  return largest;
}

} // namespace

TEST_CASE_METHOD(Images, "ze_cpu: images: every address mode and filter follows its formula") {
  constexpr uint32_t count = 512;
  Float4 *at = shared<Float4>(count), *out = shared<Float4>(count);
  for (const Kind &kind : kinds) {
    const Texels texels(kind);
    const ImageHandle image = this->image(texels.desc());
    upload(image, texels.values.data());
    for (int address = ZE_SAMPLER_ADDRESS_MODE_NONE; address <= ZE_SAMPLER_ADDRESS_MODE_MIRROR;
         ++address)
      for (const auto filter : {ZE_SAMPLER_FILTER_MODE_NEAREST, ZE_SAMPLER_FILTER_MODE_LINEAR})
        for (const bool normalized : {false, true}) {
          const Mode mode{static_cast<ze_sampler_address_mode_t>(address), filter, normalized};
          std::mt19937 random(2);
          for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k) {
              // Multiples of 1/16 of a texel, half-way points and edges among them.
              const int size = texels.size[k];
              const auto fine =
                  static_cast<int>(random() % static_cast<uint32_t>(16 * 5 * size)) - 16 * 2 * size;
              float texel = static_cast<float>(fine) / 16;
              if (address == ZE_SAMPLER_ADDRESS_MODE_NONE) // outside is not defined
                texel = std::clamp(texel, 0.5f, static_cast<float>(size) - 0.5f);
              const bool is_layer = kind.has_layers && k == kind.dimensions;
              at[i][static_cast<size_t>(k)] =
                  normalized && !is_layer ? texel / static_cast<float>(size) : texel;
            }
          const SamplerHandle sampler = this->sampler(mode.address, filter, normalized);
          run(std::string("sample_") + kind.name + "_f", count,
              static_cast<ze_image_handle_t>(image), static_cast<ze_sampler_handle_t>(sampler), at,
              out);
          const float tolerance = filter == ZE_SAMPLER_FILTER_MODE_LINEAR ? 1e-5f : 0.0f;
          uint32_t wrong = 0;
          for (uint32_t i = 0; i < count; ++i)
            wrong += !(distance(out[i], reference(texels, mode, at[i])) <= tolerance);
          INFO(kind.name << ", address mode " << address << ", filter " << filter
                         << (normalized ? ", normalized" : ""));
          CHECK(wrong == 0);
        }
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: coordinates that are no places are safe") {
  const Texels texels(kinds[4]);
  const ImageHandle image = this->image(texels.desc());
  upload(image, texels.values.data());
  constexpr float huge = 3e38f, none = std::numeric_limits<float>::quiet_NaN(),
                  endless = std::numeric_limits<float>::infinity();
  const std::vector<Float4> at = {
      {huge, 0, 0, 0},     {-huge, 0, 0, 0}, {none, none, none, 0},    {endless, 0, 0, 0},
      {-endless, 1, 1, 0}, {0, 0, 2e9f, 0},  {0, -2147483648.0f, 0, 0}};
  const auto count = static_cast<uint32_t>(at.size());
  Float4 *places = copied(at), *out = shared<Float4>(count);
  for (int address = ZE_SAMPLER_ADDRESS_MODE_NONE; address <= ZE_SAMPLER_ADDRESS_MODE_MIRROR;
       ++address)
    for (const auto filter : {ZE_SAMPLER_FILTER_MODE_NEAREST, ZE_SAMPLER_FILTER_MODE_LINEAR})
      for (const bool normalized : {false, true}) {
        const SamplerHandle sampler =
            this->sampler(static_cast<ze_sampler_address_mode_t>(address), filter, normalized);
        run("sample_3d_f", count, static_cast<ze_image_handle_t>(image),
            static_cast<ze_sampler_handle_t>(sampler), places, out);
        if (address == ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER) {
          CHECK(out[0] == Float4{});
          CHECK(out[1] == Float4{});
        }
      }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: whole coordinates count texels") {
  for (const Kind &kind : kinds) {
    const Texels texels(kind);
    const ImageHandle image = this->image(texels.desc());
    upload(image, texels.values.data());
    std::vector<Int4> places;
    for (int z = -1; z <= texels.size[2]; ++z)
      for (int y = -1; y <= texels.size[1]; ++y)
        for (int x = -2; x <= texels.size[0] + 1; ++x)
          places.push_back({x, y, z, 0});
    const auto count = static_cast<uint32_t>(places.size());
    Int4 *at = copied(places);
    Float4 *out = shared<Float4>(count);
    const auto expect = [&](const char *what, auto clamp_coordinate) {
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < count; ++i) {
        int place[3];
        for (int k = 0; k < 3; ++k) {
          place[k] = places[i][static_cast<size_t>(k)];
          if (k >= kind.dimensions + kind.has_layers)
            place[k] = 0;
          else if (clamp_coordinate(k))
            place[k] = std::clamp(place[k], 0, texels.size[k] - 1);
        }
        wrong += out[i] != texels.at(place);
      }
      INFO(kind.name << ", " << what);
      CHECK(wrong == 0);
    };
    const auto handle = static_cast<ze_image_handle_t>(image);
    for (const auto mode :
         {ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}) {
      const SamplerHandle sampler = this->sampler(mode, ZE_SAMPLER_FILTER_MODE_NEAREST, false);
      run(std::string("fetch_") + kind.name + "_f", count, handle,
          static_cast<ze_sampler_handle_t>(sampler), at, out);
      expect("sampled", [&](int k) { // layers are clamped always
        return mode == ZE_SAMPLER_ADDRESS_MODE_CLAMP || k >= kind.dimensions;
      });
    }
    run(std::string("read_") + kind.name + "_f", count, handle, at, out);
    expect("read", [](int) { return false; });
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: kernels write where they say, and nowhere else") {
  for (const Kind &kind : kinds) {
    const Texels texels(kind);
    const ImageHandle image = this->image(texels.desc());
    upload(image, texels.values.data());
    const int last[] = {texels.size[0] - 1, texels.size[1] - 1, texels.size[2] - 1};
    const std::vector<Int4> places = {
        {last[0], last[1], last[2], 0}, {-1, 0, 0, 0}, {texels.size[0], 0, 0, 0}};
    const std::vector<Float4> values = {{1, 2, 3, 4}, {5, 5, 5, 5}, {6, 6, 6, 6}};
    run(std::string("write_") + kind.name + "_f", 3, static_cast<ze_image_handle_t>(image),
        copied(places), copied(values));
    std::vector<Float4> expected = texels.values, now(expected.size());
    expected.back() = values[0];
    download(now.data(), image);
    INFO(kind.name);
    CHECK(now == expected);
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: the border is opaque unless the format has alpha") {
  Float4 *at = copied<Float4>({{-5, 0, 0, 0}}), *out = shared<Float4>(1);
  Int4 *integers = shared<Int4>(1);
  const SamplerHandle sampler =
      this->sampler(ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_NEAREST, false);
  constexpr std::array opaque = {ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G,
                                 ZE_IMAGE_FORMAT_SWIZZLE_B, ZE_IMAGE_FORMAT_SWIZZLE_1};
  for (const bool has_alpha : {false, true}) {
    const auto swizzle = has_alpha ? rgba : opaque;
    const ImageHandle floats = image(describe(ZE_IMAGE_TYPE_1D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                              ZE_IMAGE_FORMAT_TYPE_UNORM, {4}, swizzle)),
                      whole = image(describe(ZE_IMAGE_TYPE_1D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                             ZE_IMAGE_FORMAT_TYPE_SINT, {4}, swizzle));
    const auto handle = static_cast<ze_sampler_handle_t>(sampler);
    run("sample_1d_f", 1, static_cast<ze_image_handle_t>(floats), handle, at, out);
    run("sample_1d_i", 1, static_cast<ze_image_handle_t>(whole), handle, at, integers);
    CHECK(*out == Float4{0, 0, 0, has_alpha ? 0.0f : 1.0f});
    CHECK(*integers == Int4{0, 0, 0, has_alpha ? 0 : 1});
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: samplers may be written in the kernel") {
  const Texels texels(kinds[2]);
  const ImageHandle image = this->image(texels.desc());
  upload(image, texels.values.data());
  const std::vector<Float4> at = {
      {0.3f, 0.6f, 0, 0}, {-0.3f, 1.4f, 0, 0}, {2.5f, 4.5f, 0, 0}, {7.5f, 1.5f, 0, 0}};
  const auto count = static_cast<uint32_t>(at.size());
  Float4 *out = shared<Float4>(2 * count);
  run("literal_samplers", count, static_cast<ze_image_handle_t>(image), copied(at), out);
  const Mode mirrored{ZE_SAMPLER_ADDRESS_MODE_MIRROR, ZE_SAMPLER_FILTER_MODE_LINEAR, true},
      bordered{ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_NEAREST, false};
  for (uint32_t i = 0; i < count; ++i) {
    CHECK(distance(out[2 * i], reference(texels, mirrored, at[i])) <= 1e-5f);
    CHECK(out[2 * i + 1] == reference(texels, bordered, at[i]));
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: buffers have as many texels as bytes permit") {
  const ImageHandle image = this->image(describe(ZE_IMAGE_TYPE_BUFFER, ZE_IMAGE_FORMAT_LAYOUT_32_32,
                                                 ZE_IMAGE_FORMAT_TYPE_UINT, {4 * 8 + 7}));
  const auto handle = static_cast<ze_image_handle_t>(image);
  Int4 *at = copied<Int4>({{0}, {1}, {2}, {3}, {4}});
  Int4 *in = copied<Int4>({{1, 2, 9, 9}, {3, 4, 9, 9}, {5, 6, 9, 9}, {7, 8, 9, 9}, {9, 9, 9, 9}});
  Int4 *out = shared<Int4>(5);
  run("write_buffer_u", 5, handle, at, in);
  run("read_buffer_u", 5, handle, at, out);
  for (int32_t i = 0; i < 4; ++i)
    CHECK(out[i] == Int4{2 * i + 1, 2 * i + 2, 0, 1});
  CHECK(out[4] == Int4{0, 0, 0, 0}); // outside: the border of a format with alpha
}

TEST_CASE_METHOD(Images, "ze_cpu: images: a kernel reads what it wrote, also across a barrier") {
  constexpr uint32_t size = 64;
  const ImageHandle image = this->image(
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, {size, 1}));
  std::vector<float> texels(size);
  for (uint32_t i = 0; i < size; ++i)
    texels[i] = static_cast<float>(i);
  upload(image, texels.data());
  float *out = shared<float>(2 * size);
  run("read_and_write", size, static_cast<ze_image_handle_t>(image), out);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < size; ++i) {
    wrong += out[i] != static_cast<float>(100 + i);
    wrong += out[size + i] != static_cast<float>(100 + size - 1 - i);
  }
  CHECK(wrong == 0);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: functions take images and samplers") {
  const ze_image_desc_t desc =
      describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, {1, 1});
  const ImageHandle a = image(desc), b = image(desc);
  const float one = 1, two = 2;
  upload(a, &one);
  upload(b, &two);
  const SamplerHandle sampler =
      this->sampler(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, true);
  Float4 *out = shared<Float4>(2);
  run("through_functions", 1, static_cast<ze_image_handle_t>(a), static_cast<ze_image_handle_t>(b),
      static_cast<ze_sampler_handle_t>(sampler), out);
  CHECK(out[0][0] == 1);
  CHECK(out[1][0] == 2);
}
