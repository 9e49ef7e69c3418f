#include "grid.h"
#include "faults.h"
#include "group_wait.h"
#include "kernel_thread.h"
#include "memory_check.h"
#include "resident_groups.h"
#include "trap.h"

#include <format>
#include <new>
#include <optional>

namespace ze_cpu {

void Grid::fail(Fault reason) {
  if (!faulted.exchange(true, std::memory_order_acq_rel))
    fault = std::move(reason);
  next.store(total, std::memory_order_relaxed);
}

Fault describe_fault(const KernelCode &code, const FaultGuard &guard, int signal) {
  KernelThread &thread = KernelThread::current();
  thread.abandon();
  if (signal == forbidden_access)
    return describe_forbidden_access(code);
  if (guard.address_known && is_trap(guard.address))
    return {true, label(code) + ": a work-item gave up", std::nullopt, true};
  if (thread.is_stack_overflow(guard))
    return {true, label(code) + ": stack overflow: calls nest deeper than its stack of " +
                      std::to_string(code.stack_bytes / 1024) +
                      " KB has room for, which only recursion does: limit its depth"};
  // x86 tells of these two alike.
  const std::string where =
      guard.address_known
          ? std::format(" at address {:#x}", guard.address)
          : " at an address that no memory can have, or that is not aligned as its type is: "
            "ZE_CPU_CHECK=memory tells which";
  Fault fault{true, label(code) + ": " + signal_name(signal) + where};
  if (guard.address_known)
    fault.address = guard.address;
  return fault;
}

bool Grid::run(uint64_t first, uint64_t last) {
  KernelThread &thread = KernelThread::current();
  FaultGuard guard;
  const char *problem = nullptr;
  std::optional<GroupWait> wait;
  if (pool)
    wait.emplace(*this);
  int signal = run_guarded(guard, [&] {
    if (!resident) {
      if (!thread.run(launch, first, last))
        problem = "a barrier of the whole grid, in a launch that is not cooperative";
      return;
    }
    try {
      resident->run(first, last);
    } catch (const std::bad_alloc &) {
      problem = "not enough memory to run it";
    }
  });
  if (signal != 0)
    fail(describe_fault(*launch.code, guard, signal));
  else if (problem)
    fail({true, label(*launch.code) + ": " + problem});
  return signal == 0 && !problem;
}

bool Grid::prepare() {
  if (resident)
    prepare_fault_handling();
  else if (!KernelThread::current().prepare(launch))
    return fail({true, label(*launch.code) + ": not enough memory to run it"}), false;
  return true;
}

bool Grid::work_on() {
  uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
  if (first >= total)
    return false;
  uint64_t last = total - first < chunk ? total : first + chunk;
  return run(first, last);
}

void Grid::work() {
  if (!prepare())
    return;
  while (work_on()) {
  }
}

} // namespace ze_cpu
