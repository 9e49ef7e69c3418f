// Warp-synchronous programs give what a warp that goes in lock step does.
#include "lock_step_fences.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <numeric>

using namespace device_test;
using Ints = std::vector<int>;

Ints per_warp(const Ints &in, size_t group, const std::function<void(Ints &)> &step) {
  Ints out(in.size());
  for (size_t first = 0; first < in.size(); first += group)
    for (size_t lane = 0; lane < group; lane += 32) {
      const auto from = in.begin() + long(first + lane);
      Ints warp(from, from + long(std::min<size_t>(32, group - lane)));
      step(warp);
      std::copy(warp.begin(), warp.end(), out.begin() + long(first + lane));
    }
  return out;
}
void prefix(Ints &v) { std::partial_sum(v.begin(), v.end(), v.begin()); }
void total(Ints &v) { std::fill(v.begin(), v.end(), std::accumulate(v.begin(), v.end(), 0)); }

using Kernel = void (*)(int *, const int *, int);
void expect(const char *name, Kernel kernel, dim3 grid, dim3 block, int n, const Ints &in, const Ints &wanted,
            size_t dynamic = 0) {
  Array<int> a(in.size()), out(std::max<size_t>(wanted.size(), 4096));
  std::copy(in.begin(), in.end(), a.get());
  const int zero = 0;
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(fetched), &zero, sizeof zero));
  kernel<<<grid, block, dynamic>>>(out.get(), a.get(), n);
  wait();
  size_t wrong = 0;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != INT_MIN && out[i] != wanted[i]) {
      if (!wrong && !unchecked())
        std::printf("%s <%u x %u x %u, %d>: [%zu] is %d and not %d\n", name, block.x, block.y, block.z, n, i, out[i], wanted[i]);
      ++wrong;
    }
  check(wrong == 0, name, __LINE__);
}
#define EXPECT(kernel, ...) expect(#kernel, (Kernel)kernel, __VA_ARGS__)

Ints walk(const Ints &in, int n, size_t threads) {
  Ints out(threads);
  for (size_t t = 0; t < threads; ++t) {
    Ints st{0};
    unsigned sum = 0;
    while (!st.empty()) {
      const int node = st.back();
      st.pop_back();
      if (2 * node + 1 < n)
        st.push_back(2 * node + 1);
      if (2 * node + 2 < n)
        st.push_back(2 * node + 2);
      sum = 3 * sum + unsigned(in[size_t(node)]) * unsigned(t % 32 + 1);
    }
    out[t] = int(sum);
  }
  return out;
}

