#include "runner.h"

#include "emitter.h"
#include "interpreter.h"

#include "contract/kernel_code.h"
#include "contract/program.h"
#include "exec/checking.h"
#include "exec/execute.h"
#include "exec/memory_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <format>
#include <set>
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
std::array<std::span<const std::byte>, 5> touchable;

bool may_touch(uintptr_t address, size_t bytes, ze_cpu::AllowedMemory &) {
  return std::ranges::any_of(touchable, [&](std::span<const std::byte> memory) {
    const uintptr_t offset = address - reinterpret_cast<uintptr_t>(memory.data());
    return offset < memory.size() && bytes <= memory.size() - offset;
  });
}

// The error, or an empty string.
std::string launch(const Kernel &kernel, const ze_cpu::KernelCode &code,
                   const ze_cpu::KernelInfo &info, Result &result) {
  std::vector<uint64_t> arguments(info.argument_bytes / 8 + 1);
  // The members of a struct lie where the arguments would.
  size_t offset = 0;
  auto add = [&](const auto &value) {
    std::memcpy(reinterpret_cast<std::byte *>(arguments.data()) + offset, &value, sizeof value);
    offset += sizeof value;
  };
  add(input().data());
  add(result.output.data());
  std::vector<uint32_t> group_memory(size_t(group_words) * kernel.group_count());
  add(result.cells.data());
  add(group_memory.data());
  add(result.own.data());
  add(kernel.arguments[0]);
  add(kernel.arguments[1]);
  for (uint32_t step : kernel.steps) {
    if (kernel.step_type == StepType::u64)
      add(uint64_t(step));
    else
      add(step);
  }
  ze_cpu::Launch launch = {
      &code, reinterpret_cast<std::byte *>(arguments.data()), {}, {}, {}, code.local_bytes};
  std::ranges::copy(kernel.groups, launch.groups);
  std::ranges::copy(kernel.group_size, launch.group_size);
  touchable = {std::as_bytes(std::span(input())), std::as_bytes(std::span(result.output)),
               std::as_bytes(std::span(result.cells)), std::as_bytes(std::span(group_memory)),
               std::as_bytes(std::span(result.own))};
  ze_cpu::set_memory_judge(may_touch);
  return ze_cpu::execute(launch).description;
}

std::string first_difference(const Kernel &kernel, const Result &is, const Result &should) {
  for (size_t i = 0; i < is.cells.size(); ++i)
    if (is.cells[i] != should.cells[i])
      return std::format("cell {} is {}, should be {}", i, is.cells[i], should.cells[i]);
  for (size_t i = 0; i < is.own.size(); ++i)
    if (is.own[i] != should.own[i])
      return std::format("element {} of work-items' own is {:#x}, should be {:#x}", i, is.own[i],
                         should.own[i]);
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

// The ways of executing work-items that are compared.
enum class Way { usual, interchange, fibers };

const char *flag_of(Way way) {
  switch (way) {
  case Way::usual:
    return "";
  case Way::interchange:
    return "-ze-cpu-interchange";
  case Way::fibers:
    return "-ze-cpu-fibers";
  }
  return "";
}

} // namespace

std::optional<Mismatch> check(std::span<const Kernel> kernels, const Build &build) {
  const std::vector<std::byte> module = emit(kernels);
  const bool never_interchanged = !build.optimised || ze_cpu::is_checking();
  std::vector<Result> expected(kernels.size());
  std::vector<bool> synchronises(kernels.size()), is_plain_loop(kernels.size());
  for (const Way way : {Way::usual, Way::interchange, Way::fibers}) {
    // Where a flag changes nothing, the same code is not compiled and run a second time.
    const auto is_left_out = [&](size_t kernel) {
      return (way == Way::interchange && (never_interchanged || synchronises[kernel])) ||
             (way == Way::fibers && (is_plain_loop[kernel] || !build.also_as_fibers));
    };
    const std::string flags =
        std::string(flag_of(way)) + (build.optimised ? "" : " -ze-opt-disable");
    std::unique_ptr<ze_cpu::Program> program;
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (is_left_out(i))
        continue;
      if (!program) {
        ze_cpu::BuildResult built = ze_cpu::build_program(module, flags, {});
        if (!built)
          return Mismatch{0, "the module does not build: " + built.error().log};
        program = std::move(*built);
      }
      const auto wrong = [&](std::string_view problem) {
        return Mismatch{i, std::format("built with \"{}\": {}", flags, problem)};
      };
      const auto code = program->kernel(i);
      if (!code)
        return wrong(code.error());
      if (way == Way::usual) {
        expected[i] = interpret(kernels[i]);
        const ze_cpu::KernelCode &compiled = ze_cpu::code_of(**code);
        synchronises[i] = compiled.has_sync;
        is_plain_loop[i] = !compiled.has_sync && !compiled.in_regions;
      }
      // Both code for any work-groups and that for those of the kernel's.
      const auto of_size = program->kernel_for(i, kernels[i].group_size);
      if (!of_size)
        return wrong(of_size.error());
      for (const auto *compiled : std::set{*code, *of_size}) {
        if (!ze_cpu::runs(ze_cpu::code_of(*compiled), kernels[i].group_size))
          continue;
        Result result = initial_result(kernels[i]);
        std::string problem =
            launch(kernels[i], ze_cpu::code_of(*compiled), program->kernels()[i], result);
        if (problem.empty())
          problem = first_difference(kernels[i], result, expected[i]);
        if (!problem.empty())
          return wrong((compiled == *code ? "" : "code of its own: ") + problem);
      }
    }
  }
  return std::nullopt;
}

void load_compiler() { (void)ze_cpu::build_program(emit({}), "", {}); }

Build build_of(uint64_t first_seed) {
  Random random(first_seed);
  const bool optimised = !random.one_in(8);
  return {optimised, !optimised || random.one_in(4)};
}

} // namespace random_kernels
