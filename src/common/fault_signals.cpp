#include "fault_signals.h"

#include <atomic>
#include <mutex>
#include <ucontext.h>

namespace common {
namespace {

void on_signal(int signal, siginfo_t *info, void *context);

bool is_ours(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_signal;
}

struct Handled {
  int signal;
  struct sigaction previous;
  std::atomic<bool> installed;
};
Handled handled[] = {
    {SIGSEGV, {}, false}, {SIGBUS, {}, false}, {SIGFPE, {}, false}, {SIGILL, {}, false}};

Handled *find(int signal) {
  for (Handled &entry : handled)
    if (entry.signal == signal)
      return &entry;
  return nullptr;
}

std::atomic<FaultFilter> filter{nullptr};

/// While a signal is passed on: a handler that was installed over ours and kept ours as its own predecessor would come back.
/// Noted in the context, in a field that only makecontext() uses and the system clears for each signal, and not in the thread,
/// since any of the handlers may leave by a jump. Several libraries have such notes.
class PassingOn {
public:
  explicit PassingOn(void *context)
      : context_(static_cast<ucontext_t *>(context)), outer_(context_->uc_link) {
    auto *note = reinterpret_cast<ucontext_t *>(this);
    asm("" : "+r"(note)); // the compiler does not see that it goes when this does
    context_->uc_link = note;
  }
  ~PassingOn() { context_->uc_link = outer_; }
  PassingOn(const PassingOn &) = delete;
  PassingOn &operator=(const PassingOn &) = delete;

  static bool is_under_way(void *context) {
    const ucontext_t *link = static_cast<ucontext_t *>(context)->uc_link;
    while (link) {
      auto *passing = reinterpret_cast<const PassingOn *>(link);
      if (passing->owner_ == on_signal)
        return true;
      link = passing->outer_;
    }
    return false;
  }

private:
  void (*const owner_)(int, siginfo_t *, void *) = on_signal;
  ucontext_t *const context_;
  ucontext_t *const outer_;
};

void default_action(int signal, siginfo_t *info) {
  // At the same instruction: a fault comes again when the handler returns, other signals are sent anew.
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

// Not ours: behave as if our handler were not there.
void pass_on(int signal, siginfo_t *info, void *context) {
  if (PassingOn::is_under_way(context))
    return default_action(signal, info);
  const PassingOn passing(context);
  const Handled *entry = find(signal);
  const struct sigaction *previous = entry ? &entry->previous : nullptr;
  if (previous && (previous->sa_flags & SA_SIGINFO) && previous->sa_sigaction)
    return previous->sa_sigaction(signal, info, context);
  if (previous && previous->sa_handler == SIG_IGN && info->si_code <= 0)
    return; // sent by a process; a true fault cannot be ignored
  if (previous && previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN)
    return previous->sa_handler(signal);
  default_action(signal, info);
}

void on_signal(int signal, siginfo_t *info, void *context) {
  // A fault of this thread has a positive code; one that somebody sent is nobody's doing here.
  const FaultFilter known = filter.load(std::memory_order_relaxed);
  if (info->si_code > 0 && known && known(signal, info, context))
    return;
  pass_on(signal, info, context);
}

std::mutex installing;

void install(int signal) {
  std::lock_guard lock(installing);
  Handled *entry = find(signal);
  struct sigaction current = {};
  if (!entry || sigaction(signal, nullptr, &current) != 0 || is_ours(current))
    return;
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  // NODEFER: a fault in the handler of somebody that the signal is passed on to is not ours to block.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  entry->previous = current;
  if (sigaction(signal, &action, nullptr) == 0)
    entry->installed = true;
}

// Puts the previous handlers back when the library goes, unless somebody else has installed theirs over ours meanwhile.
struct Uninstall {
  ~Uninstall() {
    for (Handled &entry : handled) {
      struct sigaction current = {};
      if (entry.installed && sigaction(entry.signal, nullptr, &current) == 0 && is_ours(current))
        sigaction(entry.signal, &entry.previous, nullptr);
    }
  }
} uninstall;

} // namespace

void claim_faults(std::initializer_list<int> signals, FaultFilter wanted) {
  filter.store(wanted, std::memory_order_relaxed);
  for (int signal : signals)
    install(signal);
}

bool claims_fault(int signal) {
  struct sigaction current = {};
  return sigaction(signal, nullptr, &current) != 0 || is_ours(current);
}

} // namespace common
