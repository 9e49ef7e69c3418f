// Operations of warps on the way out of a loop are made by the threads that leave in the same iteration by the same way; behind the
// loop, all are together again. The host says which threads those are.
#include "device_test.h"

#include <hip/hip_cooperative_groups.h>

#include <array>

using namespace device_test;
namespace cg = cooperative_groups;

constexpr int threads = 112, rounds = 6; // the last warp is not whole
constexpr unsigned nobody = 0xdeadbeef;

/// In which iteration a thread leaves, from 0 to rounds - 1.
__host__ __device__ int turn_of(int thread) { return (thread * 7 + thread / 32) % rounds; }

struct In {
  const int *turn;
  int *count;
};

__device__ unsigned ballot() { return static_cast<unsigned>(__ballot(1)); }
__device__ int self() { return static_cast<int>(threadIdx.x); }
__device__ int turn(In in) { return in.turn[self()]; }

// One exit. Each kernel stores what its threads found.

__global__ void flag(In in, unsigned *out) {
  bool active = true;
  int t = 0;
  while (active) {
    if (turn(in) == t) {
      out[self()] = ballot();
      active = false;
    }
    ++t;
  }
}

__global__ void breaks(In in, unsigned *out) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      out[self()] = ballot();
      break;
    }
}

__global__ void breaks_before_end(In in, unsigned *out) {
  for (int t = 0; t < rounds; ++t)
    if (turn(in) == t) {
      out[self()] = ballot();
      break;
    }
}

__global__ void returns(In in, unsigned *out) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      out[self()] = ballot();
      return;
    }
}

__device__ unsigned found(In in) {
  for (int t = 0; t < rounds; ++t)
    if (turn(in) == t)
      return ballot();
  return nobody;
}
__global__ void returns_from_function(In in, unsigned *out) { out[self()] = found(in); }

__global__ void loops_with_function(In in, unsigned *out) {
  // Whether it is done is known from the way that the function takes.
  auto is_done = [&](int t) {
    if (turn(in) != t)
      return false;
    out[self()] = ballot();
    return true;
  };
  for (int t = 0; !is_done(t); ++t) {
  }
}

__global__ void leaves_do_loop(In in, unsigned *out) {
  int t = 0;
  do {
    if (turn(in) != t++)
      continue;
    out[self()] = ballot();
    break;
  } while (true);
}

__global__ void goes_out(In in, unsigned *out) {
  unsigned peers;
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      peers = ballot();
      goto done;
    }
done:
  out[self()] = peers;
}

__global__ void leaves_from_switch(In in, unsigned *out) {
  for (int t = 0;; ++t)
    switch (turn(in) - t) {
    case 0:
      out[self()] = ballot();
      return;
    case 1:
      break;
    default:
      continue;
    }
}

struct Adds {
  __device__ ~Adds() { *to += 1; }
  unsigned *to;
};
__global__ void destroys(In in, unsigned *out) {
  unsigned loops = 0;
  for (int t = 0;; ++t) {
    const Adds adds{&loops};
    if (turn(in) == t) {
      out[self()] = ballot();
      break;
    }
  }
  if (loops != static_cast<unsigned>(turn(in)) + 1)
    out[self()] = nobody;
}

template <class T> __device__ constexpr T round_of(const T (&numbers)[rounds], T wanted) {
  for (const T &number : numbers)
    if (number == wanted)
      return number;
  return -1;
}
static_assert(round_of({0, 1, 2, 3, 4, 5}, 3) == 3, "the compiler evaluates such loops, too");

__global__ void ranges(In in, unsigned *out) {
  const int numbers[rounds] = {0, 1, 2, 3, 4, 5};
  for (int t : numbers)
    if (t == round_of(numbers, turn(in))) {
      out[self()] = ballot();
      break;
    }
}

__global__ void loops_with_attribute(In in, unsigned *out) {
#pragma unroll
  for (int t = 0; t < rounds; ++t)
    if (turn(in) == t) {
      out[self()] = ballot();
      break;
    }
}

// More than one loop or exit

__global__ void leaves_both(In in, unsigned *out) {
  for (int i = 0;; ++i)
    for (int j = 0; j < 2; ++j)
      if (turn(in) == i * 2 + j) {
        out[self()] = ballot();
        return;
      }
}

__global__ void leaves_both_with_flag(In in, unsigned *out) {
  bool done = false;
  for (int i = 0; !done; ++i)
    for (int j = 0; j < 2 && !done; ++j)
      if (turn(in) == i * 2 + j) {
        out[self()] = ballot();
        done = true;
      }
}

