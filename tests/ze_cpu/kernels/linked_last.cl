// Imports from a module that imports itself.
extern int pong(int value);

kernel void play_last(global int *values) {
  const size_t i = get_global_id(0);
  values[i] = 2 * pong(values[i]);
}
