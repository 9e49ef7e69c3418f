// Uses what linked_library.cl exports.
extern int times_factor(int value);
extern int sum_backwards(local int *row, int value);
extern global int calls;

kernel void use_library(global int *values) {
  const size_t i = get_global_id(0);
  values[i] = times_factor(values[i]);
  if (i == 0)
    calls += 10;
}

kernel void sum_rows(global int *values, local int *row) {
  const size_t i = get_global_id(0);
  for (int round = 0; round < 2; ++round) {
    values[i] = sum_backwards(row, values[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
