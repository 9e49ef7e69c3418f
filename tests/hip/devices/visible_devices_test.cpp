// The lists of devices in HIP_VISIBLE_DEVICES and the like.
#include "runtime/platform/visible_devices.h"

#include <catch2/catch_test_macros.hpp>

using chip::select_devices;
using Indices = std::vector<size_t>;

namespace {
const std::vector<std::string> uuids = {"00112233445566778899aabbccddeeff",
                                        "00112233445566778899aabbccddee00",
                                        "deadbeefdeadbeef0000000000000000"};
}

TEST_CASE("visible devices: indices keep the order that is given") {
  CHECK(select_devices("0", uuids) == Indices{0});
  CHECK(select_devices("2,0,1", uuids) == Indices{2, 0, 1});
  CHECK(select_devices(" 1 , 2 ", uuids) == Indices{1, 2});
  CHECK(select_devices("\t1,\r\nGPU-d\n,0\n", uuids) == Indices{1, 2, 0});
}

TEST_CASE("visible devices: what names no device, or one again, ends the list") {
  for (const char *bad : {"3", "-1", "x", "1x", "", "GPU-", "GPU-ff", "gpu-deadbeef", "1.0",
                          "99999999999999999999999"}) {
    INFO("'" << bad << "'");
    CHECK(select_devices(bad, uuids).empty());
    CHECK(select_devices(std::string("1,") + bad + ",0", uuids) == Indices{1});
  }
  CHECK(select_devices("1,1,0", uuids) == Indices{1});
  CHECK(select_devices("2,GPU-deadbeef,0", uuids) == Indices{2});
}

TEST_CASE("visible devices: a UUID is as many digits as only one device begins with") {
  CHECK(select_devices("GPU-DEADBEEFDEADBEEF,0", uuids) == Indices{2, 0});
  CHECK(select_devices("GPU-d", uuids) == Indices{2});
  CHECK(select_devices("GPU-00112233-4455-6677-8899-aabbccddee00", uuids) == Indices{1});
  CHECK(select_devices("GPU-00112233", uuids).empty()); // two devices
  for (const char *none : {"GPU-", "GPU---"})           // though there is only one
    CHECK(select_devices(none, std::span(uuids).first(1)).empty());
}

TEST_CASE("visible devices: a UUID is written as 32 hexadecimal digits") {
  CHECK(chip::uuid_text({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255}}) ==
        "000102030405060708090a0b0c0d0eff");
}
