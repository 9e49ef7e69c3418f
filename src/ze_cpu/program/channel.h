// Bytes between a program and the process that compiles for it (worker.h), over a socket.
#pragma once

#include <cstddef>

namespace ze_cpu {

/// False if the other end is gone. Both may be called in signal handlers; no signal comes of them.
bool send_all(int connection, const void *data, size_t size);
bool receive_all(int connection, void *data, size_t size);

} // namespace ze_cpu
