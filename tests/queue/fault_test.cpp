// What single calls do when a driver call below them fails (faults.h): start, memory, modules, copies, waits.
#include "faults.h"

#include <catch2/catch_test_macros.hpp>
#include <hip/api/registration.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace faults;

namespace {

// What hipGetDeviceProperties reports is left at nothing where the driver does not tell; a failed zeInitDrivers makes
// zeInit be tried; an extension that the driver does not tell of is not used.
const std::initializer_list<const char *> optional_at_start{
    "zeDeviceGetMemoryProperties",         "zeDeviceGetCacheProperties",
    "zeDeviceGetMemoryAccessProperties",   "zeDevicePciGetPropertiesExt",
    "zeDriverGetExtensionFunctionAddress", "zeInitDrivers"};

constexpr size_t beyond_pools = 100'000; // bytes of a block that hipMalloc asks the driver for

template <class T> void **address_of(T *&pointer) { return reinterpret_cast<void **>(&pointer); }

} // namespace

TEST_CASE("faults: hipInit may fail at any driver call") {
  inject([](Attempt &attempt) {
    attempt.run_first([] { return hipInit(0); }, optional_at_start);
    World w(attempt);
  });
}

TEST_CASE("faults: an allocation as the first call may fail at any driver call") {
  inject([](Attempt &attempt) {
    void *memory = nullptr;
    attempt.run_first([&] { return hipMalloc(&memory, beyond_pools); }, optional_at_start);
    if (attempt.lost())
      return;
    World w(attempt);
    DEMAND_HIP(hipFree(memory));
  });
}

