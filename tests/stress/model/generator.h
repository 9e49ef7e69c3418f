// Random programs.
#pragma once

#include "program.h"

namespace model {

/// The same program for the same seed. Each program leans to some kinds of operations and leaves others out, so that
/// combinations come up that an even mix would hardly ever make.
Program generate(uint64_t seed);

} // namespace model
