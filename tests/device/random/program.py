"""Random HIP programs: functions that are computed in a kernel and on the host, from the same source, and compared.

Whatever they do is defined: overflow wraps (-fwrapv), shifts are smaller than the type, divisors are not 0 and not -1, numbers that
become integers fit, products and sums are not contracted, each result of half precision is rounded, and of what is
no number only that it is none is compared.
"""
import random

BITS = {"bool": 1, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned": 32,
        "long": 64, "unsigned long": 64, "__int128": 128, "unsigned __int128": 128}
FLOATING = ["_Float16", "float", "double"]
INTEGERS = list(BITS)[1:]
SCALARS = list(BITS) + FLOATING
VECTORS = {"uchar4": ("unsigned char", 4), "short3": ("short", 3), "int2": ("int", 2), "uint4": ("unsigned", 4),
           "long2": ("long", 2), "float3": ("float", 3), "float4": ("float", 4), "double2": ("double", 2)}
BIT_FIELDS = "abcdefg"

HEADER = """#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#define BOTH __host__ __device__ inline
struct BitFields {
  int a : 3;
  unsigned b : 5;
  long c : 33;
  unsigned char d : 2;
  signed char e : 7;
  unsigned f : 1;
  int g : 1;
};
// The part of a number that fits, so that all of its conversions are defined.
template <class To, class From> BOTH To to_integer(From x, From limit) {
  return x >= limit ? To(3) : x > (To(-1) < To(0) ? -limit : From(-1)) ? To(x) : To(5);
}
template <class T> BOTH T not_zero(T x) { return x == 0 ? T(3) : x; }
template <class T> BOTH unsigned long bits_of(T x) {
  if (!(x == x))
    return 0x7ff8dead;
  unsigned long bits[2] = {};
  __builtin_memcpy(bits, &x, sizeof x);
  return bits[0] + 37 * bits[1];
}
"""

INPUTS = """
unsigned long any_integer(std::mt19937_64 &random) {
  const unsigned long x = random();
  switch (random() % 6) {
  case 0: return x % 5;
  case 1: return -(x % 5);
  case 2: return x >> random() % 64;
  case 3: return 1ul << random() % 64;
  case 4: return x % 256;
  default: return x;
  }
}
double any_number(std::mt19937_64 &random) {
  switch (random() % 6) {
  case 0: return double(random() % 7) - 3;
  case 1: return (double(random() % 20001) - 10000) / 16;
  case 2: return std::ldexp(double(random() % 1000), int(random() % 40) - 20);
  case 3: return -0.0;
  case 4: return double(random() % 2);
  default: return std::ldexp(double(long(random())), -int(random() % 64));
  }
}
"""


