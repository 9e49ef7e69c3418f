// Operations of warps in functions that call themselves are made together by the threads that came there by the same calls. Who they
// are is a mask for each place in each call, which the host knows from how deep each thread goes.
#include "device_test.h"

using namespace device_test;

constexpr int threads = 112; // the last warp is not whole
constexpr int deepest = 5, places = 128;

/// How deep a thread goes, from 0 to `deepest`.
__host__ __device__ int depth_of(int thread) { return (thread * 7 + thread / 32) % (deepest + 1); }

/// What a thread is told, and where it says with whom it was at which place.
struct At {
  int mine; // its depth
  unsigned *found;
};

__device__ unsigned ballot() { return static_cast<unsigned>(__ballot(1)); }
__device__ int self() { return static_cast<int>(threadIdx.x); }
__device__ At here(const int *depths, unsigned *out) {
  return {depths[self()], out + places * self()};
}

__device__ __noinline__ void descend(At at, int depth) {
  at.found[2 * depth] = ballot();
  if (depth < at.mine)
    descend(at, depth + 1);
  at.found[2 * depth + 1] = ballot();
}
__global__ void before_and_behind(const int *depths, unsigned *out) {
  descend(here(depths, out), 0);
}

__device__ __noinline__ unsigned bottom(int mine, int depth) {
  if (depth == mine)
    return ballot();
  return bottom(mine, depth + 1);
}
__global__ void at_the_end(const int *depths, unsigned *out) {
  const At at = here(depths, out);
  at.found[0] = bottom(at.mine, 0);
  at.found[1] = ballot();
}

__device__ __noinline__ int total(int mine, int depth) {
  if (depth == mine)
    return __popc(ballot());
  return 100 + total(mine, depth + 1);
}
__global__ void adds_up(const int *depths, unsigned *out) {
  const At at = here(depths, out);
  at.found[0] = static_cast<unsigned>(total(at.mine, 0));
}

__device__ void odd(At at, int depth);
__device__ __noinline__ void even(At at, int depth) {
  at.found[2 * depth] = ballot();
  if (depth < at.mine)
    odd(at, depth + 1);
  at.found[2 * depth + 1] = ballot();
}
__device__ __noinline__ void odd(At at, int depth) {
  if (depth < at.mine)
    even(at, depth + 1);
  at.found[2 * depth] = static_cast<unsigned>(__activemask());
}
__global__ void each_other(const int *depths, unsigned *out) { even(here(depths, out), 0); }

// Two places that call.
constexpr int of_other_place = places / 2;
__device__ __noinline__ void fork(At at, int depth, int from) {
  at.found[from + 2 * depth] = ballot();
  if (depth < at.mine) {
    if (self() % 2)
      fork(at, depth + 1, of_other_place);
    else
      fork(at, depth + 1, 0);
  }
  at.found[from + 2 * depth + 1] = ballot();
}
__global__ void two_calls(const int *depths, unsigned *out) { fork(here(depths, out), 0, 0); }

// Some call more often than others. The number of a node of the tree says the way to it.
__host__ __device__ int children_of(int depth) { return depth % 3; }
constexpr int levels = 4;
__device__ __noinline__ void visit(At at, int node, int level) {
  at.found[node] = ballot();
  if (level + 1 < levels)
    for (int child = 0; child < children_of(at.mine); ++child)
      visit(at, 3 * node + 1 + child, level + 1);
}
__global__ void tree(const int *depths, unsigned *out) { visit(here(depths, out), 0, 0); }

__device__ __noinline__ void visit_some(At at, int node, int level) {
  for (int child = 0; child < 3; ++child)
    if (child == children_of(at.mine) && level + 1 < levels)
      visit_some(at, 3 * node + 1 + child, level + 1);
    else if (child == 0)
      at.found[node] = ballot();
}
__global__ void one_of_the_children(const int *depths, unsigned *out) {
  visit_some(here(depths, out), 0, 0);
}

// In each iteration all are together in front of the call, however deep it goes.
constexpr int iterations = 3, of_iteration = 2 * (deepest + 1) + 1;
__global__ void in_a_loop(const int *depths, unsigned *out) {
  At at = here(depths, out);
  for (int i = 0; i < iterations; ++i) {
    at.found[0] = ballot();
    ++at.found;
    descend(at, 0);
    at.found += of_iteration - 1;
  }
}

// The way out of a loop.
__device__ __noinline__ void leave(At at, int depth) {
  for (int i = 0;; ++i)
    if (i == at.mine - depth) {
      if (i > 0)
        leave(at, depth + 1);
      at.found[depth] = ballot();
      return;
    }
}
__global__ void out_of_loops(const int *depths, unsigned *out) { leave(here(depths, out), 0); }

__device__ __noinline__ void exchange(At at, int depth) {
  const unsigned peers = ballot();
  const int leader = __ffs(static_cast<int>(peers)) - 1;
  at.found[4 * depth] = static_cast<unsigned>(__shfl(1000 * self() + depth, leader));
  at.found[4 * depth + 1] = static_cast<unsigned>(__any(at.mine == deepest));
  at.found[4 * depth + 2] = static_cast<unsigned>(__all(at.mine > depth));
  if (depth < at.mine)
    exchange(at, depth + 1);
  at.found[4 * depth + 3] =
      static_cast<unsigned>(__shfl(1000 * self() + depth, 31 - __clz(static_cast<int>(peers))));
}
__global__ void moves_and_votes(const int *depths, unsigned *out) {
  exchange(here(depths, out), 0);
}

