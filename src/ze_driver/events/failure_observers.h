// Who wants to know that a kernel failed before the program's user is told.
#pragma once

#include "../../common/driver_contract.h"

namespace ze_driver {

using driver_contract::FailureObserver;

/// One observer for each `data`.
void add_failure_observer(FailureObserver *observer, void *data);
/// When it returns, the observer is not being called.
void remove_failure_observer(void *data);
/// Calls all. What the first one returned that knows why threads gave up; else null.
const char *tell_failure_observers();

} // namespace ze_driver