class Function:
    """Writes a function of an Input `in` that returns the bits of what it computes."""

    def __init__(self, name, source, program, readable):
        self.function, self.random, self.program = name, source, program
        self.places = {}  # of each type, what can be read
        self.written = []  # (place, type) of what can be written
        self.variables = 0
        for place, type_ in readable:
            self.add_places(place, type_, False)

    def new_name(self):
        self.variables += 1
        return f"v{self.variables}"

    def add_places(self, place, type_, is_written):
        """Of a variable: itself, or the scalars that it is made of."""
        if type_ in VECTORS:
            element, count = VECTORS[type_]
            for component in "xyzw"[:count]:
                self.add_places(f"{place}.{component}", element, is_written)
        elif type_ in self.program.structs:
            for member, member_type, length in self.program.structs[type_]:
                if length:
                    self.add_places(f"{place}.{member}[@ % {length}]", member_type, is_written)
                else:
                    self.add_places(f"{place}.{member}", member_type, is_written)
        else:
            self.places.setdefault(type_, []).append(place)
            if is_written:
                self.written.append((place, type_))

    # A place may have an index to be chosen, which has none itself.
    def indexed(self, place):
        while "@" in place:
            index = self.random.choice([p for p in self.places["unsigned"] if "@" not in p])
            place = place.replace("@", f"({index} + {self.random.randrange(8)}u)", 1)
        return place

    def constant(self, type_):
        pick = self.random.choice
        if type_ == "bool":
            return pick(["true", "false"])
        if type_ in FLOATING:
            return f"{type_}({pick([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 255.0, 1e10, -3.25, 16777216.0, 1e-3])})"
        bits = BITS[type_]
        lowest, any_value = 1 << (bits - 1), self.random.getrandbits(bits)
        value = pick([0, 1, 2, 3, 5, 7, 8, 15, 31, 255, -1, -2, lowest, lowest - 1, any_value])
        value %= 1 << bits
        low = f"0x{value % (1 << 64):x}ul"
        return f"({type_})((unsigned __int128)0x{value >> 64:x}ul << 64 | {low})" if bits > 64 else f"({type_}){low}"

    def leaf(self, type_):
        places = self.places.get(type_)
        if places and self.random.random() < 0.8:
            return self.indexed(self.random.choice(places))
        return self.constant(type_)

    def expression(self, type_, depth):
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(type_)
        inner = lambda type_: self.expression(type_, depth - 1)
        if self.random.random() < 0.12:
            return f"({inner('bool')} ? {inner(type_)} : {inner(type_)})"
        if self.random.random() < 0.05:
            return f"({type_})({inner('bool')} ? {self.constant(type_)} : {self.constant(type_)})"
        if type_ == "bool":
            return self.truth(inner)
        return self.number(type_, inner) if type_ in FLOATING else self.integer(type_, inner)

    def truth(self, inner):
        pick = self.random.choice
        other = pick(INTEGERS + FLOATING)
        return pick([
            lambda: f"({inner(other)} {pick(['<', '<=', '==', '!=', '>', '>='])} {inner(other)})",
            lambda: f"({inner('bool')} {pick(['&&', '||', '!=', '==', '&', '|', '^'])} {inner('bool')})",
            lambda: f"!{inner('bool')}",
            lambda: f"bool({inner(other)})",
        ])()

    def number(self, type_, inner):
        pick = self.random.choice
        other = pick(list(BITS) + [t for t in FLOATING if t != type_])
        function, wide = pick(["fabs", "floor", "trunc", "ceil"]), "double" if type_ == "double" else "float"
        function += "f" if wide == "float" else ""
        return pick([
            lambda: f"{type_}({inner(type_)} {pick('+-*/')} {inner(type_)})",
            lambda: f"{type_}({inner(other)})",
            lambda: f"{type_}({inner(other)})",
            lambda: f"{type_}({inner('bool')} ? {pick([-1, 1, 0, 2])} : {pick([-1, 1, 0, 2])})",
            lambda: f"{type_}({function}({wide}({inner(type_)})))",
            lambda: f"{type_}(- {inner(type_)})",
        ])()

    def integer(self, type_, inner):
        pick = self.random.choice
        bits, is_signed = BITS[type_], not type_.startswith("unsigned")
        unsigned = {8: "unsigned char", 16: "unsigned short", 32: "unsigned", 64: "unsigned long",
                    128: "unsigned __int128"}[bits]
        # No limit of an integer is a half, and no builtin has more than 64 bits.
        other, number, limit = pick(INTEGERS), pick(["float", "double"]), 1 << (bits - 1 if is_signed else bits)
        builtin_bits = min(bits, 64)
        divisor = lambda: f"({type_}){pick([2, 3, 5, 8, 10, 100])}" if is_signed else f"not_zero<{type_}>({inner(type_)})"
        # What the optimiser knows a single instruction for.
        with_values = lambda body: (f"[&] {{ {type_} x = {inner(type_)}, y = {inner(type_)}; {unsigned} u = x, w = y; "
                                    f"(void)w; (void)u; {body} }}()")
        return f"({type_})" + pick([
            lambda: f"({inner(type_)} {pick('+-*&|^')} {inner(type_)})",
            lambda: f"({inner(type_)} {pick('+-*&|^')} {inner(type_)})",
            lambda: f"({inner(type_)} {pick(['<<', '>>'])} ({inner('unsigned')} & {bits - 1}))",
            lambda: f"({inner(type_)} {pick('/%')} {divisor()})",
            lambda: f"({pick('~-')} {inner(type_)})",
            lambda: f"({inner(other)})",
            lambda: f"({inner('bool')})",
            lambda: f"to_integer<{type_}, {number}>({inner(number)}, {limit:.1f})",
            lambda: f"__builtin_{pick(['popcountll', 'parityll'])}({inner('unsigned long')})",
            lambda: f"__builtin_{pick(['clzll', 'ctzll'])}((unsigned long)({inner(other)}) | 0x100ul)",
            lambda: f"__builtin_bitreverse{builtin_bits}({inner(type_)})",
            lambda: f"__builtin_bswap{max(builtin_bits, 16)}({inner(type_)})",
            lambda: f"__builtin_rotate{pick(['left', 'right'])}{builtin_bits}({inner(type_)}, {inner('unsigned char')})",
            lambda: with_values(f"{unsigned} z = u + w; return z < u ? ({unsigned})-1 : z;"),
            lambda: with_values(f"return u < w ? ({unsigned})0 : ({unsigned})(u - w);"),
            lambda: with_values("return x < y ? x : y;"),
            lambda: with_values("return x < 0 ? -x : x;"),
            lambda: with_values("int n = 0; for (; u; u &= u - 1) ++n; return n;"),
            lambda: with_values("int n = 0; for (; u; u >>= 1) ++n; return n;"),
            lambda: self.bit_field(inner(other)),
            lambda: self.table(type_, inner("unsigned")),
        ])()

    def bit_field(self, value):
        member = self.random.choice(BIT_FIELDS)
        return f"[&] {{ BitFields fields{{}}; fields.{member} = {value}; return fields.{member}; }}()"

    def table(self, type_, value):
        count = self.random.choice([3, 4, 5, 8, 11])
        cases = " ".join(f"case {i}: return {self.constant(type_)};" for i in range(count))
        cases += f" default: return {self.constant(type_)};"
        return f"[&]() -> {type_} {{ switch ({value} % {count + 1}) {{ {cases} }} }}()"

    def assignment(self, depth=2):
        place, type_ = self.random.choice(self.written)
        operators = ["=", "=", "+=", "-="] if type_ != "bool" else ["="]
        return f"{self.indexed(place)} {self.random.choice(operators)} {self.expression(type_, depth)};"

    def variable(self):
        name, choice = self.new_name(), self.random.random()
        if choice < 0.45:
            type_ = self.random.choice(SCALARS)
            declaration = f"{type_} {name} = {self.expression(type_, 3)};"
        elif choice < 0.6:
            type_, length = self.random.choice(SCALARS), self.random.choice([2, 3, 4, 8, 16])
            first = self.leaf("unsigned")
            self.add_places(f"{name}[@ % {length}]", type_, True)
            return f"{type_} {name}[{length}]; for (unsigned i = 0; i < {length}; ++i) {name}[i] = ({type_})(i + {first});"
        else:
            type_ = self.random.choice(list(VECTORS) + list(self.program.structs))
            declaration = f"{type_} {name}{{}};"
        self.add_places(name, type_, True)
        return declaration

    def call(self):
        helper = self.random.choice(self.program.helpers)
        names, lines = [], []
        for type_ in helper.parameters:
            name = self.new_name()
            names.append(name)
            lines.append(f"{type_} {name}{{}};")
            self.add_places(name, type_, True)
            lines += [self.assignment(1) for _ in range(2)]
        name = self.new_name()
        lines.append(f"{helper.result} {name} = {helper.function}({', '.join(names)});")
        self.add_places(name, helper.result, True)
        return " ".join(lines)

    def statement(self):
        if not self.written:
            return self.variable()
        pick = self.random.random()
        if pick < 0.3:
            return self.variable()
        if pick < 0.45:
            return self.call() if self.program.helpers else self.variable()
        if pick < 0.65:
            return self.assignment(3)
        if pick < 0.82:
            condition = self.expression("bool", 2)
            return f"if ({condition}) {{ {self.assignment()} {self.assignment()} }} else {{ {self.assignment()} }}"
        count, jump = self.expression("unsigned", 1), ""
        if self.random.random() < 0.5:
            jump = f"if ({self.expression('bool', 2)}) {self.random.choice(['break', 'continue'])};"
        return f"for (unsigned i = 0; i < ({count} & 7); ++i) {{ {self.assignment()} {jump} {self.assignment()} }}"

    def text(self):
        statements = [self.statement() for _ in range(self.random.randint(1, 8))]
        type_ = self.random.choice(SCALARS)
        results = [self.indexed(place) for place, _ in self.written[-12:]] + [f"({type_}){self.expression(type_, 4)}"]
        statements += ["unsigned long result = 0;", *(f"result = result * 31 + bits_of({result});" for result in results)]
        return f"BOTH unsigned long {self.function}(const Input &in) {{ {' '.join(statements)} return result; }}"


