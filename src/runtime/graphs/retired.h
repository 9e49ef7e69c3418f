// What work that is still running may use, though nobody else does any more.
#pragma once

#include "../../queue/scheduler.h"

#include <memory>

namespace chip {

/// Keeps the object until the marker's point is complete, without waiting for it.
void retire(const MarkerRef &last_use, std::shared_ptr<const void> object);
/// Destroys what is not in use any more.
void destroy_retired();
/// Destroys all: nothing runs any more.
void destroy_all_retired();

} // namespace chip
