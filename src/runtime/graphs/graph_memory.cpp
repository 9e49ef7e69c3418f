#include "graph_memory.h"
#include "../memory/memory.h"

#include <algorithm>
#include <unordered_map>

namespace chip {
namespace {

struct Account {
  uint64_t current = 0, used_high = 0, reserved_high = 0; // bytes
};
struct State {
  std::unordered_map<const void *, std::weak_ptr<GraphMemory>> by_address;
  std::unordered_map<const Device *, Account> accounts;
  std::unordered_map<const void *, std::shared_ptr<GraphMemory>> used; // by address
};

auto &state() { // outlives static destructors, which may call
  static auto &all = *new common::Guarded<State>;
  return all;
}

} // namespace

std::shared_ptr<GraphMemory> GraphMemory::allocate(Device &device, size_t bytes) {
  std::shared_ptr<GraphMemory> memory(new GraphMemory(device, bytes));
  state().lock()->by_address[memory->address()] = memory;
  return memory;
}

std::shared_ptr<GraphMemory> GraphMemory::find(const void *address) {
  const auto locked = state().lock();
  const auto found = locked->by_address.find(address);
  return found == locked->by_address.end() ? nullptr : found->second.lock();
}

GraphMemory::GraphMemory(Device &device, size_t bytes)
    : device_(device), bytes_(bytes), address_(allocate_for_graph(device, bytes)) {}

GraphMemory::~GraphMemory() {
  // Before it is freed, since its address may be given out again at once.
  state().lock()->by_address.erase(address_);
  try {
    free_allocation(address_, {AllocationKind::graph});
  } catch (const Error &) {
    // The device is lost, which its next call says.
  }
}

void GraphMemory::begin_use() {
  const auto locked = state().lock();
  if (is_used_.exchange(true))
    return;
  locked->used[address_] = shared_from_this();
  Account &account = locked->accounts[&device_];
  account.current += bytes_;
  account.used_high = std::max(account.used_high, account.current);
  account.reserved_high = std::max(account.reserved_high, account.current);
}

void GraphMemory::end_use() noexcept {
  std::shared_ptr<GraphMemory> self; // whose end may come here, without the lock
  const auto locked = state().lock();
  if (!is_used_.exchange(false))
    return;
  self = std::move(locked->used.extract(address_).mapped());
  locked->accounts.find(&device_)->second.current -= bytes_;
}

void end_all_use(const Device &device) {
  std::vector<std::shared_ptr<GraphMemory>> all;
  for (const auto &[address, memory] : state().lock()->used)
    if (&memory->device() == &device)
      all.push_back(memory);
  for (const auto &memory : all)
    memory->end_use();
}

uint64_t graph_memory_attribute(const Device &device, hipGraphMemAttributeType attribute) {
  const Account account = state().lock()->accounts[&device];
  switch (attribute) {
  case hipGraphMemAttrUsedMemCurrent:
  case hipGraphMemAttrReservedMemCurrent:
    return account.current;
  case hipGraphMemAttrUsedMemHigh:
    return account.used_high;
  case hipGraphMemAttrReservedMemHigh:
    return account.reserved_high;
  }
  throw Error(hipErrorInvalidValue, "`attribute` is not a hipGraphMemAttributeType");
}

void reset_graph_memory_attribute(const Device &device, hipGraphMemAttributeType attribute) {
  const auto locked = state().lock();
  Account &account = locked->accounts[&device];
  (attribute == hipGraphMemAttrUsedMemHigh ? account.used_high : account.reserved_high) = 0;
}

} // namespace chip
