// A device that executes nothing: commands do nothing but in their order, kernels have names and
// parameters but no code. It is enough to test all that the front does by itself, and links nothing
// of any driver.
#include "../../src/ze_driver/backend.h"

#include "../../src/common/align.h"
#include "../../src/common/spirv.h"

#include <sys/mman.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace ze_null {

using namespace ze_driver;

namespace {

class NullQueue;

/// The one thread that takes the queues further.
class Runner {
public:
  static Runner &instance() {
    static Runner *runner = new Runner;
    return *runner;
  }
  void push(NullQueue &queue) {
    std::lock_guard lock(mutex_);
    ready_.push_back(&queue);
    wake_.notify_one();
  }

private:
  Runner() {
    std::thread([this] { work(); }).detach();
  }
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<NullQueue *> ready_;
};

class NullQueue final : public QueueBackend, private Waiter {
public:
  void run() {
    const auto is_free = [this](Counter &counter, uint64_t value) {
      return !counter.subscribe(*this, value);
    };
    for (;;) {
      while (has_work())
        if (!step(is_free, &execute))
          return; // reached() will push it again
      const uint64_t end = completed();
      is_busy_.store(false);
      if (!has_more_than(end) || is_busy_.exchange(true))
        break;
    }
    release(); // the reference of pending work
  }

private:
  ~NullQueue() override = default;
  void published() override {
    if (is_busy_.exchange(true))
      return;
    retain();
    Runner::instance().push(*this);
  }
  void reached(bool lost) noexcept override {
    if (lost)
      lose();
    Runner::instance().push(*this);
  }
  /// What is the host's own to do, and the times.
  static void execute(Command &command) {
    if (command.stamps)
      command.stamps->start.store(now_ns(), std::memory_order_relaxed);
    if (command.opcode == Opcode::host_function) {
      const auto &call = command.payload<HostFunctionCommand>();
      call.function(call.data);
    }
    if (command.stamps)
      command.stamps->end.store(now_ns(), std::memory_order_relaxed);
  }

  std::atomic<bool> is_busy_{false};
};

void Runner::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return !ready_.empty(); });
    NullQueue &queue = *ready_.front();
    ready_.pop_front();
    lock.unlock();
    queue.run();
    lock.lock();
  }
}

/// Kernels with what SPIR-V says of their parameters.
std::vector<KernelInfo> kernels_of(std::span<const std::byte> bytes) {
  using namespace spirv;
  std::map<uint32_t, Argument> types; // as parameters
  std::map<uint32_t, std::string> entries;
  std::map<uint32_t, size_t> places; // of functions
  std::vector<KernelInfo> kernels;
  KernelInfo *current = nullptr;
  for_each_instruction(words_of(bytes), [&](const Instruction &instruction) {
    const auto words = instruction.operands;
    switch (instruction.op) {
    case op_entry_point:
      if (const auto name = text_of(words.subspan(2)))
        entries[words[1]] = *name;
      break;
    case op_type_int:
    case op_type_float:
      types[words[0]] = {ArgumentKind::value, words[1] / 8, 0};
      break;
    case op_type_pointer:
      types[words[0]] = {
          words[1] == storage_workgroup ? ArgumentKind::local : ArgumentKind::pointer, 8, 0};
      break;
    case op_function: {
      const auto entry = entries.find(words[1]);
      current = entry == entries.end() ? nullptr : &kernels.emplace_back();
      if (current)
        current->name = entry->second;
      break;
    }
    case op_function_parameter:
      if (current) {
        const auto type = types.find(words[0]);
        Argument argument =
            type == types.end() ? Argument{ArgumentKind::value, 8, 0} : type->second;
        argument.offset = current->argument_bytes;
        current->argument_bytes += 8;
        current->arguments.push_back(argument);
      }
      break;
    default:
      break;
    }
    return true;
  });
  return kernels;
}

class NullProgram final : public Program {
public:
  explicit NullProgram(std::span<const std::byte> spirv)
      : infos_(kernels_of(spirv)), compiled_(infos_.size()) {
    for (size_t i = 0; i < infos_.size(); ++i)
      compiled_[i].name = infos_[i].name;
  }
  std::span<const KernelInfo> kernels() const override { return infos_; }
  std::expected<const CompiledKernel *, std::string> kernel(size_t index) override {
    return &compiled_.at(index);
  }
  std::optional<GlobalVariable> global(std::string_view) override { return std::nullopt; }
  std::vector<ProgramVariable> variables() override { return {}; }
  void *function(std::string_view) override { return nullptr; }
  std::span<const std::string> imports() const override { return {}; }
  std::expected<std::unique_ptr<Program>, std::string>
  link(std::span<const Program *const>, std::span<Program *const>) const override {
    return std::unexpected("this device links nothing");
  }

private:
  std::vector<KernelInfo> infos_;
  std::vector<CompiledKernel> compiled_;
};

