#include "relocations.h"

#include <cstring>

namespace ze_cpu {
namespace {

constexpr const char *passes_end = "a relocation passes the end of its section",
                     *too_far = "code is too far from what it refers to";

std::string unknown(uint32_t kind) { return "a relocation is of kind " + std::to_string(kind); }

template <class Word> std::string put(std::byte *at, size_t room, Word word) {
  if (room < sizeof word)
    return passes_end;
  std::memcpy(at, &word, sizeof word);
  return {};
}

/// Whether a signed number of so many bits can be `distance`.
bool fits(uint64_t distance, unsigned bits) {
  const uint64_t half = uint64_t(1) << (bits - 1);
  return distance + half < 2 * half;
}

// The large code model: addresses of 64 bits, of which functions are called.
std::string relocate_x86_64(const Relocation &r, std::byte *at, size_t room) {
  switch (r.kind) {
  case R_X86_64_64:
    return put(at, room, r.symbol + r.addend);
  case R_X86_64_PC64:
    return put(at, room, r.symbol + r.addend - r.place);
  case R_X86_64_GOTPC64:
    return put(at, room, r.table + r.addend - r.place);
  case R_X86_64_GOTOFF64:
    return put(at, room, r.symbol + r.addend - r.table);
  case R_X86_64_GOT64:
    return put(at, room, r.entry + r.addend - r.table);
  }
  return unknown(r.kind);
}

/// Gives the instruction at `at` the lowest `bits` bits of `value`, from its bit `low` on.
std::string put_field(std::byte *at, size_t room, uint64_t value, unsigned low, unsigned bits) {
  uint32_t instruction = 0;
  if (room < sizeof instruction)
    return passes_end;
  std::memcpy(&instruction, at, sizeof instruction);
  const uint32_t mask = (uint32_t(1) << bits) - 1;
  instruction = (instruction & ~(mask << low)) | (static_cast<uint32_t>(value) & mask) << low;
  return put(at, room, instruction);
}

// The distance of two pages of 4 KiB, whatever pages the system has: two fields of adrp.
std::string put_page(const Relocation &r, uint64_t target, std::byte *at, size_t room) {
  const uint64_t distance = (target & ~uint64_t(0xfff)) - (r.place & ~uint64_t(0xfff));
  if (!fits(distance, 33))
    return too_far;
  std::string error = put_field(at, room, distance >> 12, 29, 2);
  return error.empty() ? put_field(at, room, distance >> 14, 5, 19) : error;
}

// What the low bits of an address select in a page, in units of an access.
std::string put_offset(uint64_t target, unsigned shift, std::byte *at, size_t room) {
  return put_field(at, room, (target & 0xfff) >> shift, 10, 12);
}

// LLVM takes addresses relative to the code also in the large code model, if that is independent of its position: of the same
// object, or of its table. Calls reach 128 MiB.
std::string relocate_aarch64(const Relocation &r, std::byte *at, size_t room) {
  const uint64_t target = r.symbol + r.addend, distance = target - r.place;
  switch (r.kind) {
  case R_AARCH64_ABS64:
    return put(at, room, target);
  case R_AARCH64_PREL64:
    return put(at, room, distance);
  case R_AARCH64_PREL32:
    return fits(distance, 32) ? put(at, room, static_cast<uint32_t>(distance)) : too_far;
  case R_AARCH64_CALL26:
  case R_AARCH64_JUMP26: {
    const uint64_t reached = fits(distance, 28) ? distance : r.stub - r.place;
    return fits(reached, 28) ? put_field(at, room, reached >> 2, 0, 26) : too_far;
  }
  case R_AARCH64_ADR_PREL_PG_HI21:
    return put_page(r, target, at, room);
  case R_AARCH64_ADR_GOT_PAGE:
    return put_page(r, r.entry, at, room);
  case R_AARCH64_LD64_GOT_LO12_NC:
    return put_offset(r.entry, 3, at, room);
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_LDST8_ABS_LO12_NC:
    return put_offset(target, 0, at, room);
  case R_AARCH64_LDST16_ABS_LO12_NC:
    return put_offset(target, 1, at, room);
  case R_AARCH64_LDST32_ABS_LO12_NC:
    return put_offset(target, 2, at, room);
  case R_AARCH64_LDST64_ABS_LO12_NC:
    return put_offset(target, 3, at, room);
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return put_offset(target, 4, at, room);
  }
  return unknown(r.kind);
}

} // namespace

size_t stub_bytes(Elf64_Half machine) { return machine == EM_AARCH64 ? 16 : 0; }

void write_stub(Elf64_Half machine, std::byte *at, uint64_t symbol) {
  if (machine != EM_AARCH64)
    return;
  constexpr uint32_t code[] = {0x58000050,  // ldr x16, what follows the code
                               0xd61f0200}; // br x16
  std::memcpy(at, code, sizeof code);
  std::memcpy(at + sizeof code, &symbol, sizeof symbol);
}

std::string relocate(Elf64_Half machine, const Relocation &relocation, std::byte *at, size_t room) {
  return machine == EM_AARCH64 ? relocate_aarch64(relocation, at, room)
                               : relocate_x86_64(relocation, at, room);
}

} // namespace ze_cpu
