#include "opened_memory.h"
#include "../../ze/shared_memory.h"
#include "../platform/platform.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <optional>
#include <unistd.h>
#include <vector>

namespace chip {
namespace {

/// What a hipIpcMemHandle_t says. The driver's own handle is as large, but most of it is zero: its other bytes are what follows.
struct MemoryHandleContent {
  static constexpr char expected_magic[4] = {'H', 'I', 'M', '1'};
  static constexpr size_t most_bytes = 27;

  char magic[4];
  int32_t process;
  uint64_t offset;     // of the address in the allocation
  uint64_t size;       // of the allocation
  uint64_t mask;       // bit i is set if byte i of the driver's handle is not zero
  uint32_t allocation; // which of the process: the driver's handles may be used again
  uint8_t is_of_cpu : 1, needs_descriptor : 1, unused : 6;
  char bytes[most_bytes];
};
static_assert(sizeof(MemoryHandleContent) == sizeof(hipIpcMemHandle_t));

bool is_cpu(const Device &device) { return device.driver().kind() == ze::DeviceKind::cpu; }

hipIpcMemHandle_t pack(MemoryHandleContent content, const ze_ipc_mem_handle_t &handle) {
  static_assert(sizeof handle.data == 64);
  size_t used = 0;
  for (size_t i = 0; i < sizeof handle.data; ++i) {
    if (handle.data[i] == 0)
      continue;
    if (used == content.most_bytes)
      throw Error(hipErrorNotSupported,
                  "the Level Zero driver's handle is too long for a hipIpcMemHandle_t");
    content.mask |= uint64_t(1) << i;
    content.bytes[used++] = handle.data[i];
  }
  hipIpcMemHandle_t packed;
  std::memcpy(&packed, &content, sizeof packed);
  return packed;
}

/// Throws hipErrorInvalidValue for bytes that no process of this version makes.
MemoryHandleContent read_content(const hipIpcMemHandle_t &handle) {
  MemoryHandleContent content;
  std::memcpy(&content, &handle, sizeof content);
  if (!std::ranges::equal(content.magic, content.expected_magic) || content.unused != 0 ||
      content.offset >= content.size || size_t(std::popcount(content.mask)) > content.most_bytes)
    throw Error(hipErrorInvalidValue, "`handle` is none of hipIpcGetMemHandle");
  return content;
}

ze::MemoryHandle unpack(const MemoryHandleContent &content) {
  ze::MemoryHandle handle{.bytes = {}, .needs_descriptor = content.needs_descriptor != 0};
  size_t used = 0;
  for (size_t i = 0; i < sizeof handle.bytes.data; ++i)
    if (content.mask >> i & 1)
      handle.bytes.data[i] = content.bytes[used++];
  return handle;
}

/// Memory of another process, mapped once, however often it was opened.
struct OpenedMemory {
  MemoryHandleContent handle; // for its first address
  Device *device;
  std::byte *first;
  std::vector<void *> given{}; // what open_memory() has returned, as often as it did

