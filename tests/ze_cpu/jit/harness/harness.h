// What the tests of the compiler and of execution share: modules compiled at build time, and
// launches with arguments checked.
#pragma once

#include "contract/program.h"
#include "exec/execute.h"
#include "exec/faults.h"
#include "program/processor/architecture.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

namespace test {

/// The bytes of a module in the build directory.
std::vector<std::byte> spirv(const std::string &name);

/// Builds it, fails the test if that fails. Modules are kept for the whole process unless `fresh`.
ze_cpu::Program &program(const std::string &name);
std::unique_ptr<ze_cpu::Program> fresh_program(const std::string &name,
                                               const std::string &flags = "");

size_t kernel_index(const ze_cpu::Program &program, const std::string &kernel);
const ze_cpu::KernelCode &code(ze_cpu::Program &program, const std::string &kernel);

/// For work-groups of that size.
const ze_cpu::KernelCode &code_for(ze_cpu::Program &program, const std::string &kernel,
                                   const uint32_t (&group_size)[3]);

/// Of a module that is kept.
const ze_cpu::KernelCode &code(const char *module, const char *kernel);

/// The levels of x86-64, lower ones first, where kernels can be compiled for them: whether this processor executes them or not.
std::vector<ze_cpu::Architecture> levels();

/// An argument for dynamic work-group memory.
struct Local {
  uint32_t bytes;
};

struct Shape {
  uint32_t groups[3] = {1, 1, 1};
  uint32_t size[3] = {1, 1, 1};
  uint32_t offset[3] = {0, 0, 0};
  bool cooperative = false;
};
inline Shape line(uint32_t groups, uint32_t size) { return {{groups, 1, 1}, {size, 1, 1}}; }

/// Lays arguments out as the driver does.
class Arguments {
public:
  Arguments(const ze_cpu::KernelInfo &info, const ze_cpu::KernelFootprint &footprint);

  template <class T> void add(const T &value) { add_bytes(&value, sizeof value); }
  void add(Local local);

  const std::byte *bytes() const { return reinterpret_cast<const std::byte *>(storage_.data()); }
  uint32_t local_bytes() const { return local_bytes_; }
  void finish() const;

private:
  void add_bytes(const void *value, size_t size);

  const ze_cpu::KernelInfo &info_;
  std::vector<uint64_t> storage_;
  size_t next_ = 0;
  uint32_t local_bytes_;
};

/// `compiled` is what code() or code_for() has given for the kernel.
template <class... Values>
ze_cpu::Fault try_run(const ze_cpu::KernelCode &compiled, ze_cpu::Program &program,
                      const std::string &kernel, const Shape &shape, const Values &...values) {
  Arguments arguments(program.kernels()[kernel_index(program, kernel)], footprint(compiled));
  (arguments.add(values), ...);
  arguments.finish();
  ze_cpu::Launch launch = {&compiled, arguments.bytes(), {}, {}, {}, arguments.local_bytes()};
  std::memcpy(launch.groups, shape.groups, sizeof launch.groups);
  std::memcpy(launch.group_size, shape.size, sizeof launch.group_size);
  std::memcpy(launch.global_offset, shape.offset, sizeof launch.global_offset);
  launch.cooperative = shape.cooperative;
  // The framework puts handlers of its own in place for each case, which execution only looks for after some microseconds.
  ze_cpu::refresh_fault_handling();
  return ze_cpu::execute(launch);
}

template <class... Values>
ze_cpu::Fault try_run(ze_cpu::Program &program, const std::string &kernel, const Shape &shape,
                      const Values &...values) {
  return try_run(code_for(program, kernel, shape.size), program, kernel, shape, values...);
}

/// Fails the test on a fault.
template <class... Values>
void run(const std::string &module, const std::string &kernel, const Shape &shape,
         const Values &...values) {
  ze_cpu::Fault fault = try_run(program(module), kernel, shape, values...);
  INFO(fault.description);
  REQUIRE(!fault.happened);
}

} // namespace test
