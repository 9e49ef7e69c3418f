// Barriers of the whole grid: SPIR-V's execution scope Device.
void __attribute__((overloadable, convergent)) __spirv_ControlBarrier(int, int, int);

#define DEVICE 1
#define SEQUENTIALLY_CONSISTENT_GLOBAL 0x210
#define grid_barrier() __spirv_ControlBarrier(DEVICE, DEVICE, SEQUENTIALLY_CONSISTENT_GLOBAL)

// Each round, every work-item takes what one of the next group had, and adds one.
kernel void relay(global int *values, int rounds) {
  size_t n = get_global_size(0), i = get_global_id(0);
  for (int round = 0; round < rounds; ++round) {
    int next = values[(i + get_local_size(0) + 1) % n];
    grid_barrier();
    values[i] = next + 1;
    grid_barrier();
  }
}

// What a group has in local and private memory is there after the barrier.
kernel void sum(global const int *in, global int *partial, global int *out, local int *scratch) {
  size_t i = get_local_id(0), n = get_local_size(0);
  int mine[4];
  for (int j = 0; j < 4; ++j)
    mine[j] = in[get_global_id(0)] + j;
  scratch[i] = mine[get_group_id(0) & 3];
  for (size_t step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step)
      scratch[i] += scratch[i + step];
  }
  if (i == 0)
    partial[get_group_id(0)] = scratch[0];
  grid_barrier();
  int total = 0;
  for (size_t group = 0; group < get_num_groups(0); ++group)
    total += partial[group];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = total - scratch[0] + mine[get_group_id(0) & 3];
}

// Whole groups, and some work-items of the others, leave before the barrier.
kernel void leaving(global int *arrived, global int *seen, int groups, int items) {
  if (get_group_id(0) >= groups || get_local_id(0) >= items)
    return;
  atomic_fetch_add((volatile global atomic_int *)arrived, 1);
  grid_barrier();
  seen[get_global_id(0)] = *arrived;
}

kernel void places(global uint *out) {
  size_t index = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
                 get_global_id(0);
  out[index] = 1;
  grid_barrier();
  out[index] += get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2);
  uint lanes = sub_group_reduce_add(1u);
  grid_barrier();
  out[index] += 1000 * lanes;
}

kernel void fault_after_barrier(global int *memory, ulong offset) {
  grid_barrier();
  if (get_group_id(0) == get_num_groups(0) - 1 && get_local_id(0) == 0)
    memory[offset] = 1;
  grid_barrier();
}

// Only a cooperative launch may get there.
kernel void barrier_if(global int *out, int wait) {
  if (wait)
    grid_barrier();
  out[get_global_id(0)] = 1;
}

// A barrier of the grid as programs write it, in an ordinary launch.
kernel void meet_in_memory(volatile global atomic_uint *arrived, global uint *seen, uint groups) {
  if (get_local_id(0) == 0) {
    atomic_fetch_add(arrived, 1);
    uint here;
    do
      here = atomic_load(arrived);
    while (here < groups);
    seen[get_group_id(0)] = here;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// Two sub-groups hand a value to each other, again and again.
kernel void take_turns(local volatile int *places, global int *out, int rounds) {
  volatile local int *turn = places, *value = places + 1;
  const int mine = get_sub_group_id();
  if (get_local_id(0) == 0)
    *turn = *value = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < rounds; ++round) {
    while (*turn != 2 * round + mine)
      ;
    if (get_sub_group_local_id() == 0)
      *value = *value * 3 + mine + 1;
    if (get_sub_group_local_id() == 0)
      *turn = 2 * round + mine + 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = *value;
}

// Each sub-group waits for the one behind it, without any barrier.
kernel void wait_for_later(volatile global atomic_int *done, global int *out) {
  const int mine = get_sub_group_id(), last = get_num_sub_groups() - 1;
  if (get_sub_group_local_id() == 0) {
    if (mine != last)
      while (atomic_load(done + mine + 1) == 0)
        ;
    out[mine] = mine == last ? 1 : out[mine + 1] + 1;
    atomic_store(done + mine, 1);
  }
}

// Whoever has the lock needs its whole sub-group.
kernel void count_with_lock(volatile global atomic_int *lock, global int *count) {
  if (get_sub_group_local_id() == 0) {
    int expected;
    do
      expected = 0;
    while (!atomic_compare_exchange_strong(lock, &expected, 1));
  }
  const int sum = sub_group_reduce_add(1) + sub_group_broadcast(*count, 0);
  if (get_sub_group_local_id() == 0) {
    *count = sum;
    atomic_store(lock, 0);
  }
}

// The second of two sub-groups goes ahead of the first, in a loop that both go through alike.
kernel void wait_ahead(volatile global atomic_int *count, global int *out, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    const int total = sub_group_reduce_add(i + 1);
    if (get_sub_group_id() == 0) {
      while (atomic_load(count) < min(i + 3, rounds))
        ;
    } else if (get_sub_group_local_id() == 0) {
      atomic_store(count, i + 1);
    }
    sum += total + i;
  }
  out[get_global_id(0)] = sum;
}

// The same around a barrier: the second comes to the beginning of the next round.
kernel void wait_for_next_round(volatile global atomic_int *count, global int *out, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (get_sub_group_id() == 1 && get_sub_group_local_id() == 0)
      atomic_store(count, i);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_sub_group_id() == 0)
      while (atomic_load(count) < min(i + 1, rounds - 1))
        ;
    sum = sum * 3 + i;
  }
  out[get_global_id(0)] = sum;
}

