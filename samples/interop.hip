// HIP and raw Level Zero in one program: a list of Level Zero writes numbers, a HIP kernel squares
// them, and the list reads the squares. The two wait for each other on the device; the host waits
// once, at the end.
//
//   hipcc interop.hip -lze_loader -o interop && ./interop
#include "check.h"

#include <chip/interop.h>

#define ZE_CHECK(call) check_ze(call, #call, __FILE__, __LINE__)

static void check_ze(ze_result_t result, const char *call, const char *file, int line) {
  if (result == ZE_RESULT_SUCCESS)
    return;
  std::fprintf(stderr, "%s:%d: %s: 0x%x\nFAILED\n", file, line, call, unsigned(result));
  std::exit(1);
}

__global__ void square(int *numbers, int count) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    numbers[i] *= numbers[i];
}

int main() {
  constexpr int count = 1 << 16;
  constexpr size_t bytes = count * sizeof(int);

  // The context in which HIP works: what is made in it, both sides can use.
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  HIP_CHECK(chipDeviceGetNative(0, &driver, &device, &context));

  // Level Zero's side: a list that executes what is appended, and an event.
  ze_command_queue_desc_t queue_desc = {};
  queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue_desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  queue_desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ZE_CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list));
  ze_event_pool_desc_t pool_desc = {};
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.count = 1;
  ze_event_pool_handle_t pool = nullptr;
  ZE_CHECK(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
  ze_event_desc_t event_desc = {};
  event_desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  event_desc.signal = ZE_EVENT_SCOPE_FLAG_DEVICE;
  event_desc.wait = ZE_EVENT_SCOPE_FLAG_DEVICE;
  ze_event_handle_t written = nullptr;
  ZE_CHECK(zeEventCreate(pool, &event_desc, &written));

  // HIP's side: memory, which Level Zero knows as well, a stream, and events. One of them stands for Level Zero's.
  int *numbers = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t numbers_are_there = nullptr, squares_are_there = nullptr;
  HIP_CHECK(hipMalloc(&numbers, bytes));
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(chipEventFromNative(&numbers_are_there, written));
  HIP_CHECK(hipEventCreateWithFlags(&squares_are_there, hipEventDisableTiming));

  int *values = nullptr, *squares = nullptr;
  HIP_CHECK(hipHostMalloc(&values, bytes));
  HIP_CHECK(hipHostMalloc(&squares, bytes));
  for (int i = 0; i < count; ++i)
    values[i] = i % 1000;

  // Level Zero writes, and says so; HIP waits for that and computes; Level Zero waits for HIP and reads.
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, numbers, values, bytes, written, 0, nullptr));
  HIP_CHECK(hipStreamWaitEvent(stream, numbers_are_there, 0));
  square<<<(count + 255) / 256, 256, 0, stream>>>(numbers, count);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventRecord(squares_are_there, stream));
  ze_event_handle_t computed = nullptr;
  HIP_CHECK(chipEventGetNative(squares_are_there, &computed));
  const uint32_t waits = computed ? 1 : 0; // null: the work is done already
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, squares, numbers, bytes, nullptr, waits,
                                         waits ? &computed : nullptr));
  ZE_CHECK(zeCommandListHostSynchronize(list, UINT64_MAX));

  std::printf("%d numbers: Level Zero wrote them, HIP squared them, Level Zero read them\n", count);
  bool right = true;
  for (int i = 0; i < count; ++i)
    right = right && squares[i] == values[i] * values[i];

  HIP_CHECK(hipEventDestroy(squares_are_there));
  HIP_CHECK(hipEventDestroy(numbers_are_there));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(numbers));
  HIP_CHECK(hipHostFree(values));
  HIP_CHECK(hipHostFree(squares));
  ZE_CHECK(zeEventDestroy(written));
  ZE_CHECK(zeEventPoolDestroy(pool));
  ZE_CHECK(zeCommandListDestroy(list));
  return report(right);
}
