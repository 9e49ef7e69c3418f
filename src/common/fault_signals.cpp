#include "fault_signals.h"

#include <algorithm>
#include <atomic>
#include <iterator>
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
  /// What our handler was installed over, the newest first, each once. Libraries that put theirs in front again and again are in
  /// each other's lists, with the program's handler behind them.
  struct sigaction previous[4] = {};
  int previous_count = 0;
  std::atomic<bool> installed = false;

  void remember(const struct sigaction &newest) {
    int end = 0;
    while (end < previous_count && previous[end].sa_sigaction != newest.sa_sigaction)
      ++end;
    end = std::min(end, int(std::size(previous)) - 1);
    std::move_backward(previous, previous + end, previous + end + 1);
    previous[0] = newest;
    previous_count = std::max(previous_count, end + 1);
  }
};
Handled handled[] = {{SIGSEGV}, {SIGBUS}, {SIGFPE}, {SIGILL}, {SIGTRAP}};

Handled *find(int signal) {
  for (Handled &entry : handled)
    if (entry.signal == signal)
      return &entry;
  return nullptr;
}

std::atomic<FaultFilter> filter{nullptr};

/// While a signal is passed on: a handler that was installed over ours and kept ours as its own predecessor comes back.
/// Noted in the context, in a field that only makecontext() uses and the system clears for each signal, and not in the thread,
/// since any of the handlers may leave by a jump. Several libraries have such notes.
class PassingOn {
public:
  explicit PassingOn(void *context)
      : context_(static_cast<ucontext_t *>(context)), outer_(noted(context_)) {
    PassingOn *note = this;
    asm("" : "+r"(note)); // the compiler does not see that it goes when this does
    context_->uc_link = reinterpret_cast<ucontext_t *>(note);
  }
  ~PassingOn() { context_->uc_link = reinterpret_cast<ucontext_t *>(outer_); }
  PassingOn(const PassingOn &) = delete;
  PassingOn &operator=(const PassingOn &) = delete;

  /// How many times this library is passing it on already.
  int times_before() const {
    int times = 0;
    for (const PassingOn *note = outer_; note; note = note->outer_)
      times += note->owner_ == on_signal;
    return times;
  }
  /// True: `handle` has returned, and no library that it came back to had a handler to pass it on to.
  template <class Handle> bool is_declined(const Handle &handle) {
    declined_ = false;
    handle();
    return declined_;
  }
  /// False: nobody else has passed it on to this library.
  bool decline() {
    if (outer_)
      outer_->declined_ = true;
    return outer_;
  }

private:
  static PassingOn *noted(const ucontext_t *context) {
    return reinterpret_cast<PassingOn *>(context->uc_link);
  }

  void (*const owner_)(int, siginfo_t *, void *) = on_signal;
  ucontext_t *const context_;
  PassingOn *const outer_;
  volatile bool declined_ = false;
};

void default_action(int signal, siginfo_t *info) {
  // At the same instruction: a fault comes again when the handler returns, other signals are sent anew.
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

// Not ours: behave as if our handler were not there. When it comes back, the handlers before the one that it comes back from are
// asked, first those of this library, then those of the library that has passed it on.
void pass_on(int signal, siginfo_t *info, void *context) {
  PassingOn passing(context);
  const int times_before = passing.times_before();
  const Handled *entry = find(signal);
  for (int i = times_before; entry && i < entry->previous_count; ++i) {
    const struct sigaction &previous = entry->previous[i];
    if (previous.sa_handler == SIG_IGN && info->si_code <= 0)
      return; // sent by a process; a true fault cannot be ignored
    if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)
      break;
    const bool declined = passing.is_declined([&] {
      if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(signal, info, context);
      else
        previous.sa_handler(signal);
    });
    if (!declined)
      return;
  }
  if (times_before == 0 || !passing.decline())
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
  entry->remember(current);
  if (sigaction(signal, &action, nullptr) == 0)
    entry->installed = true;
}

// Puts the previous handlers back when the library goes, unless somebody else has installed theirs over ours meanwhile.
struct Uninstall {
  ~Uninstall() {
    for (Handled &entry : handled) {
      struct sigaction current = {};
      if (entry.installed && sigaction(entry.signal, nullptr, &current) == 0 && is_ours(current))
        sigaction(entry.signal, &entry.previous[0], nullptr);
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