__global__ void goes_out_of_both(In in, unsigned *out) {
  for (int i = 0;; ++i)
    for (int j = 0; j < 2; ++j)
      if (turn(in) == i * 2 + j) {
        out[self()] = ballot();
        goto done;
      }
done:
  if (ballot() != (self() < 96 ? ~0u : 0xffffu))
    out[self()] = nobody;
}

__global__ void leaves_inner(In in, unsigned *out) {
  for (int i = 0; i < 3; ++i) {
    unsigned peers;
    for (int j = 0;; ++j)
      if ((turn(in) + i) % rounds == j) {
        peers = ballot();
        break;
      }
    const unsigned together = ballot();
    if (i == 0)
      out[self()] = peers;
    if (out[self()] != peers || together != (self() < 96 ? ~0u : 0xffffu))
      out[self()] = nobody;
  }
}

__global__ void counts_on_way_out(In in, unsigned *out) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      unsigned peers = ~0u;
      for (int i = 0; i <= self() % 3; ++i) // there, ways part and join
        peers &= ballot() | ~0u * (i != 0);
      if (self() % 2)
        peers &= ballot() | 0x55555555u;
      out[self()] = peers;
      break;
    }
}

__global__ void has_both(In in, unsigned *out) {
  for (int t = 0;; ++t) {
    const unsigned left = ballot();
    if (turn(in) == t) {
      const unsigned peers = ballot();
      out[self()] = (left & peers) == peers ? peers : nobody;
      break;
    }
    if ((left & ballot()) == left && __any(turn(in) == t)) // some have left in between
      out[self()] = nobody;
  }
}

// By parity of the thread as well

__global__ void two_exits(In in, unsigned *out) {
  for (int t = 0;; ++t) {
    if (turn(in) != t)
      continue;
    if (self() % 2) {
      out[self()] = ballot();
      break;
    }
    out[self()] = ballot();
    return;
  }
}

__global__ void break_and_return(In in, unsigned *out) {
  int t = 0;
  while (t < rounds) {
    if (turn(in) == t && self() % 2) {
      out[self()] = ballot();
      return;
    }
    if (turn(in) == t)
      break;
    ++t;
  }
  // Those that broke the loop, whenever.
  out[self()] =
      ballot() == (self() < 96 ? 0x55555555u : 0x5555u) ? in.turn[threads + self()] : nobody;
}

// All together behind a loop

__global__ void behind(In in, unsigned *out) {
  int t = 0;
  while (turn(in) != t)
    ++t;
  out[self()] = ballot();
}

__global__ void behind_break(In in, unsigned *out) {
  int t = 0;
  for (;; ++t)
    if (turn(in) == t)
      break;
  out[self()] = ballot();
}

__device__ int turn_found(In in) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      if (ballot() == 0)
        return -1;
      return t;
    }
}
__global__ void behind_call(In in, unsigned *out) {
  out[self()] = turn_found(in) == turn(in) ? ballot() : nobody;
}

__global__ void barrier_on_way_out(In in, unsigned *out) {
  __shared__ int of[threads];
  for (int t = 0;; ++t)
    if (in.turn[0] + 2 == t) { // all
      of[self()] = t;
      __syncthreads();
      out[self()] = of[(self() + 50) % threads] == t ? ballot() : nobody;
      break;
    }
}

// What programs do

__global__ void votes_and_moves(In in, unsigned *out) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      const unsigned peers = static_cast<unsigned>(__match_any(turn(in)));
      const int leader = __ffs(static_cast<int>(peers)) - 1;
      bool good = __all(turn(in) == t) && !__any(turn(in) != t);
      good &= __shfl(t, leader) == t && __hip_readfirstlane(self() % 32) == leader;
      good &= __reduce_add_sync(__activemask(), 1) == __popc(peers);
      out[self()] = good ? peers : nobody;
      break;
    }
}

__global__ void aggregates(In in, unsigned *out) {
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      const cg::coalesced_group group = cg::coalesced_threads();
      int first = 0;
      if (group.thread_rank() == 0)
        first = atomicAdd(in.count, static_cast<int>(group.size()));
      const int place = group.shfl(first, 0) + static_cast<int>(group.thread_rank());
      group.sync();
      out[self()] = place < threads ? static_cast<unsigned>(__activemask()) : nobody;
      break;
    }
}

