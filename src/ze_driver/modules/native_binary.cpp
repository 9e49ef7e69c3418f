#include "native_binary.h"

#include <algorithm>
#include <cstring>

namespace ze_driver {
namespace {

struct Header {
  char magic[8];
  uint64_t checksum; // of everything behind it
  uint64_t flags_bytes;
  uint64_t constants_bytes;
  uint64_t spirv_bytes;
};
constexpr size_t checked_from = offsetof(Header, flags_bytes);

/// FNV-1a: against accidents, not against forgery; the SPIR-V is validated anyway.
uint64_t checksum(std::span<const std::byte> bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (std::byte byte : bytes)
    hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

void append(std::vector<std::byte> &to, const void *data, size_t bytes) {
  const auto *from = static_cast<const std::byte *>(data);
  to.insert(to.end(), from, from + bytes);
}

} // namespace

std::vector<std::byte> write_binary(const BinaryMagic &magic, const BinaryContent &content) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.flags_bytes = content.build_flags.size();
  header.constants_bytes = content.constants.size();
  header.spirv_bytes = content.spirv.size();
  std::vector<std::byte> binary;
  binary.reserve(sizeof header + header.flags_bytes + header.constants_bytes + header.spirv_bytes);
  append(binary, &header, sizeof header);
  append(binary, content.build_flags.data(), content.build_flags.size());
  append(binary, content.constants.data(), content.constants.size());
  append(binary, content.spirv.data(), content.spirv.size());
  header.checksum = checksum(std::span(binary).subspan(checked_from));
  std::memcpy(binary.data(), &header, sizeof header);
  return binary;
}

std::optional<BinaryContent> read_binary(const BinaryMagic &magic,
                                         std::span<const std::byte> binary) {
  Header header;
  if (binary.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, binary.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0)
    return std::nullopt;
  // Each size on its own first, so that their sum cannot wrap around.
  std::span<const std::byte> rest = binary.subspan(sizeof header);
  for (uint64_t size : {header.flags_bytes, header.constants_bytes, header.spirv_bytes})
    if (size > rest.size())
      return std::nullopt;
  if (header.flags_bytes + header.constants_bytes + header.spirv_bytes != rest.size() ||
      checksum(binary.subspan(checked_from)) != header.checksum)
    return std::nullopt;

  BinaryContent content;
  content.build_flags = {reinterpret_cast<const char *>(rest.data()), header.flags_bytes};
  content.constants = rest.subspan(header.flags_bytes, header.constants_bytes);
  content.spirv = rest.subspan(header.flags_bytes + header.constants_bytes);
  return content;
}

std::vector<std::byte> serialize_constants(std::span<const SpecializationConstant> constants) {
  std::vector<std::byte> bytes;
  for (const SpecializationConstant &constant : constants) {
    const uint32_t words[] = {constant.id, static_cast<uint32_t>(constant.value.size())};
    append(bytes, words, sizeof words);
    append(bytes, constant.value.data(), constant.value.size());
  }
  return bytes;
}

std::optional<std::vector<SpecializationConstant>>
parse_constants(std::span<const std::byte> bytes) {
  std::vector<SpecializationConstant> constants;
  while (!bytes.empty()) {
    uint32_t words[2];
    if (bytes.size() < sizeof words)
      return std::nullopt;
    std::memcpy(words, bytes.data(), sizeof words);
    bytes = bytes.subspan(sizeof words);
    if (bytes.size() < words[1])
      return std::nullopt;
    constants.push_back({words[0], bytes.first(words[1])});
    bytes = bytes.subspan(words[1]);
  }
  return constants;
}

} // namespace ze_driver
