// What the program has not freed when it ends.
#pragma once

namespace chip {

struct Allocation;

/// Frees memory of a program that has ended. A driver that looks for leaks is told, if the program should have freed it.
void free_at_end(const Allocation &allocation) noexcept;

} // namespace chip
