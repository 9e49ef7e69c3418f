// What a user sees of a kernel that is refused: instructions by the functions of HIP that hipcc makes them of, and where in the
// source they come from.
#pragma once

#include "../assembly.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ze_opencl {

/// A function of HIP, with those that are made of it; the instruction's own name where HIP has none.
std::string hip_name(uint16_t op);

/// The lines of the source that a module tells of its instructions, which are given one after the other.
class SourceLines {
public:
  /// "file:line: ", empty if the module does not tell. Throws spirv::Malformed.
  const std::string &of(const ParsedInstruction &instruction);

private:
  std::map<uint32_t, std::string_view> files_; // strings
  std::string line_;
};

} // namespace ze_opencl
