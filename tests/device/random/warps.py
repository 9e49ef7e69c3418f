"""Random HIP kernels whose threads meet: in warps, by shuffles, votes and matches, and in blocks, by barriers and shared memory, where
control flow is the same for all of the block, for all of a warp, or for nobody. The host computes the same in lock step (lock_step.h).

What is written is written twice, for the device and for the host; what differs is how a variable of a thread is called.
"""
import random

# Who is here for certain where something is written: none of the others, all of the thread's warp, all of its block.
NOBODY, WARP, BLOCK = range(3)

# What the threads of a warp that are here compute of a value x: on the device, and on the host of all x, for thread t.
ANYWHERE = [
    ("unsigned(__ballot({x}))", "ballot(x, t)"),
    ("unsigned(__any({x}))", "ballot(x, t) != 0"),
    ("unsigned(__all({x}))", "ballot(x, t) == active(t)"),
    ("unsigned(__match_any({x} & {few}u))", "match(values([&](unsigned t) {{ return x[t] & {few}u; }}), t)"),
    ("unsigned(__match_any_sync(__ballot(1), {x} & {few}u))", "match(values([&](unsigned t) {{ return x[t] & {few}u; }}), t)"),
    ("__shfl({x}, __ffsll(__ballot(1)) - 1)", "first(x, t)"),
    ("__shfl({x} + unsigned(__popcll(__ballot(1))), __ffsll(__ballot(1)) - 1)", "first(x, t) + __builtin_popcount(active(t))"),
    ("{x} + unsigned(__popcll(__activemask() & ((1ull << TID % 32) - 1)))", "x[t] + rank(t)"),
    ("{x} * unsigned(cooperative_groups::coalesced_threads().thread_rank() + 1)", "x[t] * (rank(t) + 1)"),
    ("{x} * unsigned(cooperative_groups::coalesced_threads().size())", "x[t] * __builtin_popcount(active(t))"),
    ("cooperative_groups::coalesced_threads().shfl({x}, 0)", "first(x, t)"),
    ("__reduce_add_sync(__ballot(1), {x})", "sum(x, t)"),
    ("__reduce_min_sync(__ballot(1), {x})", "reduce(x, t, [](unsigned a, unsigned b) {{ return std::min(a, b); }})"),
    ("__reduce_max_sync(__ballot(1), {x})", "reduce(x, t, [](unsigned a, unsigned b) {{ return std::max(a, b); }})"),
    ("__reduce_xor_sync(__ballot(1), {x})", "reduce(x, t, [](unsigned a, unsigned b) {{ return a ^ b; }})"),
]

# The same where all of a warp is here.
WHOLE_WARP = [
    ("__shfl({x}, int({from_} & {width} - 1), {width})", "shuffle(x, t, {from_}, {width})"),
    ("__shfl_sync(0xffffffffull, {x}, int({from_} & {width} - 1), {width})", "shuffle(x, t, {from_}, {width})"),
    ("__shfl_up({x}, {distance}, {width})", "shuffle_up(x, t, {distance}, {width})"),
    ("__shfl_down({x}, {distance}, {width})", "shuffle_down(x, t, {distance}, {width})"),
    ("__shfl_xor({x}, {distance}, {width})", "shuffle_xor(x, t, {distance}, {width})"),
    ("__shfl_xor_sync(0xffffffffull, {x}, {distance}, {width})", "shuffle_xor(x, t, {distance}, {width})"),
    ("unsigned(__ballot_sync(0xffffffffull, {x}))", "ballot(x, t)"),
    ("cooperative_groups::tiled_partition<{width}>(cooperative_groups::this_thread_block()).shfl({x}, {distance} % {width})",
     "shuffle(x, t, {distance}, {width})"),
    ("[&] {{ unsigned s = {x}; for (int i = 16; i; i /= 2) s += __shfl_xor(s, i); return s; }}()", "sum(x, t)"),
    ("[&] {{ unsigned s = {x}; for (unsigned i = 1; i < 32; i *= 2) {{ const unsigned other = __shfl_up(s, i); "
     "if (TID % 32 >= i) s += other; }} return s; }}()", "sum_up_to(x, t)"),
]

