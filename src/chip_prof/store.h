// The file of format.h as the profiled process writes it.
#pragma once

#include "format.h"

#include <string_view>

namespace chip::prof {

/// What a thread notes its calls in. Threads that have ended leave theirs to later ones.
struct ThreadState {
  Counters *counters;  // for each function
  Event *next, *limit; // where the next event goes; equal: a new block is needed
  BlockHeader *events;
  uint64_t correlation; // of the call of HIP that the thread is in, else of the last one
  uint32_t thread;
  bool events_ended; // the file has no room for more
  ThreadState *next_free;
};

/// The time in ticks, once a thread has had a state.
uint64_t now() noexcept;

/// What the calling thread writes to; null where nothing is to be written.
ThreadState *thread_state() noexcept;

/// Notes an event of the calling thread, or that it was left out.
void add_event(ThreadState &state, const Event &event) noexcept;

/// The number of a name in the file; 0 where it has no room.
uint32_t name_of(std::string_view name) noexcept;

/// Notes work of a device.
void add_work(uint32_t kind, uint32_t device, uint32_t name, const WorkEvent &event,
              bool keeps_event) noexcept;

} // namespace chip::prof
