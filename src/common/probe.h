// Whether the host can touch memory, without ending the process if it cannot.
#pragma once

#include <cstddef>

namespace common {

/// Whether the calling thread can read, or write, the first and last byte of a range and, of a short one, all pages between; of
/// a long one, whether all is mapped. Nothing is changed. A thread that blocks SIGSEGV must not ask about memory that may not
/// be there, as it must not touch it.
bool is_readable(const void *memory, size_t bytes);
bool is_writable(void *memory, size_t bytes);

} // namespace common
