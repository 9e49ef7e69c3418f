// The machine-dependent part of fibers: a switch of stacks that keeps the registers a call keeps.
#pragma once

#include <cstddef>

namespace ze_cpu {

/// Stores the current stack pointer to `*save` and continues where `to` was stored (or prepared).
extern "C" void ze_cpu_switch_stack(void **save, void *to);

/// What ze_cpu_switch_stack needs to start `function(argument)` on the stack that ends at `top`
/// (16-byte aligned). `function` must never return.
void *prepare_stack(std::byte *top, void (*function)(void *), void *argument);

} // namespace ze_cpu
