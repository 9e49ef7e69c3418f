// A program with the headers of HIP 7.
#define HIP_FORCE_API_VERSION 700
#include <hip/hip_version.h>
#include <hip/hiprtc.h>

#include <catch2/catch_test_macros.hpp>

TEST_CASE("hiprtc arguments: the version is HIP's for a program with the headers of HIP 7") {
  int major = 0, minor = -1;
  REQUIRE(HIP_VERSION_MAJOR == 7);
  REQUIRE(hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS);
  CHECK(major == HIP_VERSION_MAJOR);
  CHECK(minor == HIP_VERSION_MINOR);
  CHECK(hiprtcVersion(nullptr, &minor) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcVersion(&major, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
}
