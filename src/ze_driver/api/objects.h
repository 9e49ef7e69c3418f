// What the handles of drivers, devices, contexts, modules, kernels, lists, queues and fences stand
// for. (Events: events/event.h.)
#pragma once

#include "../backend.h"
#include "../events/event.h"
#include "../memory/allocations.h"
#include "../records/recording.h"
#include "entry.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ze_driver {

/// The one driver and its devices exist for the life of the process, and serve as sysman handles
/// too.
struct Driver : Handle {
  using HandleType = ze_driver_handle_t;
};
struct Device : Handle {
  using HandleType = ze_device_handle_t;

  Device(unsigned number, DeviceBackend &device) : index(number), backend(device) {}

  const unsigned index;
  DeviceBackend &backend;
};
Driver &the_driver();
/// All devices that the backend has.
std::span<Device> devices();

struct Context : Handle {
  using HandleType = ze_context_handle_t;
};
/// The context of programs that create none (zeDriverGetDefaultContext).
Context &default_context();

/// Memory that is mapped into reserved addresses.
struct PhysicalMemory : Handle {
  using HandleType = ze_physical_mem_handle_t;
  PhysicalMemory();
  PhysicalMemory(const PhysicalMemory &) = delete;
  PhysicalMemory &operator=(const PhysicalMemory &) = delete;
  ~PhysicalMemory();

  ze_device_handle_t device;
  MemoryKind kind;
  size_t size;
  uint64_t id;
  std::shared_ptr<SharedFile> file;
  bool charged = false; // against what there is
};
/// As Level Zero calls it.
inline ze_memory_type_t memory_type(MemoryKind kind) {
  return kind == MemoryKind::device ? ZE_MEMORY_TYPE_DEVICE
         : kind == MemoryKind::host ? ZE_MEMORY_TYPE_HOST
                                    : ZE_MEMORY_TYPE_SHARED;
}

/// That of a handle, if it is one (zeMemGetIpcHandle takes both these and addresses).
const PhysicalMemory *physical_memory(const void *handle);

struct BuildLog : Handle {
  using HandleType = ze_module_build_log_handle_t;
  std::string text;
};

/// A program in memory.
struct LoadedProgram {
  explicit LoadedProgram(std::unique_ptr<Program> program,
                         std::vector<std::shared_ptr<LoadedProgram>> providers = {});
  LoadedProgram(const LoadedProgram &) = delete;
  LoadedProgram &operator=(const LoadedProgram &) = delete;
  ~LoadedProgram();

  std::vector<std::shared_ptr<LoadedProgram>> providers; // whose variables it uses
  std::unique_ptr<Program> program;
  std::vector<ProgramVariable> checked_variables; // that Allocations knows of
};

/// A program and what is needed to give it away as a native binary. Kernels keep it alive.
struct ModuleContent {
  /// What runs: null as long as imports are not resolved.
  Program *program() const { return linked ? linked->program.get() : nullptr; }
  /// For an error of before: which imports those are.
  std::string unresolved_imports() const;

  DeviceBackend *device;
  std::shared_ptr<LoadedProgram> built;
  std::shared_ptr<LoadedProgram> linked; // `built` if it imports nothing
  std::vector<std::byte> spirv;
  std::string build_flags;
  std::vector<std::byte> constants; // serialized as in the native binary: see native_binary.h
};

struct Module : Handle {
  using HandleType = ze_module_handle_t;
  std::shared_ptr<ModuleContent> content;
};

struct Kernel : Handle {
  using HandleType = ze_kernel_handle_t;

  std::shared_ptr<ModuleContent> module;
  const KernelInfo *info;
  const CompiledKernel *code;
  uint32_t max_group_size, max_local_bytes; // the device's

  uint32_t group_size[3] = {1, 1, 1};
  uint32_t global_offset[3] = {0, 0, 0};
  std::vector<std::byte> arguments;  // as Argument::offset lays them out
  std::vector<uint32_t> local_sizes; // per argument; 0 for what is not local
  uint32_t local_bytes;              // static and dynamic together
  ze_kernel_indirect_access_flags_t indirect_access = 0;

  /// zeKernelSetGroupSize.
  ze_result_t set_group_size(uint32_t x, uint32_t y, uint32_t z);
  /// zeKernelSetArgumentValue.
  ze_result_t set_argument(uint32_t index, size_t size, const void *value);
  /// All arguments at once, of the sizes the kernel declares; a local one points to its size
  /// (size_t).
  ze_result_t set_arguments(void *const *values);
  /// zeKernelSuggestMaxCooperativeGroupCount.
  uint32_t max_cooperative_groups() const;

private:
  void lay_out_local_memory();
};

struct EventPool : Handle {
  using HandleType = ze_event_pool_handle_t;
  Context *context;
  ze_event_pool_flags_t flags;
  uint32_t count;
  bool counter_based = false;
  uint32_t counter_based_flags = 0;
  std::shared_ptr<SharedSlots> shared; // where other processes can find the events
  bool is_opened = false;              // it is another one's
};
inline constexpr ze_event_counter_based_flags_t timestamp_event_flags =
    ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP | ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;

/// A queue that zeDeviceSynchronize knows of as long as this exists.
class RegisteredQueue {
public:
  explicit RegisteredQueue(const Device &device);
  RegisteredQueue(const RegisteredQueue &) = delete;
  RegisteredQueue &operator=(const RegisteredQueue &) = delete;
  ~RegisteredQueue();

  QueueBackend &operator*() const { return *queue_; }
  QueueBackend *operator->() const { return queue_.get(); }
  const Device &device() const { return device_; }

private:
  const Device &device_;
  const Ref<QueueBackend> queue_;
};
/// What every registered queue has been given so far and has not finished, or has lost.
std::vector<Point> all_submitted_work();
/// The same for those of one device.
std::vector<Point> submitted_work(const Device &device);

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
  explicit ImmediateList(Device &of) : CommandList(of, true), queue(of) {}
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

  explicit CommandQueue(const Device &of) : device(of), queue(of) {}

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

/// All are understood; none changes anything.
inline constexpr ze_scheduling_hint_exp_flags_t all_scheduling_hints =
    ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST | ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
    ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN;

inline constexpr size_t max_pattern_bytes = 128;

} // namespace ze_driver
