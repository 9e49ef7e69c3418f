// Who wants to know that a kernel failed before the program's user is told.
#pragma once

#include "../../common/driver_contract.h"

#include <functional>

namespace ze_driver {

using driver_contract::FailureObserver;

/// One observer for each `data`.
void add_failure_observer(FailureObserver *observer, void *data);
/// When it returns, the observer is not being called.
void remove_failure_observer(void *data);
/// Calls all, and then `report` with what the first one returned that knows why threads gave up; else with null. Failures are told
/// and reported one after the other: what an observer knows of the first one only is in the first report.
void tell_failure_observers(const std::function<void(const char *reason)> &report);

} // namespace ze_driver
