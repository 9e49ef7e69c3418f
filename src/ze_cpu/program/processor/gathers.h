// Whether processors load elements that do not lie side by side faster with one instruction or one by one.
#pragma once

#include <cstdint>
#include <string_view>

namespace ze_cpu {

/// Those of compiled kernels: of vectors that gather, or of elements that are loaded one by one.
enum class Gathers : uint8_t { measured, fast, slow };

/// What a value of ZE_CPU_GATHERS or -ze-cpu-gathers asks for: `fast`, `slow`; `otherwise` for any other.
Gathers gathers_named(std::string_view value, Gathers otherwise);

/// The choice of ZE_CPU_GATHERS, which is looked at once. Another value is reported on standard error and is as good as unset.
Gathers gathers_from_environment();

/// Whether this processor takes longer to gather 8 elements than to load each of them. Many do with the microcode that keeps gathers from
/// telling what others loaded, which neither the processor nor, in a virtual machine, the operating system says. False where no
/// instruction gathers. Takes some 0.1 ms.
bool are_gathers_slow();

} // namespace ze_cpu
