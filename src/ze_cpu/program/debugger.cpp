#include "debugger.h"

#include <cstdint>
#include <mutex>

// The names and layouts are those of GDB's manual, "JIT Compilation Interface". Debuggers look them up by name, also in stripped
// libraries.
extern "C" {

enum jit_actions_t { JIT_NOACTION = 0, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

/// Debuggers stop here, and look at the descriptor.
[[gnu::noinline, gnu::visibility("default")]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}

[[gnu::visibility("default")]] constinit jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION,
                                                                                  nullptr, nullptr};

} // extern "C"

namespace ze_cpu {
namespace {

constinit std::mutex mutex; // of the descriptor and its list

void tell(jit_actions_t action, jit_code_entry &entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = &entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = JIT_NOACTION;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

} // namespace

struct DebuggedObject::Entry : jit_code_entry {
  std::string object;
};

DebuggedObject::DebuggedObject(std::string object) : entry_(std::make_unique<Entry>()) {
  entry_->object = std::move(object);
  entry_->symfile_addr = entry_->object.data();
  entry_->symfile_size = entry_->object.size();
  const std::lock_guard lock(mutex);
  entry_->prev_entry = nullptr;
  entry_->next_entry = __jit_debug_descriptor.first_entry;
  if (entry_->next_entry)
    entry_->next_entry->prev_entry = entry_.get();
  __jit_debug_descriptor.first_entry = entry_.get();
  tell(JIT_REGISTER_FN, *entry_);
}

DebuggedObject::~DebuggedObject() {
  const std::lock_guard lock(mutex);
  (entry_->prev_entry ? entry_->prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
      entry_->next_entry;
  if (entry_->next_entry)
    entry_->next_entry->prev_entry = entry_->prev_entry;
  tell(JIT_UNREGISTER_FN, *entry_);
}

} // namespace ze_cpu
