#include "host_function.h"
#include "../../common/program_function.h"

#include <new>

namespace chip::operations {
namespace {

struct Call {
  ze_host_function_callback_t function;
  void *data;
};

void make_call(void *data) {
  const Call call = *static_cast<const Call *>(data);
  common::call_program_function("libCHIP", [&] { call.function(call.data); });
}

} // namespace

// The driver hands out one pointer. What it points to is there as long as the command, like all that commands read, and is
// used again after it: no call allocates.
void HostFunction::append_guarded(Encoder &encoder, ze::Waits waits) const {
  const SpillArena::Block block = encoder.arena.allocate(sizeof(Call));
  encoder.list.host_function(make_call, new (block.data()) Call{function, data}, waits);
}

} // namespace chip::operations
