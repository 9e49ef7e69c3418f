#include "blas_library.h"

#include <cstdio>
#include <dlfcn.h>

namespace hipblas {

namespace {

/// Opens a library that has a function. It is never closed: work may be queued to the end of the process.
void *open_library(const char *file, const char *function, const char *advice) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library && dlsym(library, function))
    return library;
  std::fprintf(stderr, "%s: %s cannot be used (%s): %s\n", library_name, file,
               library ? function : dlerror(), advice);
  return nullptr;
}

void *blas_library() {
  static void *const library = open_library(
      "libblas.so.3", "sgemm_",
      "kernels do its work, which is slower; install libopenblas0-pthread or libblis4-pthread");
  return library;
}

void *lapack_library() {
  static void *const library =
      open_library("liblapack.so.3", "sgetrf_",
                   "factorisations are not supported; install libopenblas0-pthread or liblapack3");
  return library;
}

void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) // Each BLAS has all that are asked for.
    std::fprintf(stderr, "%s: the system's BLAS lacks %s: install libopenblas0-pthread\n",
                 library_name, name);
  return function;
}

} // namespace

bool has_blas() { return blas_library() != nullptr; }
bool has_lapack() { return lapack_library() != nullptr; }
void *find_in_blas(const char *name) { return find(blas_library(), name); }
void *find_in_lapack(const char *name) { return find(lapack_library(), name); }

} // namespace hipblas
