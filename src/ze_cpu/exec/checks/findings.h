// What the checks of ZE_CPU_CHECK find: each is told once in a process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ze_cpu {

/// Tells the user of a finding, unless one with the same `key` was told: on standard error, or as a
/// record in the file that ZE_CPU_CHECK_REPORTS names, for chip-check. `check` is its class as
/// ZE_CPU_CHECK names it; `kernel` may be empty.
void tell_finding(std::string_view check, std::string_view kernel, std::string_view key,
                  std::string_view text);

/// Whether findings go to a file.
bool findings_go_to_file();

/// Where an address lies, for a person.
using AddressDescriber = std::string (*)(uintptr_t address);
/// To be set before the first kernel runs.
void set_address_describer(AddressDescriber describer);
/// ", " and where it lies; nothing without a describer.
std::string where_it_lies(uintptr_t address);

} // namespace ze_cpu