TEST_CASE("faults: the end of the process may fail at any driver call") {
  inject([](Attempt &attempt) {
    // Nothing of it is released.
    void *memory = nullptr;
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    hipStream_t streams[2] = {};
    hipEvent_t event = nullptr;
    DEMAND_HIP(hipMalloc(&memory, 4096));
    DEMAND_HIP(hipMemset(memory, 0, 4096));
    DEMAND_HIP(hipModuleLoad(&module, TEST_KERNELS));
    DEMAND_HIP(hipModuleGetFunction(&function, module, "add"));
    DEMAND_HIP(hipEventCreate(&event));
    for (hipStream_t &stream : streams) {
      DEMAND_HIP(hipStreamCreate(&stream));
      int value = 1;
      void *arguments[] = {&memory, &value};
      DEMAND_HIP(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
      DEMAND_HIP(hipMemcpyAsync(memory, &value, sizeof value, hipMemcpyHostToDevice, stream));
      DEMAND_HIP(hipEventRecord(event, stream));
    }
    attempt.run_exit();
  });
}

TEST_CASE("faults: allocating may fail at any driver call") {
  for (auto allocate : {+[](void **p) { return hipMalloc(p, beyond_pools); },
                        +[](void **p) { return hipHostMalloc(p, 5000, 0); },
                        +[](void **p) { return hipMallocManaged(p, 5000, hipMemAttachGlobal); }})
    inject([=](Attempt &attempt) {
      World w(attempt);
      void *memory = nullptr;
      attempt.run([&] { return allocate(&memory); });
      if (attempt.lost())
        DEMAND(memory == nullptr);
      else
        DEMAND_HIP(hipPointerGetAttributes(std::vector<hipPointerAttribute_t>(1).data(), memory));
      if (memory && hipHostFree(memory) != hipSuccess)
        DEMAND_HIP(hipFree(memory));
      (void)hipGetLastError();
    });
}

TEST_CASE("faults: allocating from a pool may fail at any driver call") {
  for (auto allocate : {+[](void **p) { return hipMalloc(p, 5000); },
                        +[](void **p) { return hipMallocAsync(p, 5000, nullptr); },
                        +[](void **p) { return hipMallocAsync(p, 5 << 20, nullptr); }})
    inject([=](Attempt &attempt) {
      World w(attempt);
      void *memory = nullptr, *other = nullptr;
      // Of a busy stream, which the pool asks about before it grows.
      DEMAND_HIP(hipMallocAsync(&other, 1 << 20, w.other[0]));
      w.close(w.other[0]);
      DEMAND_HIP(hipFreeAsync(other, w.other[0]));
      // What is not enough memory for a chunk may be enough for the block.
      attempt.run([&] { return allocate(&memory); }, {"zeMemAllocDevice"});
      w.open();
      if (!attempt.lost()) {
        DEMAND(memory != nullptr);
        DEMAND_HIP(hipMemset(memory, 1, 5000));
        DEMAND_HIP(hipFree(memory));
        DEMAND(hipFree(memory) == hipErrorInvalidValue);
      }
      (void)hipGetLastError();
    });
}

TEST_CASE("faults: freeing may fail at any driver call") {
  struct Way {
    hipError_t (*allocate)(void **);
    hipError_t (*free)(void *);
  };
  for (Way way :
       {Way{[](void **p) { return hipMalloc(p, 5000); }, [](void *p) { return hipFree(p); }},
        Way{[](void **p) { return hipMalloc(p, beyond_pools); },
            [](void *p) { return hipFree(p); }},
        Way{[](void **p) { return hipMallocAsync(p, 5000, nullptr); },
            [](void *p) { return hipFreeAsync(p, nullptr); }},
        Way{[](void **p) { return hipHostMalloc(p, 5000, 0); },
            [](void *p) { return hipHostFree(p); }},
        Way{[](void **p) { return hipMallocManaged(p, 5000, hipMemAttachGlobal); },
            [](void *p) { return hipFree(p); }}})
    for (int busy : {0, 1, 3})
      inject([=](Attempt &attempt) {
        World w(attempt);
        void *memory = nullptr;
        DEMAND_HIP(way.allocate(&memory));
        for (int i = 0; i < busy; ++i) {
          DEMAND_HIP(w.add(w.blocking[i], i));
          DEMAND_HIP(hipMemsetAsync(memory, i, 5000, w.blocking[i]));
        }
        attempt.run([&] { return way.free(memory); });
        if (!attempt.lost())
          DEMAND_HIP(hipDeviceSynchronize()); // hipFreeAsync does not wait
        // It is freed at the second try at the latest. Where freeing is what told that the device is lost, one more try
        // says so again; freed it may be or not.
        hipError_t again = way.free(memory);
        DEMAND(again == hipErrorInvalidValue || (attempt.lost() && again == hipErrorLaunchFailure));
        (void)hipGetLastError();
        for (int i = 0; i < busy; ++i)
          DEMAND(w.cells[i] == 1 || attempt.lost());
      });
}

TEST_CASE("faults: importing and mapping memory may fail at any driver call") {
  for (bool maps : {false, true})
    inject([=](Attempt &attempt) {
      World w(attempt);
      hipExternalMemoryHandleDesc file{};
      file.type = hipExternalMemoryHandleTypeOpaqueFd;
      file.handle.fd = memfd_create("fault_test", MFD_CLOEXEC);
      file.size = 8192;
      DEMAND(ftruncate(file.handle.fd, 8192) == 0);
      hipExternalMemoryBufferDesc part{};
      part.offset = 4096;
      part.size = 100;
      hipExternalMemory_t imported = nullptr;
      void *memory = nullptr;
      const auto import = [&] { return hipImportExternalMemory(&imported, &file); };
      const auto map = [&] { return hipExternalMemoryGetMappedBuffer(&memory, imported, &part); };
      if (maps) {
        DEMAND_HIP(import());
        attempt.run(map);
        DEMAND(attempt.lost() == (memory == nullptr));
      } else {
        attempt.run(import);
        DEMAND(attempt.lost() == (imported == nullptr));
      }
      if (memory)
        DEMAND_HIP(hipFree(memory));
      if (imported)
        DEMAND_HIP(hipDestroyExternalMemory(imported));
      DEMAND((close(file.handle.fd) == 0) == (imported == nullptr)); // whose it was
    });
}

TEST_CASE("faults: loading a module may fail at any driver call") {
  inject([](Attempt &attempt) {
    DEMAND_HIP(hipInit(0));
    hipModule_t module = nullptr;
    attempt.run([&] { return hipModuleLoad(&module, TEST_KERNELS); });
    if (attempt.lost())
      return;
    World w(attempt);
    DEMAND_HIP(hipModuleUnload(module));
  });
  for (const char *file : {TEST_INITIALISER, TEST_VARIABLES, TEST_HIDDEN_STATE})
    for (bool again : {false, true})
      inject([=](Attempt &attempt) {
        World w(attempt);
        hipModule_t module = nullptr;
        if (again) {
          DEMAND_HIP(hipModuleLoad(&module, file));
          DEMAND_HIP(hipModuleUnload(module));
          DEMAND_HIP(w.add(nullptr, 5));
        }
        int64_t kernels = alive("kernels"), modules = alive("modules");
        attempt.run(
            [&] {
              // Nothing of an earlier try is left: it would belong to a module that is gone.
              DEMAND(alive("kernels") == kernels && alive("modules") == modules);
              return hipModuleLoad(&module, file);
            },
            {"zeMemGetAddressRange"}); // only tells which variables can be copied together
        if (attempt.lost())
          return;
        if (file == std::string_view(TEST_INITIALISER)) {
          hipFunction_t read = nullptr;
          DEMAND_HIP(hipModuleGetFunction(&read, module, "read_pointer"));
          void *arguments[] = {&w.cells};
          DEMAND_HIP(hipModuleLaunchKernel(read, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
          DEMAND_HIP(hipStreamSynchronize(nullptr));
          DEMAND(w.cells[0] == 7);
        }
        DEMAND_HIP(hipModuleUnload(module));
      });
}

TEST_CASE(
    "faults: the first launch of a kernel of the program itself may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    std::ifstream file(TEST_INITIALISER, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
    // As clang's start-up code does it.
    static hipFatBinaryWrapper wrapper{};
    wrapper.magic = HIP_FAT_BINARY_MAGIC;
    wrapper.version = 1;
    wrapper.binary = image.data();
    static char read_managed;
    static void *managed = nullptr;
    int initial = 3;
    void **bundle = __hipRegisterFatBinary(&wrapper);
    char name[] = "read_managed";
    __hipRegisterFunction(bundle, &read_managed, name, name, ~0u, nullptr, nullptr, nullptr,
                          nullptr, nullptr);
    __hipRegisterManagedVar(bundle, &managed, &initial, "shared_value", sizeof initial,
                            alignof(int));
    DEMAND(managed && *static_cast<int *>(managed) == 3);
    w.close(w.blocking[0]); // what is done for the launch waits for no other work
    void *arguments[] = {&w.cells};
    attempt.run(
        [&] { return hipLaunchKernel(&read_managed, dim3(1), dim3(1), arguments, 0, w.other[1]); });
    if (!attempt.lost()) {
      DEMAND_HIP(hipStreamSynchronize(w.other[1]));
      DEMAND(w.cells[0] == 3);
    }
    w.open();
    __hipUnregisterFatBinary(bundle);
    (void)hipGetLastError();
  });
}

TEST_CASE("faults: finding functions and variables may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipFunction_t function = nullptr;
    attempt.run([&] { return hipModuleGetFunction(&function, w.module, "add"); });
    if (attempt.lost())
      return;
    DEMAND_HIP(w.add(nullptr, 0));
    DEMAND_HIP(hipStreamSynchronize(nullptr));
    DEMAND(w.cells[0] == 1);
  });
  inject([](Attempt &attempt) {
    World w(attempt);
    hipModule_t module = nullptr;
    DEMAND_HIP(hipModuleLoad(&module, TEST_INITIALISER));
    hipDeviceptr_t address = nullptr;
    size_t bytes = 0;
    attempt.run([&] { return hipModuleGetGlobal(&address, &bytes, module, "target"); });
    if (!attempt.lost()) {
      DEMAND(bytes == sizeof(int));
      int value = 0;
      DEMAND_HIP(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
      DEMAND(value == 7);
    }
    DEMAND_HIP(hipModuleUnload(module));
  });
}

