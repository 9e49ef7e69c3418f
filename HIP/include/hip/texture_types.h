/// Texture objects, texture references and how they are read.
#ifndef HIP_INCLUDE_HIP_TEXTURE_TYPES_H
#define HIP_INCLUDE_HIP_TEXTURE_TYPES_H

#include <hip/channel_descriptor.h>
#include <hip/driver_types.h>
#if !defined(__HIPCC_RTC__)
#include <limits.h>
#endif

#define hipTextureType1D 0x01
#define hipTextureType2D 0x02
#define hipTextureType3D 0x03
#define hipTextureTypeCubemap 0x0C
#define hipTextureType1DLayered 0xF1
#define hipTextureType2DLayered 0xF2
#define hipTextureTypeCubemapLayered 0xFC

// The size of a texture object in 32-bit words: image, then sampler.
#define HIP_IMAGE_OBJECT_SIZE_DWORD 12
#define HIP_SAMPLER_OBJECT_SIZE_DWORD 8
#define HIP_SAMPLER_OBJECT_OFFSET_DWORD HIP_IMAGE_OBJECT_SIZE_DWORD
#define HIP_TEXTURE_OBJECT_SIZE_DWORD (HIP_IMAGE_OBJECT_SIZE_DWORD + HIP_SAMPLER_OBJECT_SIZE_DWORD)

struct __hip_texture;
typedef struct __hip_texture *hipTextureObject_t;

/// What a coordinate outside the texture reads.
enum hipTextureAddressMode {
  hipAddressModeWrap = 0,
  hipAddressModeClamp = 1,
  hipAddressModeMirror = 2,
  hipAddressModeBorder = 3
};

enum hipTextureFilterMode { hipFilterModePoint = 0, hipFilterModeLinear = 1 };

/// Integers are read as they are, or as a fraction of their largest value.
enum hipTextureReadMode { hipReadModeElementType = 0, hipReadModeNormalizedFloat = 1 };

typedef struct textureReference {
  int normalized; ///< Coordinates run from 0 to 1.
  enum hipTextureReadMode readMode;
  enum hipTextureFilterMode filterMode;
  enum hipTextureAddressMode addressMode[3]; ///< Per dimension.
  struct hipChannelFormatDesc channelDesc;
  int sRGB; ///< A read converts to linear values.
  unsigned int maxAnisotropy;
  enum hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  hipTextureObject_t textureObject; ///< What the reference is bound to.
  int numChannels;
  enum hipArray_Format format;
} textureReference;

/// How a texture object reads its resource.
typedef struct hipTextureDesc {
  enum hipTextureAddressMode addressMode[3]; ///< Per dimension.
  enum hipTextureFilterMode filterMode;
  enum hipTextureReadMode readMode;
  int sRGB; ///< A read converts to linear values.
  float borderColor[4];
  int normalizedCoords; ///< Coordinates run from 0 to 1.
  unsigned int maxAnisotropy;
  enum hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
} hipTextureDesc;

#ifdef __cplusplus

#if __HIP_CLANG_ONLY__
#define __HIP_TEXTURE_ATTRIB __attribute__((device_builtin_texture_type))
#else
#define __HIP_TEXTURE_ATTRIB
#endif

typedef textureReference *hipTexRef;

/// A texture reference: a variable at namespace scope that kernels read through.
template <class T, int texType = hipTextureType1D,
          enum hipTextureReadMode mode = hipReadModeElementType>
struct __HIP_TEXTURE_ATTRIB texture : public textureReference {
  texture(int norm = 0, enum hipTextureFilterMode filter = hipFilterModePoint,
          enum hipTextureAddressMode address = hipAddressModeClamp)
      : texture(norm, filter, address, hipCreateChannelDesc<T>()) {}

  texture(int norm, enum hipTextureFilterMode filter, enum hipTextureAddressMode address,
          struct hipChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    readMode = mode;
    filterMode = filter;
    for (int dimension = 0; dimension < 3; ++dimension)
      addressMode[dimension] = address;
    channelDesc = desc;
  }
};

#endif

#endif