# What a block that is all here computes in its shared memory, to variable {v}.
IN_BLOCK = [
    ("shared[TID] = {x}; __syncthreads(); {v} = shared[(TID + {n}u) % THREADS]; __syncthreads();", "{v} = x[(t + {n}u) % THREADS];"),
    ("__syncthreads(); shared[THREADS - 1 - TID] = {x}; __syncthreads(); {v} ^= shared[TID]; __syncthreads();",
     "{v} ^= x[THREADS - 1 - t];"),
    ("shared[TID] = 0; __syncthreads(); if ({x} & 1u) atomicAdd(&shared[({x} >> 1) % 3u], TID + 1u); __syncthreads(); "
     "{v} += shared[TID % 3u]; __syncthreads();",
     "unsigned sums[3] = {{}}; for (unsigned i = 0; i < THREADS; ++i) if (x[i] & 1u) sums[(x[i] >> 1) % 3u] += i + 1u; "
     "{v} += sums[t % 3u];"),
    ("shared[TID] = {x}; __syncthreads(); for (unsigned d = 128; d; d /= 2) {{ if (TID < d && TID + d < THREADS) "
     "shared[TID] += shared[TID + d]; __syncthreads(); }} {v} ^= shared[0]; __syncthreads();",
     "unsigned sum = 0; for (unsigned i = 0; i < THREADS; ++i) sum += x[i]; {v} ^= sum;"),
    ("{v} += unsigned(__syncthreads_count(int({x})));", "{v} += count(x);"),
    ("{v} += unsigned(__syncthreads_and(int({x})) != 0);", "{v} += count(x) == here.count();"),
    ("{v} += unsigned(__syncthreads_or(int({x})) != 0);", "{v} += count(x) != 0;"),
]

PROGRAM = """#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>
#include "lock_step.h"

constexpr unsigned THREADS = {threads}, BLOCKS = {blocks}, VARIABLES = {variables};
__host__ __device__ inline unsigned hash(unsigned x) {{
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}}
#define V(i) v##i
#define COUNTER(i) i
#define TID {thread}
#define BLOCK blockIdx.x
{functions}
__global__ void kernel(const unsigned *in, unsigned *out, unsigned s0, unsigned s1) {{
  __shared__ unsigned shared[THREADS];
  in += (BLOCK * THREADS + TID) * VARIABLES;
  out += (BLOCK * THREADS + TID) * VARIABLES;
  unsigned {loads};
  {device}
  {stores}
}}
#undef V
#undef COUNTER
#undef TID
#undef BLOCK
#define V(i) v##i[t]
#define COUNTER(i) i[t]
#define TID t
struct Host : LockStep<THREADS> {{
  void run(const unsigned *in, unsigned *out, unsigned BLOCK, unsigned s0, unsigned s1) {{
    Values {arrays};
    for (unsigned t = 0; t < THREADS; ++t, in += VARIABLES) {loads};
    {host}
    for (unsigned t = 0; t < THREADS; ++t, out += VARIABLES) {{ {stores} }}
  }}
}};
int main() {{
  unsigned *in = nullptr, *out = nullptr;
  const unsigned size = BLOCKS * THREADS * VARIABLES;
  if (hipMallocManaged(reinterpret_cast<void **>(&in), size * sizeof *in) != hipSuccess ||
      hipMallocManaged(reinterpret_cast<void **>(&out), size * sizeof *out) != hipSuccess)
    return 2;
  for (unsigned i = 0; i < size; ++i) {{
    const unsigned x = hash(i + {seed}u);
    in[i] = x % 3 == 0 ? x : x % 3 == 1 ? x >> 28 : x >> x % 32;
  }}
  std::memset(out, 0xcd, size * sizeof *out);
  kernel<<<BLOCKS, {shape}>>>(in, out, {s0}u, {s1}u);
  if (hipDeviceSynchronize() != hipSuccess)
    return 2;
  std::vector<unsigned> expected(size);
  for (unsigned block = 0; block < BLOCKS; ++block)
    Host().run(in + block * THREADS * VARIABLES, expected.data() + block * THREADS * VARIABLES, block, {s0}u, {s1}u);
  int failures = 0;
  for (unsigned i = 0; i < size; ++i)
    if (out[i] != expected[i] && ++failures < 10)
      std::printf("block %u, thread %u, v%u: %x should be %x\\n", i / VARIABLES / THREADS, i / VARIABLES % THREADS, i % VARIABLES,
                  out[i], expected[i]);
  return failures != 0;
}}
"""


