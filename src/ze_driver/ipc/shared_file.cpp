#include "shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace ze_driver {
namespace {

constexpr size_t max_piece = size_t{2} << 20;

} // namespace

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::shared_ptr<SharedFile> SharedFile::create(size_t bytes) {
  const int descriptor = memfd_create("level_zero", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0)
    throw std::bad_alloc();
  auto file = adopt(descriptor);
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0)
    throw std::bad_alloc();
  // No process is to take pages away from under the others.
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  return file;
}

std::shared_ptr<SharedFile> SharedFile::adopt(int descriptor) {
  return std::make_shared<SharedFile>(descriptor);
}

SharedFile::~SharedFile() { close(descriptor_); }

uint64_t SharedFile::bytes() const {
  struct stat status{};
  return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)
             ? static_cast<uint64_t>(status.st_size)
             : 0;
}

void *SharedFile::map(size_t offset, size_t bytes, int protection, void *at) const {
  void *pages = mmap(at, bytes, protection, MAP_SHARED | (at ? MAP_FIXED : 0), descriptor_,
                     static_cast<off_t>(offset));
  if (pages == MAP_FAILED)
    throw std::bad_alloc();
  return pages;
}

void SharedFile::replace(void *pages, size_t bytes) const {
  // Piece by piece, so that the memory is never needed twice.
  for (size_t done = 0; done < bytes;) {
    auto *from = static_cast<std::byte *>(pages) + done;
    const size_t piece = std::min(bytes - done, max_piece);
    for (size_t written = 0; written < piece;) {
      const ssize_t count =
          pwrite(descriptor_, from + written, piece - written, static_cast<off_t>(done + written));
      if (count > 0)
        written += static_cast<size_t>(count);
      else if (count == 0 || errno != EINTR)
        throw std::bad_alloc();
    }
    map(done, piece, PROT_READ | PROT_WRITE, from);
    done += piece;
  }
}

} // namespace ze_driver
