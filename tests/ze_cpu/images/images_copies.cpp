// Copies between images and memory, and what creating images, views and samplers checks.
#include "images.h"

#include <algorithm>
#include <numeric>

namespace {

struct Kind {
  const char *name;
  ze_image_type_t type;
  Size size;
  uint32_t extent[3]; // by coordinate, the layer last
};
constexpr Kind kinds[] = {
    {"1d", ZE_IMAGE_TYPE_1D, {9}, {9, 1, 1}},
    {"1d_array", ZE_IMAGE_TYPE_1DARRAY, {9, 1, 1, 6}, {9, 6, 1}},
    {"2d", ZE_IMAGE_TYPE_2D, {9, 6}, {9, 6, 1}},
    {"2d_array", ZE_IMAGE_TYPE_2DARRAY, {9, 6, 1, 5}, {9, 6, 5}},
    {"3d", ZE_IMAGE_TYPE_3D, {9, 6, 5}, {9, 6, 5}},
};

ze_image_desc_t shorts(const Kind &kind) { // texels of two bytes, to tell texels from bytes
  return describe(kind.type, ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_UINT, kind.size);
}

using Texels = std::vector<uint16_t>;
Texels numbered(const Kind &kind, uint16_t first) {
  Texels texels(size_t{kind.extent[0]} * kind.extent[1] * kind.extent[2]);
  std::iota(texels.begin(), texels.end(), first);
  return texels;
}

/// A region that leaves a margin in each direction there is.
ze_image_region_t inner(const Kind &kind) {
  const auto has = [&](int i) { return kind.extent[i] > 1; };
  return {1u,
          has(1) ? 2u : 0u,
          has(2) ? 1u : 0u,
          kind.extent[0] - 3,
          has(1) ? kind.extent[1] - 3 : 1,
          has(2) ? kind.extent[2] - 2 : 1};
}

size_t index(const Kind &kind, uint32_t x, uint32_t y, uint32_t z) {
  return (size_t{z} * kind.extent[1] + y) * kind.extent[0] + x;
}

template <class Each> void for_each(const ze_image_region_t &region, Each each) {
  for (uint32_t z = 0; z < region.depth; ++z)
    for (uint32_t y = 0; y < region.height; ++y)
      for (uint32_t x = 0; x < region.width; ++x)
        each(x, y, z);
}

} // namespace

