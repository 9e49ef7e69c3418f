// The interface to the loader: every table is exported, and none is written beyond what its version
// had.
#include "support.h"

#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace {

using GetTable = ze_result_t (*)(ze_api_version_t, void *);

/// All tables but the experimental ones: loaders up to 1.20 demand each of them.
constexpr const char *mandatory[] = {
    "zeGetGlobalProcAddrTable",         "zeGetDriverProcAddrTable",
    "zeGetDeviceProcAddrTable",         "zeGetContextProcAddrTable",
    "zeGetCommandQueueProcAddrTable",   "zeGetCommandListProcAddrTable",
    "zeGetImageProcAddrTable",          "zeGetMemProcAddrTable",
    "zeGetFenceProcAddrTable",          "zeGetEventPoolProcAddrTable",
    "zeGetEventProcAddrTable",          "zeGetModuleProcAddrTable",
    "zeGetModuleBuildLogProcAddrTable", "zeGetKernelProcAddrTable",
    "zeGetSamplerProcAddrTable",        "zeGetPhysicalMemProcAddrTable",
    "zeGetVirtualMemProcAddrTable",     "zesGetGlobalProcAddrTable",
    "zesGetDeviceProcAddrTable",        "zesGetDriverProcAddrTable",
    "zesGetDiagnosticsProcAddrTable",   "zesGetEngineProcAddrTable",
    "zesGetFabricPortProcAddrTable",    "zesGetFanProcAddrTable",
    "zesGetFirmwareProcAddrTable",      "zesGetFrequencyProcAddrTable",
    "zesGetLedProcAddrTable",           "zesGetMemoryProcAddrTable",
    "zesGetOverclockProcAddrTable",     "zesGetPerformanceFactorProcAddrTable",
    "zesGetPowerProcAddrTable",         "zesGetPsuProcAddrTable",
    "zesGetRasProcAddrTable",           "zesGetSchedulerProcAddrTable",
    "zesGetStandbyProcAddrTable",       "zesGetTemperatureProcAddrTable",
    "zetGetCommandListProcAddrTable",   "zetGetContextProcAddrTable",
    "zetGetDebugProcAddrTable",         "zetGetDeviceProcAddrTable",
    "zetGetKernelProcAddrTable",        "zetGetMetricGroupProcAddrTable",
    "zetGetMetricProcAddrTable",        "zetGetMetricQueryPoolProcAddrTable",
    "zetGetMetricQueryProcAddrTable",   "zetGetMetricStreamerProcAddrTable",
    "zetGetModuleProcAddrTable",        "zetGetTracerExpProcAddrTable"};
constexpr const char *experimental[] = {"zeGetCommandListExpProcAddrTable",
                                        "zeGetDeviceExpProcAddrTable",
                                        "zeGetDriverExpProcAddrTable",
                                        "zeGetEventExpProcAddrTable",
                                        "zeGetFabricEdgeExpProcAddrTable",
                                        "zeGetFabricVertexExpProcAddrTable",
                                        "zeGetImageExpProcAddrTable",
                                        "zeGetKernelExpProcAddrTable",
                                        "zeGetMemExpProcAddrTable",
                                        "zeGetRTASBuilderExpProcAddrTable",
                                        "zeGetRTASParallelOperationExpProcAddrTable",
                                        "zeGetRTASBuilderProcAddrTable",
                                        "zeGetRTASParallelOperationProcAddrTable",
                                        "zeGetGraphProcAddrTable",
                                        "zeGetExecutableGraphProcAddrTable",
                                        "zesGetDeviceExpProcAddrTable",
                                        "zesGetDriverExpProcAddrTable",
                                        "zesGetFirmwareExpProcAddrTable",
                                        "zesGetRasExpProcAddrTable",
                                        "zesGetVFManagementExpProcAddrTable",
                                        "zetGetCommandListExpProcAddrTable",
                                        "zetGetDeviceExpProcAddrTable",
                                        "zetGetMetricDecoderExpProcAddrTable",
                                        "zetGetMetricExpProcAddrTable",
                                        "zetGetMetricGroupExpProcAddrTable",
                                        "zetGetMetricProgrammableExpProcAddrTable",
                                        "zetGetMetricTracerExpProcAddrTable",
                                        "zerGetGlobalProcAddrTable"};

GetTable find(const char *name) {
  static void *library = dlopen(driver_library().c_str(), RTLD_NOW);
  REQUIRE(library != nullptr);
  return reinterpret_cast<GetTable>(dlsym(library, name));
}

