// The collector that INTEL_LIBITTNOTIFY64 names, such as VTune's.
#pragma once

#include "itt_interface.h"

#include <cstdint>

namespace chip::itt {

/// Loads the collector, once. False: there is none, or it cannot be used.
bool has_collector() noexcept;

// With a collector only. What it does not have does nothing.

Domain *make_domain(const char *name);
/// The handle of a text, the same for each call with it. Null if there is no memory.
StringHandle *handle_of(const char *text) noexcept;

/// Begins a task of the calling thread, within those that it has begun. False: the collector does not want it.
bool begin_task(const Domain *domain, StringHandle *name);
void end_task(const Domain *domain);
/// A task that any thread may end, by its number.
void begin_overlapped_task(const Domain *domain, uint64_t number, StringHandle *name);
void end_overlapped_task(const Domain *domain, uint64_t number);
void mark(const Domain *domain, StringHandle *name);

} // namespace chip::itt
