// Any operation, owning all it needs: for whoever keeps operations of all kinds. Not for the way from a call to the queue.
#pragma once

#include "allocate.h"
#include "copy.h"
#include "event.h"
#include "fill.h"
#include "host_function.h"
#include "launch.h"
#include "prefetch.h"
#include "value.h"

#include <variant>

namespace chip::operations {

using Any = std::variant<KeptLaunch, Copy, CopyBox, Fill, FillBox, HostFunction, WriteValue,
                         KeptWaitValue, Prefetch, KeptRecordEvent, KeptWaitEvent, Allocate, Free>;

} // namespace chip::operations
