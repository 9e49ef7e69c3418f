// What the bodies that generate.py makes use.
#pragma once

#include "../run.h"

#include <hipsolver/hipsolver.h>
