// Fills and copies of boxes on an OpenCL device, next to what the host makes of the same bytes: whatever their sizes and where they begin.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

using Bytes = std::vector<unsigned char>;

/// Memory of the device, and what should be in it.
struct Memory {
  explicit Memory(size_t bytes) : expected(bytes) {
    CHECK(hipMalloc(&device, bytes) == hipSuccess);
    renew();
  }
  ~Memory() { CHECK(hipFree(device) == hipSuccess); }

  void renew() {
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = static_cast<unsigned char>(i * 37 + i / 251 + ++seed);
    CHECK(hipMemcpy(device, expected.data(), expected.size(), hipMemcpyHostToDevice) == hipSuccess);
  }
  bool is_right() const {
    Bytes seen(expected.size());
    CHECK(hipMemcpy(seen.data(), device, seen.size(), hipMemcpyDeviceToHost) == hipSuccess);
    return seen == expected;
  }

  unsigned char *device = nullptr;
  Bytes expected;
  static inline unsigned seed = 0;
};

/// Of elements of T, at the byte `offset`.
template <class T, class Fill>
void check_fill(Memory &memory, size_t offset, size_t count, T value, Fill fill) {
  memory.renew();
  CHECK(fill(memory.device + offset, value, count) == hipSuccess);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&memory.expected[offset + i * sizeof value], &value, sizeof value);
  if (!memory.is_right()) {
    std::printf("%zu elements of %zu bytes at %zu:\n", count, sizeof value, offset);
    CHECK(!"a fill");
  }
}

void check_fills() {
  Memory memory(1000);
  for (const size_t offset : {0, 1, 2, 7, 8, 63, 64, 65, 127, 128, 129, 200})
    for (const size_t bytes :
         {1, 2, 3, 8, 9, 63, 64, 127, 128, 129, 255, 256, 257, 383, 384, 385, 800}) {
      check_fill(
          memory, offset, bytes, static_cast<unsigned char>(bytes),
          [](void *at, unsigned char value, size_t count) { return hipMemset(at, value, count); });
      if (offset % 2 == 0)
        check_fill(
            memory, offset, (bytes + 1) / 2, static_cast<uint16_t>(0x1234 + bytes),
            [](void *at, uint16_t value, size_t count) { return hipMemsetD16(at, value, count); });
      if (offset % 4 == 0)
        check_fill(memory, offset, (bytes + 3) / 4, static_cast<uint32_t>(0x12345678 + bytes),
                   [](void *at, uint32_t value, size_t count) {
                     return hipMemsetD32(at, static_cast<int>(value), count);
                   });
    }
  // Many work-groups, and as many work-items as no small number divides.
  Memory large(100'000'000 / 8);
  for (const size_t bytes : {size_t{1048568}, size_t{128 * 65537}, large.expected.size() - 1})
    check_fill(
        large, 1, bytes, static_cast<unsigned char>(7),
        [](void *at, unsigned char value, size_t count) { return hipMemset(at, value, count); });
}

struct Shape {
  size_t width, height, depth, pitch,
      rows; // rows of a slice, those that the box does not have included
};

/// Calls `visit(offset)` for the first byte of each row.
template <class Visit> void for_each_row(const Shape &shape, Visit visit) {
  for (size_t z = 0; z < shape.depth; ++z)
    for (size_t y = 0; y < shape.height; ++y)
      visit((z * shape.rows + y) * shape.pitch);
}

hipPitchedPtr pitched(void *first, const Shape &shape) {
  return make_hipPitchedPtr(first, shape.pitch, shape.pitch, shape.rows);
}

void check_box(const Shape &shape, size_t begin) {
  Memory to(begin + shape.pitch * shape.rows * shape.depth), from(to.expected.size());
  const hipExtent extent = make_hipExtent(shape.width, shape.height, shape.depth);
  const auto check = [&](bool condition, const char *what) {
    if (!condition)
      std::printf("%s of %zu x %zu x %zu bytes, pitch %zu, %zu rows, at %zu:\n", what, shape.width,
                  shape.height, shape.depth, shape.pitch, shape.rows, begin);
    CHECK(condition);
  };
  CHECK(hipMemset3D(pitched(to.device + begin, shape), 0x5a, extent) == hipSuccess);
  for_each_row(shape,
               [&](size_t row) { std::memset(&to.expected[begin + row], 0x5a, shape.width); });
  check(to.is_right(), "a fill");

  const auto copy = [&](void *destination, void *source) {
    hipMemcpy3DParms parameters{};
    parameters.dstPtr = pitched(destination, shape);
    parameters.srcPtr = pitched(source, shape);
    parameters.extent = extent;
    parameters.kind = hipMemcpyDefault;
    return hipMemcpy3D(&parameters);
  };
  const auto expect = [&](Bytes &destination, const Bytes &source) {
    for_each_row(shape, [&](size_t row) {
      std::memcpy(&destination[begin + row], &source[begin + row], shape.width);
    });
  };
  CHECK(copy(to.device + begin, from.device + begin) == hipSuccess);
  expect(to.expected, from.expected);
  check(to.is_right(), "a copy within the device");

  Bytes host(to.expected.size(), 3), should_be = host;
  CHECK(copy(&host[begin], to.device + begin) == hipSuccess);
  expect(should_be, to.expected);
  check(host == should_be, "a copy from the device");

  from.renew();
  CHECK(copy(from.device + begin, &host[begin]) == hipSuccess);
  expect(from.expected, host);
  check(from.is_right(), "a copy to the device");
}

int main() {
  check_fills();
  for (const size_t begin : {0, 1, 64})
    for (const size_t width : {1, 4, 63, 64, 129})
      for (const size_t gap : {0, 1, 64})
        for (const Shape &shape :
             {Shape{width, 2, 1, width + gap, 2}, Shape{width, 65, 1, width + gap, 65},
              Shape{width, 3, 70, width + gap, 4}, Shape{width, 1, 100, width + gap, 2}})
          check_box(shape, begin);
  check_box({60, 70000, 1, 64, 70000}, 1);
  check_box({33'000, 5, 2, 33'001, 5}, 1);
  check_box({1'100'000, 3, 1, 1'100'003, 3}, 1);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
