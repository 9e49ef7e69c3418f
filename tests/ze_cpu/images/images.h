// What the tests of images share.
#pragma once

#include "../support.h"

#include <array>
#include <cstring>

using ImageHandle = Owner<ze_image_handle_t, zeImageDestroy>;
using SamplerHandle = Owner<ze_sampler_handle_t, zeSamplerDestroy>;

using Float4 = std::array<float, 4>;
using Int4 = std::array<int32_t, 4>;

inline constexpr std::array rgba = {ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G,
                                    ZE_IMAGE_FORMAT_SWIZZLE_B, ZE_IMAGE_FORMAT_SWIZZLE_A};

struct Size {
  uint64_t width = 1;
  uint32_t height = 1, depth = 1, layers = 1;
};

inline ze_image_desc_t describe(ze_image_type_t type, ze_image_format_layout_t layout,
                                ze_image_format_type_t channels, Size size,
                                std::array<ze_image_format_swizzle_t, 4> swizzle = rgba,
                                const void *next = nullptr) {
  return {ZE_STRUCTURE_TYPE_IMAGE_DESC,
          next,
          ZE_IMAGE_FLAG_KERNEL_WRITE,
          type,
          {layout, channels, swizzle[0], swizzle[1], swizzle[2], swizzle[3]},
          size.width,
          size.height,
          size.depth,
          size.layers,
          0};
}

class Images : public Driver {
public:
  const List list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);

  ImageHandle image(const ze_image_desc_t &desc) {
    ImageHandle made;
    REQUIRE_ZE(zeImageCreate(context, device, &desc, made.out()));
    return made;
  }

  SamplerHandle sampler(ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter,
                        bool normalized) {
    const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, mode, filter, normalized};
    SamplerHandle made;
    REQUIRE_ZE(zeSamplerCreate(context, device, &desc, made.out()));
    return made;
  }

  /// Runs kernel `name` of images.cl on one group of `items` work-items and waits for it.
  template <class... Arguments>
  void run(const std::string &name, uint32_t items, const Arguments &...arguments) {
    const Kernel launched = kernel(module_, name.c_str());
    void *values[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    REQUIRE_ZE(zeCommandListAppendLaunchKernelWithArguments(
        list, launched, {1, 1, 1}, {items, 1, 1}, values, nullptr, nullptr, 0, nullptr));
  }

  /// The whole image from and to memory without gaps.
  void upload(ze_image_handle_t to, const void *from) {
    REQUIRE_ZE(
        zeCommandListAppendImageCopyFromMemory(list, to, from, nullptr, nullptr, 0, nullptr));
  }
  void download(void *to, ze_image_handle_t from) {
    REQUIRE_ZE(zeCommandListAppendImageCopyToMemory(list, to, from, nullptr, nullptr, 0, nullptr));
  }

  template <class T> T *copied(const std::vector<T> &values) {
    T *memory = shared<T>(values.size());
    std::memcpy(memory, values.data(), values.size() * sizeof(T));
    return memory;
  }

  const Module &module() const { return module_; }

private:
  Module module_ = [this] {
    Module built;
    std::string log;
    const ze_result_t result =
        build(*this, ZE_MODULE_FORMAT_IL_SPIRV, read_file(ZE_CPU_IMAGE_SPIRV), log, &built);
    INFO(log);
    REQUIRE(result == ZE_RESULT_SUCCESS);
    return built;
  }();
};
