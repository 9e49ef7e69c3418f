#include "channel.h"

#include <cerrno>
#include <sys/socket.h>

namespace ze_cpu {
namespace {

// Calls `transfer(done, left)`, which returns how many bytes it took or gave, until none are left.
template <class Transfer> bool transfer_all(size_t size, Transfer transfer) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = transfer(done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

} // namespace

bool send_all(int connection, const void *data, size_t size) {
  return transfer_all(size, [&](size_t done, size_t left) {
    return send(connection, static_cast<const char *>(data) + done, left, MSG_NOSIGNAL);
  });
}

bool receive_all(int connection, void *data, size_t size) {
  return transfer_all(size, [&](size_t done, size_t left) {
    return recv(connection, static_cast<char *>(data) + done, left, 0);
  });
}

} // namespace ze_cpu
