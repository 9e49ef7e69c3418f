#include "module_cache.h"
#include "../../ze/caches.h"
#include "../../ze/log.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <format>

namespace chip {

ModuleCache &ModuleCache::instance() {
  // Modules may be unloaded by static destructors.
  static ModuleCache *const cache = new ModuleCache;
  return *cache;
}

std::shared_ptr<BuiltModule> ModuleCache::take(Device &device, uint64_t hash,
                                               std::span<const std::byte> spirv) {
  const auto state = state_.lock();
  auto found = std::ranges::find_if(state->entries, [&](const Entry &entry) {
    return entry.hash == hash && &entry.module->device() == &device &&
           // Loading waits for nothing: where work may still use the variables, another module is built.
           (entry.module->is_stateless() ||
            (entry.users == 0 && entry.module.use_count() == 1 && entry.module->is_free())) &&
           entry.module->code().spirv.size() == spirv.size() &&
           std::memcmp(entry.module->code().spirv.data(), spirv.data(), spirv.size()) == 0;
  });
  if (found == state->entries.end())
    return nullptr;
  if (found->users++ == 0)
    --state->idle;
  state->entries.splice(state->entries.begin(), state->entries, found);
  return found->module;
}

namespace {

std::shared_ptr<BuiltModule> build(Device &device, std::span<const std::byte> spirv) {
  auto module = std::make_shared<BuiltModule>(device, load_code_object(spirv));
  module->allocate_managed_variables();
  return module;
}

} // namespace

std::shared_ptr<BuiltModule> ModuleCache::acquire(Device &device,
                                                  std::span<const std::byte> spirv) {
  device.scheduler().check_alive();
  if (!ze::Caches::of_process().modules) // release() does not find it
    return build(device, spirv);
  const uint64_t hash = XXH3_64bits(spirv.data(), spirv.size());
  if (auto module = take(device, hash, spirv)) {
    log(LogLevel::info, [&] {
      return std::format(
          "a module of {} bytes of SPIR-V is taken from an earlier load for device {}",
          spirv.size(), device.ordinal());
    });
    try {
      if (!module->is_stateless())
        module->reset();
    } catch (...) {
      release(module);
      throw;
    }
    return module;
  }
  // Without the lock: building takes long, and other threads build other modules.
  auto module = build(device, spirv);
  if (module->is_stateless() || module->remember_variables()) {
    const auto state = state_.lock();
    state->entries.push_front({hash, module, 1});
  }
  return module;
}

void ModuleCache::release(const std::shared_ptr<BuiltModule> &module) {
  std::shared_ptr<BuiltModule> dropped; // destroyed without the lock: that waits for the device
  const auto state = state_.lock();
  auto found = std::ranges::find(state->entries, module, &Entry::module);
  if (found == state->entries.end() || --found->users != 0)
    return;
  module->retire_handles();
  if (++state->idle <= largest_idle)
    return;
  auto oldest = std::find_if(state->entries.rbegin(), state->entries.rend(),
                             [](const Entry &entry) { return entry.users == 0; });
  dropped = std::move(oldest->module);
  state->entries.erase(std::next(oldest).base());
  --state->idle;
}

void ModuleCache::clear() {
  std::list<Entry> dropped;
  const auto state = state_.lock();
  for (auto entry = state->entries.begin(); entry != state->entries.end();) {
    auto next = std::next(entry);
    if (entry->users == 0)
      dropped.splice(dropped.end(), state->entries, entry);
    entry = next;
  }
  state->idle = 0;
}

} // namespace chip