TEST_CASE("faults: unloading a module may fail at any driver call") {
  for (int busy : {0, 1, 2})
    inject([=](Attempt &attempt) {
      World w(attempt);
      hipModule_t module = nullptr;
      hipFunction_t count = nullptr;
      DEMAND_HIP(hipModuleLoad(
          &module, TEST_HIDDEN_STATE)); // of a kind that is destroyed, not kept for the next load
      DEMAND_HIP(hipModuleGetFunction(&count, module, "count_calls"));
      for (int i = 0; i < busy; ++i) {
        int *cell = w.cells + i;
        void *arguments[] = {&cell};
        DEMAND_HIP(
            hipModuleLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, w.other[i], arguments, nullptr));
      }
      attempt.run([&] { return hipModuleUnload(module); }, {"zeCommandListHostSynchronize"});
      DEMAND(hipModuleUnload(module) == hipErrorNotFound);
      (void)hipGetLastError();
    });
}

TEST_CASE("faults: copies may fail at any driver call") {
  struct Way {
    size_t bytes;
    bool to_device;
    bool pinned;
  };
  for (Way way : {Way{1000, true, false}, Way{1000, true, true}, Way{200'000, true, false},
                  Way{1000, false, false}, Way{1000, false, true}})
    for (bool asynchronous : {false, true})
      for (bool dirty : {false, true})
        inject([=](Attempt &attempt) {
          std::vector<char> pageable(
              World::bytes); // outlives what may still run on a device that is lost
          World w(attempt);
          char *host = way.pinned ? w.pinned : pageable.data();
          char *from = way.to_device ? host : w.device, *to = way.to_device ? w.device : host;
          DEMAND_HIP(hipMemset(w.device, 3, World::bytes));
          std::memset(host, 5, World::bytes);
          if (dirty)
            for (int i = 0; i < 3; ++i)
              DEMAND_HIP(w.add(w.blocking[i], i));
          attempt.run([&] {
            return asynchronous ? hipMemcpyAsync(to, from, way.bytes, hipMemcpyDefault, nullptr)
                                : hipMemcpy(to, from, way.bytes, hipMemcpyDefault);
          });
          if (attempt.lost())
            return;
          DEMAND_HIP(hipStreamSynchronize(nullptr));
          std::vector<char> back(World::bytes);
          DEMAND_HIP(hipMemcpy(back.data(), to, World::bytes, hipMemcpyDefault));
          for (size_t i = 0; i < World::bytes; ++i)
            DEMAND(back[i] == ((i < way.bytes) == way.to_device ? 5 : 3));
          for (int i = 0; i < 3 && dirty; ++i)
            DEMAND(w.cells[i] == 1);
        });
}

TEST_CASE("faults: copies on the device and on the host may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    DEMAND_HIP(hipMemset(w.device, 9, 64));
    DEMAND_HIP(w.add(w.blocking[0], 0));
    attempt.run([&] {
      return hipMemcpyAsync(w.device + 64, w.device, 64, hipMemcpyDeviceToDevice, w.blocking[0]);
    });
    if (attempt.lost())
      return;
    char back[64];
    DEMAND_HIP(hipMemcpy(back, w.device + 64, 64, hipMemcpyDeviceToHost));
    DEMAND(back[0] == 9 && back[63] == 9);
  });
  inject([](Attempt &attempt) {
    World w(attempt);
    char from[8] = "ordered", to[8] = "";
    for (int i = 0; i < 3; ++i)
      DEMAND_HIP(w.add(w.blocking[i], i));
    attempt.run([&] { return hipMemcpy(to, from, sizeof to, hipMemcpyHostToHost); });
    if (attempt.lost())
      return;
    DEMAND(std::strcmp(to, "ordered") == 0);
    DEMAND(w.cells[0] + w.cells[1] + w.cells[2] == 3);
  });
}

