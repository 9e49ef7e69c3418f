/// printf in kernels.
///
/// The format must be a string literal, as must what %s prints: a device prints from a table of
/// strings that the compiler makes. Output appears when the host waits for the kernel.
#pragma once

#include <hip/api/qualifiers.h>

// A name of its own keeps the optimiser from making other calls of the C library of it.
extern "C" __device__ int printf(const char *format, ...) __asm__("__chip_printf");
