// Answers of a device that there is not, and of its platform, in the place of OpenCL's.
#pragma once

#include "../../../src/ze_opencl/platform/platform.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

/// What the device and its platform answer, by the question; they know no other.
class FakeDevice {
public:
  FakeDevice();
  ~FakeDevice();

  template <class Value> void set(cl_device_info which, Value value) {
    std::vector<char> &bytes = answers[which];
    bytes.resize(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
  }
  void set_text(cl_device_info which, const std::string &text) {
    answers[which].assign(text.c_str(), text.c_str() + text.size() + 1);
  }
  /// A device that can be used, and nothing else.
  void set_least();

  std::map<cl_device_info, std::vector<char>> answers;
  size_t claimed_bytes = 0; // said of every answer, unless it is 0
  ze_opencl::Platform platform{};
  ze_opencl::Device device{};
};
