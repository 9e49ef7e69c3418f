// How long modules take to build and kernels to compile. Not a test: numbers to read.
//
//     ze_cpu_compile_time FILE.spv...    each module and kernel of it
//     ze_cpu_compile_time --growth       kernels of growing size: microseconds per piece, which
//                                        stay the same where time is linear
#include "contract/program.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <time.h>

namespace {

// Of the wall: most of the work is done in another process.
class Watch {
public:
  double milliseconds() const { return now() - start_; }

private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  double start_ = now();
};

std::vector<std::byte> read_file(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

// Writes modules with kernels of one shape: k(uint *data) { value = *data; PIECE...; *data = value;
// }.
class Module {
public:
  // Numbers of what the pieces use.
  enum : uint32_t {
    void_type = 1,
    uint,
    bool_type,
    pointer,
    function,
    one,
    two,
    semantics,
    first_free
  };

  explicit Module(size_t kernels) {
    words_ = {0x07230203, 0x10400, 0, 0, 0};
    op(17, {4});    // capability Addresses
    op(17, {6});    // Kernel
    op(14, {2, 2}); // Physical64, OpenCL
    for (size_t k = 0; k < kernels; ++k) {
      const std::string name = "k" + std::to_string(k);
      uint32_t text[3] = {};
      std::memcpy(text, name.data(), name.size());
      std::vector<uint32_t> entry = {6, next_++};
      entry.insert(entry.end(), text, text + name.size() / 4 + 1);
      op(15, entry);
    }
    op(19, {void_type});
    op(21, {uint, 32, 0});
    op(20, {bool_type});
    op(32, {pointer, 5, uint});
    op(33, {function, void_type, pointer});
    op(43, {uint, one, 77});
    op(43, {uint, two, 2});
    op(43, {uint, semantics, 0x110});
  }

  using Piece = void (*)(Module &, uint32_t &value);
  void kernel(size_t number, Piece piece, size_t pieces) {
    const uint32_t data = id(), in = id();
    op(54, {void_type, static_cast<uint32_t>(first_free + number), 0, function});
    op(55, {pointer, data});
    op(248, {block_ = id()});
    op(61, {uint, in, data, 2, 4});
    uint32_t value = in;
    for (size_t i = 0; i < pieces; ++i)
      piece(*this, value);
    op(62, {data, value, 2, 4});
    op(253, {});
    op(56, {});
  }

  uint32_t id() { return next_++; }
  void op(uint32_t opcode, const std::vector<uint32_t> &operands) {
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  void begin(uint32_t block) { op(248, {block_ = block}); }
  uint32_t block() const { return block_; }

  std::vector<uint32_t> take() {
    words_[3] = next_;
    return std::move(words_);
  }

private:
  std::vector<uint32_t> words_;
  uint32_t next_ = first_free;
  uint32_t block_ = 0;
};

// value = (value * 77 ^ value) + value
void arithmetic(Module &m, uint32_t &value) {
  const uint32_t product = m.id(), mixed = m.id(), sum = m.id();
  m.op(132, {Module::uint, product, value, Module::one});
  m.op(198, {Module::uint, mixed, product, value});
  m.op(128, {Module::uint, sum, mixed, value});
  value = sum;
}

// if (value < 77) arithmetic
void branch(Module &m, uint32_t &value) {
  const uint32_t less = m.id(), inside = m.id(), after = m.id(), merged = m.id();
  const uint32_t before = m.block();
  m.op(176, {Module::bool_type, less, value, Module::one});
  m.op(247, {after, 0});
  m.op(250, {less, inside, after});
  m.begin(inside);
  uint32_t changed = value;
  arithmetic(m, changed);
  m.op(249, {after});
  m.begin(after);
  m.op(245, {Module::uint, merged, value, before, changed, inside});
  value = merged;
}

void barrier(Module &m, uint32_t &value) {
  m.op(224, {Module::two, Module::two, Module::semantics});
  arithmetic(m, value);
}

// Milliseconds to build a module of `kernels` kernels and to compile the first `created` of them.
double compile(size_t kernels, Module::Piece piece, size_t pieces, size_t created = 1) {
  Module module(kernels);
  for (size_t k = 0; k < kernels; ++k)
    module.kernel(k, piece, pieces);
  const std::vector<uint32_t> words = module.take();
  const Watch watch;
  auto built = ze_cpu::build_program(std::as_bytes(std::span(words)), "", {});
  if (!built) {
    std::printf("%s\n", built.error().log.c_str());
    std::exit(1);
  }
  for (size_t k = 0; k < created; ++k)
    if (auto code = (*built)->kernel(k); !code) {
      std::printf("%s\n", code.error().c_str());
      std::exit(1);
    }
  return watch.milliseconds();
}

void print_growth() {
  (void)compile(1, arithmetic, 1);
  for (const auto &[name, piece] :
       {std::pair{"arithmetic", &arithmetic}, std::pair{"branches", &branch},
        std::pair{"barriers", &barrier}})
    for (size_t pieces = 25; pieces <= 1600; pieces *= 2) {
      const double time = compile(1, piece, pieces);
      std::printf("%-12s %6zu %10.2f ms %8.2f us each\n", name, pieces, time, time * 1000 / pieces);
      std::fflush(stdout);
    }
  for (size_t kernels = 25; kernels <= 1600; kernels *= 4) {
    const double time = compile(kernels, branch, 10);
    std::printf("%-12s %6zu %10.2f ms %8.2f us each\n", "kernels", kernels, time,
                time * 1000 / kernels);
  }
  for (size_t kernels = 25; kernels <= 800; kernels *= 2) {
    const double time = compile(kernels, arithmetic, 1, kernels);
    std::printf("%-12s %6zu %10.2f ms %8.2f us each\n", "created", kernels, time,
                time * 1000 / kernels);
  }
}

void print_file(const char *path) {
  const char *slash = std::strrchr(path, '/');
  const auto spirv = read_file(path);
  const Watch all;
  auto built = ze_cpu::build_program(spirv, "", {});
  if (!built) {
    std::printf("%s: %s\n", path, built.error().log.c_str());
    std::exit(1);
  }
  std::printf("%-40s %8.2f ms\n", slash ? slash + 1 : path, all.milliseconds());
  const auto kernels = (*built)->kernels();
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Watch watch;
    if (auto code = (*built)->kernel(k); !code)
      std::printf("%s\n", code.error().c_str());
    std::printf("  %-38s %8.2f ms\n", kernels[k].name.c_str(), watch.milliseconds());
  }
  std::printf("  %-38s %8.2f ms per kernel\n", "together",
              all.milliseconds() / static_cast<double>(kernels.size()));
}

} // namespace

int main(int argc, char **argv) {
  const Watch watch;
  (void)ze_cpu::build_program({}, "", {}); // loads the compiler
  std::printf("%-40s %8.2f ms\n", "loading the compiler", watch.milliseconds());
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--growth") == 0)
      print_growth();
    else
      print_file(argv[i]);
}
