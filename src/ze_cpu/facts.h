// The machine's processors and memory in the words of a GPU, because that is what programs look for.
#pragma once

#include "../ze_driver/device_facts.h"

namespace ze_cpu {

ze_driver::DeviceFacts facts_of(unsigned index, uint64_t memory_bytes);

} // namespace ze_cpu
