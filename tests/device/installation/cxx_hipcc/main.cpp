#include <cstdio>

extern "C" int in_c(void);
int one();

int main() {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads += 1;
  std::puts(one() == 1 && in_c() == 3 && threads == 2 ? "ok" : "wrong");
  return 0;
}
