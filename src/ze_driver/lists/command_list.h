// What the handles of command lists, command queues and fences stand for.
#pragma once

#include "../api/objects.h"
#include "../backend.h"
#include "../records/registered_queue.h"

#include <memory>
#include <mutex>

namespace ze_driver {

struct CommandList : Handle {
  using HandleType = ze_command_list_handle_t;

  Device &device;
  Context *context;
  uint32_t ordinal;
  bool in_order;
  /// Where commands are recorded instead of executed: in regular lists, and in immediate ones that
  /// are being captured.
  Recording *recorder = nullptr;

  virtual ~CommandList() = default;
  bool is_immediate() const { return immediate_; }

protected:
  CommandList(Device &of, bool immediate) : device(of), immediate_(immediate) {}

private:
  const bool immediate_;
};

struct Graph;
struct MutableCommands;

struct ImmediateList final : CommandList {
  explicit ImmediateList(Device &of) : CommandList(of, true), queue(of, of.backend.make_queue()) {}
  ~ImmediateList() override;

  RegisteredQueue queue;
  ze_command_queue_desc_t description;
  bool synchronous;       // each append waits for its command
  Graph *graph = nullptr; // that it is being captured into
};

struct RegularList final : CommandList {
  explicit RegularList(Device &of) : CommandList(of, false) { recorder = recording.get(); }

  ze_command_list_flags_t flags;
  Ref<Recording> recording = Ref<Recording>::make();
  bool closed = false;
  std::shared_ptr<MutableCommands> mutable_commands; // nullptr: it is not mutable
};

struct CommandQueue : Handle {
  using HandleType = ze_command_queue_handle_t;

  explicit CommandQueue(const Device &of) : device(of), queue(of, of.backend.make_queue()) {}

  const Device &device;
  Context *context;
  RegisteredQueue queue;
  std::mutex submission; // zeCommandQueueExecuteCommandLists may be called from several threads
  ze_command_queue_desc_t description;
};

/// Checks what a command queue or an immediate list is to be.
ze_result_t check_description(const ze_command_queue_desc_t &description);

struct Fence : Handle {
  using HandleType = ze_fence_handle_t;

  CommandQueue *queue;
  std::mutex mutex;
  Point point;            // what the last submission with this fence leads to
  bool signalled = false; // without any submission
};

/// The queue groups: one for everything, and one for copies alone, which programs that know GPUs
/// look for. Each has as many queues as a program likes to number.
inline constexpr uint32_t queue_group_count = 2;
inline constexpr uint32_t copy_group = 1;
inline constexpr uint32_t queues_per_group = 64;

inline constexpr size_t max_pattern_bytes = 128;

} // namespace ze_driver
