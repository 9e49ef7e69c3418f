/// What AMD's header of this name has is in this one.
#pragma once

#include <hip/hip_cooperative_groups.h>
