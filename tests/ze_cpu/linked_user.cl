// Uses what linked_library.cl exports.
extern int times_factor(int value);
extern global int calls;

kernel void use_library(global int *values) {
  const size_t i = get_global_id(0);
  values[i] = times_factor(values[i]);
  if (i == 0)
    calls += 10;
}
