// A way in which a process that uses HIP ends: what ends it, where, and what it is in the middle of.
#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

namespace exits {

/// The words of one property; a case holds an index.
template <size_t count> using Words = std::array<std::string_view, count>;

enum class End {
  return_from_main,
  exit,
  quick_exit,
  bare_exit,
  abort,
  exception,
  sigterm,
  sigsegv,
  pthread_exit
};
inline constexpr Words<9> end_words = {"return",    "exit",    "quick_exit", "_exit",       "abort",
                                       "exception", "sigterm", "sigsegv",    "pthread_exit"};

enum class Place {
  main,
  thread,
  handler,       // of a signal that the main thread gets
  host_function, // in a stream
  callback,      // of a stream
  older,         // the destructor of a static object that is older than the first call of HIP
  younger,       // and of one that is younger
  thread_local_, // the destructor of a thread_local object of the main thread
  atexit,
};
inline constexpr Words<9> place_words = {"main",          "thread",       "handler",
                                         "host_function", "callback",     "older",
                                         "younger",       "thread_local", "atexit"};

/// What the device does then.
enum class Work { no_hip, idle, short_, long_, endless, printing, host_functions };
inline constexpr Words<7> work_words = {"no_hip",  "idle",     "short",         "long",
                                        "endless", "printing", "host_functions"};

/// What the main thread does when somebody else ends the process.
enum class Doing { sleeping, stream, event, device, copy, launching, events };
inline constexpr Words<7> doing_words = {"sleeping", "stream",    "event", "device",
                                         "copy",     "launching", "events"};

/// What other threads, and children of fork, do.
enum class Others { none, threads, modules, child_exits, child_uses_hip, first_use };
inline constexpr Words<6> others_words = {"none",        "threads",        "modules",
                                          "child_exits", "child_uses_hip", "first_use"};

/// Where kernels come from.
enum class Code { program, library, closed_library };
inline constexpr Words<3> code_words = {"program", "library", "closed_library"};

struct Case {
  End end = End::return_from_main;
  Place place = Place::main;
  Work work = Work::idle;
  Doing doing = Doing::sleeping;
  Others others = Others::none;
  Code code = Code::program;
  unsigned delay = 0; // microseconds before the end

  template <class Visit> void visit(Visit &&visit) {
    visit("end", end, end_words);
    visit("place", place, place_words);
    visit("work", work, work_words);
    visit("doing", doing, doing_words);
    visit("others", others, others_words);
    visit("code", code, code_words);
  }
};

inline std::string to_string(Case c) {
  std::string text;
  c.visit([&](const char *name, auto value, const auto &words) {
    text += std::string(name) + "=" + std::string(words[size_t(value)]) + " ";
  });
  return text + "delay=" + std::to_string(c.delay);
}

inline std::optional<Case> parse(const std::string &text) {
  Case c;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const size_t equals = word.find('=');
    if (equals == word.npos)
      return std::nullopt;
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    bool known = name == "delay";
    if (known)
      c.delay = unsigned(std::stoul(value));
    c.visit([&](const char *property, auto &place, const auto &words) {
      for (size_t i = 0; i < words.size(); ++i)
        if (name == property && words[i] == value) {
          place = static_cast<std::decay_t<decltype(place)>>(i);
          known = true;
        }
    });
    if (!known)
      return std::nullopt;
  }
  return c;
}

/// Whether Intel's driver takes the calls, for a simulated device (scripts/pvc-sim).
inline bool is_on_intels_driver() { return std::getenv("CHIP_SAMPLE_UNCHECKED") != nullptr; }

/// Whether a correct program can end so at all.
inline bool is_possible(const Case &c) {
  const bool in_main = c.place == Place::main;
  const bool at_exit = c.place == Place::older || c.place == Place::younger ||
                       c.place == Place::thread_local_ || c.place == Place::atexit;
  const bool in_stream = c.place == Place::host_function || c.place == Place::callback;
  switch (c.end) {
  case End::return_from_main:
  case End::pthread_exit:
    if (!in_main)
      return false;
    break;
  case End::exception: // out of a function that may throw, and that no other language calls
    if (!in_main && c.place != Place::thread)
      return false;
    break;
  case End::exit: // not when exit() has run that far: the standard forbids it
    if (at_exit)
      return false;
    break;
  default:
    break;
  }
  // What goes on for ever keeps a process whose main thread alone has ended.
  if (c.end == End::pthread_exit && (c.work == Work::endless || c.others == Others::threads ||
                                     c.others == Others::modules || c.others == Others::first_use))
    return false;
  // Of the process: nobody else has used HIP.
  if (c.others == Others::first_use && c.work != Work::no_hip)
    return false;
  if (c.work == Work::no_hip &&
      (in_stream || c.doing != Doing::sleeping || c.code != Code::program ||
       (c.others != Others::none && c.others != Others::first_use)))
    return false;
  // The main thread does something only if it does not end the process itself.
  if ((in_main || at_exit) && c.doing != Doing::sleeping)
    return false;
  // A signal may come while malloc has its lock, which exit() needs: no library can help that. Waits do not allocate.
  if (c.place == Place::handler && c.end == End::exit &&
      (c.doing == Doing::launching || c.doing == Doing::events))
    return false;
  if (is_on_intels_driver()) {
    // It has a thread for functions in streams, from the first on, which keeps a process whose main thread alone has ended.
    if (c.end == End::pthread_exit && c.work == Work::host_functions)
      return false;
    // Copies allocate there.
    if (c.place == Place::handler && c.end == End::exit && c.doing == Doing::copy)
      return false;
    // Calls of another thread beside a function in a stream crash inside of that driver in about 1 of 100 processes, before
    // the process ends and however it does; older versions of the library show it as well. Seen in a core of `doing=copy`: when
    // the driver has submitted the copy, it goes once more through the memory that it has noted for it, and one of those notes
    // has been freed. Who frees it is not known, and no program of Level Zero's own shows it.
    const bool calls_beside = c.doing != Doing::sleeping || c.others == Others::threads ||
                              c.others == Others::modules || c.others == Others::first_use;
    if ((in_stream && (c.doing != Doing::sleeping || c.others != Others::none)) ||
        (c.work == Work::host_functions && calls_beside))
      return false;
  }
  // Whoever closes a library waits for its kernels.
  if (c.code == Code::closed_library && c.work == Work::endless)
    return false;
  return true;
}

inline Case random_case(uint64_t seed) {
  std::mt19937_64 random(seed);
  Case c;
  do {
    c.visit([&](const char *, auto &place, const auto &words) {
      place = static_cast<std::decay_t<decltype(place)>>(random() % words.size());
    });
    // Most processes have neither.
    if (random() % 2)
      c.others = Others::none;
    if (random() % 2)
      c.code = Code::program;
    const unsigned longest = c.others == Others::first_use ? 100'000 : 3000;
    c.delay = unsigned(random() % 4 ? random() % longest : 0);
  } while (!is_possible(c));
  return c;
}

} // namespace exits
