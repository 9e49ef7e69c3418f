// Offload bundles, plain and compressed, whole and damaged (src/runtime/code_object).
#include "common/device_contract.h"
#include "runtime/code/code_object.h"

#include <catch2/catch_test_macros.hpp>

#include <sys/resource.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

using namespace chip;

namespace {

std::vector<char> bundle_file() {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T> void put(std::vector<char> &bytes, T value) {
  auto *begin = reinterpret_cast<const char *>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

std::vector<char> compressed(const std::vector<char> &plain, uint16_t version) {
  std::vector<char> frame(ZSTD_compressBound(plain.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), plain.data(), plain.size(), 3));
  std::vector<char> bytes{'C', 'C', 'O', 'B'};
  put(bytes, version);
  put(bytes, uint16_t(1));
  if (version == 3) {
    put(bytes, uint64_t(32 + frame.size()));
    put(bytes, uint64_t(plain.size()));
  } else if (version == 2) {
    put(bytes, uint32_t(24 + frame.size()));
    put(bytes, uint32_t(plain.size()));
  } else {
    put(bytes, uint32_t(plain.size()));
  }
  put(bytes, uint64_t(0)); // the hash of the contents is not looked at
  bytes.insert(bytes.end(), frame.begin(), frame.end());
  return bytes;
}

hipError_t code_of(const std::vector<char> &bytes) {
  try {
    load_code_object(bytes.data(), bytes.size());
    return hipSuccess;
  } catch (const Error &error) {
    return error.code();
  }
}

} // namespace

TEST_CASE("code object: a bundle holds its kernels") {
  auto bytes = bundle_file();
  auto object = load_code_object(bytes.data(), bytes.size());
  REQUIRE(object->contents.signatures.contains("count"));
  REQUIRE(object->contents.signatures.at("mixed").size() == 4);
  REQUIRE(object->contents.signatures.at("mixed")[2].bytes == 24);
}

TEST_CASE("code object: device code of another contract's version is refused") {
  auto bytes = bundle_file();
  const std::string_view note = device_contract::version_prefix;
  auto found = std::search(bytes.begin(), bytes.end(), note.begin(), note.end());
  REQUIRE(found != bytes.end());
  char &digit = found[ptrdiff_t(note.size())];
  REQUIRE(digit == char('0' + device_contract::version));
  digit = '9';
  REQUIRE(code_of(bytes) == hipErrorNoBinaryForGpu);
  digit = 'x';
  REQUIRE(code_of(bytes) == hipErrorInvalidImage);
}

TEST_CASE("code object: a bundle in memory tells its own size") {
  auto bytes = bundle_file();
  REQUIRE(load_code_object(bytes.data(), SIZE_MAX)->contents.signatures.contains("count"));
}

TEST_CASE("code object: compressed bundles of all versions are read") {
  auto bytes = bundle_file();
  for (uint16_t version : {1, 2, 3})
    REQUIRE(code_of(compressed(bytes, version)) == hipSuccess);
  auto third = compressed(bytes, 3);
  REQUIRE(load_code_object(third.data(), SIZE_MAX)->contents.signatures.contains("count"));
  REQUIRE(code_of(compressed(bytes, 9)) == hipErrorInvalidImage);
}

TEST_CASE("code object: a bundle for other devices only is hipErrorNoBinaryForGpu") {
  auto bytes = bundle_file();
  std::string text(bytes.begin(), bytes.end());
  size_t at = text.find("hip-spirv64");
  REQUIRE(at != std::string::npos);
  std::memcpy(bytes.data() + at, "hip-amdgcn6", 11);
  REQUIRE(code_of(bytes) == hipErrorNoBinaryForGpu);
}

TEST_CASE("code object: bare SPIR-V needs a file's end") {
  auto bytes = bundle_file();
  auto object = load_code_object(bytes.data(), bytes.size());
  REQUIRE(load_code_object(object->spirv.data(), object->spirv.size())
              ->contents.signatures.contains("count"));
  REQUIRE_THROWS_AS(load_code_object(object->spirv.data(), SIZE_MAX), Error);
}

TEST_CASE("code object: a size that the compressed frame contradicts takes no memory") {
  const auto peak_bytes = [] {
    rusage usage{};
    REQUIRE(getrusage(RUSAGE_SELF, &usage) == 0);
    return 1024 * uint64_t(usage.ru_maxrss);
  };
  auto bytes = compressed(bundle_file(), 3);
  const uint64_t claimed = 1 << 30, before = peak_bytes();
  std::memcpy(bytes.data() + 16, &claimed, sizeof claimed);
  REQUIRE(code_of(bytes) == hipErrorInvalidImage);
  REQUIRE(peak_bytes() - before < claimed / 4);
}

TEST_CASE("code object: truncated and mutated bundles are refused, not followed") {
  auto bytes = bundle_file();
  for (size_t size = 0; size < 256; ++size)
    REQUIRE(code_of({bytes.begin(), bytes.begin() + ptrdiff_t(size)}) == hipErrorInvalidImage);
  REQUIRE(code_of({bytes.begin(), bytes.end() - 64}) == hipErrorInvalidImage);
  std::mt19937 random(1);
  auto packed = compressed(bytes, 3);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto mutated = i % 2 ? bytes : packed;
    for (int j = 0; j < 4; ++j)
      mutated[random() % 200] = char(random()); // the headers
    refused += code_of(mutated) != hipSuccess;
  }
  REQUIRE(refused > 0);
}
