// The device code of the program itself: what clang's start-up code registers, found by host addresses.
#pragma once

#include "module.h"

namespace chip {

struct FatBinary; // one __hipRegisterFatBinary

/// Registration only remembers; nothing is built, and Level Zero not initialised, before first use.
FatBinary *register_fat_binary(const void *wrapper);
void register_function(FatBinary *binary, const void *host_function, const char *name);
void register_variable(FatBinary *binary, const void *host_variable, const char *name, size_t bytes,
                       bool constant);
/// A texture reference is a variable, too.
void register_texture(FatBinary *binary, const void *reference, const char *name);
bool is_texture_reference(const void *host_variable);
/// Managed variables are the exception: the program may touch them before any HIP call, so their memory is made here.
void register_managed_variable(FatBinary *binary, void **pointer, const void *initial,
                               const char *name, size_t bytes, unsigned alignment);
void unregister_fat_binary(FatBinary *binary);

/// The kernel that a host function stands for, on a device. Throws hipErrorInvalidDeviceFunction. Takes no lock once known.
Kernel &find_kernel(const void *host_function, Device &device);
/// The variable that a host variable's address stands for, on a device. Throws hipErrorInvalidSymbol.
ze::Variable find_variable(const void *host_variable, Device &device);

/// Drops what was built for the program's own code.
void release_program_modules();

} // namespace chip
