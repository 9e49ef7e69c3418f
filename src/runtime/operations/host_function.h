#pragma once

#include "operation.h"

#include <memory>

namespace chip::operations {

/// Runs a function of the host in the stream's place, on a thread of the driver that may block.
struct HostFunction {
  ze_host_function_callback_t function;
  void *data;
  std::shared_ptr<void> owner = {}; // of the data, where it has to live as long as the operation

  void append(Encoder &encoder, ze::Waits waits) const {
    encoder.list.host_function(function, data, waits);
  }
  bool operator==(const HostFunction &) const = default;
};

} // namespace chip::operations
