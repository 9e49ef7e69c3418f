// Synchronisation points: the places in a kernel where a work-item has to meet others.
//
// The compiler front half turns each barrier and each collective operation into one marker call
//
//   i64 zecpu.sync(ptr group, i64 lane, i64 value, i64 parameter, i32 id, i32 operation)
//
// and leaves open how work-items are executed. `value` and the result are the operand's bits,
// widened to 64; wider operands take several markers. `id` tells the points of a program apart and
// orders them: a point that comes first in the program has the lower number. `operation` is a
// packed SyncOperation. A strategy (fibers today) replaces the marker by code of its own.
//
// Calls of functions that contain points are numbered with the points: work-items meet at a point
// only if they came to it by the same calls, as if everything were inlined. So those at different
// depths of a recursion do not.
#pragma once

#include <cstdint>

namespace ze_cpu {

enum class SyncKind : uint8_t {
  barrier,
  reconverge,      // of the sub-group, at the end of a loop body some lanes left early; exchanges
                   // nothing
  shuffle,         // parameter: lane to read from
  shuffle_xor,     // parameter: mask
  shuffle_up,      // parameter: delta
  shuffle_down,    // parameter: delta
  rotate,          // parameter: delta | cluster size << 32
  broadcast,       // parameter: lane (work-group scope: linear local index)
  broadcast_first, // value of the lowest active lane
  ballot,
  any,
  all,
  all_equal,
  elect,
  reduce,         // parameter: cluster size, 0 for the whole scope
  inclusive_scan, //
  exclusive_scan, // parameter: the operation's identity in the operand's type
  turn,           // of the sub-group, in each round of a loop that waits for memory: the others of
                  // the work-group run before it goes on; exchanges nothing
};

/// How reduce and the scans combine two values. Narrow integers arrive extended so that 64-bit
/// arithmetic is right.
enum class Combine : uint8_t {
  none,
  add,
  multiply,
  signed_min,
  signed_max,
  unsigned_min,
  unsigned_max,
  bit_and,
  bit_or,
  bit_xor,
  float_add,
  float_multiply,
  float_min,
  float_max,
  double_add,
  double_multiply,
  double_min,
  double_max,
};

/// Whether lanes that meet get anything from each other.
constexpr bool has_result(SyncKind kind) {
  return kind != SyncKind::barrier && kind != SyncKind::reconverge && kind != SyncKind::turn;
}

/// Who meets. The whole grid only at barriers, and only in a cooperative launch.
enum class SyncScope : uint8_t { sub_group, work_group, grid };

struct SyncOperation {
  SyncKind kind;
  Combine combine = Combine::none;
  SyncScope scope = SyncScope::sub_group;

  constexpr uint32_t packed() const {
    return uint32_t(kind) | uint32_t(combine) << 8 | uint32_t(scope) << 16;
  }
  static constexpr SyncOperation unpack(uint32_t bits) {
    return {SyncKind(bits & 0xff), Combine(bits >> 8 & 0xff), SyncScope(bits >> 16 & 0xff)};
  }
};

/// A call of a function that contains points, kept in the frame of the calling function while it
/// lasts. Generated code writes the members at their offsets.
struct SyncCall {
  const SyncCall *caller; // around it
  uint32_t id;
  uint32_t depth; // calls around it, and itself
};

/// Around the outermost calls.
inline constexpr SyncCall no_call{nullptr, 0, 0};

/// The widest sub-group: lanes of one are a 32-bit mask.
inline constexpr uint32_t max_sub_group_size = 32;

} // namespace ze_cpu
