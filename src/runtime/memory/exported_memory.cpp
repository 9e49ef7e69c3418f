#include "exported_memory.h"
#include "../../common/processes.h"
#include "../platform/platform.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace chip {
namespace {

/// The file begins with this, and has the entries behind it.
struct FileHead {
  static constexpr std::array<char, 8> expected_magic = {'H', 'I', 'P', 'm', 'e', 'm', 's', '1'};

  std::array<char, 8> magic;
  uint64_t exporter;
};

constexpr off_t place_of(uint32_t place) {
  return off_t(sizeof(FileHead) + place * sizeof(ExportedEntry));
}
static_assert(offsetof(ExportedEntry, number) == 0);

template <class T> bool read_at(int descriptor, off_t offset, T &value) {
  return pread(descriptor, &value, sizeof value, offset) == ssize_t(sizeof value);
}
template <class T> bool write_at(int descriptor, off_t offset, const T &value) {
  return pwrite(descriptor, &value, sizeof value, offset) == ssize_t(sizeof value);
}

bool is_file_of(int descriptor, uint64_t exporter) {
  FileHead head;
  return read_at(descriptor, 0, head) && head.magic == FileHead::expected_magic &&
         head.exporter == exporter;
}

struct Exports {
  common::ProcessIdentity
      process{}; // that has made the file: a child of it has the file, but must not write it
  int descriptor = -1;
  uint32_t places = 0; // that were ever used
  std::vector<uint32_t> free_places;

  void open_file() {
    if (descriptor >= 0 && process.number == getpid())
      return;
    const common::ProcessIdentity own = common::this_process();
    const int file = memfd_create("hip_memory", MFD_CLOEXEC);
    if (file < 0 || !write_at(file, 0, FileHead{FileHead::expected_magic, common::to_word(own)})) {
      if (file >= 0)
        close(file);
      throw Error(hipErrorOutOfMemory, "no memory for what handles name");
    }
    *this = {.process = own, .descriptor = file, .places = 0, .free_places = {}};
  }
};

auto &exports() {
  static auto &all = *new common::Guarded<Exports>; // memory may be freed late
  return all;
}

} // namespace

/// An entry, for as long as the allocation has it.
class ExportedMemory {
public:
  explicit ExportedMemory(const ExportedEntry &entry) {
    const auto all = exports().lock();
    all->open_file();
    all->free_places.reserve(all->places + 1); // for when this ends
    process_ = all->process;
    descriptor_ = all->descriptor;
    place_ = all->free_places.empty() ? all->places : all->free_places.back();
    number_ = entry.number;
    // Its number last, so that nobody reads half of it.
    ExportedEntry unfinished = entry;
    unfinished.number = 0;
    if (!write_at(descriptor_, place_of(place_), unfinished) ||
        !write_at(descriptor_, place_of(place_), number_))
      throw Error(hipErrorOutOfMemory, "no memory for what handles name");
    if (place_ == all->places)
      ++all->places;
    else
      all->free_places.pop_back();
  }
  ExportedMemory(const ExportedMemory &) = delete;
  ~ExportedMemory() {
    const auto all = exports().lock();
    if (process_.number != getpid() || all->descriptor != descriptor_)
      return;
    // What has room once has it again.
    (void)write_at(descriptor_, place_of(place_), uint64_t(0));
    all->free_places.push_back(place_);
  }

  bool is_of_this_process() const { return process_.number == getpid(); }
  MemoryHandleContent content() const {
    MemoryHandleContent content{};
    std::ranges::copy(content.expected_magic, content.magic);
    content.process = process_.number;
    content.exporter = common::to_word(process_);
    content.descriptor = descriptor_;
    content.place = place_;
    content.number = number_;
    return content;
  }

private:
  common::ProcessIdentity process_;
  int descriptor_;
  uint32_t place_;
  uint64_t number_;
};

