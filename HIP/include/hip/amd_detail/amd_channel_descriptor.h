/// What AMD's header of this name has is in this one.
#pragma once

#include <hip/channel_descriptor.h>
