#include "harness.h"

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

namespace test {

std::vector<std::byte> spirv(const std::string &name) {
  std::ifstream file(std::string(KERNEL_DIRECTORY "/") + name + ".spv", std::ios::binary);
  REQUIRE(file);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

std::unique_ptr<ze_cpu::Program> fresh_program(const std::string &name, const std::string &flags) {
  ze_cpu::BuildResult built = ze_cpu::build_program(spirv(name), flags, {});
  if (!built)
    FAIL(built.error().log);
  return std::move(*built);
}

ze_cpu::Program &program(const std::string &name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<ze_cpu::Program>> built;
  std::lock_guard lock(mutex);
  auto &entry = built[name];
  if (!entry)
    entry = fresh_program(name);
  return *entry;
}

size_t kernel_index(const ze_cpu::Program &program, const std::string &kernel) {
  auto kernels = program.kernels();
  for (size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == kernel)
      return i;
  FAIL("no kernel " << kernel);
  return 0;
}

const ze_cpu::KernelCode &code(ze_cpu::Program &program, const std::string &kernel) {
  auto compiled = program.kernel(kernel_index(program, kernel));
  if (!compiled)
    FAIL(compiled.error());
  return ze_cpu::code_of(**compiled);
}

const ze_cpu::KernelCode &code_for(ze_cpu::Program &program, const std::string &kernel,
                                   const uint32_t (&group_size)[3]) {
  code(program, kernel);
  auto compiled = program.kernel_for(kernel_index(program, kernel), group_size);
  if (!compiled)
    FAIL(compiled.error());
  return ze_cpu::code_of(**compiled);
}

const ze_cpu::KernelCode &code(const char *module, const char *kernel) {
  return code(program(module), std::string(kernel));
}

std::vector<ze_cpu::Architecture> levels() {
  std::vector<ze_cpu::Architecture> known;
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const auto level = ze_cpu::architecture_named(name))
      known.push_back(*level);
  return known;
}

Arguments::Arguments(const ze_cpu::KernelInfo &info, const ze_cpu::KernelFootprint &footprint)
    : info_(info), storage_(info.argument_bytes / 8 + 1), local_bytes_(footprint.local_bytes) {}

void Arguments::add_bytes(const void *value, size_t size) {
  REQUIRE(next_ < info_.arguments.size());
  const ze_cpu::Argument &argument = info_.arguments[next_++];
  REQUIRE(argument.size == size);
  std::memcpy(reinterpret_cast<std::byte *>(storage_.data()) + argument.offset, value, size);
}

void Arguments::add(Local local) {
  REQUIRE(info_.arguments[next_].kind == ze_cpu::ArgumentKind::local);
  uint64_t offset = (local_bytes_ + 127) / 128 * 128;
  local_bytes_ = static_cast<uint32_t>(offset + local.bytes);
  add_bytes(&offset, sizeof offset);
}

void Arguments::finish() const { REQUIRE(next_ == info_.arguments.size()); }

} // namespace test