  bool is_opened_by(const MemoryHandleContent &other, const Device &on) const {
    MemoryHandleContent same = other;
    same.offset = 0;
    return &device->driver() == &on.driver() && std::memcmp(&same, &handle, sizeof same) == 0;
  }
};
using OpenedMemories = std::list<OpenedMemory>;

auto &opened_memories() {
  static auto &all = *new common::Guarded<OpenedMemories>; // memory may be closed late
  return all;
}

OpenedMemory open_first(MemoryHandleContent content, Device &device) {
  content.offset = 0;
  const ze::Driver &driver = device.driver();
  device.scheduler().check_alive();
  std::byte *first;
  try {
    first = static_cast<std::byte *>(device.scheduler().noticing_loss(
        [&] { return ze::open_memory(driver, device.info(), unpack(content), content.process); }));
  } catch (const Error &error) {
    if (error.code() == hipErrorInvalidValue)
      throw Error(hipErrorInvalidDevicePointer, error.what());
    throw;
  }
  try {
    if (ze::bytes_behind(driver, first) < content.size)
      throw Error(hipErrorInvalidDevicePointer, "the memory is smaller than `handle` says");
    add_allocation(
        {.base = first, .bytes = content.size, .kind = AllocationKind::opened, .device = &device});
  } catch (...) {
    ze::close_memory(driver, first);
    throw;
  }
  return {content, &device, first};
}

void close_driver_memory(const OpenedMemory &memory) noexcept {
  remove_allocation(memory.first);
  ze::close_memory(memory.device->driver(), memory.first);
}

/// All for which `is_meant(memory)` is true.
template <class IsMeant> void close_if(const IsMeant &is_meant) {
  OpenedMemories closed;
  {
    const auto memories = opened_memories().lock();
    for (auto memory = memories->begin(); memory != memories->end();) {
      const auto next = std::next(memory);
      if (is_meant(*memory))
        closed.splice(closed.end(), *memories, memory);
      memory = next;
    }
  }
  std::ranges::for_each(closed, close_driver_memory);
}

} // namespace

hipIpcMemHandle_t handle_of_memory(void *pointer) {
  const auto allocation = find_allocation(pointer);
  if (!allocation || allocation->kind != AllocationKind::device || allocation->pool())
    throw Error(hipErrorInvalidValue, "`address` is not in memory of hipMalloc");
  Device &device = *allocation->device;
  device.scheduler().check_alive();
  // Drivers share whole allocations. Small memory lies in a larger one with others.
  const auto [first, size] = allocation->driver_memory();
  const ze::MemoryHandle handle = device.scheduler().noticing_loss(
      [&, first = first] { return ze::export_memory(device.driver(), first); });
  MemoryHandleContent content{};
  std::ranges::copy(content.expected_magic, content.magic);
  content.process = getpid();
  content.offset = size_t(static_cast<std::byte *>(pointer) - static_cast<std::byte *>(first));
  content.size = size;
  content.allocation = uint32_t(handle.allocation);
  content.is_of_cpu = is_cpu(device);
  content.needs_descriptor = handle.needs_descriptor;
  return pack(content, handle.bytes);
}

void *open_memory(const hipIpcMemHandle_t &handle) {
  const MemoryHandleContent content = read_content(handle);
  if (content.process == getpid())
    throw Error(hipErrorInvalidContext, "`handle` is of memory of this process");
  Device &device = Platform::current_device();
  if (is_cpu(device) != bool(content.is_of_cpu))
    throw Error(hipErrorInvalidDevicePointer,
                "`handle` is of memory of another Level Zero driver than the current device's");
  // With the lock, so that whoever opens the same handle meanwhile gets the same address.
  const auto memories = opened_memories().lock();
  auto memory = std::ranges::find_if(
      *memories, [&](const OpenedMemory &each) { return each.is_opened_by(content, device); });
  const bool is_new = memory == memories->end();
  OpenedMemories added; // no failure may come behind the call of the driver
  if (is_new) {
    added.emplace_back();
    memory = added.begin();
  }
  memory->given.reserve(memory->given.size() + 1);
  if (is_new) {
    std::vector<void *> given = std::move(memory->given);
    *memory = open_first(content, device);
    memory->given = std::move(given);
    memories->splice(memories->end(), added);
  }
  memory->given.push_back(memory->first + content.offset);
  return memory->given.back();
}

void close_memory(void *pointer) {
  OpenedMemories closed;
  {
    const auto memories = opened_memories().lock();
    const auto memory = std::ranges::find_if(*memories, [&](const OpenedMemory &each) {
      return std::ranges::contains(each.given, pointer);
    });
    if (memory == memories->end())
      throw Error(hipErrorInvalidValue, "`address` is none that hipIpcOpenMemHandle has given");
    memory->given.erase(std::ranges::find(memory->given, pointer));
    if (memory->given.empty())
      closed.splice(closed.end(), *memories, memory);
  }
  if (closed.empty())
    return;
  const OpenedMemory &memory = closed.front();
  const Allocation allocation{.base = memory.first,
                              .bytes = memory.handle.size,
                              .kind = AllocationKind::opened,
                              .device = memory.device};
  std::optional<Error> lost;
  try {
    lost = wait_for_users(allocation);
  } catch (...) {
    closed.front().given.push_back(pointer); // the list has room for what it had
    const auto memories = opened_memories().lock();
    memories->splice(memories->end(), closed);
    throw;
  }
  close_driver_memory(memory);
  if (lost)
    throw *lost;
}

void close_opened_memory(Device &device) {
  close_if([&](const OpenedMemory &memory) { return memory.device == &device; });
}

void close_all_opened_memory() {
  close_if([](const OpenedMemory &) { return true; });
}

} // namespace chip
