// Contexts of the driver interface: what hipCtx_t stands for. All contexts of a device, the primary one included, are the device
// itself. Each thread has a stack of them, whose top is its current device.
#pragma once

#include "device.h"

namespace chip {

inline hipCtx_t context_of(Device &device) { return reinterpret_cast<hipCtx_t>(&device); }
/// Throws hipErrorInvalidContext for what is no context; `argument` is its name in HIP.
Device &find_context(hipCtx_t context, const char *argument = "ctx");

/// Makes the device the calling thread's current one, with what was current below it.
void push_context(Device &device);
/// Makes current what is below, and returns what was current. Throws hipErrorInvalidContext if nothing was pushed.
Device &pop_context();
/// Puts the device in the place of what is current; pushes it if nothing was pushed.
void replace_context(Device &device);
/// Whether the calling thread has pushed what it has not popped.
bool has_pushed_context();

/// The program's references to the primary context say that it is in use; it stays without them.
void retain_primary_context(Device &device);
void release_primary_context(Device &device);
/// Whether there are references, or the program has memory or has had streams on the device.
bool is_primary_context_active(const Device &device);

} // namespace chip
