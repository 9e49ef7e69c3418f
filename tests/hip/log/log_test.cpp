// What CHIP_LOG shows, and at which level. Each test case needs processes of its own.
#include "child.h"
#include "fixture.h"

#include <cstdlib>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

using namespace fixture;
using child::child_passes;
using child::Complaint;

namespace {

/// By the number of the first level that shows it: error, warn, info, trace.
struct Message {
  int level;
  std::string text;
};

const std::vector<Message> messages = {
    {1, "libCHIP: hipErrorInvalidHandle: `module` is null\n"},
    {1, "libCHIP: hipErrorInvalidValue: "},
    {2, "libCHIP: warning: no Intel GPU was found: kernels run on the CPU"},
    {2, "libCHIP: warning: the driver has Level Zero "},
    {2, "libCHIP: warning: kernel large_65536 takes 65536 bytes of its arguments from memory"},
    {3, "libCHIP: info: the driver for the CPU has version "},
    {3, "libCHIP: info: device 0 is "},
    {3, " bytes of SPIR-V is built by the driver for device 0\n"},
    {3, " bytes of SPIR-V is taken from an earlier load for device 0\n"},
    {4, "libCHIP: trace: hipModuleLoad\n"},
    {4, "libCHIP: trace: hipModuleUnload returns hipErrorInvalidHandle\n"},
    {4, "libCHIP: trace: hipMemcpy returns hipErrorInvalidValue\n"},
};

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// What a process says that does what there are messages about.
std::string said(const char *variable, const char *value) {
  unsetenv("CHIP_LOG");
  unsetenv("CHIP_LOGLEVEL");
  unsetenv("CHIP_DEVICE");
  unsetenv("ZE_ENABLE_ALT_DRIVERS");
  setenv("CHIP_WITHOUT", "counter_events", 1);
  if (variable)
    setenv(variable, value, 1);
  Complaint complaint;
  const bool passes = child_passes("\\[child] gives reason for each message");
  const std::string text = complaint.text();
  INFO(text);
  CHECK(passes);
  return text;
}

void check_level(const char *variable, const char *value, int level) {
  const std::string text = said(variable, value);
  INFO((variable ? variable : "unset") << '=' << value << '\n' << text);
  for (const Message &message : messages) {
    INFO(message.text);
    CHECK((count(text, message.text) != 0) == (message.level <= level));
  }
  if (level == 0)
    CHECK(text.empty());
}

} // namespace

TEST_CASE("[child] gives reason for each message", "[.]") {
  for (int load = 0; load < 2; ++load) {
    hipModule_t module = nullptr;
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    hipFunction_t function = nullptr;
    for (int i = 0; i < 2; ++i)
      REQUIRE_HIP(hipModuleGetFunction(&function, module, "large_65536"));
    REQUIRE_HIP(hipModuleUnload(module));
  }
  CHECK(hipModuleUnload(nullptr) == hipErrorInvalidResourceHandle);
  int value = 0;
  CHECK(hipMemcpy(nullptr, &value, sizeof value, hipMemcpyHostToDevice) == hipErrorInvalidValue);
}

TEST_CASE("log: each message appears at its level and above, and not below") {
  check_level(nullptr, "", 0);
  check_level("CHIP_LOG", "error", 1);
  check_level("CHIP_LOG", "warn", 2);
  check_level("CHIP_LOG", "info", 3);
  check_level("CHIP_LOG", "trace", 4);
}

TEST_CASE("log: levels have numbers, capitals and the names of other runtimes, too") {
  check_level("CHIP_LOG", "0", 0);
  check_level("CHIP_LOG", "1", 1);
  check_level("CHIP_LOG", " WARN\n", 2);
  check_level("CHIP_LOGLEVEL", "crit", 0);
  check_level("CHIP_LOGLEVEL", "err", 1);
  check_level("CHIP_LOGLEVEL", "warn", 2);
  check_level("CHIP_LOGLEVEL", "info", 3);
  check_level("CHIP_LOGLEVEL", "debug", 3);
  check_level("CHIP_LOGLEVEL", "trace", 4);
}

TEST_CASE("log: CHIP_LOG goes before CHIP_LOGLEVEL") {
  setenv("CHIP_LOG", "0", 1);
  setenv("CHIP_LOGLEVEL", "trace", 1);
  Complaint complaint;
  CHECK(child_passes("\\[child] fails a call"));
  CHECK(complaint.text().empty());
}

TEST_CASE("[child] fails a call", "[.]") {
  for (int i = 0; i < 2; ++i)
    CHECK(hipModuleUnload(nullptr) == hipErrorInvalidResourceHandle);
  CHECK(hipInit(0) == hipSuccess);
}

TEST_CASE("log: a level that there is not is told in one line, and nothing else is shown") {
  for (const char *wrong : {"loud", "2", "-1", "err or", "warn,info"}) {
    setenv("CHIP_LOG", wrong, 1);
    Complaint complaint;
    CHECK(child_passes("\\[child] fails a call"));
    CHECK(complaint.text() ==
          std::string("libCHIP: CHIP_LOG='") + wrong +
              "' is ignored: use error (or 1), warn, info or trace, or leave it unset\n");
  }
  unsetenv("CHIP_LOG");
  setenv("CHIP_LOGLEVEL", "loud", 1);
  Complaint complaint;
  CHECK(child_passes("\\[child] fails a call"));
  CHECK(complaint.text() == "libCHIP: CHIP_LOGLEVEL='loud' is ignored: use crit, err, warn, info, "
                            "debug or trace, or leave it unset\n");
}

TEST_CASE("log: a kernel that takes arguments from memory is told once") {
  CHECK(count(said("CHIP_LOG", "warn"), "kernel large_65536 takes") == 1);
}

TEST_CASE("log: calls are shown by the names of HIP's functions") {
  const std::string text = said("CHIP_LOG", "trace");
  const std::regex line("libCHIP: trace: (\\w+)");
  size_t calls = 0;
  for (std::sregex_iterator found(text.begin(), text.end(), line), end; found != end; ++found) {
    const std::string name = (*found)[1];
    INFO(name);
    CHECK((name.starts_with("hip") || name.starts_with("__hip")));
    ++calls;
  }
  CHECK(calls >= 8);
}
