// Operations on sub-groups behind a branch that only some work-items take, moved to where all of them come: lane_exchange.h can
// replace them there only.
//
//     if (c) { a; op; b; }     becomes     if (c) a;   op;   if (c) b;
//
// The values that `a` makes are undefined for those who did not take the branch, and of those `op` makes nothing for the others:
// votes count them as if they had none. That is done where what stands behind the branch comes to the operation once, whatever
// happens between the two: not in loops behind it. Of branches behind each other one is left at a time. Whether all come in the
// end, a branch that leaves a loop for instance, is for uniformity.h to say.
#pragma once

#include "lane_exchange.h"

namespace ze_opencl {

/// The module with one more branch of each kernel left behind; nothing if there is none. Throws spirv::Malformed.
std::optional<std::vector<uint32_t>> with_hoisted(std::span<const uint32_t> words,
                                                  std::span<const ParsedInstruction> module,
                                                  const LaneExchange &exchange);

} // namespace ze_opencl
