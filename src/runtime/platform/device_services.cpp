#include "device_services.h"
#include "../../common/align.h"
#include "../../common/device_contract.h"
#include "../../common/uncancelled.h"
#include "../../ze/environment.h"
#include "../operations/copy.h"
#include "../operations/fill.h"
#include "format.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <format>
#include <thread>
#include <utility>

namespace chip {

using chip_device::Heap;
using chip_device::MessageBuffer;
using chip_device::MessageRecord;
using chip_device::Messages;

namespace {

static_assert(offsetof(Messages, trap) == device_contract::messages_trap_offset);

constexpr size_t host_alignment = 64, heap_alignment = 64 << 10;

unsigned failures_of(Messages &messages) {
  return std::atomic_ref(messages.failures).load(std::memory_order_acquire);
}

/// Waits until the record is written, and returns its kind. Its thread has reserved the room and has only to fill it, unless its
/// kernel broke down.
unsigned wait_for_kind(MessageRecord &record) {
  constexpr auto patience = std::chrono::seconds(2);
  const auto kind = [&] { return std::atomic_ref(record.kind).load(std::memory_order_acquire); };
  if (unsigned now = kind()) [[likely]]
    return now;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
    if (unsigned now = kind())
      return now;
  }
  return MessageRecord::nothing;
}

bool aborts_on_assertion() { return !ze::settings.is_on("HIP_SKIP_ABORT_ON_GPU_ERROR"); }

} // namespace

DeviceServices::~DeviceServices() {
  const ze::Driver &driver = scheduler_.driver();
  if (const auto observe = driver.capabilities().observe_failures; observe && messages_)
    observe(driver.handle(), nullptr, this);
  for (void *buffer : buffers_)
    ze::discard_memory(driver, buffer);
  if (Messages *messages = messages_)
    ze::discard_memory(driver, messages);
  if (void *heap = heap_)
    ze::discard_memory(driver, heap);
}

// ---- Messages

MessageBuffer *DeviceServices::make_buffer(size_t capacity) {
  buffers_.reserve(buffers_.size() + 1);
  const size_t bytes = sizeof(MessageBuffer) + capacity;
  void *memory = ze::allocate_host(scheduler_.driver(), bytes, host_alignment);
  buffers_.push_back(memory);
  std::memset(memory, 0, bytes);
  auto *buffer = new (memory) MessageBuffer;
  buffer->capacity = capacity;
  return buffer;
}

void *DeviceServices::messages() {
  std::lock_guard lock(creation_);
  if (Messages *known = messages_)
    return known;
  std::lock_guard printing(printing_);
  MessageBuffer *buffer = make_buffer(common::round_up<size_t>(message_bytes_, 8));
  auto *messages =
      new (ze::allocate_host(scheduler_.driver(), sizeof(Messages), host_alignment)) Messages{};
  messages->buffers[0] = buffer;
  void *trap = scheduler_.driver().capabilities().trap_address;
  messages->trap = trap ? static_cast<unsigned *>(trap) : &messages->unused;
  messages_ = messages;
  scheduler_.set_observer(this);
  if (const auto observe = scheduler_.driver().capabilities().observe_failures)
    observe(
        scheduler_.driver().handle(),
        [](void *self) { return static_cast<DeviceServices *>(self)->reason_of_failure(); }, this);
  return messages;
}

