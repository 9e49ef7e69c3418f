/// hipSOLVER: factors, solutions, eigenvalues and singular values of dense matrices in a device's
/// memory, with the interface of ROCm 6.4. docs/libraries.md says what works on which device.
#ifndef HIPSOLVER_H
#define HIPSOLVER_H

#include "internal/hipsolver-export.h"
#include "internal/hipsolver-types.h"
#include "internal/hipsolver-version.h"

#include "internal/hipsolver-dense.h"
#include "internal/hipsolver-dense64.h"
#include "internal/hipsolver-functions.h"

#endif
