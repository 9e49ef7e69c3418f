// Stands in for librocprofiler-register, with the counter's functions for the entries of both tables. REGISTER_OUTPUT gets a line as it
// is loaded and one for each table: name, bytes, and whether version, pointers and calls through the table are right.
#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
[[gnu::visibility("hidden")]] extern void *counter_real[];
[[gnu::visibility("hidden")]] extern void *const counter_entries[];
}

namespace {

void say(const char *text) {
  const char *const path = std::getenv("REGISTER_OUTPUT");
  if (std::FILE *const file = path ? std::fopen(path, "a") : nullptr) {
    std::fprintf(file, "%s\n", text);
    std::fclose(file);
  }
}

[[gnu::constructor]] void say_loaded() { say("loaded"); }

template <class... Arguments> hipError_t call(void *function, Arguments... arguments) {
  return reinterpret_cast<hipError_t (*)(Arguments...)>(function)(arguments...);
}

/// As a tool may do while it is told of the functions.
bool can_use(void *const *functions) {
  int devices = 0, version = 0;
  void *memory = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  hipMemPool_t pool = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  char byte = 0;
  return call(functions[103], &devices) == hipSuccess && devices > 0 &&
         call(functions[326], &version) == hipSuccess && version == HIP_VERSION &&
         call(functions[215], &memory, size_t(64)) == hipSuccess &&
         call(functions[288], memory, 7, size_t(64)) == hipSuccess &&
         call(functions[259], static_cast<void *>(&byte), memory, size_t(1), hipMemcpyDefault) ==
             hipSuccess &&
         byte == 7 && call(functions[90], memory) == hipSuccess &&
         call(functions[334], &stream) == hipSuccess && call(functions[76], &event) == hipSuccess &&
         call(functions[81], event, stream) == hipSuccess &&
         call(functions[78], event) == hipSuccess && call(functions[44], &pool, 0) == hipSuccess &&
         call(functions[134], &graph, 0u) == hipSuccess &&
         call(functions[160], &executable, graph, 0ull) == hipSuccess &&
         call(functions[166], executable, stream) == hipSuccess &&
         call(functions[346], stream) == hipSuccess &&
         call(functions[143], executable) == hipSuccess &&
         call(functions[136], graph) == hipSuccess && call(functions[337], stream) == hipSuccess &&
         // hipExtHostAlloc, which libCHIP does not have.
         call(functions[461], &memory, size_t(64), 0u) == hipErrorNotSupported;
}

} // namespace

extern "C" {

// Programs that have it want rocprofiler.
[[gnu::visibility("default")]] void *rocprofiler_configure() { return nullptr; }

[[gnu::visibility("default")]] int
rocprofiler_register_library_api_table(const char *library, uint32_t (*import)(), uint32_t version,
                                       void **tables, uint64_t table_count, uint64_t *identifier) {
  constexpr uint32_t expected =
      10000 * HIP_VERSION_MAJOR + 100 * HIP_VERSION_MINOR + HIP_VERSION_PATCH;
  const size_t bytes = *static_cast<size_t *>(tables[0]);
  void **const functions = static_cast<void **>(tables[0]) + 1;
  const size_t count = bytes / sizeof(void *) - 1;
  const bool is_first = std::strcmp(library, "hip") == 0;
  bool has_all = true;
  for (size_t i = 0; i < count; ++i)
    has_all &= functions[i] != nullptr;
  char text[128];
  std::snprintf(text, sizeof text, "%s %zu %d %d %d", library, bytes,
                version == expected && import() == expected && table_count == 1, has_all,
                !is_first || can_use(functions));
  say(text);
  *identifier = is_first;
  for (size_t i = 0; i < count; ++i) {
    const size_t entry = i + (is_first ? 0 : 474);
    counter_real[entry] = functions[i];
    functions[i] = std::getenv("REGISTER_CLEARS") ? nullptr : counter_entries[entry];
  }
  return std::getenv("REGISTER_FAILS") ? 6 : 0;
}
}
