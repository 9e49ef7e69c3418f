/// Texture references as C++ variables, bound by name. HIP deprecates them.
#pragma once

#include <hip/api/array.h>
#include <hip/api/texture_reference.h>

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex,
                                        const void *address, size_t size = UINT_MAX) {
  return hipBindTexture(offset, &tex, address, &tex.channelDesc, size);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex, const void *address,
                   const struct hipChannelFormatDesc &description, size_t size = UINT_MAX) {
  return hipBindTexture(offset, &tex, address, &description, size);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex, const void *address,
                     size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, &tex, address, &tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex, const void *address,
                     const struct hipChannelFormatDesc &description, size_t width, size_t height,
                     size_t pitch) {
  return hipBindTexture2D(offset, &tex, address, &description, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTextureToArray(const struct texture<T, dim, mode> &tex, hipArray_const_t array,
                          const struct hipChannelFormatDesc &description) {
  return hipBindTextureToArray(&tex, array, &description);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTextureToArray(const struct texture<T, dim, mode> &tex, hipArray_const_t array) {
  struct hipChannelFormatDesc description;
  const hipError_t error = hipGetChannelDesc(&description, array);
  return error == hipSuccess ? hipBindTextureToArray(&tex, array, &description) : error;
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTextureToMipmappedArray(const struct texture<T, dim, mode> &tex,
                                   hipMipmappedArray_const_t array,
                                   const struct hipChannelFormatDesc &description) {
  return hipBindTextureToMipmappedArray(&tex, array, &description);
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTextureToMipmappedArray(const struct texture<T, dim, mode> &tex,
                                                        hipMipmappedArray_const_t array) {
  hipArray_t level = nullptr;
  hipError_t error = hipGetMipmappedArrayLevel(&level, array, 0);
  if (error != hipSuccess)
    return error;
  struct hipChannelFormatDesc description;
  error = hipGetChannelDesc(&description, level);
  return error == hipSuccess ? hipBindTextureToMipmappedArray(&tex, array, &description) : error;
}

template <class T, int dim, enum hipTextureReadMode mode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipUnbindTexture(const struct texture<T, dim, mode> &tex) {
  return hipUnbindTexture(&tex);
}
