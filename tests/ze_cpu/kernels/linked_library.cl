// Exports functions and variables; what is static is its own.
global int factor = 3;
global int calls = 0;
static global atomic_int sums = 0;
constant int weights[4] = {1, 10, 100, 1000};

int times_factor(int value) { return value * factor; }

kernel void set_factor(int value) { factor = value; }

// Waits for its whole work-group, and for its sub-group.
int sum_backwards(local int *row, int value) {
  const int items = get_local_size(0), own = get_local_id(0);
  row[own] = value * weights[own % 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int sum = sub_group_reduce_add(row[items - 1 - own]);
  if (own == 0)
    atomic_fetch_add(&sums, 1);
  return sum;
}

kernel void read_sums(global int *result) { *result = atomic_load(&sums); }
