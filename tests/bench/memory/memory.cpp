// What allocating, freeing and copying memory costs the host: HIP on libCHIP next to raw Level Zero that does the same work. Prints
// one figure a line; tests/bench/reports/memory.py makes tables of them.
#include "../program.h"
#include "../raw_level_zero.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <string_view>

namespace {

using namespace bench;

#define HIP_CHECK(call) ::check_hip(call, #call)
void check_hip(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw std::runtime_error(std::format("{}: {}", call, hipGetErrorString(error)));
}

void synchronize() { HIP_CHECK(hipDeviceSynchronize()); }

constexpr size_t small = 4096, medium = 1 << 20, large = 64 << 20; // bytes

/// Memory of the driver's, and a list that copies it.
class RawMemory {
public:
  RawMemory() : list_(context_.create_list()) {
    device_ = allocate(small);
    other_ = allocate(small);
    ze_host_mem_alloc_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    ZE_CHECK(zeMemAllocHost(context_.context(), &desc, small, 0, &host_));
  }
  ~RawMemory() {
    zeCommandListHostSynchronize(list_.get(), UINT64_MAX);
    for (void *memory : {device_, other_, host_})
      zeMemFree(context_.context(), memory);
  }
  RawMemory(const RawMemory &) = delete;
  RawMemory &operator=(const RawMemory &) = delete;

  void cycle(size_t bytes) const { ZE_CHECK(zeMemFree(context_.context(), allocate(bytes))); }
  void copy_between() const { append(other_, device_); }
  void copy_in() const { append(device_, host_); }
  void synchronize() const { ZE_CHECK(zeCommandListHostSynchronize(list_.get(), UINT64_MAX)); }

private:
  void *allocate(size_t bytes) const {
    ze_device_mem_alloc_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
    void *memory = nullptr;
    ZE_CHECK(zeMemAllocDevice(context_.context(), &desc, bytes, 0, context_.device(), &memory));
    return memory;
  }
  void append(void *to, const void *from) const {
    ZE_CHECK(zeCommandListAppendMemoryCopy(list_.get(), to, from, small, nullptr, 0, nullptr));
  }

  const RawContext context_;
  const Owned<ze_command_list_handle_t> list_;
  void *device_ = nullptr, *other_ = nullptr, *host_ = nullptr;
};

/// The same of HIP's.
struct HipMemory {
  HipMemory() {
    HIP_CHECK(hipMalloc(&device, small));
    HIP_CHECK(hipMalloc(&other, small));
    HIP_CHECK(hipHostMalloc(&host, small, hipHostMallocDefault));
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  }
  ~HipMemory() {
    static_cast<void>(hipStreamDestroy(stream));
    static_cast<void>(hipHostFree(host));
    static_cast<void>(hipFree(other));
    static_cast<void>(hipFree(device));
  }
  HipMemory(const HipMemory &) = delete;
  HipMemory &operator=(const HipMemory &) = delete;

