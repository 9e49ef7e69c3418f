#include "memory_pool.h"
#include "pool_export.h"
#include "pools.h"

#include <algorithm>

namespace chip {

bool MemoryPool::is_policy(hipMemPoolAttr attribute) {
  return attribute == hipMemPoolReuseFollowEventDependencies ||
         attribute == hipMemPoolReuseAllowOpportunistic ||
         attribute == hipMemPoolReuseAllowInternalDependencies;
}

bool MemoryPool::policy(hipMemPoolAttr attribute) const {
  const Policies policies = state_.lock()->policies;
  return attribute == hipMemPoolReuseFollowEventDependencies ? policies.follows_events
         : attribute == hipMemPoolReuseAllowOpportunistic    ? policies.is_opportunistic
                                                             : policies.adds_dependencies;
}

void MemoryPool::set_policy(hipMemPoolAttr attribute, bool is_on) {
  const auto state = state_.lock();
  Policies &policies = state->policies;
  (attribute == hipMemPoolReuseFollowEventDependencies ? policies.follows_events
   : attribute == hipMemPoolReuseAllowOpportunistic    ? policies.is_opportunistic
                                                       : policies.adds_dependencies) = is_on;
}

uint64_t MemoryPool::attribute(hipMemPoolAttr attribute) const {
  const auto state = state_.lock();
  switch (attribute) {
  case hipMemPoolAttrReleaseThreshold:
    return state->threshold;
  case hipMemPoolAttrReservedMemCurrent:
    return state->reserved;
  case hipMemPoolAttrReservedMemHigh:
    return state->reserved_high;
  case hipMemPoolAttrUsedMemCurrent:
    return state->used;
  case hipMemPoolAttrUsedMemHigh:
    return state->used_high;
  default:
    throw Error(hipErrorInvalidValue, "`attribute` is not a hipMemPoolAttr");
  }
}

void MemoryPool::set_attribute(hipMemPoolAttr attribute, uint64_t value) {
  const auto state = state_.lock();
  if (attribute == hipMemPoolAttrReleaseThreshold) {
    state->threshold = value;
    visit_at_synchronization(device());
    return;
  }
  if (attribute != hipMemPoolAttrReservedMemHigh && attribute != hipMemPoolAttrUsedMemHigh)
    throw Error(hipErrorInvalidValue, "`attribute` is not a hipMemPoolAttr that can be set");
  if (value != 0)
    throw Error(hipErrorInvalidValue, "`value` is not 0: a high-water mark can only be reset");
  (attribute == hipMemPoolAttrUsedMemHigh ? state->used_high : state->reserved_high) = 0;
}

hipMemAccessFlags MemoryPool::access(const Device &device) const {
  if (&device == &this->device())
    return hipMemAccessFlagsProtReadWrite;
  const auto state = state_.lock();
  const auto found = std::ranges::find(state->access, &device, &Access::device);
  if (found != state->access.end())
    return found->flags;
  // What this process has not set is as in the process that has the pool.
  return properties_.imported ? properties_.imported->access(device) : hipMemAccessFlagsProtNone;
}

void MemoryPool::set_access(const Device &device, hipMemAccessFlags flags) {
  const auto state = state_.lock();
  if (const auto found = std::ranges::find(state->access, &device, &Access::device);
      found != state->access.end())
    found->flags = flags;
  else
    state->access.push_back({&device, flags});
  if (state->exported)
    state->exported->set_access(device, flags);
}

std::shared_ptr<ImportedPool> MemoryPool::imported() const {
  const auto state = state_.lock();
  return properties_.imported;
}

std::shared_ptr<ExportedPool> MemoryPool::exported() {
  if (properties_.handle_types == hipMemHandleTypeNone)
    throw Error(hipErrorInvalidValue, "the pool was created without a type of handle to export it");
  const auto state = state_.lock();
  if (!state->exported) {
    auto exported = std::make_shared<ExportedPool>(device());
    for (const Access &access : state->access)
      exported->set_access(*access.device, access.flags);
    state->exported = std::move(exported);
  }
  return state->exported;
}

} // namespace chip
