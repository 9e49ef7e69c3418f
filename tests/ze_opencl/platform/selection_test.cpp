// Which devices ZE_OPENCL_DEVICES names.
#include "../../../src/ze_opencl/platform/facts.h"
#include "../../../src/ze_opencl/platform/selection.h"
#include "fake_api.h"

#include <catch2/catch_test_macros.hpp>

using ze_opencl::Selection;
using Names = std::vector<std::string>;

TEST_CASE("ze_opencl: an empty selection has all devices") {
  for (const char *list : {"", " ", ",", " , ,\t,"}) {
    CAPTURE(list);
    CHECK(Selection(list).rank("platform", "device") == 0u);
    CHECK(Selection(list).rank("", "") == 0u);
  }
}

TEST_CASE("ze_opencl: a selection names parts of devices' or platforms' names, in any case") {
  const Selection selection("Mali, pocl");
  CHECK(selection.rank("ARM Platform", "mali-G610") == 0u);
  CHECK(selection.rank("PoCL 7", "cpu") == 1u);
  CHECK(selection.rank("Portable", "POCL cpu") == 1u);
  CHECK(selection.rank("Intel", "Arc") == std::nullopt);
  CHECK(selection.rank("", "") == std::nullopt);
}

TEST_CASE("ze_opencl: the first entry that names a device counts") {
  CHECK(Selection("b,a").rank("a", "b") == 0u);
  CHECK(Selection("c,a,b").rank("a", "b") == 1u);
  CHECK(Selection("a,a").rank("a", "b") == 0u);
}

TEST_CASE("ze_opencl: spaces around an entry mean nothing, and those within it count") {
  const Selection selection("  Arc A770 ,, \tIris ");
  CHECK(selection.rank("Intel", "Intel(R) Arc A770 Graphics") == 0u);
  CHECK(selection.rank("Intel", "Intel(R) Iris Xe") == 1u); // empty entries have no rank
  CHECK(selection.rank("Intel", "ArcA770") == std::nullopt);
}

TEST_CASE("ze_opencl: entries that name no device are known, as they were given") {
  const Selection::Names devices[] = {{"PoCL", "cpu"}, {"Intel", "Arc"}};
  CHECK(Selection("Mali,pocl, Iris Xe ,arc").without_device(devices) == Names{"Mali", "Iris Xe"});
  CHECK(Selection("pocl,cpu").without_device(devices).empty()); // though the first has the device
  CHECK(Selection("").without_device(devices).empty());
  CHECK(Selection("a").without_device({}) == Names{"a"});
}

TEST_CASE("ze_opencl: platforms are selected by their versions, too") {
  FakeDevice fake;
  fake.set_text(CL_PLATFORM_NAME, "Portable Computing Language");
  fake.set_text(CL_PLATFORM_VERSION, "OpenCL 3.0 PoCL 7.1");
  const std::string names = ze_opencl::names_of(fake.platform.id);
  CHECK(Selection("portable").rank(names, "cpu") == 0u);
  CHECK(Selection("pocl 7.1").rank(names, "cpu") == 0u);
  CHECK(Selection("pocl 7.2").rank(names, "cpu") == std::nullopt);
  CHECK(Selection("LanguageOpenCL").rank(names, "cpu") == std::nullopt); // they are two
}
