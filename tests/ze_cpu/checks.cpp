// ZE_CPU_CHECK=1: what a kernel or a copy may not touch is reported, and loses the list.
#include "support.h"

#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <format>
#include <memory>
#include <unistd.h>

using Catch::Matchers::ContainsSubstring;

namespace {

/// The driver reads it when it is loaded.
const int chosen = setenv("ZE_CPU_CHECK", "1", 1);

/// What is written to standard error while it exists.
class StandardError {
public:
  StandardError() {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~StandardError() {
    std::fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    std::fclose(file_);
  }
  StandardError(const StandardError &) = delete;
  StandardError &operator=(const StandardError &) = delete;

  std::string text() {
    std::fflush(stderr);
    std::string result(static_cast<size_t>(lseek(fileno(file_), 0, SEEK_END)), ' ');
    const ssize_t read = pread(fileno(file_), result.data(), result.size(), 0);
    result.resize(static_cast<size_t>(std::max<ssize_t>(read, 0)));
    return result;
  }

private:
  FILE *file_ = std::tmpfile();
  int saved_ = dup(STDERR_FILENO);
};

class CheckTest : public Driver {
public:
  Module module;

  CheckTest() {
    std::string log;
    REQUIRE(build(*this, ZE_MODULE_FORMAT_IL_SPIRV, read_file(ZE_CPU_CHECK_SPIRV), log, &module) ==
            ZE_RESULT_SUCCESS);
  }

  int *allocate(size_t bytes) {
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    void *memory = nullptr;
    REQUIRE_ZE(zeMemAllocDevice(context, &desc, bytes, 0, device, &memory));
    return static_cast<int *>(memory);
  }
  void free(void *memory) { REQUIRE_ZE(zeMemFree(context, memory)); }
  int *freed(size_t bytes) {
    int *memory = allocate(bytes);
    free(memory);
    return memory;
  }

  template <class... Values>
  ze_result_t launch(const char *name, uint32_t groups, uint32_t size, const Values &...values) {
    const List list = immediate();
    const Kernel launched = kernel(module, name);
    const void *arguments[] = {&values...};
    REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(
        list, launched, {groups, 1, 1}, {size, 1, 1}, const_cast<void **>(arguments), nullptr,
        nullptr, 0, nullptr));
    return zeCommandListHostSynchronize(list, long_ns);
  }

