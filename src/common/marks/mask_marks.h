// Which lanes functions such as __shfl_sync are told to do together. SPIR-V's instructions have no such mask: code compiled with
// -DCHIP_CHECK_MASKS tells it by calls.
#pragma once

namespace chip::mask_marks {

/// A function of HIP's headers; its parameter is the mask. What it does otherwise does not matter.
inline constexpr const char *name = "__chip_named_lanes";

} // namespace chip::mask_marks