// Not by a function's name.
using Function = void (*)(At, int);
__device__ Function by_pointer;
__device__ __noinline__ void call_pointer(At at, int depth) {
  at.found[2 * depth] = ballot();
  if (depth < at.mine)
    by_pointer(at, depth + 1);
  at.found[2 * depth + 1] = ballot();
}
__global__ void set_pointer() { by_pointer = call_pointer; }
__global__ void through_pointer(const int *depths, unsigned *out) {
  by_pointer(here(depths, out), 0);
}

template <class Same> unsigned mask(int thread, Same same) {
  unsigned result = 0;
  for (int i = thread / 32 * 32; i < threads && i < thread / 32 * 32 + 32; ++i)
    result |= same(i) ? 1u << i % 32 : 0u;
  return result;
}

/// `want` gives what a thread is to find at a place, 0 where it does not come.
template <class Kernel, class Want> void run(Kernel kernel, const char *what, Want want) {
  Array<int> depths(threads);
  Array<unsigned> out(places * threads);
  for (int i = 0; i < threads; ++i)
    depths[static_cast<size_t>(i)] = depth_of(i);
  kernel<<<1, threads>>>(depths.get(), out.get());
  wait();
  int wrong = 0;
  for (int i = 0; i < threads; ++i)
    for (int place = 0; place < places; ++place) {
      const unsigned found = out[static_cast<size_t>(i * places + place)], wanted = want(i, place);
      if (found != wanted && wrong++ == 0 && !unchecked())
        std::printf("%s: thread %d has %x instead of %x at %d\n", what, i, found, wanted, place);
    }
  CHECK(wrong == 0);
}

/// Those that come to a depth.
unsigned who_come(int thread, int depth) {
  return depth > depth_of(thread)
             ? 0
             : mask(thread, [=](int other) { return depth_of(other) >= depth; });
}
unsigned who_end(int thread) {
  return mask(thread, [=](int other) { return depth_of(other) == depth_of(thread); });
}

/// Whether a thread comes to a node of the tree whose nodes have so many children from the `first` on.
bool comes_to(int node, int first, int children) {
  for (; node > 0; node = (node - 1) / 3)
    if ((node - 1) % 3 < first || (node - 1) % 3 >= first + children)
      return false;
  return true;
}
constexpr int nodes = 1 + 3 + 9 + 27;

unsigned tree_model(int thread, int node) {
  auto comes = [&](int i) { return comes_to(node, 0, children_of(depth_of(i))); };
  return node < nodes && comes(thread) ? mask(thread, comes) : 0;
}

// In the first of its children's turns a thread says where it is, unless it goes to that child.
unsigned one_child_model(int thread, int node) {
  auto comes = [&](int i) {
    const int child = children_of(depth_of(i));
    return comes_to(node, child, 1) && (child != 0 || node >= nodes - 27);
  };
  return node < nodes && comes(thread) ? mask(thread, comes) : 0;
}

// Threads leave in the iteration that their depth says.
unsigned loop_model(int thread, int depth) {
  return depth <= depth_of(thread) ? who_end(thread) : 0;
}

unsigned fork_model(int thread, int place) {
  const int depth = place % of_other_place / 2;
  auto comes = [=](int i) {
    const bool from_other_place = depth > 0 && i % 2;
    return depth <= depth_of(i) && from_other_place == (place >= of_other_place);
  };
  return comes(thread) ? mask(thread, comes) : 0;
}

unsigned exchange_model(int thread, int place) {
  const int depth = place / 4, first = thread / 32 * 32;
  const unsigned who = who_come(thread, depth);
  if (!who)
    return 0;
  auto count = [&](auto is) {
    int found = 0;
    for (int i = 0; i < 32; ++i)
      found += (who >> i & 1) && is(depth_of(first + i));
    return found;
  };
  switch (place % 4) {
  case 0:
    return static_cast<unsigned>(1000 * (first + __builtin_ctz(who)) + depth);
  case 1:
    return count([](int d) { return d == deepest; }) > 0;
  case 2:
    return count([=](int d) { return d <= depth; }) == 0;
  default:
    return static_cast<unsigned>(1000 * (first + 31 - __builtin_clz(who)) + depth);
  }
}

int main() {
#define RUN(kernel, ...) run(kernel, #kernel, __VA_ARGS__)
  auto by_depth = [](int thread, int place) { return who_come(thread, place / 2); };
  RUN(before_and_behind, by_depth);
  RUN(at_the_end, [](int thread, int place) {
    return place == 0 ? who_end(thread) : place == 1 ? mask(thread, [](int) { return true; }) : 0;
  });
  RUN(adds_up, [](int thread, int place) {
    return place == 0
               ? static_cast<unsigned>(100 * depth_of(thread) + __builtin_popcount(who_end(thread)))
               : 0;
  });
  RUN(each_other, [](int thread, int place) { // an odd function makes one operation, at its end
    return place / 2 % 2 && place % 2 ? 0 : who_come(thread, place / 2);
  });
  RUN(two_calls, fork_model);
  RUN(tree, tree_model);
  RUN(one_of_the_children, one_child_model);
  RUN(in_a_loop, [=](int thread, int place) {
    const int in_iteration = place % of_iteration;
    return place >= iterations * of_iteration ? 0
           : in_iteration == 0                ? mask(thread, [](int) { return true; })
                                              : by_depth(thread, in_iteration - 1);
  });
  RUN(out_of_loops, loop_model);
  RUN(moves_and_votes, exchange_model);
  set_pointer<<<1, 1>>>();
  wait();
  RUN(through_pointer, by_depth);
  return result();
}