class Program:
    """The text of the program of a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        threads = self.random.choice([17, 32, 32, 40, 64, 64, 70, 96, 128, 256])
        self.whole_warps = threads % 32 == 0
        self.variables, self.counters, self.functions = self.random.randint(3, 6), [], []
        self.budget = self.random.randint(20, 60)
        # From some point on threads may have returned: nobody meets all of them any more.
        returns_from = self.random.choice([0, 0, 30])
        device, host = [], []
        while self.budget > 0:
            self.may_return = self.budget < returns_from
            texts = self.statement(NOBODY if self.may_return else BLOCK, False)
            device.append(texts[0])
            host.append(texts[1])
        in_rows = threads % 16 == 0 and self.random.random() < 0.5
        each = lambda form, separator: separator.join(form.format(i) for i in range(self.variables))
        self.text = PROGRAM.format(
            threads=threads, blocks=self.random.choice([1, 2, 5]), variables=self.variables, functions="\n".join(self.functions),
            thread="(threadIdx.y * blockDim.x + threadIdx.x)" if in_rows else "threadIdx.x",
            shape=f"dim3(16, {threads // 16})" if in_rows else threads, arrays=each("v{0}", ", "),
            loads=each("V({0}) = in[{0}]", ", "), stores=each("out[{0}] = V({0});", " "), device="\n  ".join(device),
            host="\n    ".join(host), seed=self.random.getrandbits(30), s0=self.random.randrange(8), s1=self.random.getrandbits(32))

    def variable(self):
        return f"V({self.random.randrange(self.variables)})"

    def leaf(self):
        pick, kind = self.random.choice, self.random.random()
        if kind < 0.6:
            return self.variable()
        if kind < 0.8:
            return pick(["TID", "TID % 32", "BLOCK", "s0", "s1"])
        if kind < 0.9 and self.counters:
            return f"COUNTER({pick(self.counters)})"
        return f"{pick([0, 1, 2, 3, 5, 7, 31, 32, 255, 1 << 31, (1 << 32) - 1, self.random.getrandbits(32)])}u"

    def expression(self, depth):
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        pick, inner = self.random.choice, lambda: self.expression(depth - 1)
        return pick([
            lambda: f"({inner()} {pick('+-*^&|')} {inner()})",
            lambda: f"({inner()} {pick('+-*^&|')} {inner()})",
            lambda: f"({inner()} >> ({inner()} & 31u))",
            lambda: f"({inner()} {pick(['<', '==', '!=', '>='])} {inner()} ? {inner()} : {inner()})",
            lambda: f"hash({inner()})",
            lambda: f"({inner()} % {pick([3, 5, 7, 10])}u)",
        ])()

    def condition(self):
        pick = self.random.choice
        return pick([
            lambda: f"({self.variable()} & {pick([1, 2, 3, 7])}u) == 0",
            lambda: f"hash({self.expression(1)}) & {1 << self.random.randrange(32)}u",
            lambda: f"{self.expression(1)} < {self.expression(1)}",
            lambda: f"TID % {pick([2, 3, 5])}u == 0",
            lambda: f"TID % 32 < {self.random.randrange(33)}u",
        ])()

    def same_for(self, whom):
        """A value that is the same for all of a block or of a warp."""
        return self.random.choice(["s0", "s1", "BLOCK", "(s0 + BLOCK)"] + (["(TID / 32)", "(TID / 32 + s1)"] if whom == WARP else []))

    # What follows returns what the device and what the host does.
    def assignment(self):
        text = f"{self.variable()} {self.random.choice(['=', '+=', '^='])} {self.expression(3)};"
        return text, self.each(text)

    @staticmethod
    def each(body):
        return f"each([&](unsigned t) {{ {body} }});"

    @staticmethod
    def of_each(value):
        return f"values([&](unsigned t) {{ return unsigned({value}); }})"

    @staticmethod
    def where(condition):
        return f"where([&](unsigned t) {{ return {condition}; }})"

    def meeting_of_warp(self, here):
        pick = self.random.choice
        in_function = self.random.random() < 0.15
        has_all = here >= WARP and self.whole_warps and not in_function
        on_device, on_host = pick(pick([WHOLE_WARP, WHOLE_WARP, ANYWHERE]) if has_all else ANYWHERE)
        numbers = {"few": pick([1, 3, 7]), "width": pick([32, 32, 32, 16, 8, 4, 2]), "distance": pick([1, 1, 2, 3, 4, 8, 16, 31]),
                   "from_": pick([str(self.random.randrange(32)), "(TID + 1)", "s0", self.variable()])}
        target = f"{self.variable()} {pick(['=', '+=', '^='])} "
        value, added = self.expression(2), self.expression(1)
        on_host = on_host.format(**numbers)
        if in_function:
            return self.meeting_in_function(on_device.format(x="x", **numbers), on_host, target, value)
        on_device = on_device.format(x=f"unsigned({value})", **numbers)
        return (f"{target}{on_device} + {added};",
                f"{{ const Values x = {self.of_each(value)}, r = {self.of_each(on_host)}; {self.each(f'{target}r[t] + {added};')} }}")

    def meeting_in_function(self, on_device, on_host, target, value):
        """Some threads leave the function before."""
        name = f"function{len(self.functions)}"
        kept = self.random.choice(["__noinline__ ", ""])
        self.functions.append(f"{kept}__device__ unsigned {name}(unsigned x) {{ if ((x & 3u) == 0) return x; return {on_device}; }}")
        stays = self.where("x[t] & 3u")
        return (f"{target}{name}({value});",
                f"{{ const Values x = {self.of_each(value)}; const Mask all = here; here = {stays}; "
                f"const Values r = {self.of_each(on_host)}; const Mask stayed = here; here = all; "
                f"{self.each(f'{target}(stayed[t] ? r[t] : x[t]);')} }}")

    def meeting_of_block(self):
        on_device, on_host = self.random.choice(IN_BLOCK)
        value, numbers = self.expression(2), {"v": self.variable(), "n": self.random.randrange(256)}
        return (on_device.format(x=f"unsigned({value})", **numbers),
                f"{{ const Values x = {self.of_each(value)}; {self.each(on_host.format(**numbers))} }}")

    def branch(self, here, in_loop):
        whom = self.random.randint(NOBODY, here)
        condition = f"{self.same_for(whom)} % {self.random.choice([2, 3])}u == 0" if whom else self.condition()
        then, otherwise = self.body(whom, 3, in_loop), self.body(whom, 2, in_loop)
        return (f"if ({condition}) {{ {then[0]} }} else {{ {otherwise[0]} }}",
                f"{{ const Mask all = here, taken = {self.where(condition)}; here = taken; {then[1]} const Mask left = here; "
                f"here = all & ~taken; {otherwise[1]} here |= left; }}")

    def switch(self):
        value, cases = self.expression(1), self.random.randint(2, 4)
        device, host = "", ""
        for case in range(cases):
            body = self.body(NOBODY, 2, False)
            device += f"case {case}: {body[0]} break; "
            host += f"here = all; here = {self.where(f'chosen[t] == {case}u')}; {body[1]} left |= here; "
        return (f"switch ({value} % {cases + 1}u) {{ {device} }}",
                f"{{ const Values chosen = {self.of_each(f'{value} % {cases + 1}u')}; const Mask all = here; Mask left; {host} "
                f"here = all; here = left | {self.where(f'chosen[t] == {cases}u')}; }}")

    def loop(self, here):
        pick, counter = self.random.choice, f"i{self.budget}"
        kind = pick(["same", "own", "own", "vote"]) if here else "own"
        bound = f"{self.same_for(here)} % 4u" if kind == "same" else f"{self.expression(1)} & 7u"
        inside = {"same": here, "own": NOBODY, "vote": min(here, WARP)}[kind]
        self.counters.append(counter)
        device, host = self.body(inside, 4, kind == "own")
        self.counters.remove(counter)
        more = f"__any({counter} < bound)" if kind == "vote" else f"{counter} < bound"
        going = "ballot(more, t)" if kind == "vote" else "more[t]"
        return (f"{{ const unsigned bound = {bound}; for (unsigned {counter} = 0; {more}; ++{counter}) {{ {device} }} }}",
                f"{{ const Values bound = {self.of_each(bound)}; const Mask before = here; Values {counter}{{}}; for (;;) {{ "
                f"const Values more = {self.of_each(f'{counter}[t] < bound[t]')}; here = {self.where(going)}; if (here.none()) break; "
                f"Mask continued; {host} here |= continued; {self.each(f'++{counter}[t];')} }} here = before & ~gone; }}")

    def jump(self, how):
        """Leaves a loop, its turn, or the kernel, if a condition is true."""
        condition = self.condition()
        leave = {"break": "", "continue": "continued |= leaves;", "return": "gone |= leaves;"}[how]
        stores = " ".join(f"out[{i}] = V({i});" for i in range(self.variables)) if how == "return" else ""
        return (f"if ({condition}) {{ {stores} {how}; }}",
                f"{{ const Mask leaves = {self.where(condition)}; here &= ~leaves; {leave} }}")

    def body(self, here, most, in_loop):
        statements = [self.statement(here, in_loop) for _ in range(self.random.randint(1, most)) if self.budget > 0]
        return " ".join(text for text, _ in statements), " ".join(text for _, text in statements)

    def statement(self, here, in_loop):
        self.budget -= 1
        kind = self.random.random()
        if kind < 0.5:
            return self.meeting_of_warp(here)
        if kind < 0.6 and here == BLOCK:
            return self.meeting_of_block()
        if kind < 0.65 and self.may_return:
            return self.jump("return")
        if kind < 0.72:
            return self.branch(here, in_loop)
        if kind < 0.76:
            return self.switch()
        if kind < 0.88 and len(self.counters) < 2:
            return self.loop(here)
        if kind < 0.94 and in_loop:
            return self.jump(self.random.choice(["break", "continue"]))
        return self.assignment()