// Records that threads reserve from now on go to the other buffer, and what is in this one is printed.
void DeviceServices::exchange_buffers() {
  Messages &messages = *messages_;
  constexpr uint64_t bytes_mask = (uint64_t(1) << Messages::bytes_bits) - 1;
  std::atomic_ref cursor(messages.cursor);
  const uint64_t exchanges = cursor.load(std::memory_order_acquire) >> Messages::bytes_bits;
  if ((cursor.load(std::memory_order_acquire) & bytes_mask) == 0)
    return;
  MessageBuffer *&other = messages.buffers[(exchanges + 1) & 1];
  if (!other || other->capacity != common::round_up<size_t>(message_bytes_, 8))
    other = make_buffer(common::round_up<size_t>(message_bytes_, 8));
  const uint64_t reserved = cursor.exchange((exchanges + 1) << Messages::bytes_bits) & bytes_mask;

  MessageBuffer *&full = messages.buffers[exchanges & 1];
  const size_t used = std::min<size_t>(reserved, full->capacity);
  const std::span records(reinterpret_cast<std::byte *>(full->records()), used);
  if (print_records(records, reserved))
    std::memset(records.data(), 0, records.size());
  else
    full = nullptr; // a thread may still come to write to it
}

/// Prints the records in `bytes`, for which threads reserved `reserved` bytes. Returns false if a record was never written.
bool DeviceServices::print_records(std::span<std::byte> bytes, size_t reserved) {
  bool whole = true;
  size_t at = 0;
  while (at < bytes.size()) {
    auto &record = *reinterpret_cast<MessageRecord *>(bytes.data() + at);
    const unsigned kind = wait_for_kind(record);
    if (kind == MessageRecord::no_room)
      break;
    if (kind == MessageRecord::nothing || record.bytes < sizeof record || record.bytes % 8 != 0 ||
        record.bytes > bytes.size() - at) {
      whole = false;
      break;
    }
    const std::string text =
        format_message(bytes.subspan(at + sizeof record, record.bytes - sizeof record));
    std::fwrite(text.data(), 1, text.size(), kind == MessageRecord::assertion ? stderr : stdout);
    at += record.bytes;
  }
  std::fflush(stdout);
  if (whole && at < reserved)
    std::fprintf(
        stderr,
        "libCHIP: %zu bytes that kernels printed are lost: more than the %zu bytes that "
        "hipDeviceSetLimit("
        "hipLimitPrintfFifoSize, ...) makes room for were printed before the host waited\n",
        reserved - at, limit(hipLimitPrintfFifoSize));
  else if (!whole)
    std::fprintf(stderr,
                 "libCHIP: up to %zu bytes that a kernel printed before it failed are lost\n",
                 reserved - at);
  return whole;
}

void DeviceServices::drain_messages() noexcept {
  if (!messages_)
    return;
  const common::Uncancelled uncancelled;
  try {
    std::lock_guard lock(printing_);
    exchange_buffers();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "libCHIP: what kernels printed is lost: %s\n", error.what());
  }
}

hipError_t DeviceServices::work_completed() noexcept {
  Messages *messages = messages_;
  // Asked before the messages are printed: those of the threads that have failed by now are among them.
  const unsigned failures = messages ? failures_of(*messages) : 0;
  drain_messages();
  if (failures == 0) [[likely]]
    return hipSuccess;
  if (!(failures & Messages::assertion_failed))
    return hipErrorLaunchFailure;
  // Once: a program whose handler of SIGABRT jumps back goes on with the error.
  if (aborts_on_assertion() && tell_end())
    std::abort();
  return hipErrorAssert;
}

bool DeviceServices::tell_end() {
  std::lock_guard lock(printing_);
  if (std::exchange(end_told_, true))
    return false;
  std::fprintf(stderr, "libCHIP: the program ends because an assertion failed in a kernel\n");
  return true;
}

// The driver tells that the kernel failed: what the kernel has said before comes first. A second kernel may have failed by the
// same assertion, or be one of another device, whose threads have trapped.
const char *DeviceServices::reason_of_failure() noexcept {
  drain_messages();
  if (!(failures_of(*messages_) & Messages::assertion_failed))
    return nullptr;
  return reason_told_.exchange(true) ? "a failed assertion or a trap" : "an assertion failed";
}

// ---- Heap

