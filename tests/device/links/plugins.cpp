// Libraries with kernels, loaded and unloaded while the program runs.
//
//   plugins FIRST SECOND [waiting | late | exit | same-names]
//
// With the library ze_counter preloaded, unloading a library has to take all that the driver made
// for it. With `late`, a library goes when static objects are destroyed that are older than the
// runtime; with `exit`, it stays; with `waiting`, its kernels begin when it is unloaded. With
// `same-names`, the libraries share the host's half of their kernels and variables.
#include "../run/device_test.h"

#include <dlfcn.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

using namespace device_test;

namespace {

class Plugin {
public:
  explicit Plugin(const char *path, int scope = RTLD_LOCAL)
      : library_(dlopen(path, RTLD_NOW | scope)) {
    if (!library_) {
      std::puts(dlerror());
      std::exit(1);
    }
    find(answer, "plugin_answer");
    find(answer_late, "plugin_answer_late");
    find(calls, "plugin_calls");
    find(copy_calls, "plugin_copy_calls");
    find(tell, "plugin_tell");
  }
  ~Plugin() { CHECK(dlclose(library_) == 0); }
  Plugin(const Plugin &) = delete;

  hipError_t (*answer)(int *, hipStream_t) = nullptr;
  hipError_t (*answer_late)(int *, const int *, hipStream_t) = nullptr;
  int (*calls)() = nullptr;                  // so far, by a managed variable
  hipError_t (*copy_calls)(int *) = nullptr; // the same, by the symbol of a variable
  void (*tell)(volatile int *unloading) = nullptr;

private:
  template <class F> void find(F *&function, const char *name) {
    function = reinterpret_cast<F *>(dlsym(library_, name));
    CHECK(function);
  }
  void *library_;
};

/// Whether no code of the library is in the process any more.
bool is_gone(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (library)
    dlclose(library);
  return !library;
}

using Alive = std::map<std::string, int64_t>;

Alive alive() {
  Alive objects;
  const auto ze_counter_alive =
      reinterpret_cast<int64_t (*)(const char *)>(dlsym(RTLD_DEFAULT, "ze_counter_alive"));
  if (!ze_counter_alive)
    return objects;
  for (const char *kind :
       {"contexts", "command lists", "event pools", "events", "modules", "kernels", "allocations"})
    objects[kind] = ze_counter_alive(kind);
  return objects;
}

/// Loads both, launches a kernel of each on an own stream, and unloads them.
void round(const char *first, const char *second, Array<int> &out) {
  Plugin one(first), two(second);
  out[0] = out[1] = 0;
  for (int call = 1; call <= 2; ++call) {
    CALL(one.answer(&out[0], nullptr));
    CALL(two.answer(&out[1], nullptr));
    wait();
    CHECK(out[0] == 1);
    CHECK(out[1] == 2);
    // Variables are their own, and begin anew.
    CHECK(one.calls() == call);
    CHECK(two.calls() == call);
  }
}

/// Runs `round()` again and again, which leaves no objects of the driver behind.
template <class Round> void many_rounds(Round &&round) {
  round();
  round();
  const Alive before = alive();
  for (int i = 0; i < 50; ++i)
    round();
  const Alive after = alive();
  for (const auto &[kind, count] : before) {
    if (after.at(kind) > count)
      std::printf("%s: %lld, and then %lld\n", kind.c_str(), (long long)count,
                  (long long)after.at(kind));
    CHECK(after.at(kind) <= count);
  }
}

void come_and_go(const char *first, const char *second) {
  Array<int> out(2);
  many_rounds([&] { round(first, second, out); });
  CHECK(is_gone(first));
}

/// Two libraries have kernels and variables of the same names, and the dynamic linker gives the
/// second one the addresses of the first, as it does with templates and inline variables. What the
/// first registered counts, and unloading the second takes none of it away.
void share_names(const char *first, const char *second) {
  Array<int> out(2);
  const auto round = [&](bool first_goes_first) {
    const auto expect = [&](Plugin &plugin, int calls) {
      out[0] = 0;
      CALL(plugin.answer(&out[0], nullptr));
      wait();
      CHECK(out[0] == 2); // the first library's answer
      CHECK(plugin.calls() == calls);
      int copy = 0;
      CALL(plugin.copy_calls(&copy));
      CHECK(copy == calls);
    };
    auto one = std::make_unique<Plugin>(first, RTLD_GLOBAL);
    expect(*one, 1);
    auto two = std::make_unique<Plugin>(second, RTLD_GLOBAL);
    expect(*one, 2);
    expect(*two, 3);
    (first_goes_first ? one : two).reset();
    expect(first_goes_first ? *two : *one, 4);
    one.reset();
    two.reset();
  };
  for (bool first_goes_first : {false, true})
    many_rounds([&] { round(first_goes_first); });
  CHECK(is_gone(first));
}

/// A library goes, or comes, while kernels of the other run and wait.
void while_streams_are_busy(const char *first, const char *second) {
  Array<int> out(4);
  hipStream_t streams[2];
  for (hipStream_t &stream : streams)
    CALL(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  volatile int *go = nullptr;
  CALL(hipHostMalloc(reinterpret_cast<void **>(const_cast<int **>(&go)), sizeof(int),
                     hipHostMallocCoherent));
  for (int i = 0; i < 5; ++i) {
    *go = 0;
    for (int n = 0; n < 4; ++n)
      out[n] = 0;
    Plugin stays(first);
    CALL(stays.answer_late(&out[0], const_cast<int *>(go), streams[0]));
    {
      Plugin goes(second);
      CALL(goes.answer(&out[1], streams[1]));
      CALL(hipStreamSynchronize(streams[1]));
      CHECK(out[1] == 2);
      // It is gone before these two can have run.
      CALL(goes.answer(&out[2], streams[0]));
      CALL(goes.answer(&out[3], streams[1]));
      *go = 1;
    }
    wait();
    for (int n = 0; n < 4; ++n)
      CHECK(out[n] == (n == 0 ? 1 : 2));
  }
  CALL(hipHostFree(const_cast<int *>(go)));
  for (hipStream_t stream : streams)
    CALL(hipStreamDestroy(stream));
}

/// Unloading waits for kernels that begin only then, on a thread of the driver's that has not run
/// any before.
void while_kernels_wait(const char *first) {
  Array<int> out(1);
  hipStream_t stream;
  CALL(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  volatile int unloading = 0;
  {
    Plugin plugin(first);
    plugin.tell(&unloading);
    CALL(hipLaunchHostFunc(
        stream,
        [](void *flag) {
          while (*static_cast<volatile int *>(flag) == 0)
            std::this_thread::yield();
        },
        const_cast<int *>(&unloading)));
    CALL(plugin.answer(&out[0], stream));
    if (unchecked())
      unloading = 1; // the simulated device runs host functions at once, or never
  }
  wait();
  CHECK(out[0] == 1);
  CALL(hipStreamDestroy(stream));
}

struct Late {
  ~Late() {
    if (library)
      std::_Exit(dlclose(library) == 0 && is_gone(path) ? device_test::result() : 1);
  }
  void *library = nullptr;
  const char *path = nullptr;
};
Late late;

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  const std::string_view how = argc > 3 ? argv[3] : "";
  if (how.empty()) {
    come_and_go(argv[1], argv[2]);
    while_streams_are_busy(argv[1], argv[2]);
    return result();
  }
  if (how == "waiting") {
    while_kernels_wait(argv[1]);
    return result();
  }
  if (how == "same-names") {
    share_names(argv[1], argv[2]);
    return result();
  }
  Array<int> out(1);
  auto *plugin = new Plugin(argv[1]);
  CALL(plugin->answer(out.get(), nullptr));
  wait();
  CHECK(out[0] == 1);
  if (how == "late") {
    // The object is older than everything of the runtime, so it is destroyed later.
    late.path = argv[1];
    late.library = dlopen(argv[1], RTLD_NOW);
    delete plugin;
  }
  return result();
}
