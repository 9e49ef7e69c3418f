#include "runner.h"

#include "emitter.h"
#include "interpreter.h"

#include "exec/execute.h"
#include "exec/memory_check.h"
#include "jit/program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <format>
#include <span>

namespace random_kernels {
namespace {

const std::array<uint32_t, input_words> &input() {
  static const auto words = [] {
    std::array<uint32_t, input_words> all;
    for (uint32_t i = 0; i < input_words; ++i)
      all[i] = input_word(i);
    return all;
  }();
  return words;
}

// Memory that the kernel that runs may touch, for ZE_CPU_CHECK=1.
std::array<std::span<const std::byte>, 3> touchable;

bool may_touch(uintptr_t address, size_t bytes) {
  return std::ranges::any_of(touchable, [&](std::span<const std::byte> memory) {
    const uintptr_t offset = address - reinterpret_cast<uintptr_t>(memory.data());
    return offset < memory.size() && bytes <= memory.size() - offset;
  });
}

// The error, or an empty string.
std::string launch(const Kernel &kernel, ze_cpu::Program &program, size_t index, Result &result) {
  auto code = program.code(index);
  if (!code)
    return code.error();
  const ze_cpu::KernelInfo &info = program.kernels()[index];
  std::vector<uint64_t> arguments(info.argument_bytes / 8 + 1);
  size_t next = 0;
  auto add = [&](const auto &value) {
    std::memcpy(reinterpret_cast<std::byte *>(arguments.data()) + info.arguments[next++].offset,
                &value, sizeof value);
  };
  add(input().data());
  add(result.output.data());
  add(result.cells.data());
  add(kernel.arguments[0]);
  add(kernel.arguments[1]);
  ze_cpu::Launch launch = {*code, reinterpret_cast<std::byte *>(arguments.data()), {}, {}, {},
                           ze_cpu::footprint(**code).local_bytes};
  std::ranges::copy(kernel.groups, launch.groups);
  std::ranges::copy(kernel.group_size, launch.group_size);
  touchable = {std::as_bytes(std::span(input())), std::as_bytes(std::span(result.output)),
               std::as_bytes(std::span(result.cells))};
  ze_cpu::set_memory_judge(may_touch);
  return ze_cpu::execute(launch).description;
}

std::string first_difference(const Kernel &kernel, const Result &is, const Result &should) {
  for (size_t i = 0; i < is.cells.size(); ++i)
    if (is.cells[i] != should.cells[i])
      return std::format("global{} is {}, should be {}", i, is.cells[i], should.cells[i]);
  for (size_t i = 0; i < is.output.size(); ++i) {
    if (is.output[i] == should.output[i])
      continue;
    const size_t all = size_t(kernel.items()) * kernel.group_count();
    size_t item = kernel.side_by_side ? i % all : i / kernel.output_words(),
           slot = kernel.side_by_side ? i / all : i % kernel.output_words();
    std::string name = std::format("out[{}]", slot);
    if (slot >= store_slots + kernel.variables.size()) {
      slot -= store_slots + kernel.variables.size();
      name = std::format("array{}[{}]", slot / array_length, slot % array_length);
    } else if (slot >= store_slots) {
      name = std::format("v{}", slot - store_slots);
    }
    return std::format("group {}, work-item {}: {} is {:#x}, should be {:#x}",
                       item / kernel.items(), item % kernel.items(), name, is.output[i],
                       should.output[i]);
  }
  return {};
}

} // namespace

std::optional<Mismatch> check(std::span<const Kernel> kernels, bool optimised) {
  std::vector<std::byte> module = emit(kernels);
  std::vector<Result> expected;
  for (const Kernel &kernel : kernels)
    expected.push_back(interpret(kernel));
  for (std::string flags : {"", "-ze-cpu-interchange", "-ze-cpu-fibers"}) {
    if (!optimised)
      flags += " -ze-opt-disable";
    ze_cpu::BuildResult program = ze_cpu::build_program(module, flags, {});
    if (!program)
      return Mismatch{0, "the module does not build: " + program.error().log};
    for (size_t i = 0; i < kernels.size(); ++i) {
      Result result = initial_result(kernels[i]);
      std::string problem = launch(kernels[i], **program, i, result);
      if (problem.empty())
        problem = first_difference(kernels[i], result, expected[i]);
      if (!problem.empty())
        return Mismatch{i, std::format("built with \"{}\": {}", flags, problem)};
    }
  }
  return std::nullopt;
}

void load_compiler() { (void)ze_cpu::build_program(emit({}), "", {}); }

bool is_optimised(uint64_t first_seed) { return Random(first_seed).one_in(8) == false; }

} // namespace random_kernels
