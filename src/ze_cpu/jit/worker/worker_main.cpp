// ze_cpu_compiler LIBRARY: the process that program/worker.h is about, started by the library that it then
// loads. Of no use by hand.
#include "../../program/worker.h"

#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv) {
  // What is left is nobody's child, and nobody who waits for children finds it.
  if (argc != 2 || fork() != 0)
    _exit(0);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void *serve = library ? dlsym(library, ze_cpu::worker_entry) : nullptr;
  if (serve)
    reinterpret_cast<void (*)()>(serve)();
  else if (const char *why = dlerror()) {
    (void)!write(ze_cpu::worker_connection, &ze_cpu::worker_died, sizeof ze_cpu::worker_died);
    (void)!write(ze_cpu::worker_connection, why, std::strlen(why));
  }
  _exit(0);
}
