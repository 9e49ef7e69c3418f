// Conversions as in the OpenCL C specification, section "Conversion rules": normalized values round
// to the nearest even and saturate, integers saturate.
#include "texels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ze_cpu {
namespace {

struct Component {
  uint8_t channel, offset, bits; // where it goes; where it lies in the texel, in bits
};
struct TexelComponents {
  unsigned components;
  Component component[4];
};

constexpr TexelComponents even(unsigned components, uint8_t bits) {
  TexelComponents info{components, {}};
  for (uint8_t i = 0; i < components; ++i)
    info.component[i] = {i, static_cast<uint8_t>(i * bits), bits};
  return info;
}

constexpr TexelComponents describe(TexelLayout layout) {
  switch (layout) {
  case TexelLayout::c8:
    return even(1, 8);
  case TexelLayout::c16:
    return even(1, 16);
  case TexelLayout::c32:
    return even(1, 32);
  case TexelLayout::c8_8:
    return even(2, 8);
  case TexelLayout::c16_16:
    return even(2, 16);
  case TexelLayout::c32_32:
    return even(2, 32);
  case TexelLayout::c8_8_8:
    return even(3, 8);
  case TexelLayout::c16_16_16:
    return even(3, 16);
  case TexelLayout::c32_32_32:
    return even(3, 32);
  case TexelLayout::c8_8_8_8:
    return even(4, 8);
  case TexelLayout::c16_16_16_16:
    return even(4, 16);
  case TexelLayout::c32_32_32_32:
    return even(4, 32);
  case TexelLayout::c10_10_10_2:
    return {4, {{0, 0, 10}, {1, 10, 10}, {2, 20, 10}, {3, 30, 2}}};
  case TexelLayout::c11_11_10:
    return {3, {{0, 0, 11}, {1, 11, 11}, {2, 22, 10}}};
  case TexelLayout::c5_6_5:
    return {3, {{2, 0, 5}, {1, 5, 6}, {0, 11, 5}}};
  case TexelLayout::c5_5_5_1:
    return {4, {{2, 0, 5}, {1, 5, 5}, {0, 10, 5}, {3, 15, 1}}};
  case TexelLayout::c4_4_4_4:
    return {4, {{2, 0, 4}, {1, 4, 4}, {0, 8, 4}, {3, 12, 4}}};
  case TexelLayout::count:
    break;
  }
  return {};
}

constexpr bool is_packed(TexelLayout layout) { return layout >= TexelLayout::c10_10_10_2; }

constexpr uint32_t ones(unsigned bits) { return bits == 32 ? UINT32_MAX : (1u << bits) - 1; }

int32_t extend_sign(uint32_t raw, unsigned bits) {
  return static_cast<int32_t>(raw << (32 - bits)) >> (32 - bits);
}

// Floating point without a sign, five bits of exponent: red and green have 6 bits of mantissa, blue
// 5. It is half precision cut off below.
float small_float(uint32_t raw, unsigned bits) {
  const auto half = static_cast<uint16_t>(raw << (15 - bits));
  return static_cast<float>(std::bit_cast<_Float16>(half));
}
uint32_t to_small_float(float value, unsigned bits) {
  const unsigned mantissa_bits = bits - 5;
  const uint32_t infinity = 31u << mantissa_bits;
  if (std::isnan(value))
    return infinity | 1;
  if (!(value > 0))
    return 0;
  if (std::isinf(value))
    return infinity;
  int exponent;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent - 1, -14) - static_cast<int>(mantissa_bits);
  // In units of the last place; rounding up to the next power of two carries into the exponent.
  const auto rounded =
      static_cast<uint32_t>(std::rint(std::ldexp(std::min(value, 65536.0f), -unit)));
  const auto biased = static_cast<uint32_t>(unit + static_cast<int>(mantissa_bits) + 14);
  return std::min((biased << mantissa_bits) + rounded, infinity - 1); // finite values stay finite
}

template <ChannelType type> float decode_float(uint32_t raw, unsigned bits) {
  switch (type) {
  case ChannelType::uint:
    return static_cast<float>(raw);
  case ChannelType::sint:
    return static_cast<float>(extend_sign(raw, bits));
  case ChannelType::unorm:
    return static_cast<float>(raw) / static_cast<float>(ones(bits));
  case ChannelType::snorm:
    return bits < 2 ? 0
                    : std::max(-1.0f, static_cast<float>(extend_sign(raw, bits)) /
                                          static_cast<float>(ones(bits - 1)));
  default:
    return bits == 32   ? std::bit_cast<float>(raw)
           : bits == 16 ? static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(raw)))
                        : small_float(raw, bits);
  }
}

uint32_t saturate(double value, double low, double high, unsigned bits) {
  if (!(value > low)) // NaN is 0
    value = std::isnan(value) ? 0 : low;
  return static_cast<uint32_t>(static_cast<int64_t>(std::min(value, high))) & ones(bits);
}

