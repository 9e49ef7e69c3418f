#include "findings.h"

#include "../../contract/environment.h"

#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <unistd.h>

namespace ze_cpu {
namespace {

std::atomic<AddressDescriber> describer = nullptr;

const std::string &report_file() {
  static const auto *const name = new std::string(common::variable("ZE_CPU_CHECK_REPORTS"));
  return *name;
}

/// Whether nobody has told it before.
bool is_new(const std::string &line) {
  static auto *const mutex = new std::mutex;
  static auto *const told = new std::set<std::string>;
  const std::lock_guard lock(*mutex);
  return told->insert(line).second;
}

} // namespace

bool findings_go_to_file() { return !report_file().empty(); }

// One call for a record: those of several threads and processes do not mix.
void tell_finding(std::string_view check, std::string_view kernel, std::string_view key,
                  std::string_view text) {
  std::string line;
  line.append(check).append("\t").append(kernel).append("\t").append(key);
  if (!is_new(line))
    return;
  line.append("\t").append(text).append("\n");
  if (findings_go_to_file()) {
    const int file = open(report_file().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT, 0600);
    const bool written =
        file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (file >= 0)
      close(file);
    if (written)
      return;
  }
  std::fprintf(stderr, "ze_cpu: %.*s\n", int(text.size()), text.data());
}

void set_address_describer(AddressDescriber given) {
  describer.store(given, std::memory_order_relaxed);
}

std::string where_it_lies(uintptr_t address) {
  const AddressDescriber describe = describer.load(std::memory_order_relaxed);
  return describe ? ", " + describe(address) : std::string();
}

} // namespace ze_cpu
