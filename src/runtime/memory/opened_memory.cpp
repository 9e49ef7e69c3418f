#include "opened_memory.h"
#include "../platform/platform.h"
#include "../streams/retired.h"
#include "exported_memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

namespace chip {
namespace {

/// One of the driver's allocations in another process, mapped for as long as this lives.
struct OpenedChunk {
  OpenedChunk(const ForeignBlock &block, Device &on)
      : exporter(block.exporter), handle(block.chunk), device(on),
        base(static_cast<std::byte *>(on.scheduler().noticing_loss([&] {
          return ze::open_memory(on.driver(), on.info(), block.chunk, block.process);
        }))) {}
  OpenedChunk(const OpenedChunk &) = delete;
  ~OpenedChunk() { ze::close_memory(device.driver(), base); }

  bool is_of(const ForeignBlock &block, const Device &on) const {
    return &device.driver() == &on.driver() && exporter == block.exporter &&
           handle.allocation == block.chunk.allocation &&
           std::memcmp(&handle.bytes, &block.chunk.bytes, sizeof handle.bytes) == 0;
  }

  const uint64_t exporter;
  const ze::MemoryHandle handle;
  Device &device;
  std::byte *const base;
};

struct OpenedBlock {
  std::shared_ptr<OpenedChunk> chunk;
  size_t bytes;
  OpenedBy by;
  size_t times = 0; // it was opened
};
using OpenedBlocks = std::map<std::byte *, OpenedBlock>; // none overlaps another

/// What a program has opened by a handle, beside the block.
struct OpenedHandle {
  MemoryHandleContent content;
  const ze::Driver *driver;
  std::byte *first;
  std::byte *pointer() const { return first + content.offset; }
};

struct Opened {
  OpenedBlocks blocks;
  std::vector<OpenedHandle> handles; // each as often as it is open
};

auto &opened_memory() {
  static auto &all = *new common::Guarded<Opened>; // memory may be closed late
  return all;
}

Allocation allocation_of(std::byte *first, const OpenedBlock &block) {
  return {.base = first,
          .bytes = block.bytes,
          .kind = AllocationKind::opened,
          .device = &block.chunk->device};
}

/// The address of the block in a mapping of its chunk; null in one where other blocks are open that the exporter must have freed
/// since, as they overlap with it.
std::byte *address_in(const OpenedBlocks &blocks, const OpenedChunk &chunk,
                      const ForeignBlock &block) {
  std::byte *const first = chunk.base + block.begin;
  const auto next = blocks.lower_bound(first);
  if (next != blocks.end() && next->first == first && next->second.bytes == block.bytes)
    return first;
  if (next != blocks.end() && size_t(next->first - first) < block.bytes)
    return nullptr;
  if (next == blocks.begin())
    return first;
  const auto &[before, other] = *std::prev(next);
  return size_t(first - before) < other.bytes ? nullptr : first;
}

std::pair<std::shared_ptr<OpenedChunk>, std::byte *>
find_chunk(const OpenedBlocks &blocks, const ForeignBlock &block, const Device &device) {
  for (const auto &[_, other] : blocks)
    if (other.chunk->is_of(block, device))
      if (std::byte *first = address_in(blocks, *other.chunk, block))
        return {other.chunk, first};
  return {};
}

std::shared_ptr<OpenedChunk> open_chunk(const ForeignBlock &block, Device &device) {
  try {
    auto chunk = std::make_shared<OpenedChunk>(block, device);
    if (ze::bytes_behind(device.driver(), chunk->base) < block.chunk_bytes)
      throw Error(hipErrorInvalidDevicePointer, "the memory is smaller than its handle says");
    return chunk;
  } catch (const Error &error) {
    if (error.code() == hipErrorInvalidValue)
      throw Error(hipErrorInvalidDevicePointer, error.what());
    throw;
  }
}

/// With the lock, so that whoever opens the same memory meanwhile gets the same address.
std::byte *open_block(Opened &opened, const ForeignBlock &block, OpenedBy by, Device &device,
                      const std::function<void()> &check) {
  OpenedBlocks &blocks = opened.blocks;
  auto [chunk, first] = find_chunk(blocks, block, device);
  if (!chunk) {
    device.scheduler().check_alive();
    chunk = open_chunk(block, device);
    check();
    first = address_in(blocks, *chunk, block);
    if (!first) // the driver has given an address again
      throw Error(hipErrorInvalidDevicePointer,
                  "memory is open that lay in the same place, and was freed by its process");
  }
  const auto [entry, is_new] = blocks.try_emplace(first, chunk, block.bytes, by);
  if (is_new) {
    try {
      add_allocation(allocation_of(first, entry->second));
    } catch (...) {
      blocks.erase(entry);
      throw;
    }
  }
  ++entry->second.times;
  return first;
}

/// What is to end, perhaps, without the lock; null unless it was the last opening.
std::shared_ptr<OpenedChunk> close_once(Opened &opened, OpenedBlocks::iterator block) {
  if (--block->second.times != 0)
    return nullptr;
  remove_allocation(block->first);
  auto chunk = std::move(block->second.chunk);
  opened.blocks.erase(block);
  return chunk;
}

/// All blocks for which `is_meant(block)` is true.
template <class IsMeant> void close_if(const IsMeant &is_meant) {
  OpenedBlocks closed; // whose end is here, without the lock
  const auto opened = opened_memory().lock();
  for (auto block = opened->blocks.begin(); block != opened->blocks.end();) {
    const auto next = std::next(block);
    if (is_meant(block->second)) {
      remove_allocation(block->first);
      std::erase_if(opened->handles,
                    [&](const OpenedHandle &handle) { return handle.first == block->first; });
      closed.insert(opened->blocks.extract(block));
    }
    block = next;
  }
}

} // namespace

std::byte *open_block(const ForeignBlock &block, OpenedBy by, Device &device,
                      const std::function<void()> &check) {
  return open_block(*opened_memory().lock(), block, by, device, check);
}

bool close_block(void *pointer, OpenedBy by, const StreamTarget *stream) {
  std::shared_ptr<OpenedChunk> chunk;
  {
    const auto opened = opened_memory().lock();
    const auto block = opened->blocks.find(static_cast<std::byte *>(pointer));
    if (block == opened->blocks.end() || block->second.by != by)
      return false;
    chunk = close_once(*opened, block);
  }
  if (!chunk || !stream)
    return true;
  try {
    retire(stream->queue->record_marker(), chunk, Ending::at_once);
  } catch (...) {
    // A lost device is no reason to keep the memory, once nothing can use it.
    stream->device->scheduler().settle();
    throw;
  }
  return true;
}

// ---- Handles

void *open_memory(const hipIpcMemHandle_t &handle) {
  const MemoryHandleContent content = read_handle(handle);
  if (content.process == getpid())
    throw Error(hipErrorInvalidContext, "`handle` is of memory of this process");
  Device &device = Platform::current_device();
  if (uint32_t(device.driver().kind()) != content.driver_kind)
    throw Error(hipErrorInvalidDevicePointer,
                "`handle` is of memory of another Level Zero driver than the current device's");
  const auto opened = opened_memory().lock();
  opened->handles.reserve(opened->handles.size() + 1);
  const auto is_same = [&](const OpenedHandle &other) {
    MemoryHandleContent same = other.content;
    same.offset = content.offset;
    return other.driver == &device.driver() && std::memcmp(&same, &content, sizeof same) == 0;
  };
  OpenedHandle added{content, &device.driver(), nullptr};
  // What is open already needs neither the process nor the memory to be there.
  if (const auto known = std::ranges::find_if(opened->handles, is_same);
      known != opened->handles.end()) {
    OpenedBlock &block = opened->blocks.at(known->first);
    if (content.offset >= block.bytes)
      throw Error(hipErrorInvalidValue, "`handle` is none of hipIpcGetMemHandle");
    ++block.times;
    added.first = known->first;
  } else {
    const ForeignEntry entry(content);
    if (content.offset >= (*entry).bytes)
      throw Error(hipErrorInvalidValue, "`handle` is none of hipIpcGetMemHandle");
    added.first = open_block(*opened,
                             {.exporter = content.exporter,
                              .process = content.process,
                              .chunk = (*entry).chunk,
                              .chunk_bytes = (*entry).chunk_bytes,
                              .begin = (*entry).begin,
                              .bytes = (*entry).bytes},
                             OpenedBy::handle, device, [&] { entry.check_is_there(); });
  }
  opened->handles.push_back(added);
  return added.pointer();
}

namespace {

std::vector<OpenedHandle>::iterator find_opened(Opened &opened, const void *pointer) {
  const auto found = std::ranges::find(opened.handles, pointer, &OpenedHandle::pointer);
  if (found == opened.handles.end())
    throw Error(hipErrorInvalidValue, "`address` is none that hipIpcOpenMemHandle has given");
  return found;
}

} // namespace

void close_memory(void *pointer) {
  Allocation allocation;
  {
    const auto opened = opened_memory().lock();
    std::byte *const first = find_opened(*opened, pointer)->first;
    allocation = allocation_of(first, opened->blocks.at(first));
  }
  // Also where it is open elsewhere: another thread may close that meanwhile, and take this wait for its own.
  const std::optional<Error> lost = wait_for_users(allocation);
  std::shared_ptr<OpenedChunk> chunk; // whose end may be here, without the lock
  {
    const auto opened = opened_memory().lock();
    const auto handle = find_opened(*opened, pointer);
    chunk = close_once(*opened, opened->blocks.find(handle->first));
    opened->handles.erase(handle);
  }
  if (lost)
    throw *lost;
}

void close_opened_memory(const Device &device) {
  close_if([&](const OpenedBlock &block) { return &block.chunk->device == &device; });
}

void close_all_opened_memory() {
  close_if([](const OpenedBlock &) { return true; });
}

} // namespace chip
