// What tells this compiler from others.
#pragma once

#include "../../program/compiler.h"

namespace ze_cpu {

/// This library, LLVM and the translator, and the processor that code is made for.
const Compiler &this_compiler();

} // namespace ze_cpu