int main() {
  Ints in(4096);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int(i * 7919 % 1009);

  for (int n : {5, 64, 1000}) {
    Ints wanted(in.begin(), in.begin() + n);
    prefix(wanted);
    EXPECT(carried, 1, 32, n, in, wanted);
    EXPECT(carried_2, 1, 32, n, in, wanted);
    EXPECT(carried_syncwarp, 1, 32, n, in, wanted);
    EXPECT(carried_fences, 1, 32, n, in, wanted);
  }
  for (int n : {40, 128}) {
    Ints wanted(in.begin(), in.begin() + 12 * n);
    for (int row = 0; row < 12; ++row)
      std::partial_sum(wanted.begin() + row * n, wanted.begin() + (row + 1) * n, wanted.begin() + row * n);
    EXPECT(carried_rows, 3, 128, n, in, wanted);
  }
  for (int block : {32, 128, 72}) {
    EXPECT(stack, 2, block, 50, in, walk(in, 50, size_t(block)));
    EXPECT(stack_fences, 2, block, 50, in, walk(in, 50, size_t(block)));
    Ints wanted(size_t(block), 0);
    for (int t = 0; t < block; ++t) {
      Ints st{0};
      unsigned sum = 0;
      const int lanes = std::min(32, block - t / 32 * 32);
      while (!st.empty()) {
        const int node = st.back();
        st.pop_back();
        sum = 3 * sum + unsigned(in[size_t(node)]) * unsigned(t % 32 + 1);
        bool any = false;
        for (int lane = 0; lane < lanes; ++lane)
          any |= in[size_t(node)] % 32 >= lane - 8;
        if (any && 2 * node + 2 < 50) {
          st.push_back(2 * node + 1);
          st.push_back(2 * node + 2);
        }
      }
      wanted[size_t(t)] = int(sum);
    }
    EXPECT(stack_of_votes, 2, block, 50, in, wanted);
  }
  {
    Ints wanted(4 * 128, INT_MIN);
    const Ints one = walk(in, 50, 32);
    for (size_t w = 0; w < 4; ++w)
      std::copy(one.begin(), one.end(), wanted.begin() + long(w * 128));
    EXPECT(stack_global, 2, 64, 50, in, wanted);
  }

  Ints sums;
  for (int g = 0; g < 16; ++g)
    sums.push_back(std::accumulate(in.begin() + g * 256, in.begin() + (g + 1) * 256, 0));
  EXPECT(reduce_called, 16, 256, 0, in, sums);
  EXPECT(reduce_inline, 16, 256, 0, in, sums, 256 * sizeof(int));
  {
    Ints wanted(2048, INT_MIN);
    for (int w = 0; w < 32; ++w)
      wanted[size_t(64 * w)] = std::accumulate(in.begin() + w * 32, in.begin() + (w + 1) * 32, 0);
    EXPECT(reduce_global, 8, 128, 0, in, wanted);
  }
  const Ints totals = per_warp(in, 128, total);
  EXPECT(reduce_global_variable, 32, 128, 0, in, totals);
  EXPECT(reduce_recursive, 32, 128, 0, in, totals);
  EXPECT(reduce_by_pointer, 32, 128, 0, in, totals);
  EXPECT(reduce_by_pointer, 32, 128, 1, in,
         per_warp(in, 128, [](Ints &v) { std::fill(v.begin(), v.end(), *std::max_element(v.begin(), v.end())); }));
  EXPECT(rotate_called, 32, 128, 7, in, per_warp(in, 128, [](Ints &v) {
           std::rotate(v.begin(), v.begin() + 7, v.end());
           for (int &x : v)
             x += 21;
         }));
  EXPECT(members, 32, 128, 0, in, per_warp(in, 128, [](Ints &v) {
           const int most = *std::max_element(v.begin(), v.end());
           total(v);
           for (int &x : v)
             x += most;
         }));
  EXPECT(in_class, 32, 128, 5, in, per_warp(in, 128, [](Ints &v) {
           for (int k = 0; k < 5; ++k) {
             for (int &x : v)
               x += k;
             total(v);
             for (int lane = 0; lane < 32; ++lane)
               v[size_t(lane)] = v[size_t(lane)] % 1000 + lane;
           }
         }));

  for (unsigned block : {32u, 128u, 256u, 72u, 20u}) {
    const size_t count = block * 3;
    const Ints some(in.begin(), in.begin() + long(count));
    if (block % 32 == 0)
      EXPECT(scan_sdk, 3, block, 0, some, per_warp(some, block, prefix));
    EXPECT(scan_double_buffer, 3, block, 0, some, per_warp(some, block, prefix));
    EXPECT(scan_syncwarp, 3, block, 0, some, per_warp(some, block, prefix));
    EXPECT(scan_fences, 3, block, 0, some, per_warp(some, block, prefix));
    EXPECT(scan_fences_called, 3, block, 0, some, per_warp(some, block, prefix));
    EXPECT(scan_global_cast, 3, block, 0, some, per_warp(some, block, prefix));
    if (block % 32 == 0) {
      auto sorted = [](Ints &v) { std::sort(v.begin(), v.end()); };
      EXPECT(bitonic, 3, block, 0, some, per_warp(some, block, sorted));
      EXPECT(odd_even_until, 3, block, 0, some, per_warp(some, block, sorted));
    }
    {
      Ints wanted(count);
      for (size_t i = 0; i < count; ++i)
        wanted[i] = (i % block ? some[i - 1] : 0) + 5;
      EXPECT(branches_in_a_row, 3, block, 5, some, wanted);
    }
    EXPECT(segmented, 3, block, 0, some, per_warp(some, block, [](Ints &v) {
             const Ints before = v;
             for (size_t i = 1; i < v.size(); ++i)
               v[i] = before[i] % 5 == 0 ? before[i] : v[i - 1] + before[i];
           }));
    EXPECT(pointer_jumping, 3, block, 0, some, per_warp(some, block, [](Ints &v) {
             for (size_t i = 0; i < v.size(); ++i) // every way ends at lane 0
               v[i] = int(i);
           }));
    EXPECT(turns, 3, block, 0, some, per_warp(some, block, [](Ints &v) {
             int value = 1, seen = 0;
             for (int k = 0; k < 32; ++k) {
               seen += value * (k + 1);
               if (k < int(v.size()))
                 value = (value * 5 + v[size_t(k)]) & 1023;
             }
             std::fill(v.begin(), v.end(), seen);
           }));
    if (block % 32 == 0)
      EXPECT(trips, 3, block, 0, some, per_warp(some, block, [](Ints &v) {
               Ints s = v;
               std::vector<unsigned> x(32);
               for (int k = 0; k < 16; ++k) {
                 Ints next = s;
                 for (int lane = 0; lane < 32; ++lane)
                   if (k < 1 + (lane * 7 & 15))
                     next[size_t(lane)] = s[size_t((lane + 1) & 31)] + k;
                 s = next;
                 for (int lane = 0; lane < 32; ++lane)
                   if (k < 1 + (lane * 7 & 15))
                     x[size_t(lane)] = x[size_t(lane)] * 3 + unsigned(s[size_t((lane + 5) & 31)]);
               }
               for (size_t lane = 0; lane < 32; ++lane)
                 v[lane] = int(x[lane] + unsigned(s[lane]));
             }));
    {
      Ints wanted(count);
      const int n = 9;
      for (size_t t = 0; t < count; ++t) {
        unsigned v = unsigned(t % block % 32);
        for (int k = 0; k < n; ++k) {
          v += unsigned(in[size_t(k)]);
          if (in[size_t(k)] % 2)
            v = v * 3 + unsigned(k);
          v ^= unsigned(k);
        }
        wanted[t] = int(v);
      }
      EXPECT(machine, 3, block, n, in, wanted);
    }
  }
  {
    Ints wanted(8 * 40, INT_MIN);
    for (int w = 0; w < 8; ++w) {
      int value = 1, seen = 0;
      for (int k = 0; k < 45; ++k) {
        seen += value * (k + 1);
        value = (value * 5 + in[size_t(w * 32 + (k & 31))]) & 1023;
      }
      std::fill(wanted.begin() + w * 40, wanted.begin() + w * 40 + 32, seen);
    }
    EXPECT(turns_global, 2, 128, 45, in, wanted);
  }
  {
    Ints wanted(40 * 32);
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = in[i] + int(i / 32);
    EXPECT(persistent, 2, 128, 40, in, wanted);
    EXPECT(pool, 2, 128, 40, in, wanted);
  }
  {
    const int n = 256;
    Ints wanted(8 * n), bins(8 * n, INT_MIN);
    for (int row = 0; row < 8; ++row) {
      Ints q;
      std::fill(bins.begin() + row * n, bins.begin() + row * n + 16, 0);
      for (int k = 0; k < n; ++k) {
        if (in[size_t(row * n + k)] % 3 == 0)
          q.push_back(in[size_t(row * n + k)]);
        ++bins[size_t(row * n + (in[size_t(row * n + k)] & 15))];
      }
      q.resize(n, -1);
      std::copy(q.begin(), q.end(), wanted.begin() + row * n);
    }
    EXPECT(queue, 2, 128, n, in, wanted);
    EXPECT(tagged, 2, 128, n, in, bins);
  }
  {
    Ints wanted(16 * 2 * 64);
      for (int row = 0; row < 32; ++row)
      for (int k = 0; k < 64; ++k)
        wanted[size_t(row * 64 + k)] =
            std::accumulate(in.begin() + row * 64, in.begin() + row * 64 + (k / 8 + 1) * 8, 0);
    EXPECT(virtual_warps, 2, 128, 64, in, wanted);
  }
  for (dim3 block : {dim3(8, 4), dim3(16, 16), dim3(7, 9), dim3(40, 3), dim3(64, 2)}) {
    const size_t size = block.x * block.y;
    const Ints some(in.begin(), in.begin() + long(size * 3));
    EXPECT(scan_2d, 3, block, 0, some, per_warp(some, size, prefix));
    EXPECT(scan_3d, 3, block, 0, some, per_warp(some, size, prefix));
  }
  for (dim3 block : {dim3(4, 4, 4), dim3(8, 2, 3), dim3(5, 3, 7)}) {
    const size_t size = block.x * block.y * block.z;
    const Ints some(in.begin(), in.begin() + long(size * 3));
    EXPECT(scan_3d, 3, block, 0, some, per_warp(some, size, prefix));
  }
  EXPECT(rows, 4, dim3(32, 8), 0, Ints(in.begin(), in.begin() + 1024), per_warp(Ints(in.begin(), in.begin() + 1024), 256, total));
  return result();
}
