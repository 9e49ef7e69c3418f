#include "peer.h"
#include "../streams/bridge.h"

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
  const auto peers = device.peers.lock();
  if (std::ranges::contains(*peers, &peer))
    throw Error(hipErrorPeerAccessAlreadyEnabled, "access to memory of `peer` is enabled already");
  peers->push_back(&peer);
}

void disable_peer_access(Device &device, const Device &peer) {
  if (&device == &peer)
    throw Error(hipErrorInvalidDevice, "`peer` is the current device itself");
  if (std::erase(*device.peers.lock(), &peer) == 0)
    throw Error(hipErrorPeerAccessNotEnabled, "access to memory of `peer` is not enabled");
}

void copy_between_devices(void *destination, Device &destination_device, const void *source,
                          Device &source_device, size_t bytes, const StreamTarget &stream,
                          Completion completion) {
  if (completion == Completion::wait)
    for (Device *device : {&destination_device, &source_device})
      if (device != stream.device)
        wait_for(*stream.queue, device->scheduler().null_queue().record_marker());
  copy_memory(destination, source, bytes, hipMemcpyDeviceToDevice, stream, completion);
}

} // namespace chip
