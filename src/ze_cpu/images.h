// Images and samplers as generated code reads them.
#pragma once

#include "../ze_driver/backend.h"

namespace ze_cpu {

class Images final : public ze_driver::ImageBackend {
public:
  size_t texel_bytes(const ze_image_format_t &format) const override;
  std::unique_ptr<ze_driver::ImageObject> make(const ze_driver::ImageLayout &layout) override;
  uint64_t sampler(const ze_sampler_desc_t &description) const override;
};

} // namespace ze_cpu
