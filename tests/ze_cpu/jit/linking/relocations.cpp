// How code refers to addresses, on each processor that code is linked for, whatever this one is.
#include "program/processor/relocations.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <tuple>
#include <utility>

namespace {

using ze_cpu::Relocation;

constexpr const char *too_far = "code is too far from what it refers to";
constexpr uint64_t near = 0x7f00'1234'5678, far = 0x5500'0000'1230;

struct Result {
  std::string error;
  uint32_t instruction;
};

Result relocated(const Relocation &relocation, uint32_t instruction) {
  std::byte bytes[sizeof instruction];
  std::memcpy(bytes, &instruction, sizeof bytes);
  std::string error = ze_cpu::relocate(EM_AARCH64, relocation, bytes, sizeof bytes);
  std::memcpy(&instruction, bytes, sizeof bytes);
  return {std::move(error), instruction};
}

int64_t signed_field(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

// Where bl and b go.
uint64_t branch_target(uint32_t instruction, uint64_t place) {
  return place + static_cast<uint64_t>(signed_field(instruction & 0x3ff'ffff, 26) * 4);
}

// What adrp computes.
uint64_t page(uint32_t instruction, uint64_t place) {
  const uint64_t pages = (instruction >> 5 & 0x7'ffff) << 2 | (instruction >> 29 & 3);
  return (place & ~uint64_t(0xfff)) + static_cast<uint64_t>(signed_field(pages, 21) * 4096);
}

// What add, ldr and str add.
uint64_t offset(uint32_t instruction, unsigned shift) {
  return uint64_t(instruction >> 10 & 0xfff) << shift;
}

TEST_CASE("ze_cpu: objects: calls of AArch64 go to a symbol or, where they cannot reach it, to its "
          "stub") {
  constexpr uint32_t bl = 0x9400'0000, b = 0x1400'0000, dirt = 0x2a5'5aa5;
  const uint64_t stub = near + 0x1'0000;
  for (const auto &[kind, instruction] :
       {std::pair(R_AARCH64_CALL26, bl), std::pair(R_AARCH64_JUMP26, b)}) {
    const auto target = [&](uint64_t symbol, uint64_t addend) {
      const Result result = relocated({.kind = uint32_t(kind),
                                       .place = near,
                                       .symbol = symbol,
                                       .addend = addend,
                                       .table = 0,
                                       .entry = 0,
                                       .stub = stub},
                                      instruction | dirt);
      CHECK(result.error.empty());
      CHECK((result.instruction & 0xfc00'0000) == instruction);
      return branch_target(result.instruction, near);
    };
    constexpr uint64_t reach = uint64_t(1) << 27;
    CHECK(target(near + 0x100, 8) == near + 0x108);
    CHECK(target(near - 0x100, 0) == near - 0x100);
    CHECK(target(near + reach - 4, 0) == near + reach - 4);
    CHECK(target(near - reach, 0) == near - reach);
    CHECK(target(near + reach, 0) == stub);
    CHECK(target(near - reach - 4, 0) == stub);
    CHECK(target(far, 0) == stub);
  }
}

TEST_CASE("ze_cpu: objects: a stub of AArch64 has the address that it goes on at") {
  std::byte stub[16];
  REQUIRE(ze_cpu::stub_bytes(EM_AARCH64) == sizeof stub);
  ze_cpu::write_stub(EM_AARCH64, stub, far);
  uint32_t load, jump;
  uint64_t address;
  std::memcpy(&load, stub, 4);
  std::memcpy(&jump, stub + 4, 4);
  std::memcpy(&address, stub + 8, 8);
  // ldr x16 of what is two instructions from it, br x16.
  CHECK((load & 0xff00'001f) == (0x5800'0000 | 16));
  CHECK((load >> 5 & 0x7'ffff) * 4 == 8);
  CHECK(jump == (0xd61f'0000 | 16 << 5));
  CHECK(address == far);
  CHECK(ze_cpu::stub_bytes(EM_X86_64) == 0);
}

TEST_CASE("ze_cpu: objects: addresses of AArch64 are those of a page and of what is in it") {
  constexpr uint32_t adrp = 0x9000'0001, add = 0x9100'0021, dirt_of_adrp = 0x60ff'ff00;
  const Relocation to_symbol = {.kind = R_AARCH64_ADR_PREL_PG_HI21,
                                .place = near,
                                .symbol = near + 0x123'4560,
                                .addend = 0x10,
                                .table = near + 0x8000,
                                .entry = near + 0x8ff0,
                                .stub = 0};
  const auto with = [&](uint32_t kind, uint64_t symbol) {
    Relocation relocation = to_symbol;
    relocation.kind = kind;
    relocation.symbol = symbol;
    return relocation;
  };
  constexpr uint64_t reach = uint64_t(1) << 32;
  for (const uint64_t symbol :
       {to_symbol.symbol, near - 0x123'4560, near + reach / 2, near - reach / 2}) {
    const Result high = relocated(with(R_AARCH64_ADR_PREL_PG_HI21, symbol), adrp | dirt_of_adrp),
                 low = relocated(with(R_AARCH64_ADD_ABS_LO12_NC, symbol), add | 0xfff << 10);
    CHECK(high.error.empty());
    CHECK(low.error.empty());
    CHECK((high.instruction & 0x9f00'001f) == adrp);
    CHECK((low.instruction & 0xffc0'03ff) == add);
    CHECK(page(high.instruction, near) + offset(low.instruction, 0) == symbol + 0x10);
  }
  CHECK(relocated(with(R_AARCH64_ADR_PREL_PG_HI21, near + reach), adrp).error == too_far);
  CHECK(relocated(with(R_AARCH64_ADR_PREL_PG_HI21, near - reach - 0x1000), adrp).error == too_far);
  unsigned shift = 0;
  for (const uint32_t kind :
       {R_AARCH64_LDST8_ABS_LO12_NC, R_AARCH64_LDST16_ABS_LO12_NC, R_AARCH64_LDST32_ABS_LO12_NC,
        R_AARCH64_LDST64_ABS_LO12_NC, R_AARCH64_LDST128_ABS_LO12_NC}) {
    const Result low = relocated(with(kind, 0x7f00'0000'0ab0), 0x3d40'0000 | 0xfff << 10);
    CHECK((low.instruction & 0xffc0'03ff) == 0x3d40'0000);
    CHECK(offset(low.instruction, shift++) == 0xac0);
  }
  // The address of a symbol that is far is read from the table.
  const Result high = relocated(with(R_AARCH64_ADR_GOT_PAGE, far), adrp),
               low = relocated(with(R_AARCH64_LD64_GOT_LO12_NC, far), 0xf940'0021);
  CHECK(page(high.instruction, near) + offset(low.instruction, 3) == to_symbol.entry);
}

TEST_CASE("ze_cpu: objects: words of relocations end within their sections, and kinds that are "
          "unknown are named") {
  for (const auto &[machine, kind, bytes] :
       {std::tuple(EM_X86_64, R_X86_64_64, 8), std::tuple(EM_AARCH64, R_AARCH64_ABS64, 8),
        std::tuple(EM_AARCH64, R_AARCH64_PREL32, 4), std::tuple(EM_AARCH64, R_AARCH64_CALL26, 4)}) {
    const Relocation relocation = {.kind = uint32_t(kind),
                                   .place = near,
                                   .symbol = near + 0x40,
                                   .addend = 4,
                                   .table = 0,
                                   .entry = 0,
                                   .stub = near};
    std::byte memory[8] = {};
    const auto room = static_cast<size_t>(bytes);
    CHECK(ze_cpu::relocate(uint16_t(machine), relocation, memory, room - 1) ==
          "a relocation passes the end of its section");
    CHECK(std::ranges::count(memory, std::byte()) == 8);
    CHECK(ze_cpu::relocate(uint16_t(machine), relocation, memory, room).empty());
    uint64_t word = 0;
    std::memcpy(&word, memory, room);
    if (kind == R_AARCH64_PREL32)
      CHECK(word == 0x44);
    else if (bytes == 8)
      CHECK(word == near + 0x44);
  }
  std::byte memory[8] = {};
  for (const uint16_t machine : {EM_X86_64, EM_AARCH64}) {
    Relocation relocation = {};
    relocation.kind = 999;
    CHECK(ze_cpu::relocate(machine, relocation, memory, sizeof memory) ==
          "a relocation is of kind 999");
  }
  Relocation relocation = {};
  relocation.kind = R_AARCH64_PREL32;
  relocation.symbol = far;
  CHECK(ze_cpu::relocate(EM_AARCH64, relocation, memory, sizeof memory) == too_far);
}

} // namespace
