// What clang's start-up code calls to make a program's device code known. None of it may fail loudly: it runs before main.
#include "../runtime/code/program.h"
#include "entry.h"

#include <hip/api/registration.h>

#include <tuple>

using namespace chip;
using chip::hip::entry;

void **__hipRegisterFatBinary(const void *wrapper) {
  FatBinary *binary = nullptr;
  std::ignore = entry([&] { binary = register_fat_binary(wrapper); });
  return reinterpret_cast<void **>(binary);
}

void __hipUnregisterFatBinary(void **bundle) {
  if (Platform::is_exiting())
    return; // it goes with the process, which is not to wait for work that uses it
  std::ignore = entry([&] { unregister_fat_binary(reinterpret_cast<FatBinary *>(bundle)); });
}

int __hipRegisterFunction(void **bundle, const void *host_function, char *, const char *device_name,
                          unsigned int, void *, void *, dim3 *, dim3 *, int *) {
  return entry([&] {
    register_function(reinterpret_cast<FatBinary *>(bundle), host_function, device_name);
  });
}

void __hipRegisterVar(void **bundle, void *host_variable, char *, char *device_name, int,
                      size_t size, int constant, int) {
  std::ignore = entry([&] {
    register_variable(reinterpret_cast<FatBinary *>(bundle), host_variable, device_name, size,
                      constant != 0);
  });
}

void __hipRegisterManagedVar(void *bundle, void **pointer, void *initial, const char *name,
                             size_t size, unsigned int alignment) {
  std::ignore = entry([&] {
    register_managed_variable(static_cast<FatBinary *>(bundle), pointer, initial, name, size,
                              alignment);
  });
}

void __hipRegisterTexture(void **bundle, void *host_variable, char *, char *device_name, int, int,
                          int) {
  std::ignore = entry(
      [&] { register_texture(reinterpret_cast<FatBinary *>(bundle), host_variable, device_name); });
}

// Surface references cannot be bound to anything in HIP; programs that have some still start.
void __hipRegisterSurface(void **, void *, char *, char *, int, int) {}