namespace {

constexpr const char *not_of_malloc = "`address` is not in memory of hipMalloc";

void check_is_of_malloc(const Allocation &allocation) {
  if (allocation.kind != AllocationKind::device || allocation.pool())
    throw Error(hipErrorInvalidValue, not_of_malloc);
}

std::shared_ptr<ExportedMemory> export_block(const Allocation &allocation, uint32_t number) {
  Device &device = *allocation.device;
  device.scheduler().check_alive();
  // Drivers share whole allocations. Small memory lies in a larger one with others.
  const auto [first, bytes] = allocation.driver_memory();
  const ze::MemoryHandle chunk = device.scheduler().noticing_loss(
      [&, first = first] { return ze::export_memory(device.driver(), first); });
  return std::make_shared<ExportedMemory>(ExportedEntry{
      .number = number,
      .chunk_bytes = bytes,
      .begin = size_t(static_cast<std::byte *>(allocation.base) - static_cast<std::byte *>(first)),
      .bytes = allocation.bytes,
      .chunk = chunk});
}

} // namespace

hipIpcMemHandle_t handle_of_memory(void *pointer) {
  Allocation allocation;
  uint32_t number = 0;
  std::shared_ptr<ExportedMemory> exported;
  const bool is_known =
      look_at_allocation(pointer, [&](const Allocation &found, AllocationTraits &traits) {
        check_is_of_malloc(found);
        allocation = found;
        number = traits.number;
        exported = traits.exported;
      });
  if (!is_known)
    throw Error(hipErrorInvalidValue, not_of_malloc);
  if (!exported || !exported->is_of_this_process()) {
    const auto made = export_block(allocation, number);
    look_at_allocation(pointer, [&](const Allocation &, AllocationTraits &traits) {
      if (traits.number != number)
        return; // another thread has freed it
      // What another thread has made of it meanwhile is its handle.
      if (traits.exported == exported)
        traits.exported = made;
      exported = traits.exported;
    });
  }
  if (!exported)
    throw Error(hipErrorInvalidValue, "`address` was freed by another thread");
  MemoryHandleContent content = exported->content();
  content.offset =
      size_t(static_cast<std::byte *>(pointer) - static_cast<std::byte *>(allocation.base));
  content.driver_kind = uint32_t(allocation.device->driver().kind());
  hipIpcMemHandle_t handle;
  std::memcpy(&handle, &content, sizeof handle);
  return handle;
}

MemoryHandleContent read_handle(const hipIpcMemHandle_t &handle) {
  MemoryHandleContent content;
  std::memcpy(&content, &handle, sizeof content);
  const auto is_zero = [](char byte) { return byte == 0; };
  if (!std::ranges::equal(content.magic, content.expected_magic) || content.number == 0 ||
      content.driver_kind > uint32_t(ze::DeviceKind::cpu) ||
      !std::ranges::all_of(content.rest, is_zero))
    throw Error(hipErrorInvalidValue, "`handle` is none of hipIpcGetMemHandle");
  return content;
}

// ---- In another process

namespace {

[[noreturn]] void refuse_gone() {
  throw Error(hipErrorInvalidDevicePointer,
              "`handle` names memory that was freed, or whose process has ended");
}

} // namespace

ForeignEntry::ForeignEntry(const MemoryHandleContent &content)
    : content_(content),
      descriptor_(common::open_of_process(content.process, content.descriptor, [&](int descriptor) {
        return is_file_of(descriptor, content.exporter);
      })) {
  if (descriptor_ < 0)
    refuse_gone();
  // A process that lies gets no further than its own memory.
  if (!read_at(descriptor_, place_of(content_.place), entry_) || entry_.number != content_.number ||
      entry_.bytes == 0 || entry_.begin > entry_.chunk_bytes ||
      entry_.bytes > entry_.chunk_bytes - entry_.begin) {
    close(descriptor_);
    refuse_gone();
  }
}

ForeignEntry::~ForeignEntry() { close(descriptor_); }

void ForeignEntry::check_is_there() const {
  uint64_t number = 0;
  if (!read_at(descriptor_, place_of(content_.place), number) || number != content_.number)
    refuse_gone();
}

} // namespace chip
