#include <cstdio>

int one();
int two();

int main() {
  std::puts(one() == 1 && two() == 2 ? "ok" : "wrong");
  return 0;
}
