#include "suite.h"
#include "../program.h"
#include "launch.h"
#include "native.h"
#include "opencl.h"
#include "suite/suite.h"

#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <thread>

namespace bench {
namespace {

/// The least that a run took: whatever else the machine does only adds to it.
struct Contestant {
  std::string name;
  std::function<void()> run;
  bool is_openmp = false;
  double wall = std::numeric_limits<double>::infinity(), processor = wall; // ns
  double spent = 0;
  int runs = 0;
};

/// Of all threads of this process.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// The threads of whoever ran have stopped looking for work by then, and the system has counted what they took: it adds up the
/// time of a thread that runs elsewhere only when that thread stops, or at the next tick of the clock.
void let_threads_stop() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

void run_once(Contestant &who) {
  std::optional<native::OnOwnProcessors> spread;
  if (who.is_openmp)
    spread.emplace();
  let_threads_stop();
  const double processor = processor_time();
  const auto start = Clock::now();
  who.run();
  const double wall = Nanoseconds(Clock::now() - start).count();
  let_threads_stop();
  who.processor = std::min(who.processor, processor_time() - processor);
  who.wall = std::min(who.wall, wall);
  who.spent += wall;
  ++who.runs;
}

/// In turns. What takes long varies little.
void run_in_turns(std::vector<Contestant> &all, int rounds) {
  constexpr double enough_ns = 0.5e9;
  constexpr int fewest = 3;
  for (Contestant &who : all)
    who.run();
  for (int round = 0; round < rounds; ++round)
    for (Contestant &who : all)
      if (who.runs < fewest || who.spent < enough_ns)
        run_once(who);
}

void measure_case(const RawContext &device, ze_module_handle_t module, OpenCl *opencl,
                  const Case &what, int rounds, Results &results) {
  // Each has an output of its own.
  const SharedMemory memory(device, what.sizes);
  const SharedMemory outputs(device, {what.sizes.back(), what.sizes.back()});
  const std::vector<Buffer> ours = memory.buffers();
  std::vector<Buffer> natives = ours, pocls = ours;
  natives.back() = outputs.buffers()[0];
  pocls.back() = outputs.buffers()[1];
  what.fill(ours);

  Launch launch(device, module, what, ours);
  const auto pocl = opencl ? opencl->prepare(what, pocls) : nullptr;
  std::vector<Contestant> all;
  all.push_back({"hip", [&] { launch.run(); }});
  all.push_back({"openmp",
                 [&] {
                   if (what.clears)
                     std::ranges::fill(natives.back(), 0.0f);
                   what.native(natives);
                 },
                 true});
  if (pocl)
    all.push_back({"pocl", [&] { pocl->run(); }});
  run_in_turns(all, rounds);

  require_right(what, "the driver", ours, natives);
  if (pocl)
    require_right(what, "OpenCL", pocls, natives);
  results.add(what.key + "_over_openmp", all[0].wall / all[1].wall);
  results.add(what.key + "_cpu_over_openmp", all[0].processor / all[1].processor);
  if (pocl) {
    results.add(what.key + "_over_pocl", all[0].wall / all[2].wall);
    results.add(what.key + "_cpu_over_pocl", all[0].processor / all[2].processor);
  }
  for (const Contestant &who : all) {
    results.add(what.key + "_" + who.name + "_us", who.wall / 1e3);
    results.add(what.key + "_" + who.name + "_cpu_us", who.processor / 1e3);
  }
}

} // namespace

void measure_suite(const RawContext &device, const SuiteOptions &options, Results &results) {
  // As libCHIP asks for it, and as OpenMP's compiler does.
  const std::string rounded = "-cl-fp32-correctly-rounded-divide-sqrt";
  for (const Family &family : suite) {
    Cases cases = family.cases(Scale{options.is_small});
    if (!options.only.empty())
      std::erase_if(cases, [&](const Case &what) { return what.key != options.only; });
    if (cases.empty())
      continue;
    const auto spirv = read_spirv(std::format("{}/bench_{}.code", BENCH_SUITE_CODE, family.name));
    const auto module = device.create_module(spirv, rounded.c_str());
    // Whose compiler takes a second for each kernel, which has the same text.
    const auto opencl = options.is_small
                            ? nullptr
                            : open_cl(std::format("#include \"{}.hip\"\n", family.name),
                                      std::format("{} -I {}", rounded, BENCH_SUITE_SOURCES));
    for (const Case &what : cases)
      measure_case(device, module.get(), opencl.get(), what, options.rounds, results);
  }
}

} // namespace bench
