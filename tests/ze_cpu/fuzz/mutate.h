// Changes to SPIR-V modules that leave more of them valid than random bytes would: validation stops
// the rest.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace fuzz {

using Words = std::vector<uint32_t>;
using Random = std::mt19937_64;

/// Makes one change. `other` is a module to take instructions from.
void mutate(Words &module, const Words &other, Random &random);

} // namespace fuzz
