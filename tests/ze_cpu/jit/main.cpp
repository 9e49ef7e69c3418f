#include <catch2/catch_session.hpp>
#include <cstdlib>

// Enough threads that work is shared even on a small machine.
int main(int argc, char **argv) {
  setenv("ZE_CPU_THREADS", "4", 0);
  return Catch::Session().run(argc, argv);
}
