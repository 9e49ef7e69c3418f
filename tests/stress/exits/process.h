// The process that ends.
#pragma once

#include "cases.h"

namespace exits {

/// What a process that may choose its code ends with.
inline constexpr int asked_code = 7;
/// And if it has found something wrong.
inline constexpr int wrong_code = 8;
/// Where it says that it is about to end.
inline constexpr int ending_descriptor = 200;

/// Does what the case says, and ends the process, or returns what main() is to return.
int run_process(const Case &c);

} // namespace exits
