// AMD's instructions between the lanes of a warp, next to what the host computes of the same lanes.
#include "../device_test.h"

#include <algorithm>
#include <array>
#include <type_traits>

using namespace device_test;

constexpr unsigned lanes = 32, all = ~0u, old_value = 5000;
using Warp = std::array<unsigned, lanes>;

static_assert(__AMDGCN_WAVEFRONT_SIZE == 32 && __AMDGCN_WAVEFRONT_SIZE__ == 32);
static_assert(__builtin_amdgcn_wavefrontsize() == 32);

unsigned value_of(unsigned lane) { return 100 + lane; }

/// Runs an operation in the lanes of a mask; others keep what is there. It gives up to four results.
template <class Operation> __global__ void run(Operation operation, unsigned active, unsigned *out) {
  const unsigned lane = threadIdx.x;
  if (active >> lane & 1)
    operation(100 + lane, lane, [&](unsigned which, unsigned result) { out[which * lanes + lane] = result; });
}
template <class Operation> std::array<Warp, 4> results_of(Operation operation, unsigned active) {
  Array<unsigned> out(4 * lanes);
  run<<<1, lanes>>>(operation, active, out.get());
  wait();
  std::array<Warp, 4> warps;
  for (size_t i = 0; i < 4; ++i)
    std::copy_n(out.get() + i * lanes, lanes, warps[i].begin());
  return warps;
}

/// What the lanes of the mask get if each reads the lane that `from` names, or `outside` where it names none or one that is
/// not active.
template <class From> Warp expected(From from, unsigned active, unsigned outside) {
  Warp warp{};
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (active >> lane & 1) {
      const int source = from(int(lane));
      warp[lane] = source >= 0 && (active >> source & 1) ? value_of(unsigned(source)) : outside;
    }
  return warp;
}

constexpr unsigned masks[] = {all, 0x7fffffff, 0xfffffffe, 0xf0f0a5c3, 0x00010000};

/// One DPP control with several masks of rows and banks, and of active lanes. `from` is -1 where no lane is read.
template <int control, int rows = 15, int banks = 15, class From> void check_dpp(const char *name, From from) {
  const auto operation = [] __device__(unsigned word, unsigned lane, auto give) {
    const int x = int(word), old = int(old_value + lane);
    give(0, unsigned(__builtin_amdgcn_update_dpp(old, x, control, rows, banks, true)));
    give(1, unsigned(__builtin_amdgcn_update_dpp(old, x, control, rows, banks, false)));
    give(2, unsigned(__builtin_amdgcn_mov_dpp(x, control, rows, banks, true)));
    give(3, unsigned(__hip_move_dpp(x, control, rows, banks, true)));
  };
  const auto is_on = [](unsigned lane) { return (rows >> lane / 16 & 1) && (banks >> lane % 16 / 4 & 1); };
  for (unsigned active : masks) {
    Warp zero = expected(from, active, 0), kept = expected(from, active, old_value), moved = zero;
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (active >> lane & 1) {
        if (kept[lane] == old_value)
          kept[lane] += lane;
        if (!is_on(lane)) {
          zero[lane] = kept[lane] = old_value + lane;
          moved[lane] = 0;
        }
      }
    const auto [got_zero, got_kept, got_moved, got_named] = results_of(operation, active);
    check(got_zero == zero, name, __LINE__);
    check(got_kept == kept, name, __LINE__);
    check(got_moved == moved && got_named == moved, name, __LINE__);
  }
}

template <int amount> void check_rows() {
  const auto in_row = [](int lane, int place) { return place < 0 || place > 15 ? -1 : lane / 16 * 16 + place; };
  check_dpp<0x100 + amount>("row_shl", [&](int lane) { return in_row(lane, lane % 16 + amount); });
  check_dpp<0x110 + amount>("row_shr", [&](int lane) { return in_row(lane, lane % 16 - amount); });
  check_dpp<0x120 + amount>("row_ror", [&](int lane) { return in_row(lane, (lane % 16 + 16 - amount) % 16); });
  check_dpp<0x150 + amount>("row_share", [&](int lane) { return in_row(lane, amount); });
  check_dpp<0x160 + amount>("row_xmask", [&](int lane) { return in_row(lane, (lane % 16) ^ amount); });
}

