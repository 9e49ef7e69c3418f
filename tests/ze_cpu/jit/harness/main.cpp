#include <catch2/catch_session.hpp>
#include <cstdlib>

// Enough threads that work is shared even on a small machine; and what is tested is compiled now.
int main(int argc, char **argv) {
  setenv("ZE_CPU_CACHE", "0", 0);
  setenv("ZE_CPU_THREADS", "4", 0);
  return Catch::Session().run(argc, argv);
}
