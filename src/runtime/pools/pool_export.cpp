#include "pool_export.h"
#include "../../ze/shared_memory.h"
#include "../memory/opened_memory.h"
#include "../platform/platform.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace chip {

/// What the file of a pool says. Only the process that has the pool writes it; others may read it meanwhile.
struct PoolFile {
  static constexpr char expected_magic[8] = {'C', 'H', 'I', 'P', 'P', 'O', 'O', '1'};
  static constexpr uint32_t most_devices = 32, most_chunks = 4096;
  struct Access {
    ze_device_uuid_t device;
    uint32_t flags;
  };
  struct Chunk {
    uint32_t generation; // odd: there is one. Written last, and first when it goes
    uint32_t needs_descriptor;
    uint64_t bytes;
    ze_ipc_mem_handle_t handle;
  };

  char magic[8];
  uint64_t id; // of the pool: no other has it
  int32_t process;
  ze_device_uuid_t device;
  uint32_t access_count;
  Access access[most_devices];
  Chunk chunks[most_chunks];
};

namespace {

/// What is in a hipMemPoolPtrExportData.
struct ExportedBlock {
  static constexpr char expected_magic[4] = {'C', 'H', 'B', '1'};
  char magic[4];
  uint32_t place; // of the chunk in the file
  uint32_t generation;
  uint32_t unused;
  uint64_t pool;
  uint64_t offset; // in the chunk
  uint64_t bytes;
};
static_assert(sizeof(ExportedBlock) <= sizeof(hipMemPoolPtrExportData));

std::atomic_ref<uint32_t> shared(uint32_t &value) { return std::atomic_ref(value); }

bool is_same(const ze_device_uuid_t &a, const ze_device_uuid_t &b) {
  return std::memcmp(a.id, b.id, sizeof a.id) == 0;
}

const ze_device_uuid_t &uuid_of(const Device &device) { return device.info().properties.uuid; }

Device &device_of(const ze_device_uuid_t &uuid) {
  Platform &platform = Platform::get();
  for (int i = 0; i < platform.device_count(); ++i)
    if (is_same(uuid_of(platform.device(i)), uuid))
      return platform.device(i);
  throw Error(hipErrorInvalidDevice, "this process does not have the device of the pool");
}

uint64_t new_id() {
  std::random_device random;
  return uint64_t(random()) << 32 | random();
}

constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

} // namespace

// ---- The file

MappedPoolFile::MappedPoolFile()
    : descriptor_(memfd_create("hipMemPool", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  void *memory = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, sizeof(PoolFile)) == 0 &&
      fcntl(descriptor_, F_ADD_SEALS, seals) == 0)
    memory = mmap(nullptr, sizeof(PoolFile), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) {
    if (descriptor_ >= 0)
      close(descriptor_);
    throw Error(hipErrorOutOfMemory, "the system has no memory for the handle of a pool");
  }
  file_ = static_cast<PoolFile *>(memory);
}

