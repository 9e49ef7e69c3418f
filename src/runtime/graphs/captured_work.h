// From an operation that was asked of a captured stream to a node.
#pragma once

#include "node_work.h"

namespace chip {

/// A node that does the operation, described as if it had been added by hand. Throws hipErrorStreamCaptureUnsupported for what
/// cannot be a node. Not for operations that allocate or free memory.
NodeWork captured_work(const StreamTarget &stream, operations::Any &&operation);

/// A node that allocates memory on the device.
NodeWork captured_allocation(Device &device, size_t bytes);

} // namespace chip