void check_dpp_controls() {
  check_rows<1>();
  check_rows<15>();
  check_dpp<0x150>("row_share", [](int lane) { return lane / 16 * 16; });
  check_dpp<0x160>("row_xmask", [](int lane) { return lane; });
  const auto quad = [](int a, int b, int c, int d) {
    return [=](int lane) { return lane / 4 * 4 + std::array{a, b, c, d}[size_t(lane % 4)]; };
  };
  check_dpp<0xe4>("quad_perm 0, 1, 2, 3", quad(0, 1, 2, 3));
  check_dpp<0x1b>("quad_perm 3, 2, 1, 0", quad(3, 2, 1, 0));
  check_dpp<0xd2>("quad_perm 2, 0, 1, 3", quad(2, 0, 1, 3));
  check_dpp<0x130>("wave_shl", [](int lane) { return lane == 31 ? -1 : lane + 1; });
  check_dpp<0x134>("wave_rol", [](int lane) { return lane == 31 ? 0 : lane + 1; });
  check_dpp<0x138>("wave_shr", [](int lane) { return lane - 1; });
  check_dpp<0x13c>("wave_ror", [](int lane) { return lane == 0 ? 31 : lane - 1; });
  check_dpp<0x140>("row_mirror", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  check_dpp<0x141>("row_half_mirror", [](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
  const auto last_of_row_before = [](int lane) { return lane < 16 ? -1 : 15; };
  check_dpp<0x142>("row_bcast15", last_of_row_before);
  check_dpp<0x142, 0xa>("row_bcast15 of odd rows", last_of_row_before);
  check_dpp<0x143>("row_bcast31", [](int) { return -1; });
  check_dpp<0x143, 0xc>("row_bcast31 of the upper half", [](int) { return -1; });
  check_dpp<0x111, 15, 0x5>("row_shr of even banks", [](int lane) { return lane % 16 == 0 ? -1 : lane - 1; });
  check_dpp<0x140, 1, 0x8>("row_mirror of one bank", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
}

void check_other_types() {
  const auto operation = [] __device__(unsigned x, unsigned lane, auto give) {
    const double moved = __builtin_amdgcn_update_dpp(-1.5, x + 0.25, 0x111, 15, 15, false);
    give(0, moved == (lane % 16 == 0 ? -1.5 : x - 1 + 0.25));
    give(1, __builtin_amdgcn_mov_dpp8(x, 012034567));
  };
  Warp ones;
  ones.fill(1);
  CHECK(results_of(operation, all)[0] == ones);
  const auto place = [](int lane) { return lane / 8 * 8 + std::array{7, 6, 5, 4, 3, 0, 2, 1}[size_t(lane % 8)]; };
  for (unsigned active : masks)
    CHECK(results_of(operation, active)[1] == expected(place, active, 0));
}

template <int pattern, class From> void check_swizzle(const char *name, From from) {
  const auto operation = [] __device__(unsigned x, unsigned, auto give) {
    give(0, unsigned(__builtin_amdgcn_ds_swizzle(int(x), pattern)));
    give(1, __hip_ds_swizzle(x, pattern));
  };
  for (unsigned active : masks) {
    const auto [got, named, _, unused] = results_of(operation, active);
    check(got == expected(from, active, 0) && named == got, name, __LINE__);
  }
}

void check_swizzles() {
  check_swizzle<0x041f>("across 1", [](int lane) { return lane ^ 1; });
  check_swizzle<0x401f>("across 16", [](int lane) { return lane ^ 16; });
  check_swizzle<0x7c1f>("reversed", [](int lane) { return 31 - lane; });
  check_swizzle<0x0018>("the first of eight", [](int lane) { return lane / 8 * 8; });
  check_swizzle<0x00fe>("with bits set", [](int lane) { return (lane & ~1) | 7; });
  check_swizzle<0x801b>("quads reversed", [](int lane) { return lane / 4 * 4 + 3 - lane % 4; });
  check_swizzle<0xc0a0>("turned by 5", [](int lane) { return (lane + 5) % 32; });
  check_swizzle<0xc4a0>("turned back by 5", [](int lane) { return (lane + 27) % 32; });
  check_swizzle<0xc038>("turned by 1 in eights", [](int lane) { return lane / 8 * 8 + (lane + 1) % 8; });
}

void check_others() {
  const auto operation = [] __device__(unsigned word, unsigned lane, auto give) {
    const int x = int(word), shift = 4 * int(lane);
    give(0, unsigned(__builtin_amdgcn_ds_bpermute(7 * shift + 160 + 3, x)));
    give(1, unsigned(__builtin_amdgcn_ds_permute(3 * shift % 96 + 256, x)));
    give(2, unsigned(__builtin_amdgcn_readfirstlane(x)));
    give(3, __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(0xff00ff00u, 1000)));
  };
  for (unsigned active : masks) {
    Warp sent{}, pushed{}, counts{};
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (active >> lane & 1)
        sent[lane * 3 % 24] = value_of(lane); // the highest comes last
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (active >> lane & 1) {
        pushed[lane] = sent[lane];
        counts[lane] = 1000 + unsigned(__builtin_popcount(0xff00ff00u & ((1ull << lane) - 1)));
      }
    const auto got = results_of(operation, active);
    CHECK(got[0] == expected([](int lane) { return (lane * 7 + 40) % 32; }, active, 0));
    CHECK(got[1] == pushed);
    CHECK(got[2] == expected([=](int) { return __builtin_ctz(active); }, active, 0));
    CHECK(got[3] == counts);
  }
  const auto read = [] __device__(unsigned x, unsigned, auto give) {
    give(0, unsigned(__builtin_amdgcn_readlane(int(x), 17)));
    give(1, unsigned(__builtin_amdgcn_readlane(int(x), 32 + 17)));
  };
  const auto got = results_of(read, 0xf0f2a5c3);
  CHECK(got[0] == expected([](int) { return 17; }, 0xf0f2a5c3, 0) && got[1] == got[0]);
}

int main() {
  check_dpp_controls();
  check_other_types();
  check_swizzles();
  check_others();
  return result();
}
