// Kernel signatures from SPIR-V, and what malformed modules do (src/runtime/spirv_signature).
#include "common/device_contract.h"
#include "runtime/code/spirv_signature.h"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace chip;

namespace {

/// Assembles the few instructions that a signature needs.
class Assembler {
public:
  uint32_t id() { return next_id_++; }
  void op(uint16_t opcode, std::vector<uint32_t> operands) {
    words_.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  static std::vector<uint32_t> text(const char *s) {
    std::vector<uint32_t> words(std::strlen(s) / 4 + 1);
    std::memcpy(words.data(), s, std::strlen(s));
    return words;
  }
  void op_with_text(uint16_t opcode, std::vector<uint32_t> operands, const char *s) {
    for (uint32_t word : text(s))
      operands.push_back(word);
    op(opcode, operands);
  }
  std::vector<std::byte> bytes() const {
    std::vector<uint32_t> all{0x07230203, 0x00010400, 0, next_id_, 0};
    all.insert(all.end(), words_.begin(), words_.end());
    std::vector<std::byte> result(all.size() * 4);
    std::memcpy(result.data(), all.data(), result.size());
    return result;
  }

  uint32_t type_int(uint32_t bits) { return type(21, {bits, 0}); }
  uint32_t type_float(uint32_t bits) { return type(22, {bits}); }
  uint32_t type_vector(uint32_t element, uint32_t count) { return type(23, {element, count}); }
  uint32_t type_array(uint32_t element, uint32_t length_id) {
    return type(28, {element, length_id});
  }
  uint32_t type_struct(std::vector<uint32_t> members) { return type(30, members); }
  uint32_t type_pointer(uint32_t storage, uint32_t pointee) { return type(32, {storage, pointee}); }
  uint32_t constant(uint32_t type, uint32_t value) {
    uint32_t result = id();
    op(43, {type, result, value});
    return result;
  }
  void kernel(const char *name, std::vector<std::pair<uint32_t, uint32_t>> parameters) {
    uint32_t function = id();
    op_with_text(15, {6, function}, name);
    op(54, {1, function, 0, 1});
    for (auto [type, parameter] : parameters)
      op(55, {type, parameter});
  }
  void by_val(uint32_t parameter) { op(71, {parameter, 38, 2}); }

private:
  uint32_t type(uint16_t opcode, std::vector<uint32_t> operands) {
    uint32_t result = id();
    operands.insert(operands.begin(), result);
    op(opcode, operands);
    return result;
  }
  uint32_t next_id_ = 10;
  std::vector<uint32_t> words_;
};

constexpr uint32_t function_storage = 7, global_storage = 5, workgroup_storage = 4;

} // namespace

TEST_CASE("signature: scalars, vectors, pointers and work-group memory are told apart") {
  Assembler a;
  uint32_t i8 = a.type_int(8), i64 = a.type_int(64), f32 = a.type_float(32);
  uint32_t float3 = a.type_vector(f32, 3);
  a.kernel("k", {{i8, a.id()},
                 {i64, a.id()},
                 {float3, a.id()},
                 {a.type_pointer(global_storage, f32), a.id()},
                 {a.type_pointer(workgroup_storage, i8), a.id()}});
  auto signature = read_contents(a.bytes()).signatures.at("k");
  REQUIRE(signature.size() == 5);
  REQUIRE(signature[0].bytes == 1);
  REQUIRE(signature[1].bytes == 8);
  REQUIRE(signature[2].bytes == 16);
  REQUIRE(signature[2].alignment == 16);
  REQUIRE(signature[3].kind == ParameterKind::pointer);
  REQUIRE(signature[4].kind == ParameterKind::local);
}

TEST_CASE("signature: structs by value have their size and alignment, padded and packed") {
  Assembler a;
  uint32_t i8 = a.type_int(8), i32 = a.type_int(32), f64 = a.type_float(64);
  uint32_t five = a.constant(i32, 5);
  uint32_t padded = a.type_struct({i8, f64, a.type_array(i32, five)});
  uint32_t packed = a.type_struct({i8, f64});
  a.op(71, {packed, 10});
  uint32_t first = a.id(), second = a.id();
  a.by_val(first);
  a.by_val(second);
  a.kernel("k", {{a.type_pointer(function_storage, padded), first},
                 {a.type_pointer(function_storage, packed), second}});
  auto signature = read_contents(a.bytes()).signatures.at("k");
  REQUIRE(signature[0].kind == ParameterKind::value);
  REQUIRE(signature[0].bytes == 40);
  REQUIRE(signature[0].alignment == 8);
  REQUIRE(signature[1].bytes == 9);
}

TEST_CASE("signature: a spilled parameter tells its size by its name") {
  Assembler a;
  uint32_t i8 = a.type_int(8), parameter = a.id();
  const uint32_t second = a.id(), old = a.id();
  a.op_with_text(5, {parameter}, "chip.spilled.130048.");
  a.op_with_text(5, {second}, "chip.spilled.130048.1");
  a.op_with_text(5, {old}, "chip.spilled.130048"); // Of programs that an earlier version compiled.
  const uint32_t pointer = a.type_pointer(global_storage, i8);
  a.kernel("k", {{pointer, parameter}, {pointer, second}, {pointer, old}});
  const auto signature = read_contents(a.bytes()).signatures.at("k");
  for (int i = 0; i < 3; ++i) {
    REQUIRE(signature[size_t(i)].kind == ParameterKind::spilled);
    REQUIRE(signature[size_t(i)].bytes == 130048);
  }
}

TEST_CASE("signature: work-group memory that a kernel aligns tells by its name what that takes") {
  Assembler a;
  uint32_t i8 = a.type_int(8), aligned = a.id(), plain = a.id();
  a.op_with_text(5, {aligned}, "chip.dynamic_shared.896");
  a.op_with_text(5, {plain}, "chip.dynamic_shared");
  a.kernel("aligned", {{a.type_pointer(workgroup_storage, i8), aligned}});
  a.kernel("plain", {{a.type_pointer(workgroup_storage, i8), plain}});
  const auto signatures = read_contents(a.bytes()).signatures;
  REQUIRE(signatures.at("aligned")[0].kind == ParameterKind::local);
  REQUIRE(signatures.at("aligned")[0].bytes == 896);
  REQUIRE(signatures.at("plain")[0].bytes == 0);
}

TEST_CASE("signature: several kernels are read, and one without parameters") {
  Assembler a;
  uint32_t i32 = a.type_int(32);
  a.kernel("first", {{i32, a.id()}});
  a.kernel("second", {});
  auto signatures = read_contents(a.bytes()).signatures;
  REQUIRE(signatures.size() == 2);
  REQUIRE(signatures.at("second").empty());
}

TEST_CASE("signature: only a module that relies on the device contract needs its version") {
  const auto code = [](const Assembler &a) {
    try {
      read_contents(a.bytes());
      return hipSuccess;
    } catch (const Error &error) {
      return error.code();
    }
  };
  Assembler foreign;
  foreign.kernel("k", {});
  REQUIRE(code(foreign) == hipSuccess);
  Assembler ours = foreign;
  ours.kernel(device_contract::init_kernel, {});
  REQUIRE(code(ours) == hipErrorNoBinaryForGpu);
  const std::string version =
      std::string(device_contract::version_prefix) + std::to_string(device_contract::version);
  ours.op_with_text(330, {}, version.c_str());
  REQUIRE(code(ours) == hipSuccess);
  foreign.op_with_text(330, {}, (version + "0").c_str());
  REQUIRE(code(foreign) == hipErrorNoBinaryForGpu);
}

TEST_CASE("signature: malformed modules are refused") {
  REQUIRE_THROWS_AS(read_contents({}), Error);
  std::vector<std::byte> three(3), zeros(20);
  REQUIRE_THROWS_AS(read_contents(three), Error);
  REQUIRE_THROWS_AS(read_contents(zeros), Error);
  Assembler endless_struct;
  uint32_t id = endless_struct.id();
  endless_struct.op(30, {id, id}); // contains itself
  uint32_t parameter = endless_struct.id();
  endless_struct.by_val(parameter);
  endless_struct.kernel("k", {{endless_struct.type_pointer(function_storage, id), parameter}});
  REQUIRE_THROWS_AS(read_contents(endless_struct.bytes()), Error);
  Assembler no_type;
  no_type.kernel("k", {{4242, no_type.id()}});
  REQUIRE_THROWS_AS(read_contents(no_type.bytes()), Error);
  Assembler bad_spill;
  uint32_t spilled = bad_spill.id();
  bad_spill.op_with_text(5, {spilled}, "chip.spilled.many");
  bad_spill.kernel("k", {{bad_spill.type_pointer(global_storage, bad_spill.type_int(8)), spilled}});
  REQUIRE_THROWS_AS(read_contents(bad_spill.bytes()), Error);
}

TEST_CASE("signature: truncated and mutated modules never read past their end") {
  Assembler a;
  uint32_t i8 = a.type_int(8), f64 = a.type_float(64), parameter = a.id();
  uint32_t s = a.type_struct({i8, f64, a.type_vector(f64, 4)});
  a.by_val(parameter);
  a.kernel("some_kernel", {{a.type_pointer(function_storage, s), parameter}});
  auto bytes = a.bytes();
  int refused = 0, read = 0;
  auto attempt = [&](std::span<const std::byte> part) {
    try {
      read_contents(part);
      ++read;
    } catch (const Error &error) {
      REQUIRE(error.code() == hipErrorInvalidImage);
      ++refused;
    }
  };
  for (size_t size = 0; size < bytes.size(); ++size)
    attempt(std::vector<std::byte>(bytes.begin(), bytes.begin() + ptrdiff_t(size)));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    auto mutated = bytes;
    for (int j = 0; j < 3; ++j)
      mutated[random() % mutated.size()] = std::byte(random());
    attempt(mutated);
  }
  REQUIRE(refused > 0);
  REQUIRE(read > 0);
}
