// Linking while the program runs: what hipLinkState_t stands for. libhiprtc, which belongs to the same installation and has the
// compiler, does it; it is loaded when a program first links.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <memory>
#include <span>

namespace chip {

/// Functions may be called by several threads at once.
class LinkState {
public:
  /// Throws hipErrorSharedObjectInitFailed if libhiprtc cannot be loaded.
  LinkState(std::span<hipJitOption> options, void **values);
  ~LinkState();
  LinkState(const LinkState &) = delete;
  LinkState &operator=(const LinkState &) = delete;

  /// Both throw hipErrorInvalidValue for a type that cannot be linked. The code is copied.
  void add(hipJitInputType type, std::span<const std::byte> code);
  /// Throws hipErrorFileNotFound.
  void add_file(hipJitInputType type, const char *path);
  /// The image of all that was added, which lives as long as the state. Throws hipErrorInvalidImage if it cannot be linked,
  /// hipErrorSharedObjectInitFailed if the compiler cannot be run.
  std::span<std::byte> complete();

private:
  hiprtcLinkState state_ = nullptr;
};

hipLinkState_t create_link_state(std::span<hipJitOption> options, void **values);
/// Both throw hipErrorInvalidHandle for what is no live state. What was found lives while it is held.
std::shared_ptr<LinkState> find_link_state(hipLinkState_t state);
void destroy_link_state(hipLinkState_t state);

} // namespace chip