TEST_CASE("faults: fills may fail at any driver call") {
  for (bool asynchronous : {false, true})
    inject([=](Attempt &attempt) {
      World w(attempt);
      DEMAND_HIP(w.add(w.blocking[0], 0));
      attempt.run([&] {
        return asynchronous ? hipMemsetAsync(w.device, 4, 100, nullptr)
                            : hipMemset(w.device, 4, 100);
      });
      if (attempt.lost())
        return;
      char back[100];
      DEMAND_HIP(hipMemcpy(back, w.device, 100, hipMemcpyDeviceToHost));
      DEMAND(back[0] == 4 && back[99] == 4);
      DEMAND(w.cells[0] == 1);
    });
}

TEST_CASE("faults: creating streams may fail at any driver call") {
  // A new list is made only where none is free; one that is free but not known empty is asked.
  inject([](Attempt &attempt) {
    World w(attempt);
    hipStream_t stream = nullptr;
    attempt.run([&] { return hipStreamCreate(&stream); });
    if (attempt.lost())
      return;
    DEMAND_HIP(w.add(stream, 0));
    DEMAND_HIP(hipStreamDestroy(stream));
  });
  inject([](Attempt &attempt) {
    World w(attempt);
    hipStream_t stream = nullptr;
    DEMAND_HIP(hipStreamCreate(&stream));
    DEMAND_HIP(w.add(stream, 0));
    DEMAND_HIP(hipStreamDestroy(stream));
    hipStream_t next = nullptr;
    attempt.run([&] { return hipStreamCreateWithFlags(&next, hipStreamNonBlocking); });
    if (attempt.lost())
      return;
    DEMAND_HIP(w.add(next, 1));
    DEMAND_HIP(hipDeviceSynchronize());
    DEMAND(w.cells[0] == 1 && w.cells[1] == 1);
    DEMAND_HIP(hipStreamDestroy(next));
  });
}