__global__ void takes_leaders_key(In in, unsigned *out) {
  bool done = false;
  while (!done) {
    const int leader = __ffs(static_cast<int>(ballot())) - 1;
    const int key = __shfl(turn(in), leader);
    if (key == turn(in)) {
      const unsigned peers = ballot();
      if (self() % 32 == leader)
        atomicAdd(in.count, __popc(peers));
      out[self()] = peers;
      done = true;
    }
  }
}

__global__ void votes_on_going_on(In in, unsigned *out) {
  bool done = false;
  for (int t = 0; __any(!done); ++t)
    if (!done && turn(in) == t) {
      out[self()] = ballot();
      done = true;
    }
}

__global__ void exchanges(In in, unsigned *out) {
  __shared__ unsigned seen[threads];
  for (int t = 0;; ++t)
    if (turn(in) == t) {
      const unsigned peers = ballot();
      seen[self()] = peers;
      __syncwarp();
      const int last = 31 - __clz(static_cast<int>(peers));
      out[self()] = seen[self() / 32 * 32 + last];
      break;
    }
}

constexpr int slots = 256;
__device__ int table[slots];

/// Where the key is, or, aggregated, how many asked for it.
__device__ unsigned insert(int key) {
  for (int slot = key * 31 % slots;; slot = (slot + 1) % slots) {
    const int old = atomicCAS(&table[slot], 0, key + 1);
    if (old == 0 || old == key + 1) {
      const unsigned peers = static_cast<unsigned>(__match_any(key));
      return ballot() & peers;
    }
  }
}
__global__ void inserts(In in, unsigned *out) { out[self()] = insert(turn(in)); }

template <class Same> unsigned mask(int thread, Same same) {
  unsigned result = 0;
  for (int i = thread / 32 * 32; i < threads && i < thread / 32 * 32 + 32; ++i)
    result |= same(i) ? 1u << i % 32 : 0u;
  return result;
}

enum Who { with_turn, with_turn_and_parity, all };

template <class Kernel> void run(Kernel kernel, Who who, const char *what, bool counts = false) {
  Array<int> turns(2 * threads), count(1);
  Array<unsigned> out(threads);
  std::array<unsigned, threads> want{};
  for (int i = 0; i < threads; ++i) {
    turns[i] = turn_of(i);
    want[i] = mask(i, [&](int other) {
      return who == all ||
             (turn_of(i) == turn_of(other) && (who == with_turn || i % 2 == other % 2));
    });
    turns[threads + i] = static_cast<int>(want[i]);
  }
  kernel<<<1, threads>>>(In{turns.get(), count.get()}, out.get());
  wait();
  int wrong = 0;
  for (int i = 0; i < threads; ++i)
    wrong += out[i] != want[i];
  if (wrong != 0 && !unchecked())
    std::printf("%d threads of %s: thread 0 has %x instead of %x\n", wrong, what, out[0], want[0]);
  CHECK(wrong == 0);
  CHECK(count[0] == (counts ? threads : 0));
}

int main() {
#define RUN(kernel, ...) run(kernel, __VA_ARGS__, #kernel)
  RUN(flag, with_turn);
  RUN(breaks, with_turn);
  RUN(breaks_before_end, with_turn);
  RUN(returns, with_turn);
  RUN(returns_from_function, with_turn);
  RUN(loops_with_function, with_turn);
  RUN(leaves_do_loop, with_turn);
  RUN(goes_out, with_turn);
  RUN(leaves_from_switch, with_turn);
  RUN(destroys, with_turn);
  RUN(ranges, with_turn);
  RUN(loops_with_attribute, with_turn);
  RUN(leaves_both, with_turn);
  RUN(leaves_both_with_flag, with_turn);
  RUN(goes_out_of_both, with_turn);
  RUN(leaves_inner, with_turn);
  RUN(counts_on_way_out, with_turn);
  RUN(has_both, with_turn);
  RUN(two_exits, with_turn_and_parity);
  RUN(break_and_return, with_turn_and_parity);
  RUN(behind, all);
  RUN(behind_break, all);
  RUN(behind_call, all);
  RUN(barrier_on_way_out, all);
  RUN(votes_and_moves, with_turn);
  run(aggregates, with_turn, "aggregates", true);
  run(takes_leaders_key, with_turn, "takes_leaders_key", true);
  RUN(votes_on_going_on, with_turn);
  RUN(exchanges, with_turn);
  RUN(inserts, with_turn);
  return result();
}
