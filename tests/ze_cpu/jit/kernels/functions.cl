#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

__attribute__((noinline)) int collatz(int n, int depth) {
  if (n == 1)
    return depth;
  return n & 1 ? collatz(3 * n + 1, depth + 1) : collatz(n / 2, depth + 1);
}

// Two calls of itself: no loop can replace it. It asks where it is.
__attribute__((noinline)) ulong fibonacci(int n) {
  if (n < 2)
    return n + (get_local_id(0) >= get_local_size(0));
  return fibonacci(n - 1) + fibonacci(n - 2);
}

kernel void recursion(global int *out, int limit) {
  int i = get_global_id(0);
  out[i * 2] = collatz(i + 1, 0);
  out[i * 2 + 1] = (int)fibonacci(i % limit);
}

__attribute__((noinline)) int tree_sum(local int *data, int first, int count) {
  if (count == 1)
    return data[first];
  int half_count = count / 2;
  int left = tree_sum(data, first, half_count);
  barrier(CLK_LOCAL_MEM_FENCE); // reached equally often by all
  return left + tree_sum(data, first + half_count, half_count);
}

kernel void barrier_in_recursion(global int *out) {
  local int data[16];
  int i = get_local_id(0);
  data[i] = i + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tree_sum(data, 0, 16);
}

int twice(int x) { return 2 * x; }
int plus_lane(int x) { return x + (int)get_local_id(0); }
int negate(int x) { return -x; }

kernel void choose(global int *out, global const int *which) {
  int i = get_global_id(0);
  int (*f)(int) = which[i] == 0 ? twice : which[i] == 1 ? plus_lane : negate;
  out[i] = f(i);
}

__attribute__((noinline)) int meet(int x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return x + sub_group_broadcast(x, 3);
}
__attribute__((noinline)) int meet_and_double(int x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return 2 * (x + sub_group_broadcast(x, 3));
}

kernel void barrier_through_pointer(global int *out, int which) {
  int (*f)(int) = which ? meet_and_double : meet;
  out[get_global_id(0)] = f((int)get_local_id(0));
}

kernel void store_address(global ulong *out, int which) {
  int (*f)(int) = which ? twice : negate;
  out[0] = (ulong)f;
}

kernel void call_address(global int *out, ulong address) {
  int (*f)(int) = (int (*)(int))address;
  out[get_global_id(0)] = f(21);
}

kernel void endless_recursion(global int *out, int n) {
  // Deeper than any stack.
  out[0] = collatz(n, 0) + (int)fibonacci(n);
}

__attribute__((noinline)) int deep(int n, global int *out) {
  if (n == 0)
    return 1;
  int scratch[64];
  for (int i = 0; i < 64; ++i)
    scratch[i] = n + i;
  int below = deep(n - 1, out);
  out[n & 63] = scratch[below & 63];
  return below + scratch[n & 63];
}
kernel void overflow(global int *out, int n) { out[0] = deep(n, out); }

// Where private vectors lie: on a fiber's stack, and on one of the thread's for unbounded depth.
kernel void private_in_fiber(global ulong *addresses) {
  int4 mine = (int4)(get_local_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  addresses[get_global_id(0)] = (ulong)&mine;
}
kernel void private_beside_recursion(global ulong *addresses, int n) {
  int4 mine = (int4)((int)fibonacci(n));
  addresses[get_global_id(0)] = (ulong)&mine;
}
