// Where a work-item is.
kernel void add(global const float *a, global const float *b, global float *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void add_checked(global const int *a, global int *out, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    out[i] = a[i] + 1;
}

// Each work-item writes what it sees to its own place of a grid of any shape.
kernel void describe(global ulong *out) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
         z = get_global_id(2) - get_global_offset(2);
  size_t at = ((z * get_global_size(1) + y) * get_global_size(0) + x) * 20;
  for (uint d = 0; d < 3; ++d) { // a dimension that is not a constant, unless unrolled
    out[at + d] = get_global_id(d);
    out[at + 3 + d] = get_local_id(d);
    out[at + 6 + d] = get_group_id(d);
    out[at + 9 + d] = get_local_size(d);
    out[at + 12 + d] = get_num_groups(d);
  }
  out[at + 15] = get_work_dim();
  out[at + 16] = get_local_linear_id();
  out[at + 17] = get_global_linear_id();
  out[at + 18] = get_global_id(3) * 100 + get_local_size(3) * 10 + get_num_groups(4);
  out[at + 19] = get_enqueued_local_size(0);
}

kernel void dimension_by_value(global ulong *out, uint d) {
  out[get_global_linear_id()] = get_global_id(d) * 10 + get_local_size(d);
}

kernel void nothing(void) {}

kernel void count(global uint *counter) {
  atomic_fetch_add((volatile global atomic_uint *)counter, 1);
}

__attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((intel_reqd_sub_group_size(16)))
kernel void
required(global uint *out, float scalar, char small, local float *scratch, double wide) {
  out[get_local_linear_id()] = get_sub_group_size() + (uint)scalar + (uint)small + (uint)wide;
  scratch[get_local_linear_id()] = 0;
}