template <ChannelType type> uint32_t encode_float(float value, unsigned bits) {
  const double largest = ones(bits), largest_signed = ones(bits - 1);
  switch (type) {
  case ChannelType::uint:
    return saturate(std::trunc(double{value}), 0, largest, bits);
  case ChannelType::sint:
    return saturate(std::trunc(double{value}), -largest_signed - 1, largest_signed, bits);
  case ChannelType::unorm:
    return saturate(std::rint(value * static_cast<float>(largest)), 0, largest, bits);
  case ChannelType::snorm: // the most negative number is not made, but read as -1
    return saturate(std::rint(value * static_cast<float>(largest_signed)), -largest_signed,
                    largest_signed, bits);
  default:
    return bits == 32   ? std::bit_cast<uint32_t>(value)
           : bits == 16 ? uint32_t{std::bit_cast<uint16_t>(static_cast<_Float16>(value))}
                        : to_small_float(value, bits);
  }
}

// Integers of formats that are not: their bits.
template <ChannelType type> int32_t decode_integer(uint32_t raw, unsigned bits) {
  return type == ChannelType::sint || type == ChannelType::snorm ? extend_sign(raw, bits)
                                                                 : static_cast<int32_t>(raw);
}

template <ChannelType type> uint32_t encode_integer(int32_t value, unsigned bits) {
  if (type == ChannelType::uint)
    return std::min(static_cast<uint32_t>(value), ones(bits));
  if (type == ChannelType::sint) {
    const auto largest = static_cast<int32_t>(ones(bits - 1));
    return static_cast<uint32_t>(std::clamp(value, -largest - 1, largest)) & ones(bits);
  }
  return static_cast<uint32_t>(value) & ones(bits);
}

template <TexelLayout layout, ChannelType type> struct Codec {
  static constexpr TexelComponents info = describe(layout);
  static constexpr unsigned bits =
      info.component[info.components - 1].offset + info.component[info.components - 1].bits;
  static constexpr size_t bytes = bits / 8;
  using Word = std::conditional_t<bytes == 2, uint16_t, uint32_t>; // of packed texels

  template <size_t i> static uint32_t raw(const std::byte *texel) {
    constexpr Component part = info.component[i];
    uint32_t value = 0;
    if constexpr (is_packed(layout)) {
      Word word;
      std::memcpy(&word, texel, sizeof word);
      value = word >> part.offset & ones(part.bits);
    } else {
      std::memcpy(&value, texel + part.offset / 8, part.bits / 8);
    }
    return value;
  }

  template <class Vector, class Decode> static Vector load(Decode decode, const std::byte *texel) {
    Vector result = {0, 0, 0, 1};
    [&]<size_t... i>(std::index_sequence<i...>) {
      ((result[info.component[i].channel] = decode(raw<i>(texel), info.component[i].bits)), ...);
    }(std::make_index_sequence<info.components>());
    return result;
  }

  // A texel is written as a whole: other work-items may be at its neighbours.
  template <class Vector, class Encode>
  static void store(Encode encode, std::byte *texel, Vector value) {
    std::array<std::byte, bytes> whole;
    uint32_t word = 0;
    for (unsigned i = 0; i < info.components; ++i) {
      const Component part = info.component[i];
      const uint32_t part_bits = encode(value[part.channel], part.bits);
      if constexpr (is_packed(layout))
        word |= part_bits << part.offset;
      else
        std::memcpy(whole.data() + part.offset / 8, &part_bits, part.bits / 8);
    }
    if constexpr (is_packed(layout))
      std::memcpy(whole.data(), &word, bytes);
    std::memcpy(texel, whole.data(), bytes);
  }

  static Float4 load_float(const std::byte *texel) {
    return load<Float4>(decode_float<type>, texel);
  }
  static Int4 load_integer(const std::byte *texel) {
    return load<Int4>(decode_integer<type>, texel);
  }
  static void store_float(std::byte *texel, Float4 value) {
    store(encode_float<type>, texel, value);
  }
  static void store_integer(std::byte *texel, Int4 value) {
    store(encode_integer<type>, texel, value);
  }
  static constexpr TexelCodec functions = {load_float, load_integer, store_float, store_integer};
};

constexpr size_t layouts = static_cast<size_t>(TexelLayout::count);
constexpr size_t types = static_cast<size_t>(ChannelType::count);

template <size_t... i> constexpr auto make_codecs(std::index_sequence<i...>) {
  return std::array{Codec<TexelLayout(i / types), ChannelType(i % types)>::functions...};
}
constexpr std::array codecs = make_codecs(std::make_index_sequence<layouts * types>());

} // namespace

const TexelCodec &texel_codec(TexelLayout layout, ChannelType type) {
  return codecs[static_cast<size_t>(layout) * types + static_cast<size_t>(type)];
}

} // namespace ze_cpu
