// Textures of arrays for the tests, and what a read of them must give, written from the formulas of the CUDA programming
// guide (appendix "Texture Fetching"), which HIP follows.
#pragma once

#include "../device_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace texture_test {

using namespace device_test;

inline hipTextureDesc description(hipTextureFilterMode filter, bool normalized,
                                  hipTextureAddressMode mode = hipAddressModeClamp,
                                  hipTextureReadMode read = hipReadModeElementType) {
  hipTextureDesc d{};
  for (auto &m : d.addressMode)
    m = mode;
  d.filterMode = filter;
  d.normalizedCoords = normalized;
  d.readMode = read;
  return d;
}

/// An array, filled, and a texture object of it.
class Texture {
public:
  template <class T>
  Texture(const std::vector<T> &elements, hipExtent extent, const hipTextureDesc &d,
          unsigned flags = hipArrayDefault,
          hipChannelFormatDesc element = hipCreateChannelDesc<T>()) {
    CALL(hipMalloc3DArray(&array_, &element, extent, flags));
    fill(array_, elements.data(), extent);
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array_;
    CALL(hipCreateTextureObject(&object, &resource, &d, nullptr));
  }
  ~Texture() {
    CALL(hipDestroyTextureObject(object));
    CALL(hipFreeArray(array_));
  }
  Texture(const Texture &) = delete;

  template <class T> static void fill(hipArray_t array, const T *elements, hipExtent extent) {
    hipMemcpy3DParms copy{};
    const size_t height = extent.height ? extent.height : 1,
                 depth = extent.depth ? extent.depth : 1;
    copy.srcPtr = make_hipPitchedPtr(const_cast<T *>(elements), extent.width * sizeof(T),
                                     extent.width, height);
    copy.dstArray = array;
    copy.extent = {extent.width, height, depth};
    copy.kind = hipMemcpyHostToDevice;
    CALL(hipMemcpy3D(&copy));
  }

  hipTextureObject_t object = nullptr;
  hipArray_t array() const { return array_; }

private:
  hipArray_t array_ = nullptr;
};

/// The index that an address mode makes of any index; -1: the border.
inline int address(hipTextureAddressMode mode, int i, int size) {
  const int period = ((i % (2 * size)) + 2 * size) % (2 * size);
  switch (mode) {
  case hipAddressModeWrap:
    return period % size;
  case hipAddressModeMirror:
    return period < size ? period : 2 * size - 1 - period;
  case hipAddressModeBorder:
    return i < 0 || i >= size ? -1 : i;
  default:
    return i < 0 ? 0 : i >= size ? size - 1 : i;
  }
}

/// What a texture of three dimensions holds in one channel; sizes are at least 1.
struct Expected {
  std::vector<double> values;
  int width, height, depth;
  int dimensions;
  hipTextureDesc d;

  double at(int i, int j, int k, int channel) const {
    i = address(d.addressMode[0], i, width);
    j = dimensions > 1 ? address(d.addressMode[1], j, height) : 0;
    k = dimensions > 2 ? address(d.addressMode[2], k, depth) : 0;
    return i < 0 || j < 0 || k < 0 ? d.borderColor[channel]
                                   : values[size_t((k * height + j) * width + i)];
  }

  double read(std::array<double, 3> x, int channel = 0) const {
    const int sizes[] = {width, height, depth};
    if (d.normalizedCoords)
      for (int n = 0; n < 3; ++n)
        x[n] *= sizes[n];
    if (d.filterMode == hipFilterModePoint)
      return at(int(std::floor(x[0])), int(std::floor(x[1])), int(std::floor(x[2])), channel);
    int first[3];
    double weight[3];
    for (int n = 0; n < 3; ++n) {
      first[n] = int(std::floor(x[n] - 0.5));
      weight[n] = x[n] - 0.5 - first[n];
    }
    double sum = 0;
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      double share = 1;
      int i[3];
      for (int n = 0; n < 3; ++n) {
        const int next = corner >> n & 1;
        i[n] = first[n] + next;
        if (n < dimensions)
          share *= next ? weight[n] : 1 - weight[n];
      }
      sum += share * at(i[0], i[1], i[2], channel);
    }
    return sum;
  }
};

inline bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

} // namespace texture_test
