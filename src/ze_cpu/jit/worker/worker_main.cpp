// ze_cpu_compiler LIBRARY: the process that worker.h is about, started by the library that it then
// loads. Of no use by hand.
#include "worker.h"

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
  _exit(0);
}