  void *device = nullptr, *other = nullptr, *host = nullptr;
  hipStream_t stream = nullptr;
};

auto pair_in_order(size_t bytes, hipStream_t stream) {
  return repeated([=] {
    void *memory = nullptr;
    HIP_CHECK(hipMallocAsync(&memory, bytes, stream));
    HIP_CHECK(hipFreeAsync(memory, stream));
  });
}

auto pair(size_t bytes) {
  return repeated([=] {
    void *memory = nullptr;
    HIP_CHECK(hipMalloc(&memory, bytes));
    HIP_CHECK(hipFree(memory));
  });
}

void measure_pairs(const RawMemory &raw, const HipMemory &hip, Effort effort, Results &results) {
  const auto raw_pair = [&](size_t bytes) { return repeated([&raw, bytes] { raw.cycle(bytes); }); };
  std::vector<Operation> operations{
      {"raw_memory_pair_4k_ns", raw_pair(small)},
      {"raw_memory_pair_1m_ns", raw_pair(medium)},
      {"raw_memory_pair_64m_ns", raw_pair(large)},
      {"malloc_async_pair_4k_ns", pair_in_order(small, nullptr), synchronize},
      {"malloc_async_pair_1m_ns", pair_in_order(medium, nullptr), synchronize},
      {"malloc_async_pair_64m_ns", pair_in_order(large, nullptr), synchronize},
      {"malloc_async_pair_stream_4k_ns", pair_in_order(small, hip.stream), synchronize},
      {"malloc_async_pair_sync_4k_ns", repeated([stream = hip.stream] {
         void *memory = nullptr;
         HIP_CHECK(hipMallocAsync(&memory, small, stream));
         HIP_CHECK(hipFreeAsync(memory, stream));
         HIP_CHECK(hipStreamSynchronize(stream));
       })},
      {"malloc_free_4k_ns", pair(small)},
      {"malloc_free_1m_ns", pair(medium)},
      {"malloc_free_64m_ns", pair(large)},
  };
  measure(operations, effort);
  results.add(operations);
}

/// Blocks of 64 sizes, freed in another order than they were allocated in.
void measure_mixture(const HipMemory &hip, Effort effort, Results &results) {
  constexpr int count = 64;
  const auto mixture = [stream = hip.stream](int rounds) {
    void *blocks[count];
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < count; ++i)
        HIP_CHECK(hipMallocAsync(&blocks[i], 256 + size_t(i) * 3001, stream));
      for (int i = 0; i < count; ++i)
        HIP_CHECK(hipFreeAsync(blocks[(i * 37) % count], stream));
    }
    return Nanoseconds(Clock::now() - start).count() / count;
  };
  std::vector<Operation> operations{{"malloc_async_mixed_pair_ns", mixture, synchronize}};
  measure(operations, {effort.batches, (effort.batch_size + count - 1) / count});
  results.add(operations);
}

void measure_copies(const RawMemory &raw, const HipMemory &hip, Effort effort, Results &results) {
  const auto wait = [&raw] { raw.synchronize(); };
  const auto copy = [&hip](void *to, const void *from, hipMemcpyKind kind) {
    return repeated([=, &hip] { HIP_CHECK(hipMemcpyAsync(to, from, small, kind, hip.stream)); });
  };
  std::vector<Operation> appended{
      {"raw_copy_append_4k_ns", repeated([&raw] { raw.copy_between(); }), wait},
      {"memcpy_async_4k_ns", copy(hip.other, hip.device, hipMemcpyDeviceToDevice), synchronize},
      {"raw_copy_in_append_4k_ns", repeated([&raw] { raw.copy_in(); }), wait},
      {"memcpy_async_in_4k_ns", copy(hip.device, hip.host, hipMemcpyHostToDevice), synchronize},
  };
  measure(appended, effort);
  results.add(appended);
  results.add("memcpy_async_4k_added_ns", appended[1].nanoseconds - appended[0].nanoseconds);
  results.add("memcpy_async_in_4k_added_ns", appended[3].nanoseconds - appended[2].nanoseconds);

  std::vector<Operation> waited{
      {"raw_copy_wait_4k_ns", repeated([&raw] {
         raw.copy_in();
         raw.synchronize();
       })},
      {"memcpy_4k_ns", repeated([&hip] {
         HIP_CHECK(hipMemcpy(hip.device, hip.host, small, hipMemcpyHostToDevice));
       })},
      {"memset_async_4k_ns",
       repeated([&hip] { HIP_CHECK(hipMemsetAsync(hip.device, 0, small, hip.stream)); }),
       synchronize},
  };
  measure(waited, effort);
  results.add(waited);
}

struct Options {
  Effort effort;
  std::string json;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    int *number = option == "--batches"      ? &options.effort.batches
                  : option == "--batch-size" ? &options.effort.batch_size
                                             : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error("usage: bench_memory [--json FILE] [--batches N] [--batch-size N]");
    if (number)
      *number = positive_number(argv[i + 1]);
    else
      options.json = argv[i + 1];
  }
  return options;
}

void run(const Options &options) {
  HIP_CHECK(hipInit(0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s; medians of %d batches of %d\n", properties.name, options.effort.batches,
              options.effort.batch_size);
  const RawMemory raw;
  const HipMemory hip;
  Results results;
  measure_pairs(raw, hip, options.effort, results);
  measure_mixture(hip, options.effort, results);
  measure_copies(raw, hip, options.effort, results);
  results.add("batches", options.effort.batches);
  results.add("batch_size", options.effort.batch_size);
  report(results, options.json);
}

} // namespace

int main(int argc, char **argv) {
  return bench::run_program("bench_memory", [&] { run(parse(argc, argv)); });
}