class Helper(Function):
    """A function that others call, by value."""

    def __init__(self, name, source, program):
        types = list(VECTORS) + list(program.structs) + INTEGERS
        self.parameters = [source.choice(types) for _ in range(source.randint(1, 2))] + ["unsigned"]
        self.result = source.choice(types)
        super().__init__(name, source, program, [(f"a{i}", type_) for i, type_ in enumerate(self.parameters)])
        self.add_places("result", self.result, True)

    def text(self):
        lines = " ".join(self.assignment() for _ in range(self.random.randint(2, 6)))
        parameters = ", ".join(f"{type_} a{i}" for i, type_ in enumerate(self.parameters))
        kept = "__attribute__((noinline)) " if self.random.random() < 0.5 else ""
        return f"{kept}BOTH {self.result} {self.function}({parameters}) {{ {self.result} result{{}}; {lines} return result; }}"


class Program:
    """The text of the program of a seed."""

    functions, items = 16, 192

    def __init__(self, seed):
        source = random.Random(seed)
        self.structs, self.helpers = {}, []
        for i in range(3):
            self.structs[f"S{i}"] = [self.member(source, j) for j in range(source.randint(1, 5))]
        types = 2 * SCALARS + list(self.structs) + ["float4", "int2", "uchar4"]
        self.inputs = [(f"x{i}", type_) for i, type_ in enumerate(types)]
        for i in range(3):
            self.helpers.append(Helper(f"helper{i}", source, self))
        inputs = [(f"in.{member}", type_) for member, type_ in self.inputs]
        functions = [Function(f"function{i}", source, self, inputs) for i in range(self.functions)]
        structs = [*self.structs.items(), ("Input", [(*member, 0) for member in self.inputs])]
        self.text = "\n".join([HEADER, *map(self.declaration, structs), *(helper.text() for helper in self.helpers),
                               *(function.text() for function in functions), INPUTS, self.main(seed, functions)])

    def member(self, source, index):
        types = INTEGERS + FLOATING
        if source.random() < 0.2 and self.structs:
            return f"m{index}", source.choice(list(self.structs)), 0
        if source.random() < 0.25:
            return f"m{index}", source.choice(list(VECTORS)), 0
        return f"m{index}", source.choice(types), source.choice([0, 0, 0, 2, 3, 5])

    @staticmethod
    def declaration(struct):
        name, members = struct
        text = " ".join(f"{type_} {member}{f'[{length}]' if length else ''};" for member, type_, length in members)
        return f"struct {name} {{ {text} }};"

    def main(self, seed, functions):
        values = {"bool": "random() & 1", **{type_: f"{type_}(any_number(random))" for type_ in FLOATING}}
        special = "\n".join(f"  input.{name} = {values[type_]};" for name, type_ in self.inputs if type_ in values)
        calls = "\n".join(f"    out[{i}] = {function.function}(in);" for i, function in enumerate(functions))
        return f"""
Input make_input(std::mt19937_64 &random) {{
  Input input;
  for (size_t at = 0; at + 8 <= sizeof input; at += 8) {{
    const unsigned long word = any_integer(random);
    std::memcpy(reinterpret_cast<char *>(&input) + at, &word, 8);
  }}
{special}
  return input;
}}
BOTH void compute_all(const Input &in, unsigned long *out) {{
{calls}
}}
__global__ void compute(const Input *in, unsigned long *out) {{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  compute_all(in[i], out + i * {len(functions)});
}}
int main() {{
  Input *in = nullptr;
  unsigned long *out = nullptr;
  if (hipMallocManaged(reinterpret_cast<void **>(&in), {self.items} * sizeof *in) != hipSuccess ||
      hipMallocManaged(reinterpret_cast<void **>(&out), {self.items} * {len(functions)} * sizeof *out) != hipSuccess)
    return 2;
  std::mt19937_64 random({seed});
  for (int i = 0; i < {self.items}; ++i)
    in[i] = make_input(random);
  compute<<<{self.items // 64}, 64>>>(in, out);
  if (hipDeviceSynchronize() != hipSuccess)
    return 2;
  int failures = 0;
  for (int i = 0; i < {self.items}; ++i) {{
    unsigned long expected[{len(functions)}];
    compute_all(in[i], expected);
    for (int f = 0; f < {len(functions)}; ++f)
      if (const unsigned long is = out[i * {len(functions)} + f]; is != expected[f] && ++failures < 10)
        std::printf("function%d of input %d: %lx should be %lx\\n", f, i, is, expected[f]);
  }}
  return failures != 0;
}}
"""