  /// The launch must be stopped: what was reported.
  template <class... Values>
  std::string report(const char *name, uint32_t groups, uint32_t size, const Values &...values) {
    StandardError error;
    const ze_result_t result = launch(name, groups, size, values...);
    const std::string text = error.text();
    INFO(text);
    CHECK(result == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_THAT(text, ContainsSubstring(name));
    CHECK(std::ranges::count(text, '\n') == 1);
    check_alive();
    return text;
  }

  void check_alive() {
    int *memory = shared<int>(4);
    CHECK(launch("write_at", 1, 1, memory, int64_t{3}) == ZE_RESULT_SUCCESS);
    CHECK(memory[3] == 5);
  }

  /// `append` puts one command into a list, which must be stopped.
  template <class Append> std::string report_of(Append append) {
    const List list = immediate();
    StandardError error;
    REQUIRE_ZE(append(list));
    CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
    check_alive();
    return error.text();
  }
};

std::string hexadecimal(const void *address) {
  return std::format("{:#x}", reinterpret_cast<uintptr_t>(address));
}

} // namespace

TEST_CASE_METHOD(CheckTest, "ze_cpu check: an access to freed memory is reported") {
  const size_t bytes = GENERATE(4, 100, 4096, 3 << 20);
  int *memory = freed(bytes), *out = shared<int>(1);
  const std::string read = report("read_at", 1, 1, memory, int64_t{0}, out);
  CHECK_THAT(read, ContainsSubstring("reads 4 bytes at address " + hexadecimal(memory)));
  CHECK_THAT(read, ContainsSubstring(std::format("{}-byte device allocation", bytes)));
  CHECK_THAT(read, ContainsSubstring("freed") && ContainsSubstring("ago"));
  const int64_t last = static_cast<int64_t>(bytes / 4) - 1;
  CHECK_THAT(report("write_at", 1, 1, memory, last),
             ContainsSubstring("writes") && ContainsSubstring("freed"));
  CHECK_THAT(report("add_at", 1, 1, memory, last),
             ContainsSubstring("writes") && ContainsSubstring("freed"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: freed memory is not given out again at once") {
  int *memory = freed(4096);
  for (int i = 0; i < 100; ++i)
    free(allocate(4096));
  CHECK_THAT(report("write_at", 1, 1, memory, int64_t{0}), ContainsSubstring("freed"));
}

TEST_CASE_METHOD(
    CheckTest,
    "ze_cpu check: an access outside of an allocation is reported, by little or by much") {
  const size_t bytes = GENERATE(4, 100, 256, 4096, 5000, 3 << 20);
  int *memory = allocate(bytes), *out = shared<int>(1);
  const auto count = static_cast<int64_t>(bytes / 4);
  CHECK(launch("write_at", 1, 1, memory, count - 1) == ZE_RESULT_SUCCESS);
  CHECK(launch("write_at", 1, 1, memory, int64_t{0}) == ZE_RESULT_SUCCESS);
  const std::string one_past = std::format("0 bytes behind the {}-byte device allocation", bytes);
  CHECK_THAT(report("read_at", 1, 1, memory, count, out), ContainsSubstring(one_past));
  CHECK_THAT(report("write_at", 1, 1, memory, count), ContainsSubstring(one_past));
  CHECK_THAT(report("write_at", 1, 1, memory, int64_t{-1}),
             ContainsSubstring(std::format("4 bytes before the {}-byte device", bytes)));
  CHECK_THAT(report("write_at", 1, 1, memory, count + 250),
             ContainsSubstring(std::format("1000 bytes behind the {}-byte", bytes)));
  free(memory);
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: memory of the host program is none of a kernel's") {
  const auto heap = std::make_unique<int[]>(16);
  int stack[16] = {};
  int *out = shared<int>(1);
  CHECK_THAT(report("write_at", 1, 1, heap.get(), int64_t{2}), ContainsSubstring("program itself"));
  CHECK_THAT(report("read_at", 1, 1, heap.get(), int64_t{2}, out),
             ContainsSubstring("program itself"));
  CHECK_THAT(report("write_at", 1, 1, +stack, int64_t{2}), ContainsSubstring("program itself"));
  CHECK(heap[2] == 0);
  CHECK(stack[2] == 0);
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: an access through a null pointer is reported") {
  int *out = shared<int>(1), *null = nullptr;
  CHECK_THAT(report("read_at", 1, 1, null, int64_t{0}, out), ContainsSubstring("0x0"));
  CHECK_THAT(report("write_at", 1, 1, null, int64_t{1}), ContainsSubstring("0x4"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: an access that is not aligned is reported") {
  char *memory = shared<char>(64);
  CHECK_THAT(report("write_at", 1, 1, memory + 1, int64_t{0}), ContainsSubstring("not aligned"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: a report names the work-item, on whichever thread") {
  int *memory = freed(64), *out = shared<int>(1);
  CHECK_THAT(report("read_at", 3000, 64, memory, int64_t{0}, out),
             ContainsSubstring("work-item (63, 0, 0) of group (2999, 0, 0)"));
  CHECK_THAT(report("write_after_barrier", 1, 40, memory, int64_t{0}),
             ContainsSubstring("work-item (3, 0, 0) of group (0, 0, 0)"));
  CHECK(report("write_after_barrier", 500, 40, memory, int64_t{0}).contains("work-item (3, 0, 0)"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: work-group memory has an end and a beginning") {
  int *out = shared<int>(64);
  size_t bytes = 40 * sizeof(int);
  CHECK(launch("write_local", 2, 40, bytes, int64_t{39}, out) == ZE_RESULT_SUCCESS);
  CHECK_THAT(report("write_local", 2, 40, bytes, int64_t{40}, out),
             ContainsSubstring("at offset 160 of 160 bytes of work-group memory"));
  CHECK_THAT(report("write_local", 1, 40, bytes, int64_t{-1}, out),
             ContainsSubstring("at offset -4 of 160 bytes of work-group memory"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: copies and fills are checked as kernels are") {
  char *gone = reinterpret_cast<char *>(freed(256)), *memory = shared<char>(100);
  char host[256] = {};
  const int zero = 0;
  const auto copy = [](void *to, const void *from, size_t bytes) {
    return [=](ze_command_list_handle_t list) {
      return zeCommandListAppendMemoryCopy(list, to, from, bytes, nullptr, 0, nullptr);
    };
  };
  const auto fill = [&](void *to, size_t bytes) {
    return [=, &zero](ze_command_list_handle_t list) {
      return zeCommandListAppendMemoryFill(list, to, &zero, 1, bytes, nullptr, 0, nullptr);
    };
  };
  for (const std::string &text : {report_of(copy(gone, memory, 100)),
                                  report_of(copy(host, gone, 100)), report_of(fill(gone, 8))})
    CHECK_THAT(text, ContainsSubstring("memory") && ContainsSubstring("freed"));
  for (const std::string &text :
       {report_of(copy(memory, host, 101)), report_of(copy(host, memory + 60, 41)),
        report_of(fill(memory + 96, 5))})
    CHECK_THAT(text, ContainsSubstring("0 bytes behind the 100-byte shared allocation"));
  CHECK_THAT(report_of(copy(host, memory - 1, 1)),
             ContainsSubstring("1 bytes before the 100-byte"));
  const ze_copy_region_t region{0, 0, 0, 8, 3, 0};
  CHECK_THAT(report_of([&](ze_command_list_handle_t list) {
               return zeCommandListAppendMemoryCopyRegion(list, memory + 60, &region, 20, 0, host,
                                                          &region, 20, 0, nullptr, 0, nullptr);
             }),
             ContainsSubstring("0 bytes behind the 100-byte shared allocation"));

  const List list = immediate();
  REQUIRE_ZE(copy(memory, host, 100)(list));
  REQUIRE_ZE(copy(host, memory + 50, 50)(list));
  REQUIRE_ZE(copy(host + 100, host, 100)(list));
  REQUIRE_ZE(fill(memory + 99, 1)(list));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: what a kernel may touch is not reported") {
  struct Weights {
    int values[6] = {1, 2, 3, 4, 5, 6};
  };
  void *counters = nullptr;
  size_t size = 0;
  REQUIRE_ZE(zeModuleGetGlobalPointer(module, "counters", &size, &counters));
  CHECK(size == 16);
  int *out = shared<int>(10 * 64);
  StandardError error;
  CHECK(launch("all_kinds", 10, 64, out, shared<int>(4), Weights{}, 3) == ZE_RESULT_SUCCESS);
  CHECK(launch("read_counters", 1, 4, out, counters) == ZE_RESULT_SUCCESS);
  CHECK(out[3] == 0);
  CHECK(error.text().empty());
  // A variable of a program that is gone, or the end of one, is no more than any other memory.
  CHECK(launch("read_counters", 1, 5, out, counters) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_THAT(error.text(), ContainsSubstring("read_counters"));
}

TEST_CASE_METHOD(CheckTest, "ze_cpu check: the device offers no access to memory of the system") {
  ze_device_memory_access_properties_t access{};
  access.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetMemoryAccessProperties(device, &access));
  CHECK(access.sharedSystemAllocCapabilities == 0);
}

TEST_CASE_METHOD(
    CheckTest, "ze_cpu check: thousands of allocations, and one of large alignment, are checked") {
  std::vector<int *> all;
  for (int i = 0; i < 13'000; ++i)
    all.push_back(allocate(64));
  CHECK(launch("write_at", 1, 1, all.back(), int64_t{15}) == ZE_RESULT_SUCCESS);
  for (int *memory : all)
    free(memory);
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &desc, 5000, 2 << 20, device, &memory));
  CHECK(reinterpret_cast<uintptr_t>(memory) % (2 << 20) == 0);
  CHECK(launch("write_at", 1, 1, memory, int64_t{1249}) == ZE_RESULT_SUCCESS);
  CHECK_THAT(report("write_at", 1, 1, memory, int64_t{1250}), ContainsSubstring("0 bytes behind"));
  CHECK_THAT(report("write_at", 1, 1, memory, int64_t{-1}), ContainsSubstring("4 bytes before"));
  REQUIRE_ZE(zeMemFree(context, memory));
}
