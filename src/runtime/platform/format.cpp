#include "format.h"

#include <hip/spirv_detail/services/format_length.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <optional>

namespace chip {
namespace {

using chip_device::Conversion;
using chip_device::FormatReader;
using chip_device::MessageArgument;
using chip_device::MessagePiece;

struct Piece {
  unsigned kind;
  std::span<const std::byte> bytes;

  MessageArgument argument() const {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
    return {MessagePiece::__Kind(kind), bits};
  }
  template <class Character> std::basic_string<Character> string() const {
    std::basic_string<Character> result(bytes.size() / sizeof(Character), Character());
    std::memcpy(result.data(), bytes.data(), result.size() * sizeof(Character));
    return result;
  }
};

class Pieces {
public:
  explicit Pieces(std::span<const std::byte> bytes) : left_(bytes) {}

  std::optional<Piece> next() {
    MessagePiece header;
    if (left_.size() < sizeof header)
      return std::nullopt;
    std::memcpy(&header, left_.data(), sizeof header);
    left_ = left_.subspan(sizeof header);
    const size_t padded = (size_t(header.bytes) + 7) / 8 * 8;
    if (padded > left_.size())
      return std::nullopt;
    Piece piece{header.kind, left_.first(header.bytes)};
    left_ = left_.subspan(padded);
    return piece;
  }

private:
  std::span<const std::byte> left_;
};

template <class... Values>
void append(std::string &text, const std::string &format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), values...);
  if (length <= 0)
    return;
  const size_t before = text.size();
  text.resize(before + size_t(length) + 1);
  std::snprintf(text.data() + before, size_t(length) + 1, format.c_str(), values...);
  text.resize(before + size_t(length));
}

void append(std::string &text, const Conversion &c, const Piece &piece) {
  std::string format = "%";
  constexpr std::pair<unsigned, char> flags[] = {{Conversion::left, '-'},
                                                 {Conversion::sign, '+'},
                                                 {Conversion::space, ' '},
                                                 {Conversion::alternative, '#'},
                                                 {Conversion::zeros, '0'}};
  for (auto [flag, letter] : flags)
    if (c.flags & flag)
      format += letter;
  if (c.width > 0)
    format += std::to_string(c.width);
  if (c.precision >= 0)
    format += '.' + std::to_string(c.precision);
  const auto with = [&](const char *end) { return format + end; };
  const MessageArgument argument = piece.argument();
  const bool is_wide = c.size == Conversion::long_size;
  switch (c.letter) {
  case 'n':
    break;
  case 'c':
    if (is_wide)
      append(text, with("lc"), wint_t(argument.bits));
    else
      append(text, with("c"), int(argument.bits));
    break;
  case 's':
    // The device has measured the string. A null string is an empty one, as on AMD's devices.
    if (piece.kind == MessagePiece::wide_text)
      append(text, with("ls"), piece.string<wchar_t>().c_str());
    else
      append(text, with("s"), piece.kind == MessagePiece::text ? piece.string<char>().c_str() : "");
    break;
  case 'p':
    append(text, with("p"), reinterpret_cast<void *>(argument.bits));
    break;
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    append(text, with("l") + c.letter, chip_device::cut_integer(argument.bits, c));
    break;
  default:
    append(text, format + c.letter, chip_device::number_of(argument));
  }
}

} // namespace

std::string format_message(std::span<const std::byte> bytes) {
  Pieces pieces(bytes);
  const std::optional<Piece> first = pieces.next();
  if (!first || first->kind != MessagePiece::text)
    return {};
  const std::string format = first->string<char>();
  std::string text;
  FormatReader reader(format.c_str());
  for (;;) {
    const FormatReader::__Piece what = reader.next();
    if (what == FormatReader::end)
      return text;
    if (what == FormatReader::text) {
      text.append(reader.text_begin(), reader.text_end());
      continue;
    }
    const std::optional<Piece> piece = pieces.next();
    if (!piece)
      return text;
    if (what == FormatReader::width)
      reader.take_width(int(piece->argument().bits));
    else if (what == FormatReader::precision)
      reader.take_precision(int(piece->argument().bits));
    else
      append(text, reader.conversion(), *piece);
  }
}

} // namespace chip
