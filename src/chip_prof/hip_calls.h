// What stands behind the gates of libCHIP once thunks are in them (common/tool.h).
#pragma once

#include "../common/tool.h"

#include <atomic>
#include <cstdint>

namespace chip::prof {

// More than libCHIP and the loader export together; functions.py's table is checked against it when the library is loaded.
constexpr uint32_t most_functions = 1600;

/// The function that is to be called for a number, or null.
extern std::atomic<void *> functions[most_functions];

/// Puts the thunks for HIP into the gates. Throws std::bad_alloc; what has been taken until then works.
void take_gates(const chip_tool_interface &attached);

} // namespace chip::prof
