#include "peer.h"

#include <algorithm>

namespace chip {

bool can_access_peer(const Device &device, const Device &peer) {
  return &device != &peer && have_one_driver(device, peer) &&
         ze::can_access_peer(device.info(), peer.info());
}

bool has_peer_atomics(const Device &device, const Device &peer) {
  return &device != &peer && have_one_driver(device, peer) &&
         ze::has_peer_atomics(device.info(), peer.info());
}

void enable_peer_access(Device &device, const Device &peer) {
  if (!have_one_driver(device, peer))
    throw Error(hipErrorPeerAccessUnsupported,
                "the current device and `peer` have different Level Zero drivers");
  if (!can_access_peer(device, peer))
    throw Error(hipErrorInvalidDevice, "the current device cannot access memory of `peer`");
  std::lock_guard lock(device.peers.mutex);
  if (std::ranges::contains(device.peers.enabled, &peer))
    throw Error(hipErrorPeerAccessAlreadyEnabled, "access to memory of `peer` is enabled already");
  device.peers.enabled.push_back(&peer);
}

void disable_peer_access(Device &device, const Device &peer) {
  if (&device == &peer)
    throw Error(hipErrorInvalidDevice, "`peer` is the current device itself");
  std::lock_guard lock(device.peers.mutex);
  if (std::erase(device.peers.enabled, &peer) == 0)
    throw Error(hipErrorPeerAccessNotEnabled, "access to memory of `peer` is not enabled");
}

} // namespace chip
