#include "code_object.h"
#include "../../common/spirv.h"

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <format>
#include <string_view>

namespace chip {
namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr std::string_view our_target = "hip-spirv64";
constexpr uint64_t largest_image = uint64_t(4) << 30;

[[noreturn]] void invalid(const std::string &what) {
  throw Error(hipErrorInvalidImage, "the device code is damaged: " + what);
}

/// Bytes of which no more than `available` may be touched.
class Bytes {
public:
  Bytes(const void *data, size_t available)
      : data_(static_cast<const std::byte *>(data)), available_(available) {}

  template <class T> T get(size_t offset) const {
    T value;
    std::memcpy(&value, part(offset, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> part(uint64_t offset, uint64_t size) const {
    if (offset > available_ || size > available_ - offset)
      invalid("it ends too early");
    return {data_ + offset, size_t(size)};
  }
  bool starts_with(std::string_view text) const {
    return available_ >= text.size() && std::memcmp(data_, text.data(), text.size()) == 0;
  }
  size_t available() const { return available_; }

private:
  const std::byte *data_;
  size_t available_;
};

// clang-offload-bundler's compressed form: magic, version, method, sizes, hash, frame. Version 3 has 64-bit sizes.
std::vector<std::byte> decompress(const Bytes &bytes) {
  auto version = bytes.get<uint16_t>(4), method = bytes.get<uint16_t>(6);
  uint64_t total = bytes.available(), plain = 0;
  size_t header = 0;
  switch (version) {
  case 1:
    plain = bytes.get<uint32_t>(8);
    header = 20;
    if (total == SIZE_MAX)
      invalid("a compressed bundle of version 1 in memory does not tell its size");
    break;
  case 2:
    total = bytes.get<uint32_t>(8);
    plain = bytes.get<uint32_t>(12);
    header = 24;
    break;
  case 3:
    total = bytes.get<uint64_t>(8);
    plain = bytes.get<uint64_t>(16);
    header = 32;
    break;
  default:
    invalid(std::format("a compressed bundle of unknown version {}", version));
  }
  if (method != 1)
    invalid("its compression is not zstd: compile with --offload-compress of clang 19 or newer");
  if (plain > largest_image || total < header)
    invalid("its sizes make no sense");
  auto frame = bytes.part(header, total - header);
  // Before there is memory for so much: a frame tells its size too, unless it was written as a stream.
  const unsigned long long told = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (told != ZSTD_CONTENTSIZE_UNKNOWN && told != plain)
    invalid("its sizes contradict each other");
  std::vector<std::byte> result(plain);
  size_t size = ZSTD_decompress(result.data(), result.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) || size != plain)
    invalid("it does not decompress");
  return result;
}

/// Gives `visit` the target and the place of each entry of a bundle, until it returns true; whether it did.
template <class Visit> bool visit_bundle(const Bytes &bytes, Visit &&visit) {
  size_t at = bundle_magic.size();
  auto count = bytes.get<uint64_t>(at);
  at += 8;
  for (uint64_t i = 0; i < count; ++i) {
    auto offset = bytes.get<uint64_t>(at), size = bytes.get<uint64_t>(at + 8),
         id_size = bytes.get<uint64_t>(at + 16);
    if (id_size > 4096)
      invalid("a target name is too long");
    auto id_bytes = bytes.part(at + 24, id_size);
    std::string_view id(reinterpret_cast<const char *>(id_bytes.data()), id_bytes.size());
    at += 24 + size_t(id_size);
    if (visit(id, offset, size))
      return true;
  }
  return false;
}

std::span<const std::byte> find_in_bundle(const Bytes &bytes) {
  std::span<const std::byte> found;
  const bool has_ours =
      visit_bundle(bytes, [&](std::string_view id, uint64_t offset, uint64_t size) {
        if (!id.starts_with(our_target))
          return false;
        found = bytes.part(offset, size);
        return true;
      });
  if (has_ours)
    return found;
  std::string seen;
  visit_bundle(bytes, [&](std::string_view id, uint64_t, uint64_t) {
    seen += std::format(" {}", id);
    return false;
  });
  throw Error(hipErrorNoBinaryForGpu,
              std::format("the device code is for{}; compile it with libCHIP's hipcc", seen));
}

// Nothing in SPIR-V tells how long a module is: only a file has an end.
std::span<const std::byte> bare_spirv(const Bytes &bytes) {
  if (bytes.available() == SIZE_MAX)
    throw Error(
        hipErrorInvalidImage,
        "SPIR-V in memory must come in an offload bundle, which tells its size (hipcc --genco)");
  return bytes.part(0, bytes.available());
}

} // namespace

SpirvInImage find_spirv(const void *image, size_t available) {
  Bytes bytes(image, available);
  SpirvInImage found;
  if (bytes.starts_with(compressed_magic)) {
    found.decompressed = decompress(bytes);
    bytes = Bytes(found.decompressed.data(), found.decompressed.size());
  }
  if (bytes.starts_with(bundle_magic))
    found.spirv = find_in_bundle(bytes);
  else if (spirv::is_module(bytes.part(0, 4)))
    found.spirv = bare_spirv(bytes);
  else
    throw Error(hipErrorInvalidImage,
                "this is no device code: neither an offload bundle nor SPIR-V");
  return found;
}

std::shared_ptr<const CodeObject> load_code_object(std::span<const std::byte> spirv) {
  auto object = std::make_shared<CodeObject>();
  object->spirv.assign(spirv.begin(), spirv.end());
  object->contents = read_contents(object->spirv);
  return object;
}

} // namespace chip
