// What a device lacks, the front answers for it, in the words of the specification.
#include "../ze_cpu/support.h"

#include <cstring>

TEST_CASE_METHOD(Driver, "ze_driver: a device without images has no image functions") {
  const ze_image_desc_t desc{ZE_STRUCTURE_TYPE_IMAGE_DESC,
                             nullptr,
                             0,
                             ZE_IMAGE_TYPE_2D,
                             {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT,
                              ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_0,
                              ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_1},
                             4,
                             4,
                             1,
                             0,
                             0};
  ze_image_handle_t image = nullptr;
  CHECK(zeImageCreate(context, device, &desc, &image) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ze_image_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, nullptr, 0};
  CHECK(zeImageGetProperties(device, &desc, &properties) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  const ze_sampler_desc_t sampler_desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr,
                                       ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST,
                                       false};
  ze_sampler_handle_t sampler = nullptr;
  CHECK(zeSamplerCreate(context, device, &sampler_desc, &sampler) ==
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ze_device_image_properties_t limits{};
  limits.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetImageProperties(device, &limits));
  CHECK(limits.maxImageDims2D == 0);
  CHECK(limits.maxSamplers == 0);
}

TEST_CASE_METHOD(Driver, "ze_driver: memory that cannot be moved into a file is not shared") {
  ze_ipc_mem_handle_t handle;
  CHECK(zeMemGetIpcHandle(context, shared<int>(4), &handle) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

TEST_CASE_METHOD(Driver, "ze_driver: programs that a device does not join are a link failure") {
  const auto &spirv = test_spirv();
  const size_t sizes[] = {spirv.size(), spirv.size()};
  const uint8_t *inputs[] = {spirv.data(), spirv.data()};
  ze_module_program_exp_desc_t programs{};
  programs.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC;
  programs.count = 2;
  programs.inputSizes = sizes;
  programs.pInputModules = inputs;
  ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                        &programs,
                        ZE_MODULE_FORMAT_IL_SPIRV,
                        0,
                        nullptr,
                        nullptr,
                        nullptr};
  ze_module_handle_t module = nullptr;
  BuildLog log;
  CHECK(zeModuleCreate(context, device, &desc, &module, log.out()) ==
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(text_of(log) == "this device joins nothing");
}

TEST_CASE_METHOD(Driver, "ze_driver: a device is described by its facts") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(!std::strcmp(properties.name, "a device that executes nothing"));
  ze_device_memory_access_properties_t access{};
  access.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetMemoryAccessProperties(device, &access));
  CHECK(access.sharedSystemAllocCapabilities == 0);
}

TEST_CASE_METHOD(Driver, "ze_driver: another driver's handles and binaries are refused") {
  ze_ipc_mem_handle_t handle{};
  void *pointer = nullptr;
  CHECK(zeMemOpenIpcHandle(context, device, handle, 0, &pointer) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  Module module = test_module();
  size_t size = 0;
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<uint8_t> binary(size);
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, binary.data()));
  std::string log;
  CHECK(build(*this, ZE_MODULE_FORMAT_NATIVE, binary, log) == ZE_RESULT_SUCCESS);
  std::memcpy(binary.data(), "ZE_CPU\1\n", 8);
  CHECK(build(*this, ZE_MODULE_FORMAT_NATIVE, binary, log) ==
        ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
}