const auto canary = reinterpret_cast<void *>(uintptr_t{0xfeedfacecafebeef});

/// How many leading entries the driver writes for `version`; nothing behind them may be touched.
size_t written(const char *name, ze_api_version_t version) {
  std::array<void *, 128> table;
  table.fill(canary);
  REQUIRE(find(name)(version, table.data()) == ZE_RESULT_SUCCESS);
  const auto first_untouched = std::find(table.begin(), table.end(), canary);
  CHECK(std::all_of(first_untouched, table.end(), [](void *entry) { return entry == canary; }));
  return static_cast<size_t>(first_untouched - table.begin());
}

} // namespace

TEST_CASE("ze_cpu: every table is exported and can be filled", "[front]") {
  CHECK(std::size(mandatory) == 48);
  for (const auto &names :
       {std::vector<const char *>(std::begin(mandatory), std::end(mandatory)),
        std::vector<const char *>(std::begin(experimental), std::end(experimental))})
    for (const char *name : names) {
      INFO(name);
      const GetTable get = find(name);
      REQUIRE(get != nullptr);
      std::array<void *, 128> table{};
      CHECK(get(ZE_API_VERSION_CURRENT, table.data()) == ZE_RESULT_SUCCESS);
      CHECK(get(ZE_API_VERSION_CURRENT, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
      CHECK(get(static_cast<ze_api_version_t>(ZE_MAKE_VERSION(2, 0)), table.data()) ==
            ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
    }
}

TEST_CASE("ze_cpu: a current loader's tables are filled to their end", "[front]") {
  CHECK(written("zeGetDriverProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(ze_driver_dditable_t) / sizeof(void *));
  CHECK(written("zeGetDeviceProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(ze_device_dditable_t) / sizeof(void *));
  CHECK(written("zeGetCommandListProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(ze_command_list_dditable_t) / sizeof(void *));
  CHECK(written("zeGetEventProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(ze_event_dditable_t) / sizeof(void *));
  CHECK(written("zesGetDeviceProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(zes_device_dditable_t) / sizeof(void *));
  CHECK(written("zerGetGlobalProcAddrTable", ZE_API_VERSION_1_17) ==
        sizeof(zer_global_dditable_t) / sizeof(void *));
}

TEST_CASE("ze_cpu: loader 1.20's smaller tables are not overrun", "[front]") {
  // The sizes of that loader's headers (API 1.12).
  CHECK(written("zeGetDriverProcAddrTable", ZE_API_VERSION_1_12) == 7);
  CHECK(written("zeGetDeviceProcAddrTable", ZE_API_VERSION_1_12) == 21);
  CHECK(written("zeGetMemProcAddrTable", ZE_API_VERSION_1_12) == 12);
  CHECK(written("zeGetCommandListProcAddrTable", ZE_API_VERSION_1_12) == 36);
  CHECK(written("zeGetEventProcAddrTable", ZE_API_VERSION_1_12) == 11);
  CHECK(written("zeGetCommandQueueProcAddrTable", ZE_API_VERSION_1_12) == 6);
}

TEST_CASE("ze_cpu: API 1.9 and 1.0 tables are not overrun", "[front]") {
  CHECK(written("zeGetGlobalProcAddrTable", ZE_API_VERSION_1_9) == 1);
  CHECK(written("zeGetDeviceProcAddrTable", ZE_API_VERSION_1_9) == 19);
  CHECK(written("zeGetCommandListProcAddrTable", ZE_API_VERSION_1_9) == 34);
  CHECK(written("zeGetCommandListExpProcAddrTable", ZE_API_VERSION_1_9) == 6);
  CHECK(written("zeGetDriverProcAddrTable", ZE_API_VERSION_1_0) == 5);
  CHECK(written("zeGetEventProcAddrTable", ZE_API_VERSION_1_0) == 7);
  CHECK(written("zeGetKernelExpProcAddrTable", ZE_API_VERSION_1_0) == 0);
  CHECK(written("zesGetGlobalProcAddrTable", ZE_API_VERSION_1_0) == 0);
  CHECK(written("zerGetGlobalProcAddrTable", ZE_API_VERSION_1_9) == 0);
}

TEST_CASE("ze_cpu: no table of any version is written in its middle only", "[front]") {
  for (const char *name : mandatory)
    for (uint32_t minor = 0; minor <= 17; ++minor) {
      INFO(name << " 1." << minor);
      const auto version = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, minor));
      const size_t now = written(name, version);
      if (minor > 0)
        CHECK(now >= written(name, static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, (minor - 1)))));
    }
}