TEST_CASE("faults: a thread's own stream at first use may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    w.function("add");
    attempt.run([&] { return w.add(hipStreamPerThread, 0); });
    if (attempt.lost())
      return;
    DEMAND_HIP(hipStreamSynchronize(hipStreamPerThread));
    DEMAND(w.cells[0] == 1);
  });
}

TEST_CASE("faults: waiting for streams and for the device may fail at any driver call") {
  for (auto wait : {+[](World &w) { return hipStreamSynchronize(w.blocking[0]); },
                    +[](World &) { return hipStreamSynchronize(nullptr); },
                    +[](World &) { return hipDeviceSynchronize(); }})
    for (int busy : {1, 3})
      inject([=](Attempt &attempt) {
        World w(attempt);
        for (int i = 0; i < busy; ++i)
          DEMAND_HIP(w.add(w.blocking[i], 0));
        attempt.run([&] { return wait(w); });
        if (attempt.lost())
          return;
        DEMAND(w.cells[0] >= 1);
      });
}

TEST_CASE("faults: asking streams may fail at any driver call") {
  for (bool null_stream : {false, true})
    inject([=](Attempt &attempt) {
      World w(attempt);
      DEMAND_HIP(w.add(w.blocking[0], 0));
      attempt.run([&] {
        hipError_t result = hipStreamQuery(null_stream ? nullptr : w.blocking[0]);
        return result == hipErrorNotReady ? hipSuccess : result;
      });
      if (attempt.lost())
        return;
      DEMAND_HIP(hipDeviceSynchronize());
      DEMAND_HIP(hipStreamQuery(w.blocking[0]));
      DEMAND(w.cells[0] == 1);
    });
}