MappedPoolFile::MappedPoolFile(int descriptor) {
  struct stat status{};
  // A file that could become shorter would end this process when it is read.
  const int sealed = fcntl(descriptor, F_GET_SEALS);
  void *memory = MAP_FAILED;
  if (sealed >= 0 && (sealed & F_SEAL_SHRINK) && fstat(descriptor, &status) == 0 &&
      size_t(status.st_size) == sizeof(PoolFile))
    memory = mmap(nullptr, sizeof(PoolFile), PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    throw Error(hipErrorInvalidValue, "`os_handle` is not the descriptor of a pool");
  file_ = static_cast<PoolFile *>(memory);
  if (!std::ranges::equal(file_->magic, PoolFile::expected_magic)) {
    munmap(memory, sizeof(PoolFile));
    throw Error(hipErrorInvalidValue, "`os_handle` is not the descriptor of a pool");
  }
}

MappedPoolFile::~MappedPoolFile() {
  munmap(file_, sizeof(PoolFile));
  if (descriptor_ >= 0)
    close(descriptor_);
}

// ---- In the process that has the pool

ExportedPool::ExportedPool(const Device &device) : device_(device) {
  file_->id = new_id();
  file_->process = getpid();
  file_->device = uuid_of(device);
  std::ranges::copy(PoolFile::expected_magic, file_->magic);
}

int ExportedPool::descriptor() const {
  // Not 0, which as a handle would be a null pointer.
  const int descriptor = fcntl(file_.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0)
    throw Error(hipErrorOutOfMemory, "the process has as many descriptors as it may have");
  return descriptor;
}

/// The place of a chunk in the file, where it is entered at the first call.
uint32_t ExportedPool::place_of(State &state, const PoolChunk &chunk) {
  if (const auto known = state.places.find(&chunk); known != state.places.end())
    return known->second;
  if (state.free_places.empty() && state.places_used == PoolFile::most_chunks)
    throw Error(hipErrorOutOfMemory, "too much memory of the pool has been exported");
  const ze::MemoryHandle handle = ze::export_memory(device_.driver(), chunk.base);
  state.free_places.reserve(state.places_used + 1); // for when the chunk goes
  const bool is_new = state.free_places.empty();
  const uint32_t place = is_new ? state.places_used : state.free_places.back();
  state.places.emplace(&chunk, place);
  if (is_new)
    ++state.places_used;
  else
    state.free_places.pop_back();
  PoolFile::Chunk &entry = file_->chunks[place];
  entry.needs_descriptor = handle.needs_descriptor;
  entry.bytes = chunk.bytes;
  entry.handle = handle.bytes;
  shared(entry.generation).fetch_add(1, std::memory_order_release);
  return place;
}

hipMemPoolPtrExportData ExportedPool::export_block(const PoolChunk &chunk, const void *begin,
                                                   size_t bytes) {
  const auto state = state_.lock();
  const uint32_t place = place_of(*state, chunk);
  ExportedBlock block{.magic = {},
                      .place = place,
                      .generation = file_->chunks[place].generation,
                      .unused = 0,
                      .pool = file_->id,
                      .offset = uint64_t(static_cast<const std::byte *>(begin) - chunk.base),
                      .bytes = bytes};
  std::ranges::copy(ExportedBlock::expected_magic, block.magic);
  hipMemPoolPtrExportData data{};
  std::memcpy(&data, &block, sizeof block);
  return data;
}

void ExportedPool::forget(const PoolChunk &chunk) noexcept {
  const auto state = state_.lock();
  const auto known = state->places.find(&chunk);
  if (known == state->places.end())
    return;
  shared(file_->chunks[known->second].generation).fetch_add(1, std::memory_order_release);
  state->free_places.push_back(known->second);
  state->places.erase(known);
}

void ExportedPool::set_access(const Device &device, hipMemAccessFlags flags) {
  const auto state = state_.lock();
  PoolFile &file = *file_;
  uint32_t place = 0;
  while (place < file.access_count && !is_same(file.access[place].device, uuid_of(device)))
    ++place;
  if (place == PoolFile::most_devices)
    throw Error(hipErrorInvalidValue, "more devices than the handle of a pool can tell of");
  file.access[place].device = uuid_of(device);
  shared(file.access[place].flags).store(uint32_t(flags), std::memory_order_release);
  if (place == file.access_count)
    shared(file.access_count).store(place + 1, std::memory_order_release);
}

// ---- In another process

ImportedPool::ImportedPool(int descriptor)
    : file_(descriptor), device_(&device_of(file_->device)) {}

std::shared_ptr<ImportedPool> ImportedPool::open(int descriptor) {
  return std::make_shared<ImportedPool>(descriptor);
}

hipMemAccessFlags ImportedPool::access(const Device &device) const {
  PoolFile &file = *file_;
  const uint32_t count = std::min(
      std::atomic_ref(file.access_count).load(std::memory_order_acquire), PoolFile::most_devices);
  for (uint32_t i = 0; i < count; ++i)
    if (is_same(file.access[i].device, uuid_of(device)))
      return hipMemAccessFlags(file.access[i].flags);
  return hipMemAccessFlagsProtNone;
}

void *ImportedPool::import_pointer(const hipMemPoolPtrExportData &data) {
  device_->scheduler().check_alive();
  ExportedBlock block;
  std::memcpy(&block, &data, sizeof block);
  const auto is_there = [&] {
    PoolFile::Chunk &entry = file_->chunks[block.place];
    return std::atomic_ref(entry.generation).load(std::memory_order_acquire) == block.generation;
  };
  if (!std::ranges::equal(block.magic, ExportedBlock::expected_magic) || block.pool != file_->id ||
      block.place >= PoolFile::most_chunks || block.generation % 2 == 0 || !is_there())
    throw Error(hipErrorInvalidValue, "`data` does not name memory of the pool");
  const PoolFile::Chunk entry = file_->chunks[block.place];
  if (block.bytes == 0 || block.offset > entry.bytes || block.bytes > entry.bytes - block.offset)
    throw Error(hipErrorInvalidValue, "`data` names memory that passes the end of its chunk");
  const auto check_is_there = [&] { // the handle may have been another one's when it was read
    if (!is_there())
      throw Error(hipErrorInvalidValue, "`data` names memory that was freed meanwhile");
  };
  check_is_there();
  try {
    return open_block({.exporter = file_->id,
                       .process = file_->process,
                       .chunk = {.bytes = entry.handle,
                                 .needs_descriptor = entry.needs_descriptor != 0,
                                 .allocation = uint64_t(block.place) << 32 | block.generation},
                       .chunk_bytes = entry.bytes,
                       .begin = block.offset,
                       .bytes = block.bytes},
                      OpenedBy::pool, *device_, check_is_there);
  } catch (const Error &error) {
    if (error.code() == hipErrorInvalidDevicePointer)
      throw Error(hipErrorInvalidValue, error.what());
    throw;
  }
}

} // namespace chip
