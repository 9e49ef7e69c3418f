#include "variables.h"

#include "../../common/align.h"
#include "../memory/steady_pages.h"
#include "../platform/error.h"

#include <algorithm>
#include <cstring>
#include <format>

namespace ze_opencl {
namespace {

/// Device memory is aligned to this at least, whatever a variable asks for.
constexpr size_t least_alignment = 16;

/// Copies to the device, and waits for it.
cl_int write(const Device &device, void *destination, std::span<const std::byte> bytes) {
  cl_int error = CL_SUCCESS;
  const cl_command_queue queue =
      api().CreateCommandQueueWithProperties(device.platform->context, device.id, nullptr, &error);
  if (error != CL_SUCCESS)
    return error;
  error = enqueue_and_wait(queue, [&](cl_event *event) {
    return device.platform->memory->copy(queue, destination, bytes.data(), bytes.size(),
                                         {{}, event});
  });
  api().ReleaseCommandQueue(queue);
  return error;
}

} // namespace

Variables::~Variables() {
  if (mapped_bytes_ != 0)
    unmap_pages(block_, mapped_bytes_);
  else if (block_)
    memory_->free(block_);
}

std::expected<void, std::string> Variables::place(const Device &device,
                                                  std::span<const ModuleVariable> variables,
                                                  std::span<const uint64_t> given, uint64_t key) {
  memory_ = device.platform->memory.get();
  addresses_.assign(given.begin(), given.end());
  std::vector<size_t> offsets(variables.size());
  size_t bytes = 0, alignment = least_alignment;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (given[i] != 0)
      continue;
    const size_t own = std::max(variables[i].alignment, least_alignment);
    offsets[i] = bytes = common::round_up(bytes, own);
    bytes += std::max<size_t>(variables[i].size, 1);
    alignment = std::max(alignment, own);
  }
  if (bytes == 0)
    return {};
  try {
    if (device.platform->memory_model == MemoryModel::system &&
        (block_ = map_steady_pages(key, bytes)))
      mapped_bytes_ = bytes;
    else
      block_ = memory_->allocate(bytes, alignment, ze_driver::MemoryKind::device, &device);
  } catch (const std::exception &) {
    return std::unexpected(
        std::format("{} has no {} bytes for the module's variables", device.facts.name, bytes));
  }
  for (size_t i = 0; i < variables.size(); ++i)
    if (given[i] == 0)
      addresses_[i] = reinterpret_cast<uintptr_t>(block_) + offsets[i];
  std::vector<std::byte> content(bytes);
  for (size_t i = 0; i < variables.size(); ++i) {
    if (given[i] != 0)
      continue;
    std::byte *const at = content.data() + offsets[i];
    std::ranges::copy(variables[i].initial, at);
    for (const ModuleVariable::Relocation &relocation : variables[i].relocations) {
      const uint64_t address = addresses_[relocation.variable] + relocation.addend;
      std::memcpy(at + relocation.offset, &address, sizeof address);
    }
  }
  if (const cl_int error = write(device, block_, content); error != CL_SUCCESS)
    return std::unexpected(std::format("the module's variables cannot be written on {}: {}",
                                       device.facts.name, error_name(error)));
  return {};
}

} // namespace ze_opencl
