// Memory that is never freed, and memory that is.
#include "kernels.h"

namespace {

constexpr size_t bytes = 1000;

__global__ void use(int *memory) { memory[threadIdx.x] = 1; }

template <class Allocate, class Free> void with(bool frees, Allocate &&allocate, Free &&free) {
  void *memory = nullptr;
  check(allocate(&memory));
  use<<<1, 32>>>(static_cast<int *>(memory));
  check(hipDeviceSynchronize());
  if (frees)
    check(free(memory));
}

void device(bool frees) {
  with(frees, [](void **memory) { return hipMalloc(memory, bytes); }, [](void *memory) { return hipFree(memory); });
}

void typed(bool frees) {
  int *memory = nullptr;
  check(hipMalloc(&memory, bytes));
  if (frees)
    check(hipFree(memory));
}

void several(bool frees) {
  for (int i = 0; i < 3; ++i)
    device(frees);
}

void managed(bool frees) {
  with(frees, [](void **memory) { return hipMallocManaged(memory, bytes); }, [](void *memory) { return hipFree(memory); });
}

void host(bool frees) {
  with(frees, [](void **memory) { return hipHostMalloc(memory, bytes, 0); }, [](void *memory) { return hipHostFree(memory); });
}

void pitched(bool frees) {
  size_t pitch = 0;
  with(frees, [&](void **memory) { return hipMallocPitch(memory, &pitch, 100, 10); },
       [](void *memory) { return hipFree(memory); });
}

void array(bool frees) {
  hipArray_t array = nullptr;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  check(hipMallocArray(&array, &format, 16, 16, 0));
  if (frees)
    check(hipFreeArray(array));
}

void stream_ordered(bool frees) {
  with(frees, [](void **memory) { return hipMallocAsync(memory, bytes, nullptr); },
       [](void *memory) { return hipFreeAsync(memory, nullptr); });
}

void other_objects(bool) {
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  check(hipStreamCreate(&stream));
  check(hipEventCreate(&event));
  device(true);
  check(hipEventRecord(event, stream));
  check(hipStreamSynchronize(stream));
}

void reset(bool) {
  device(false);
  check(hipDeviceReset());
}

} // namespace

int main(int count, char **arguments) {
  Cases cases = {{"other-objects-clean", [] { other_objects(true); }}, {"reset-clean", [] { reset(true); }}};
  const std::map<std::string, void (*)(bool)> kinds = {{"device", device}, {"typed", typed},   {"several", several},
                                                       {"managed", managed}, {"host", host}, {"pitched", pitched},
                                                       {"array", array},   {"stream-ordered", stream_ordered}};
  for (const auto &entry : kinds) {
    void (*const kind)(bool) = entry.second;
    cases[entry.first] = [kind] { kind(false); };
    cases[entry.first + "-clean"] = [kind] { kind(true); };
  }
  return run(cases, count, arguments, {});
}
