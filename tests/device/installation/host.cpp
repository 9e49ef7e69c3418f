// Loads a library with kernels, unloads it, and loads it again: its variables then have their initial values.
#include <cstdio>
#include <dlfcn.h>

int main(int, char **argv) {
  for (int round = 0; round < 2; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
      std::puts(dlerror());
      return 1;
    }
    auto run = reinterpret_cast<int (*)()>(dlsym(library, "run_plugin"));
    if (!run || run() != 1 || run() != 2)
      return 1;
    dlclose(library);
  }
  std::puts("ok");
}
