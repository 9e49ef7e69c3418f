// Functions of HIP by name, for hipGetProcAddress and hipGetDriverEntryPoint.
#pragma once

#include <string_view>

namespace chip::hip {

/// The function that a program compiled with the headers of HIP `major_version` calls as `name`, or
/// its variant for hipStreamPerThread where there is one and `per_thread` is set. Null if the
/// library exports none. Of a function that has changed in a version, programs of that version and
/// of later ones call a symbol with that version at its end.
void *function_by_name(std::string_view name, int major_version, bool per_thread);

} // namespace chip::hip
