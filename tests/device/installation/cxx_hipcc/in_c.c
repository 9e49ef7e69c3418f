int in_c(void) {
  int class = 3;
  return class;
}
