/// clang's builtins for AMD's instructions that move values between the lanes of a warp, by what they mean.
/// Lanes that are not active are never read: where AMD's instruction says what such a lane gives, it gives that.
#pragma once

#include <hip/spirv_detail/warp_sync.h>

namespace chip_device {

/// The value of another lane; 0 if that is not active.
template <typename T> CHIP_DEVICE T value_from_active(T value, unsigned int lane) {
  const bool active = (__activemask() >> lane & 1) != 0;
  const T other = value_from(value, lane);
  return active ? other : T(0);
}

/// The lane that a pattern of AMD's instruction ds_swizzle names: one of the same four, this lane turned by
/// a distance in the bits that a mask leaves, or this lane after masks for and, or, and xor.
CHIP_DEVICE unsigned int swizzled_lane(unsigned int pattern) {
  const unsigned int lane = __lane_id();
  if (pattern >= 0xc000) {
    const unsigned int kept = pattern & 31, distance = pattern >> 5 & 31;
    const unsigned int turned = (pattern & 0x400) != 0 ? lane - distance : lane + distance;
    return (lane & kept) | (turned & ~kept & 31);
  }
  if (pattern >= 0x8000)
    return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
  return ((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
}

constexpr __host__ __device__ bool is_swizzle(int pattern) {
  return pattern >= 0 && (pattern < 0x8100 || (pattern >= 0xc000 && pattern < 0xc800));
}

} // namespace chip_device

/// How many lanes a warp has.
constexpr __host__ __device__ __forceinline__ unsigned int __builtin_amdgcn_wavefrontsize() {
  return chip_device::warp_size;
}

/// `add` and the number of bits of the mask below this lane's. Warps have no upper half.
CHIP_DEVICE unsigned int __builtin_amdgcn_mbcnt_lo(unsigned int mask, unsigned int add) {
  return add + __popc(mask & ((1u << __lane_id()) - 1));
}
CHIP_DEVICE unsigned int __builtin_amdgcn_mbcnt_hi(unsigned int, unsigned int add) { return add; }

/// The value of a lane that is the same for all, taken modulo the size of a warp.
CHIP_DEVICE int __builtin_amdgcn_readlane(int value, int lane) {
  return chip_device::value_from(value, static_cast<unsigned int>(lane) % warpSize);
}
/// The value of the first active lane.
CHIP_DEVICE int __builtin_amdgcn_readfirstlane(int value) {
  return chip_device::value_from(value, static_cast<unsigned int>(__ffsll(__activemask()) - 1));
}

/// The value of the lane at a place given in bytes, four for each lane.
CHIP_DEVICE int __builtin_amdgcn_ds_bpermute(int index, int value) {
  return chip_device::value_from_active(value, static_cast<unsigned int>(index) / 4 % warpSize);
}

/// Sends the value to such a lane. Of several that send to one lane the highest wins; who is sent nothing
/// gets 0.
CHIP_DEVICE int __builtin_amdgcn_ds_permute(int index, int value) {
  // Who sends to this lane, by one bit of the lanes' numbers after the other.
  unsigned int senders = static_cast<unsigned int>(__activemask());
  for (int bit = 0; bit < 5; ++bit) {
    const unsigned int to_set = static_cast<unsigned int>(__ballot(index >> (bit + 2) & 1));
    senders &= (__lane_id() >> bit & 1) != 0 ? to_set : ~to_set;
  }
  const unsigned int last =
      senders == 0 ? 0 : 31 - static_cast<unsigned int>(__clz(static_cast<int>(senders)));
  const int sent = chip_device::value_from(value, last);
  return senders == 0 ? 0 : sent;
}

CHIP_DEVICE int __builtin_amdgcn_ds_swizzle(int value, int pattern) __attribute__((
    diagnose_if(!chip_device::is_swizzle(pattern),
                "of ds_swizzle's patterns masks, quads and rotations work on this platform, "
                "and this is another: use __shfl",
                "error"))) {
  return chip_device::value_from_active(
      value, chip_device::swizzled_lane(static_cast<unsigned int>(pattern)));
}

// Data-parallel primitives (DPP): lanes in rows of 16, each of four banks.

namespace chip_device {

/// The lane that a DPP control names for this one; none, a number above them all, where that is outside of
/// what the control moves values in.
CHIP_DEVICE unsigned int dpp_lane(unsigned int control) {
  const unsigned int none = ~0u, lane = __lane_id(), row = lane & ~15u, place = lane & 15,
                     amount = control & 15;
  if (control < 0x100) // quad_perm
    return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  switch (control & ~15u) {
  case 0x100: // row_shl: towards lower lanes
    return place + amount < 16 ? lane + amount : none;
  case 0x110: // row_shr
    return place >= amount ? lane - amount : none;
  case 0x120: // row_ror
    return row | ((place - amount) & 15);
  case 0x150: // row_share
    return row | amount;
  case 0x160: // row_xmask
    return lane ^ amount;
  }
  switch (control) {
  case 0x130: // wave_shl
    return lane + 1 < warpSize ? lane + 1 : none;
  case 0x134: // wave_rol
    return (lane + 1) % warpSize;
  case 0x138: // wave_shr
    return lane > 0 ? lane - 1 : none;
  case 0x13c: // wave_ror
    return (lane - 1) % warpSize;
  case 0x140: // row_mirror
    return lane ^ 15;
  case 0x141: // row_half_mirror
    return lane ^ 7;
  case 0x142: // row_bcast15: the last lane of the row before
    return row > 0 ? row - 1 : none;
  default: // row_bcast31, of a second half that warps do not have
    return none;
  }
}

constexpr __host__ __device__ bool is_dpp_control(int control) {
  return (control >= 0 && control < 0x100) || (control > 0x100 && control < 0x110) ||
         (control > 0x110 && control < 0x120) || (control > 0x120 && control < 0x130) ||
         control == 0x130 || control == 0x134 || control == 0x138 || control == 0x13c ||
         (control >= 0x140 && control <= 0x143) || (control >= 0x150 && control < 0x170);
}

} // namespace chip_device

#define CHIP_DPP_CONTROL                                                                           \
  __attribute__((diagnose_if(!chip_device::is_dpp_control(control),                                \
                             "AMD's devices have no such DPP control", "error")))

/// The value of the lane that the control names. Where there is none, or it is not active, the result is 0
/// with `zero_outside` and `old` else; so it is `old` in rows and banks that their masks leave out.
template <typename T, typename __Old>
CHIP_DEVICE T __builtin_amdgcn_update_dpp(__Old old, T value, int control, int row_mask,
                                          int bank_mask, bool zero_outside) CHIP_DPP_CONTROL {
  const unsigned int lane = __lane_id(),
                     from = chip_device::dpp_lane(static_cast<unsigned int>(control));
  const bool is_enabled = (row_mask >> lane / 16 & 1) != 0 && (bank_mask >> lane / 4 % 4 & 1) != 0;
  // Asked by all lanes: a vote of those that read would know of no other.
  const unsigned long long active = __activemask();
  const bool is_valid = from < warpSize && (active >> from & 1) != 0;
  const T moved = chip_device::value_from(value, from % warpSize);
  if (is_enabled && is_valid)
    return moved;
  return is_enabled && zero_outside ? T(0) : static_cast<T>(old);
}

/// The same for who has no old value: it is 0.
template <typename T>
CHIP_DEVICE T __builtin_amdgcn_mov_dpp(T value, int control, int row_mask, int bank_mask,
                                       bool zero_outside) CHIP_DPP_CONTROL {
  return __builtin_amdgcn_update_dpp(T(0), value, control, row_mask, bank_mask, zero_outside);
}
#undef CHIP_DPP_CONTROL

/// The value of one of the same eight lanes: three bits of `selectors` for each of them.
template <typename T> CHIP_DEVICE T __builtin_amdgcn_mov_dpp8(T value, unsigned int selectors) {
  const unsigned int lane = __lane_id();
  return chip_device::value_from_active(value, (lane & ~7u) | (selectors >> 3 * (lane & 7) & 7));
}
