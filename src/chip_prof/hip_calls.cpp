#include "hip_calls.h"

#include "format.h"
#include "gate.h"

#include <string_view>
#include <unordered_map>

namespace chip::prof {

std::atomic<void *> functions[most_functions];

void take_gates(const chip_tool_interface &attached) {
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (uint32_t number = 0; number < chip_prof_function_count; ++number)
    if (chip_prof_functions[number].backend == Backend::Hip)
      numbers.emplace(chip_prof_functions[number].name, number);
  for (size_t i = 0; i < attached.function_count; ++i) {
    const auto found = numbers.find(attached.function_names[i]);
    if (found == numbers.end())
      continue;
    functions[found->second].store(attached.functions[i], std::memory_order_relaxed);
    attached.functions[i] = chip_prof_thunks[found->second];
  }
}

} // namespace chip::prof
