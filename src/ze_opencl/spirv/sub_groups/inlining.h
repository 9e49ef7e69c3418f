// Calls of functions that pass values between lanes, replaced by what they do: only a kernel itself can emulate that
// (lane_exchange.h).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace ze_opencl {

/// The module with calls of `functions`, by their ids, inlined wherever that is possible. As it is if it is not quite valid.
std::vector<uint32_t> with_inlined(std::span<const uint32_t> words,
                                   const std::set<uint32_t> &functions);

} // namespace ze_opencl
