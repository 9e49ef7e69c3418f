// What the programs with planted faults have in common.
#pragma once

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

inline void check(hipError_t error) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(error));
  std::exit(3);
}

template <class T> T *device_memory(int count) {
  void *memory = nullptr;
  check(hipMalloc(&memory, count * sizeof(T)));
  return static_cast<T *>(memory);
}

template <class T> T *zeroes(int count) {
  T *const memory = device_memory<T>(count);
  check(hipMemset(memory, 0, count * sizeof(T)));
  return memory;
}

using Cases = std::map<std::string, std::function<void()>>;

/// Runs the case that the program's argument names, without one prints what there are; then frees the memory.
inline int run(const Cases &cases, int count, char **arguments,
               std::initializer_list<void *> memory) {
  if (count != 2) {
    for (const auto &[name, launch] : cases)
      std::puts(name.c_str());
    return 0;
  }
  const auto found = cases.find(arguments[1]);
  if (found == cases.end())
    return 2;
  found->second();
  check(hipGetLastError());
  check(hipDeviceSynchronize());
  for (void *block : memory)
    check(hipFree(block));
  return 0;
}
