#pragma once

#include "operation.h"

#include <memory>

namespace chip::operations {

/// Runs a function of the host in the stream's place, on a thread of the driver that may block.
struct HostFunction {
  ze_host_function_callback_t function;
  void *data;
  std::shared_ptr<void> owner = {}; // of the data, where it has to live as long as the operation
  bool returns = true;              // else it may leave in another way, as functions of programs do

  void append(Encoder &encoder, ze::Waits waits) const {
    if (returns || encoder.list.guards_host_functions())
      encoder.list.host_function(function, data, waits);
    else
      append_guarded(encoder, waits);
  }
  bool operator==(const HostFunction &) const = default;

private:
  void append_guarded(Encoder &encoder, ze::Waits waits) const;
};

} // namespace chip::operations
