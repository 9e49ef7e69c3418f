// Which processors compiled kernels run on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ze_cpu {

/// The machine's own processor with all that it has, or, where that is an x86-64, a level of its psABI: 128-bit
/// vectors (v2), AVX2 and fused multiply-add (v3), AVX-512 without its later extensions (v4).
enum class Architecture : uint8_t { native, x86_64_v2, x86_64_v3, x86_64_v4 };

/// As compilers call it: "native", "x86-64-v3".
const char *name_of(Architecture architecture);

/// The one of that name, also if this machine does not execute it; nothing for those of other kinds of machines.
std::optional<Architecture> architecture_named(std::string_view name);

/// Whether the processor that this runs on, and its operating system, execute all instructions of
/// it.
bool is_executable(Architecture architecture);

/// What a value of ZE_CPU_ARCH asks for; an empty one asks for the machine's own processor. The
/// error says what becomes of a wrong value, as a half sentence.
struct ArchitectureChoice {
  Architecture architecture = Architecture::native;
  std::string error;
};
ArchitectureChoice choose_architecture(std::string_view value);

/// The choice of ZE_CPU_ARCH, which is looked at once. A value that cannot be obeyed is reported on
/// standard error and is as good as unset.
Architecture architecture_from_environment();

/// What this processor is and can do, as it says itself.
std::string processor_identity();

} // namespace ze_cpu