TEST_CASE_METHOD(Images, "ze_cpu: images: regions are copied to and from memory with pitches") {
  for (const Kind &kind : kinds) {
    INFO(kind.name);
    const ImageHandle image = this->image(shorts(kind));
    const Texels texels = numbered(kind, 1000);
    upload(image, texels.data());
    const ze_image_region_t region = inner(kind);
    // A layer of a one-dimensional image has the pitch of a slice.
    const bool rows_are_layers = kind.type == ZE_IMAGE_TYPE_1DARRAY;
    const size_t row = 10, slice = rows_are_layers ? row : row * (region.height + 1);

    for (const bool padded : {false, true}) {
      const size_t row_texels = padded ? row : region.width,
                   slice_texels = padded && !rows_are_layers ? slice : row_texels * region.height;
      const auto row_bytes = static_cast<uint32_t>(padded && !rows_are_layers ? 2 * row : 0),
                 slice_bytes = static_cast<uint32_t>(padded ? 2 * slice : 0);
      Texels memory(500, 7), expected(500, 7);
      REQUIRE_ZE(zeCommandListAppendImageCopyToMemoryExt(
          list, memory.data(), image, &region, row_bytes, slice_bytes, nullptr, 0, nullptr));
      for_each(region, [&](uint32_t x, uint32_t y, uint32_t z) {
        expected[z * slice_texels + y * row_texels + x] =
            texels[index(kind, region.originX + x, region.originY + y, region.originZ + z)];
      });
      CHECK(memory == expected);

      Texels changed = texels, source(500);
      std::iota(source.begin(), source.end(), uint16_t{5000});
      REQUIRE_ZE(zeCommandListAppendImageCopyFromMemoryExt(
          list, image, source.data(), &region, row_bytes, slice_bytes, nullptr, 0, nullptr));
      for_each(region, [&](uint32_t x, uint32_t y, uint32_t z) {
        changed[index(kind, region.originX + x, region.originY + y, region.originZ + z)] =
            source[z * slice_texels + y * row_texels + x];
      });
      Texels now(changed.size());
      download(now.data(), image);
      CHECK(now == changed);
      upload(image, texels.data());
    }

    Texels plain(500, 7), tight(500, 7); // without pitches
    REQUIRE_ZE(zeCommandListAppendImageCopyToMemory(list, plain.data(), image, &region, nullptr, 0,
                                                    nullptr));
    REQUIRE_ZE(zeCommandListAppendImageCopyToMemoryExt(list, tight.data(), image, &region, 0, 0,
                                                       nullptr, 0, nullptr));
    CHECK(plain == tight);
    REQUIRE_ZE(zeCommandListAppendImageCopyFromMemory(list, image, plain.data(), &region, nullptr,
                                                      0, nullptr));
    Texels same(texels.size());
    download(same.data(), image);
    CHECK(same == texels);
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: images are copied whole and in regions, in any list") {
  const Queue queue = this->queue();
  for (const Kind &kind : kinds) {
    INFO(kind.name);
    const ImageHandle from = image(shorts(kind)), to = image(shorts(kind));
    const Texels texels = numbered(kind, 1000), others = numbered(kind, 9000);
    upload(from, texels.data());
    upload(to, others.data());
    ze_image_region_t source = inner(kind), destination = source;
    destination.originX = 3;
    const PooledEvent start = pooled_event(), done = pooled_event();
    const List recorded = regular();
    const ze_event_handle_t wait = start;
    REQUIRE_ZE(zeCommandListAppendImageCopyRegion(recorded, to, from, &destination, &source, done,
                                                  1, const_cast<ze_event_handle_t *>(&wait)));
    REQUIRE_ZE(zeCommandListClose(recorded));
    ze_command_list_handle_t handle = recorded;
    REQUIRE_ZE(zeCommandQueueExecuteCommandLists(queue, 1, &handle, nullptr));
    CHECK(zeEventQueryStatus(done) == ZE_RESULT_NOT_READY);
    REQUIRE_ZE(zeEventHostSignal(start));
    REQUIRE_ZE(zeEventHostSynchronize(done, long_ns));
    REQUIRE_ZE(zeCommandQueueSynchronize(queue, long_ns));
    Texels expected = others, now(others.size());
    for_each(source, [&](uint32_t x, uint32_t y, uint32_t z) {
      expected[index(kind, 3 + x, destination.originY + y, destination.originZ + z)] =
          texels[index(kind, source.originX + x, source.originY + y, source.originZ + z)];
    });
    download(now.data(), to);
    CHECK(now == expected);

    REQUIRE_ZE(zeCommandListAppendImageCopy(list, to, from, nullptr, 0, nullptr));
    download(now.data(), to);
    CHECK(now == texels);
  }
}

TEST_CASE_METHOD(Images, "ze_cpu: images: copies check their arguments") {
  const Kind &kind = kinds[2];
  const ImageHandle image = this->image(shorts(kind)), other = this->image(shorts(kind)),
                    smaller = this->image(describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_16,
                                                   ZE_IMAGE_FORMAT_TYPE_UINT, {9, 5})),
                    wider = this->image(describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32,
                                                 ZE_IMAGE_FORMAT_TYPE_UINT, kind.size));
  Texels memory(100);
  constexpr auto null_handle = ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  constexpr auto argument = ZE_RESULT_ERROR_INVALID_ARGUMENT;

  CHECK_NULL_HANDLE(zeCommandListAppendImageCopy(nullptr, image, other, nullptr, 0, nullptr));
  CHECK(zeCommandListAppendImageCopy(list, nullptr, other, nullptr, 0, nullptr) == null_handle);
  CHECK(zeCommandListAppendImageCopy(list, image, nullptr, nullptr, 0, nullptr) == null_handle);
  CHECK(zeCommandListAppendImageCopy(list, image, other, nullptr, 1, nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK(zeCommandListAppendImageCopy(list, image, smaller, nullptr, 0, nullptr) == argument);
  CHECK(zeCommandListAppendImageCopy(list, image, wider, nullptr, 0, nullptr) == argument);
  CHECK(zeCommandListAppendImageCopy(list, image, image, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS);

  const auto to_memory = [&](ze_image_region_t region, uint32_t row = 0, uint32_t slice = 0) {
    return zeCommandListAppendImageCopyToMemoryExt(list, memory.data(), image, &region, row, slice,
                                                   nullptr, 0, nullptr);
  };
  CHECK(to_memory({0, 0, 0, 9, 6, 1}) == ZE_RESULT_SUCCESS);
  CHECK(to_memory({1, 0, 0, 9, 6, 1}) == argument);
  CHECK(to_memory({0, 1, 0, 9, 6, 1}) == argument);
  CHECK(to_memory({0, 0, 1, 9, 6, 1}) == ZE_RESULT_SUCCESS); // an origin that it does not have
  CHECK(to_memory({0, 0, 0, 9, 6, 2}) == argument);
  CHECK(to_memory({UINT32_MAX, 0, 0, 2, 6, 1}) == argument);
  CHECK(to_memory({0, 0, 0, 9, 6, 1}, 17) == argument);
  CHECK(to_memory({0, 0, 0, 9, 1, 1}, 17) == ZE_RESULT_SUCCESS); // there is no second row
  CHECK(zeCommandListAppendImageCopyToMemory(list, nullptr, image, nullptr, nullptr, 0, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(zeCommandListAppendImageCopyFromMemory(list, image, nullptr, nullptr, nullptr, 0,
                                               nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(zeCommandListAppendImageCopyFromMemory(list, nullptr, memory.data(), nullptr, nullptr, 0,
                                               nullptr) == null_handle);
  const ImageHandle deep = this->image(shorts(kinds[4]));
  CHECK(zeCommandListAppendImageCopyToMemoryExt(list, memory.data(), deep, nullptr, 18, 107,
                                                nullptr, 0, nullptr) == argument);

  const ze_image_region_t left{0, 0, 0, 4, 6, 1}, right{4, 0, 0, 4, 6, 1}, near{3, 0, 0, 4, 6, 1},
      narrow{4, 0, 0, 3, 6, 1};
  const auto within = [&](const ze_image_region_t &to, const ze_image_region_t &from) {
    return zeCommandListAppendImageCopyRegion(list, image, image, &to, &from, nullptr, 0, nullptr);
  };
  CHECK(within(left, right) == ZE_RESULT_SUCCESS);
  CHECK(within(left, near) == ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  CHECK(within(left, narrow) == argument);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: creating an image checks its description") {
  const auto attempt = [&](auto change) {
    ze_image_desc_t desc =
        describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, {4, 4});
    change(desc);
    ImageHandle made;
    return zeImageCreate(context, device, &desc, made.out());
  };
  const auto with_format = [&](ze_image_format_layout_t layout, ze_image_format_type_t type) {
    return attempt([&](ze_image_desc_t &d) {
      d.format.layout = layout;
      d.format.type = type;
    });
  };
  constexpr auto enumeration = ZE_RESULT_ERROR_INVALID_ENUMERATION;
  constexpr auto format = ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT;
  constexpr auto argument = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  CHECK(attempt([](auto &) {}) == ZE_RESULT_SUCCESS);
  CHECK(attempt([](auto &d) { d.flags = 4; }) == enumeration);
  CHECK(attempt([](auto &d) { d.type = ze_image_type_t(6); }) == enumeration);
  CHECK(with_format(ze_image_format_layout_t(46), ZE_IMAGE_FORMAT_TYPE_UINT) == enumeration);
  CHECK(with_format(ZE_IMAGE_FORMAT_LAYOUT_8, ze_image_format_type_t(5)) == enumeration);
  CHECK(attempt([](auto &d) { d.format.w = ze_image_format_swizzle_t(8); }) == enumeration);
  CHECK(attempt([](auto &d) { d.format.x = ZE_IMAGE_FORMAT_SWIZZLE_D; }) == format);
  CHECK(with_format(ZE_IMAGE_FORMAT_LAYOUT_NV12, ZE_IMAGE_FORMAT_TYPE_UNORM) == format);
  CHECK(with_format(ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_FLOAT) == format);
  CHECK(with_format(ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UNORM) == format);
  CHECK(attempt([](auto &d) { d.width = 0; }) == argument);
  CHECK(attempt([](auto &d) { d.height = 0; }) == argument);
  CHECK(attempt([](auto &d) { d.miplevels = 1; }) == argument);
  const ze_base_desc_t unknown{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr};
  CHECK(attempt([&](auto &d) { d.pNext = &unknown; }) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ImageHandle made;
  CHECK(zeImageCreate(context, device, nullptr, made.out()) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeImageCreate(nullptr, device, nullptr, made.out()));
  CHECK_NULL_HANDLE(zeImageDestroy(nullptr));

  ze_device_image_properties_t limits{};
  limits.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetImageProperties(device, &limits));
  CHECK(limits.maxSamplers >= 16);
  CHECK(limits.maxReadImageArgs >= 128);
  const auto sized = [&](ze_image_type_t type, Size size) {
    return attempt([&](ze_image_desc_t &d) {
      d.type = type;
      d.width = size.width;
      d.height = size.height;
      d.depth = size.depth;
      d.arraylevels = size.layers;
    });
  };
  const uint32_t w = limits.maxImageDims1D, layers = limits.maxImageArraySlices;
  CHECK(sized(ZE_IMAGE_TYPE_1D, {w}) == ZE_RESULT_SUCCESS);
  CHECK(sized(ZE_IMAGE_TYPE_1D, {w + 1}) == argument);
  CHECK(sized(ZE_IMAGE_TYPE_2D, {1, limits.maxImageDims2D}) == ZE_RESULT_SUCCESS);
  CHECK(sized(ZE_IMAGE_TYPE_2D, {1, limits.maxImageDims2D + 1}) == argument);
  CHECK(sized(ZE_IMAGE_TYPE_3D, {1, 1, limits.maxImageDims3D}) == ZE_RESULT_SUCCESS);
  CHECK(sized(ZE_IMAGE_TYPE_3D, {1, 1, limits.maxImageDims3D + 1}) == argument);
  CHECK(sized(ZE_IMAGE_TYPE_1DARRAY, {1, 1, 1, layers}) == ZE_RESULT_SUCCESS);
  CHECK(sized(ZE_IMAGE_TYPE_2DARRAY, {1, 1, 1, layers + 1}) == argument);
  CHECK(sized(ZE_IMAGE_TYPE_BUFFER, {limits.maxImageBufferSize + 1}) == argument);
  // Larger than any machine's memory, and within the limits.
  CHECK(sized(ZE_IMAGE_TYPE_2DARRAY, {limits.maxImageDims2D, limits.maxImageDims2D, 1, layers}) ==
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: formats say whether they exist and can be filtered") {
  struct Case {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
    ze_image_sampler_filter_flags_t filters;
  };
  const Case cases[] = {{ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 3},
                        {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 3},
                        {ZE_IMAGE_FORMAT_LAYOUT_16, ZE_IMAGE_FORMAT_TYPE_SINT, 1},
                        {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UINT, 1},
                        {ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_FLOAT, 0},
                        {ZE_IMAGE_FORMAT_LAYOUT_YUYV, ZE_IMAGE_FORMAT_TYPE_UNORM, 0}};
  for (const Case &one : cases) {
    const ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, one.layout, one.type, {4, 4});
    ze_image_format_support_ext_properties_t support{
        ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES, nullptr, 77};
    ze_image_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, &support, 99};
    REQUIRE_ZE(zeImageGetProperties(device, &desc, &properties));
    CHECK(properties.samplerFilterFlags == one.filters);
    CHECK(support.supported == (one.filters != 0));
  }
  ze_image_desc_t desc =
      describe(ze_image_type_t(6), ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, {4, 4});
  ze_image_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, nullptr, 0};
  CHECK(zeImageGetProperties(device, &desc, &properties) == ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK(zeImageGetProperties(device, &desc, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: creating a sampler checks its description") {
  const auto attempt = [&](int address, int filter) {
    const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr,
                                 ze_sampler_address_mode_t(address),
                                 ze_sampler_filter_mode_t(filter), false};
    SamplerHandle made;
    return zeSamplerCreate(context, device, &desc, made.out());
  };
  CHECK(attempt(4, 1) == ZE_RESULT_SUCCESS);
  CHECK(attempt(5, 1) == ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK(attempt(4, 2) == ZE_RESULT_ERROR_INVALID_ENUMERATION);
  SamplerHandle made;
  CHECK(zeSamplerCreate(context, device, nullptr, made.out()) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeSamplerDestroy(nullptr));
}

TEST_CASE_METHOD(Images, "ze_cpu: images: arguments are handles, and are read when they are set") {
  const Kernel kernel = this->kernel(module(), "sample_1d_f");
  const ImageHandle image = this->image(
      describe(ZE_IMAGE_TYPE_1D, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, {2}));
  const float texels[] = {3, 4};
  upload(image, texels);
  SamplerHandle sampler =
      this->sampler(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR, false);
  const auto image_handle = static_cast<ze_image_handle_t>(image);
  const auto sampler_handle = static_cast<ze_sampler_handle_t>(sampler);
  constexpr auto size = ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  CHECK(zeKernelSetArgumentValue(kernel, 0, 4, &image_handle) == size);
  CHECK(zeKernelSetArgumentValue(kernel, 1, 16, &sampler_handle) == size);
  REQUIRE_ZE(zeKernelSetArgumentValue(kernel, 0, sizeof image_handle, &image_handle));
  REQUIRE_ZE(zeKernelSetArgumentValue(kernel, 1, sizeof sampler_handle, &sampler_handle));
  Float4 *at = copied<Float4>({{1, 0, 0, 0}}), *out = shared<Float4>(1);
  REQUIRE_ZE(zeKernelSetArgumentValue(kernel, 2, sizeof at, &at));
  REQUIRE_ZE(zeKernelSetArgumentValue(kernel, 3, sizeof out, &out));
  sampler.reset(); // the kernel has what it needs of it
  const ze_group_count_t one{1, 1, 1};
  REQUIRE_ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, kernel, &one, nullptr, 0, nullptr));
  CHECK((*out)[0] == 3.5f);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: an image that is none loses the list", "[fault]") {
  const Kernel kernel = this->kernel(module(), "read_1d_f");
  const List lost = immediate();
  Int4 *at = shared<Int4>(1);
  Float4 *out = shared<Float4>(1);
  ze_image_handle_t none = nullptr;
  void *values[] = {&none, &at, &out};
  REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(lost, kernel, {1, 1, 1}, {1, 1, 1},
                                                          values, nullptr, nullptr, 0, nullptr));
  CHECK(zeCommandListHostSynchronize(lost, long_ns) == ZE_RESULT_ERROR_DEVICE_LOST);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: a view reads the same texels in another format") {
  const ImageHandle whole = image(describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
                                           ZE_IMAGE_FORMAT_TYPE_UINT, {4, 4}));
  std::vector<uint32_t> texels(16);
  std::iota(texels.begin(), texels.end(), 0x01020300u);
  upload(whole, texels.data());
  const auto make = [&](ze_image_format_layout_t layout, Size size, ImageHandle &view) {
    const ze_image_desc_t desc =
        describe(ZE_IMAGE_TYPE_2D, layout, ZE_IMAGE_FORMAT_TYPE_UINT, size);
    return zeImageViewCreateExt(context, device, &desc, whole, view.out());
  };
  ImageHandle view, none;
  REQUIRE_ZE(make(ZE_IMAGE_FORMAT_LAYOUT_32, {2, 3}, view));
  Int4 *at = copied<Int4>({{0, 0}, {1, 2}, {2, 0}}), *out = shared<Int4>(3);
  run("read_2d_u", 3, static_cast<ze_image_handle_t>(view), at, out);
  CHECK(out[0] == Int4{0x01020300, 0, 0, 1});
  CHECK(out[1] == Int4{0x01020309, 0, 0, 1}); // rows are as far apart as in the whole
  CHECK(out[2] == Int4{0, 0, 0, 0});          // outside of the view
  CHECK(make(ZE_IMAGE_FORMAT_LAYOUT_16, {4, 4}, none) == ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  CHECK(make(ZE_IMAGE_FORMAT_LAYOUT_32, {4, 5}, none) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const ze_image_desc_t desc = shorts(kinds[2]);
  CHECK_NULL_HANDLE(zeImageViewCreateExt(context, device, &desc, nullptr, none.out()));
  CHECK(zeImageViewCreateExt(context, device, nullptr, whole, none.out()) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);

  ze_image_allocation_ext_properties_t of_whole{ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES,
                                                nullptr, 0},
      of_view = of_whole;
  REQUIRE_ZE(zeImageGetAllocPropertiesExt(context, whole, &of_whole));
  REQUIRE_ZE(zeImageGetAllocPropertiesExt(context, view, &of_view));
  CHECK(of_whole.id != 0);
  CHECK(of_view.id == of_whole.id);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: memory of the program can be an image") {
  size_t pitch = 0;
  REQUIRE_ZE(zeMemGetPitchFor2dImage(context, device, 5, 3, 4, &pitch));
  CHECK(pitch >= 20);
  CHECK(zeMemGetPitchFor2dImage(context, device, 5, 3, 4, nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(zeMemGetPitchFor2dImage(context, device, 0, 3, 4, &pitch) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_custom_pitch_exp_desc_t custom{};
  custom.stype = ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC;
  ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, nullptr, nullptr};
  ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32,
                                  ZE_IMAGE_FORMAT_TYPE_UINT, {5, 3}, rgba, &pitched);
  ImageHandle none;
  CHECK(zeImageCreate(context, device, &desc, none.out()) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  Int4 *at = copied<Int4>({{4, 2}}), *out = shared<Int4>(1);
  for (const size_t wanted : {size_t{0}, size_t{24}}) {
    const size_t row = wanted ? wanted : pitch;
    auto *memory = shared<uint8_t>(3 * row);
    const uint32_t value = 0x12345678;
    std::memcpy(memory + 2 * row + 16, &value, sizeof value);
    pitched.ptr = memory;
    pitched.pNext = wanted ? &custom : nullptr;
    custom.rowPitch = wanted;
    const ImageHandle image = this->image(desc);
    run("read_2d_u", 1, static_cast<ze_image_handle_t>(image), at, out);
    CHECK((*out)[0] == 0x12345678);
    ze_image_memory_properties_exp_t layout{ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES, nullptr,
                                            0, 0, 0};
    REQUIRE_ZE(zeImageGetMemoryPropertiesExp(image, &layout));
    CHECK(layout.rowPitch == row);
    CHECK(layout.size == 2 * row + 20);
  }
  custom.rowPitch = 19;
  CHECK(zeImageCreate(context, device, &desc, none.out()) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Images, "ze_cpu: images: kernels take handles instead of images") {
  Module module;
  std::string log;
  const ze_result_t result =
      build(*this, ZE_MODULE_FORMAT_IL_SPIRV, read_file(ZE_CPU_BINDLESS_SPIRV), log, &module);
  INFO(log);
  REQUIRE(result == ZE_RESULT_SUCCESS);
  const ze_sampler_desc_t sampler{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr,
                                  ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR,
                                  false};
  ze_image_bindless_exp_desc_t bindless{ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC, nullptr,
                                        ZE_IMAGE_BINDLESS_EXP_FLAG_BINDLESS |
                                            ZE_IMAGE_BINDLESS_EXP_FLAG_SAMPLED_IMAGE};
  const ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_32,
                                        ZE_IMAGE_FORMAT_TYPE_FLOAT, {2, 1}, rgba, &bindless);
  ImageHandle sampled;
  CHECK(zeImageCreate(context, device, &desc, sampled.out()) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // sampled, and how?
  bindless.pNext = &sampler;
  REQUIRE_ZE(zeImageCreate(context, device, &desc, sampled.out()));
  bindless.pNext = nullptr;
  bindless.flags = ZE_IMAGE_BINDLESS_EXP_FLAG_BINDLESS;
  const ImageHandle plain = image(desc);
  const float first[] = {1, 2}, second[] = {5, 6};
  upload(sampled, first);
  upload(plain, second);

  uint64_t a = 0, b = 0;
  REQUIRE_ZE(zeImageGetDeviceOffsetExp(sampled, &a));
  REQUIRE_ZE(zeImageGetDeviceOffsetExp(plain, &b));
  CHECK(zeImageGetDeviceOffsetExp(plain, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  const uint64_t literal = 0x14; // CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST
  Float4 *out = shared<Float4>(3);
  const Kernel kernel = this->kernel(module, "through_handles");
  void *values[] = {&a, &b, const_cast<uint64_t *>(&literal), &out};
  REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(list, kernel, {1, 1, 1}, {1, 1, 1},
                                                          values, nullptr, nullptr, 0, nullptr));
  CHECK(out[0][0] == 1.75f); // filtered, between the texels' centres
  CHECK(out[1][0] == 6);
  CHECK(out[2][0] == 6); // the nearest
}