// It goes through a branch that all take alike, or into a loop.
kernel void wait_before_branch(volatile global atomic_int *flag, global int *out, int sums) {
  if (get_sub_group_id() == 0)
    while (atomic_load(flag) == 0)
      ;
  int lanes = 1;
  if (sums)
    lanes = sub_group_reduce_add(sums);
  if (get_sub_group_id() == 1 && get_sub_group_local_id() == 0)
    atomic_store(flag, lanes);
  out[get_global_id(0)] = lanes;
}
kernel void wait_before_loop(volatile global atomic_int *flag, global const float *in, global float *out,
                             int count) {
  if (get_sub_group_id() == 0)
    while (atomic_load(flag) == 0)
      ;
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum += in[i] * (in[i] - get_local_id(0));
  out[get_local_id(0)] = sum;
  if (get_sub_group_id() == 1 && get_sub_group_local_id() == 0)
    atomic_store(flag, 1);
}
kernel void wait_before_barriers(volatile global atomic_int *flag, global int *out, int rounds) {
  if (get_sub_group_id() == 0)
    while (atomic_load(flag) == 0)
      ;
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (get_sub_group_id() == 1 && get_sub_group_local_id() == 0)
      atomic_store(flag, 1);
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = sum * 3 + i;
  }
  out[get_global_id(0)] = sum;
}

// It does something else, too, in each round of its waiting.
kernel void work_and_wait(volatile global atomic_int *flag, global int *out) {
  int rounds = 0;
  if (get_sub_group_id() == 0)
    while (sub_group_any(atomic_load(flag) == 0))
      out[get_global_id(0)] = ++rounds;
  else if (sub_group_any(get_sub_group_local_id() == 3))
    atomic_store(flag, 1);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_load(flag);
}

// An ordinary load that one sub-group comes to before the other has written there, and the other after that.
kernel void read_before_and_after(volatile global atomic_int *flags, global int *value, global int *out) {
  if (get_sub_group_id() == 0)
    while (atomic_load(flags) == 0)
      ;
  const int here = *value;
  const int sum = sub_group_reduce_add(here);
  if (get_sub_group_local_id() == 0) {
    if (get_sub_group_id() == 1)
      *value = 5;
    atomic_store(flags + !get_sub_group_id(), 1);
  }
  if (get_sub_group_id() == 1)
    while (atomic_load(flags + 1) == 0)
      ;
  out[get_global_id(0)] = here * 1000 + sum;
}

// Each work-item takes a lock in work-group memory for itself.
kernel void lock_each(local atomic_int *lock, global int *counts, int rounds) {
  local int sum;
  if (get_local_id(0) == 0) {
    atomic_init(lock, 0);
    sum = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; ++i) {
    bool done = false;
    while (!done) {
      int expected = 0;
      if (atomic_compare_exchange_strong(lock, &expected, 1)) {
        counts[get_group_id(0)] += i;
        sum += i;
        atomic_store(lock, 0);
        done = true;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    counts[get_group_id(0)] += sum;
}

// One of them takes it for all, and then each for itself: the fences order who frees it first.
kernel void lock_first_then_each(local atomic_int *lock, global int *counts) {
  if (get_local_id(0) == 0)
    atomic_init(lock, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  const bool is_first = get_sub_group_local_id() == 0;
  if (is_first)
    while (atomic_exchange(lock, 1) != 0)
      ;
  if (sub_group_any(is_first))
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  if (is_first) {
    counts[get_group_id(0)] += 100;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    atomic_store(lock, 0);
  }
  while (atomic_exchange(lock, 1) != 0)
    ;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  counts[get_group_id(0)] += 1;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  atomic_store(lock, 0);
}
