#include "pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace ze_cpu {
namespace {

/// Fresh zero pages, aligned as asked for; what the mapping has too much at its ends is given back.
void *map_pages(size_t bytes, size_t alignment) {
  const size_t slack = alignment > page_bytes() ? alignment : 0;
  if (bytes > SIZE_MAX - slack)
    throw std::bad_alloc();
  const size_t total = bytes + slack;
  void *mapping = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  if (slack == 0)
    return mapping;
  const auto start = reinterpret_cast<uintptr_t>(mapping);
  const uintptr_t base = round_up(start, alignment);
  if (base != start)
    munmap(mapping, base - start);
  if (const size_t tail = start + total - (base + bytes))
    munmap(reinterpret_cast<void *>(base + bytes), tail);
  return reinterpret_cast<void *>(base);
}

} // namespace

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t round_up(size_t bytes, size_t to) {
  if (bytes > SIZE_MAX - to)
    throw std::bad_alloc();
  return (bytes + to - 1) / to * to;
}

PageSupply::~PageSupply() {
  for (const auto &[bytes, blocks] : kept_)
    for (void *pages : blocks)
      munmap(pages, bytes);
}

void *PageSupply::take(size_t bytes, size_t alignment, size_t cleared) {
  void *used = nullptr;
  if (bytes < huge_page_bytes && alignment <= page_bytes()) {
    std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(bytes); found != kept_.end() && !found->second.empty()) {
      used = found->second.back();
      found->second.pop_back();
      kept_bytes_ -= bytes;
    }
  }
  if (used) {
    // The memory of GPUs comes in pages that were cleared, and programs have come to rely on it.
    std::memset(used, 0, cleared);
    return used;
  }
  void *fresh = map_pages(bytes, alignment);
  if (bytes >= huge_page_bytes) {
    madvise(fresh, bytes, MADV_HUGEPAGE); // only speed
  } else {
#ifdef MADV_POPULATE_WRITE
    madvise(fresh, bytes, MADV_POPULATE_WRITE); // at once is cheaper than one by one
#endif
  }
  return fresh;
}

void PageSupply::give_back(void *pages, size_t bytes) {
  if (bytes < huge_page_bytes) {
    std::lock_guard lock(mutex_);
    if (kept_bytes_ + bytes <= max_kept_bytes) {
      kept_[bytes].push_back(pages);
      kept_bytes_ += bytes;
      return;
    }
  }
  munmap(pages, bytes);
}

std::shared_ptr<SharedFile> SharedFile::create(size_t bytes) {
  const int descriptor = memfd_create("ze_cpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0)
    throw std::bad_alloc();
  auto file = adopt(descriptor);
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0)
    throw std::bad_alloc();
  // Nobody is to take pages away from under the others.
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  return file;
}

std::shared_ptr<SharedFile> SharedFile::adopt(int descriptor) {
  return std::make_shared<SharedFile>(descriptor);
}

SharedFile::~SharedFile() { close(descriptor_); }

uint64_t SharedFile::bytes() const {
  struct stat status {};
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
    const size_t piece = std::min(bytes - done, huge_page_bytes);
    for (size_t written = 0; written < piece;) {
      const ssize_t count = pwrite(descriptor_, from + written, piece - written,
                                   static_cast<off_t>(done + written));
      if (count > 0)
        written += static_cast<size_t>(count);
      else if (count == 0 || errno != EINTR)
        throw std::bad_alloc();
    }
    map(done, piece, PROT_READ | PROT_WRITE, from);
    done += piece;
  }
}

} // namespace ze_cpu