void *DeviceServices::heap() {
  std::lock_guard lock(creation_);
  if (void *known = heap_)
    return known;
  Heap heap{};
  heap.page_bytes =
      common::round_up(std::max<size_t>(heap_bytes_ / Heap::most_pages, 1), Heap::page_multiple);
  heap.page_count =
      unsigned(std::clamp<size_t>(heap_bytes_ / heap.page_bytes, 1, Heap::most_pages));
  const size_t map_bytes = heap.page_bytes / Heap::unit / 8 * heap.page_count;
  const size_t control_bytes = common::round_up(sizeof(Heap) + map_bytes, heap_alignment);
  const ze::Driver &driver = scheduler_.driver();
  auto *memory = static_cast<std::byte *>(
      ze::allocate_device(driver, scheduler_.device(),
                          control_bytes + heap.page_bytes * heap.page_count, heap_alignment));
  heap.taken = reinterpret_cast<unsigned *>(memory + sizeof(Heap));
  heap.pages = reinterpret_cast<char *>(memory + control_bytes);
  try {
    InternalQueue queue(scheduler_);
    try {
      queue->submit(operations::Fill{memory, 0, 1, control_bytes});
      queue->submit(operations::Copy{memory, &heap, sizeof heap});
      queue->finish();
    } catch (...) {
      queue->settle();
      throw;
    }
  } catch (...) {
    ze::discard_memory(driver, memory);
    throw;
  }
  heap_ = memory;
  return memory;
}

// ---- Limits

void DeviceServices::replace_buffer() {
  std::lock_guard lock(printing_);
  exchange_buffers();
  Messages &messages = *messages_;
  const uint64_t exchanges = messages.cursor >> Messages::bytes_bits;
  messages.buffers[exchanges & 1] = make_buffer(common::round_up<size_t>(message_bytes_, 8));
}

size_t DeviceServices::limit(hipLimit_t limit) const {
  switch (limit) {
  case hipLimitStackSize:
    return stack_bytes_;
  case hipLimitPrintfFifoSize:
    return message_bytes_;
  case hipLimitMallocHeapSize:
    return heap_bytes_;
  default:
    throw Error(hipErrorUnsupportedLimit, "`limit` is none that devices have");
  }
}

void DeviceServices::set_limit(hipLimit_t limit, size_t bytes) {
  const size_t memory =
      scheduler_.device().memory.totalSize ? scheduler_.device().memory.totalSize : SIZE_MAX / 2;
  constexpr size_t least_messages = 4 << 10, most_messages = 4ul << 30;
  constexpr size_t least_stack = 1 << 10, most_stack = 512 << 10;
  switch (limit) {
  case hipLimitStackSize:
    // Drivers give each kernel the stack that it needs; the limit only reads back.
    if (bytes > most_stack)
      throw Error(hipErrorInvalidValue,
                  std::format("`value` is above {}, the bytes of the largest stack", most_stack));
    stack_bytes_ = std::max(bytes, least_stack);
    break;
  case hipLimitPrintfFifoSize:
    if (bytes > std::min(most_messages, memory))
      throw Error(hipErrorInvalidValue,
                  std::format("`value` is above {}, the most bytes that printf can have",
                              std::min(most_messages, memory)));
    if (messages_)
      scheduler_.synchronize(); // what is in the buffer is printed
    message_bytes_ = std::max(bytes, least_messages);
    if (messages_)
      scheduler_.noticing_loss([&] { replace_buffer(); });
    break;
  case hipLimitMallocHeapSize: {
    std::lock_guard lock(creation_);
    if (heap_)
      throw Error(hipErrorInvalidValue,
                  "the heap is in use: its size is set before a kernel with malloc is loaded");
    if (bytes > memory)
      throw Error(hipErrorInvalidValue,
                  std::format("`value` is above {}, the bytes of the device's memory", memory));
    heap_bytes_ = std::max<size_t>(bytes, Heap::page_multiple);
    break;
  }
  default:
    throw Error(hipErrorUnsupportedLimit, "`limit` is none that devices have");
  }
}

} // namespace chip
