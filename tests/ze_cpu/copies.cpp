// Copies and fills.
#include "support.h"

#include <cstring>
#include <numeric>

TEST_CASE_METHOD(Driver, "ze_cpu: copies of all sizes arrive whole") {
  List list = immediate();
  for (size_t size : {size_t{1}, size_t{63}, size_t{4096}, size_t{3} << 20}) {
    char *from = shared<char>(size + 1), *to = shared<char>(size + 1);
    std::iota(from, from + size, char{1});
    to[size] = 99;
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, to, from, size, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
    CHECK(std::memcmp(from, to, size) == 0);
    CHECK(to[size] == 99);
  }
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: a copy may come from and go to memory that Level Zero does not know") {
  List list = immediate();
  std::vector<int> from(100, 3), to(100, 0);
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), 400, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
  CHECK(from == to);
}

TEST_CASE_METHOD(Driver, "ze_cpu: fills repeat patterns of every size exactly to the end") {
  List list = immediate();
  for (size_t pattern_size = 1; pattern_size <= 128; pattern_size *= 2)
    for (size_t repeats : {1, 3, 1000, 5000}) {
      INFO("pattern of " << pattern_size << " bytes, " << repeats << " times");
      std::vector<unsigned char> pattern(pattern_size);
      std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(7));
      const size_t size = pattern_size * repeats;
      unsigned char *memory = shared<unsigned char>(size + 1);
      REQUIRE_ZE(zeCommandListAppendMemoryFill(list, memory, pattern.data(), pattern_size, size,
                                               nullptr, 0, nullptr));
      REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
      size_t wrong = 0;
      for (size_t i = 0; i < size; ++i)
        wrong += memory[i] != pattern[i % pattern_size];
      CHECK(wrong == 0);
      CHECK(memory[size] == 0);
    }
}

TEST_CASE_METHOD(Driver, "ze_cpu: the pattern of a fill is taken when it is appended") {
  const auto gate = pooled_event();
  List list = immediate();
  int *memory = shared<int>(16);
  int pattern = 11;
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(
      zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof pattern, 64, nullptr, 1, &wait));
  pattern = 22;
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(memory[15] == 11);
}

TEST_CASE_METHOD(Driver, "ze_cpu: fills with impossible patterns are refused", "[front]") {
  List list = immediate();
  char *memory = shared<char>(64);
  const char pattern[256] = {};
  CHECK(zeCommandListAppendMemoryFill(list, memory, pattern, 3, 60, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandListAppendMemoryFill(list, memory, pattern, 256, 256, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandListAppendMemoryFill(list, memory, pattern, 4, 62, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandListAppendMemoryFill(list, nullptr, pattern, 4, 64, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

// Not under the validation layer, which divides by the size of the pattern.
TEST_CASE_METHOD(Driver, "ze_cpu: a fill with a pattern of no bytes is refused",
                 "[front][no-validation]") {
  List list = immediate();
  char *memory = shared<char>(64);
  CHECK(zeCommandListAppendMemoryFill(list, memory, memory, 0, 64, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a region copy moves a box between different pitches") {
  constexpr size_t from_pitch = 32, from_slice = 32 * 8, to_pitch = 16, to_slice = 16 * 6;
  char *from = shared<char>(from_slice * 4), *to = shared<char>(to_slice * 4);
  for (size_t i = 0; i < from_slice * 4; ++i)
    from[i] = static_cast<char>(i * 7 + 1);
  const ze_copy_region_t source{3, 2, 1, 5, 4, 2}, target{1, 1, 2, 5, 4, 2};
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendMemoryCopyRegion(list, to, &target, to_pitch, to_slice, from,
                                                 &source, from_pitch, from_slice, nullptr, 0,
                                                 nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
  size_t copied = 0, others = 0;
  for (size_t i = 0; i < to_slice * 4; ++i) {
    const size_t z = i / to_slice, y = i % to_slice / to_pitch, x = i % to_pitch;
    const bool inside = z >= 2 && y >= 1 && y < 5 && x >= 1 && x < 6;
    if (inside)
      copied += to[i] == from[(z - 2 + 1) * from_slice + (y - 1 + 2) * from_pitch + (x - 1 + 3)];
    else
      others += to[i] != 0;
  }
  CHECK(copied == 2 * 4 * 5);
  CHECK(others == 0);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a flat region copy has height and depth 0") {
  char *from = shared<char>(64), *to = shared<char>(64);
  std::memset(from, 6, 64);
  const ze_copy_region_t region{8, 0, 0, 16, 0, 0};
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendMemoryCopyRegion(list, to, &region, 0, 0, from, &region, 0, 0,
                                                 nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, forever));
  CHECK(to[7] == 0);
  CHECK(to[8] == 6);
  CHECK(to[23] == 6);
  CHECK(to[24] == 0);
}

TEST_CASE_METHOD(Driver, "ze_cpu: copies check their pointers, and hints are taken", "[front]") {
  List list = immediate();
  char *memory = shared<char>(64);
  CHECK(zeCommandListAppendMemoryCopy(list, nullptr, memory, 4, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeCommandListAppendMemoryCopy(nullptr, memory, memory, 4, nullptr, 0, nullptr));
  CHECK(zeCommandListAppendMemoryCopy(list, memory, memory, 4, nullptr, 1, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandListAppendMemoryPrefetch(list, memory, 64) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListAppendMemAdvise(list, device, memory, 64, ZE_MEMORY_ADVICE_SET_READ_MOSTLY) ==
        ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(
    Driver, "ze_cpu: a copy from an address that does not exist loses the list, not the process",
    "[fault]") {
  List list = immediate();
  List other = immediate();
  char *memory = shared<char>(64);
  const auto event = pooled_event();
  auto *nowhere = reinterpret_cast<const void *>(uintptr_t{64});
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, memory, nowhere, 16, event, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(list, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeEventHostSynchronize(event, long_ns) ==
        ZE_RESULT_ERROR_DEVICE_LOST); // nobody hangs, or takes it for done
  CHECK(zeCommandListAppendBarrier(list, nullptr, 0, nullptr) == ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK(zeCommandListAppendBarrier(other, nullptr, 0, nullptr) == ZE_RESULT_SUCCESS);
  CHECK(zeCommandListHostSynchronize(other, long_ns) == ZE_RESULT_SUCCESS);
}