/// Memory that other processes can have and reserved addresses, but what was allocated stays where it
/// is.
class NullMemory final : public MemoryBackend {
public:
  size_t page_bytes() const override { return ze_driver::page_bytes(); }
  uint64_t total_bytes() const override { return uint64_t{1} << 34; }
  Placement allocate(size_t size, size_t alignment, MemoryKind, DeviceBackend *, bool) override {
    const size_t bytes = common::round_up(size, alignment);
    void *memory = std::aligned_alloc(alignment, bytes);
    if (!memory)
      throw std::bad_alloc();
    return {std::memset(memory, 0, bytes), memory, bytes};
  }
  void free(const Placement &placement) noexcept override { std::free(placement.mapping); }
  std::shared_ptr<SharedFile> create_file(size_t bytes) override {
    return SharedFile::create(bytes);
  }
  void *map(const FileRange &range, size_t bytes, PageAccess access, void *at) override {
    return range.file->map(range.offset, bytes, protection(access), at);
  }
  void unmap(void *pages, size_t bytes) noexcept override { munmap(pages, bytes); }
  void *reserve(const void *wanted, size_t bytes) override {
    void *base = mmap(const_cast<void *>(wanted), bytes, PROT_NONE, untouchable, -1, 0);
    return base == MAP_FAILED ? throw std::bad_alloc() : base;
  }
  void unreserve(void *base, size_t bytes) noexcept override { munmap(base, bytes); }
  void clear(void *base, size_t bytes) noexcept override {
    mmap(base, bytes, PROT_NONE, untouchable | MAP_FIXED, -1, 0);
  }
  bool protect(void *base, size_t bytes, PageAccess access) override {
    return mprotect(base, bytes, protection(access)) == 0;
  }

private:
  static constexpr int untouchable = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  static int protection(PageAccess access) {
    return access == PageAccess::none        ? PROT_NONE
           : access == PageAccess::read_only ? PROT_READ
                                             : PROT_READ | PROT_WRITE;
  }
};

class NullDevice final : public DeviceBackend {
public:
  NullDevice() {
    facts_.name = "a device that executes nothing";
    facts_.max_group_size = 1024;
    facts_.max_local_bytes = 64 * 1024;
    facts_.max_argument_bytes = 4096;
    facts_.memory_bytes = uint64_t{1} << 34;
  }
  const DeviceFacts &facts() const override { return facts_; }
  Ref<QueueBackend> make_queue() override { return Ref<QueueBackend>::adopt(new NullQueue); }
  BuildResult build(std::span<const std::byte> spirv, std::string_view,
                    std::span<const SpecializationConstant>) override {
    if (!spirv::is_module(spirv))
      return std::unexpected(BuildError{BuildError::Kind::invalid, "this is not SPIR-V"});
    return std::make_unique<NullProgram>(spirv);
  }
  LinkResult join(std::span<const std::span<const std::byte>>) override {
    return std::unexpected("this device joins nothing");
  }
  uint32_t max_cooperative_groups(const CompiledKernel &, uint32_t group_items,
                                  uint32_t) const override {
    return 65'536 / group_items;
  }

private:
  DeviceFacts facts_;
};

class NullBackend final : public Backend {
public:
  const Identity &identity() const override {
    static constexpr Identity identity = {
        .name = "ze_null",
        .variables = {.chaos = "ZE_NULL_CHAOS",
                      .timestamp_bits = "ZE_NULL_TIMESTAMP_BITS",
                      .timestamp_start = "ZE_NULL_TIMESTAMP_START"},
        .version = 1,
        .uuid = {'z', 'e', '_', 'n', 'u', 'l', 'l'},
        .ipc_magic = {'z', 'n', 'u', 'l'},
        .binary_magic = {'Z', 'E', '_', 'N', 'U', 'L', 'L', 0}};
    return identity;
  }
  std::span<DeviceBackend *const> devices() override { return {&device_, 1}; }
  MemoryBackend &memory() override { return memory_; }
  void stop() override {}
  void without_forks(const std::function<void()> &work) override { work(); }

private:
  DeviceBackend *const device_ = new NullDevice;
  NullMemory memory_;
};

} // namespace
} // namespace ze_null

ze_driver::Backend &ze_driver::backend() {
  static auto *const backend = new ze_null::NullBackend;
  return *backend;
}
