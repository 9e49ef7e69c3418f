// HIP API reference: Error handling.
#include "fixture.h"

#include <string>
#include <thread>

TEST_CASE("hip error: the last error is kept, peeked at and taken") {
  (void)hipGetLastError(); // of an earlier test
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  REQUIRE(hipPeekAtLastError() == hipErrorInvalidDevice);
  int count;
  REQUIRE_HIP(hipGetDeviceCount(&count)); // success does not clear it
  REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
  REQUIRE(hipGetLastError() == hipSuccess);
}

TEST_CASE("hip error: hipExtGetLastError is what the last call returned") {
  int count;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(hipExtGetLastError() == hipSuccess);
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  REQUIRE(hipMalloc(nullptr, 1) == hipErrorInvalidValue);
  REQUIRE(hipExtGetLastError() == hipErrorInvalidValue);
  REQUIRE(hipExtGetLastError() == hipSuccess);
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  REQUIRE_HIP(hipGetDeviceCount(&count)); // a call that succeeds is the last one
  REQUIRE(hipExtGetLastError() == hipSuccess);
  REQUIRE(hipGetLastError() == hipErrorInvalidDevice); // which keeps it
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
  REQUIRE(hipExtGetLastError() == hipErrorInvalidDevice); // taking one leaves the other
  hipError_t of_thread = hipErrorUnknown;
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  std::thread([&] { of_thread = hipExtGetLastError(); }).join();
  REQUIRE(of_thread == hipSuccess);
  REQUIRE(hipExtGetLastError() == hipErrorInvalidDevice);
  (void)hipGetLastError();
}

TEST_CASE("hip error: hipExtGetLastError sees launches, and answers that are no failure",
          "[results]") {
  fixture::Streams streams(1);
  fixture::HostMemory<int> flag(1);
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  REQUIRE_HIP(fixture::launch(fixture::function("wait_for_flag"), streams[0], 1, flag.get()));
  REQUIRE(hipExtGetLastError() == hipSuccess);
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  REQUIRE(hipExtGetLastError() == hipErrorNotReady);
  *const_cast<volatile int *>(flag.get()) = 1;
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
}

TEST_CASE("hip error: not ready is an answer, not a failure", "[results]") {
  (void)hipGetLastError();
  fixture::Streams streams(1);
  fixture::HostMemory<int> flag(1);
  REQUIRE_HIP(fixture::launch(fixture::function("wait_for_flag"), streams[0], 1, flag.get()));
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  REQUIRE(hipGetLastError() == hipSuccess);
  *const_cast<volatile int *>(flag.get()) = 1;
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
}

TEST_CASE("hip error: every code has its own name and a text") {
  REQUIRE(std::string(hipGetErrorName(hipSuccess)) == "hipSuccess");
  REQUIRE(std::string(hipGetErrorName(hipErrorOutOfMemory)) == "hipErrorOutOfMemory");
  REQUIRE(std::string(hipGetErrorName(hipErrorInvalidTexture)) == "hipErrorInvalidTexture");
  for (hipError_t error : {hipErrorInvalidValue, hipErrorNoDevice, hipErrorLaunchFailure,
                           hipErrorGraphExecUpdateFailure})
    REQUIRE(std::string(hipGetErrorString(error)).size() > 5);
  REQUIRE(hipGetErrorString(hipErrorInvalidValue) != hipGetErrorString(hipErrorInvalidDevice));
}

TEST_CASE("hip error: the driver forms refuse numbers that are no error") {
  const char *text = nullptr;
  REQUIRE_HIP(hipDrvGetErrorName(hipErrorNotFound, &text));
  REQUIRE(std::string(text) == "hipErrorNotFound");
  REQUIRE_HIP(hipDrvGetErrorString(hipErrorNotFound, &text));
  REQUIRE(text != nullptr);
  REQUIRE(hipDrvGetErrorName(hipError_t(2000), &text) == hipErrorInvalidValue);
  REQUIRE(text == nullptr);
  REQUIRE(hipDrvGetErrorString(hipErrorNotFound, nullptr) == hipErrorInvalidValue);
}
