// Other processes of the machine: whether they live, and what they have open.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace common {

namespace detail {

inline int open_process(pid_t process) {
#ifdef SYS_pidfd_open
  return int(syscall(SYS_pidfd_open, process, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// When the process was started, in ticks since the machine was; 0 where /proc does not tell.
inline uint64_t start_of(pid_t process) {
  // As its first thread's, which started with it: of the process, QEMU makes up what it tells the process itself.
  const std::string number = std::to_string(process),
                    path = "/proc/" + number + "/task/" + number + "/stat";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  char text[1024];
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    return 0;
  text[length] = '\0';
  // The second field is the program's name in parentheses, which may have spaces and parentheses in it. The 22nd is wanted.
  const char *field = std::strrchr(text, ')');
  for (int i = 2; field && i < 22; ++i)
    field = std::strchr(field + 1, ' ');
  return field ? std::strtoull(field + 1, nullptr, 10) : 0;
}

} // namespace detail

/// A process, and no other that gets its number later.
struct ProcessIdentity {
  pid_t number = 0;
  uint64_t start = 0; // 0: not known

  bool operator==(const ProcessIdentity &) const = default;
};

/// As one word: Linux has no number of 2^22 or above.
constexpr unsigned process_number_bits = 22;
inline uint64_t to_word(const ProcessIdentity &process) {
  return process.start << process_number_bits | uint64_t(process.number);
}
inline ProcessIdentity to_process(uint64_t word) {
  return {pid_t(word & ((1 << process_number_bits) - 1)), word >> process_number_bits};
}

inline ProcessIdentity this_process() { return {getpid(), detail::start_of(getpid())}; }

/// Whether the process still runs. True where that cannot be known.
inline bool is_alive(const ProcessIdentity &process) {
  if (process.number <= 0)
    return false;
  const int opened = detail::open_process(process.number);
  if (opened < 0) {
    if (errno == ESRCH || (kill(process.number, 0) != 0 && errno == ESRCH))
      return false;
  } else {
    // Readable when the process has ended, though nobody may have asked yet how it did.
    pollfd end{opened, POLLIN, 0};
    const bool has_ended = poll(&end, 1, 0) > 0;
    close(opened);
    if (has_ended)
      return false;
  }
  const uint64_t start = process.start ? detail::start_of(process.number) : 0;
  return start == 0 || start == process.start;
}

/// A new descriptor for what `descriptor` of a process names, opened anew by its name in /proc: not possible for what is no
/// file. -1, and errno says why.
inline int reopen_descriptor(pid_t process, int descriptor) {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/// The same as a duplicate of the other process's descriptor: of anything, where the caller may debug that process.
inline int fetch_descriptor(pid_t process, int descriptor) {
#ifdef SYS_pidfd_getfd
  const int opened = detail::open_process(process);
  if (opened < 0)
    return -1;
  const int fetched = int(syscall(SYS_pidfd_getfd, opened, descriptor, 0));
  const int error = errno;
  close(opened);
  errno = error;
  return fetched;
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// The file behind `descriptor` of a process if it is the one that is meant, in the first of both ways that gives it; -1 if not.
template <class IsMeant>
int open_of_process(pid_t process, int descriptor, const IsMeant &is_meant) {
  for (const auto get : {&reopen_descriptor, &fetch_descriptor}) {
    const int opened = get(process, descriptor);
    if (opened < 0)
      continue;
    if (is_meant(opened))
      return opened;
    close(opened);
  }
  return -1;
}

} // namespace common
