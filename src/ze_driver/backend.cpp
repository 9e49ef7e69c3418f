#include "backend.h"

namespace ze_driver {

const Identity &identity() { return backend().identity(); }

} // namespace ze_driver
