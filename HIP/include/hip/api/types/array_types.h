/// Arrays: memory in the layout that textures are read from.
#pragma once

#include <hip/api/types/integers.h>

/// A device address as the driver functions take it.
typedef void *hipDeviceptr_t;

typedef struct hipArray *hipArray_t;
typedef const struct hipArray *hipArray_const_t;

typedef enum hipChannelFormatKind {
  hipChannelFormatKindSigned = 0,
  hipChannelFormatKindUnsigned = 1,
  hipChannelFormatKindFloat = 2,
  hipChannelFormatKindNone = 3
} hipChannelFormatKind;

/// An element of an array: the number of bits of each of its four channels, where 0 stands for a
/// channel that is absent, and what they encode.
typedef struct hipChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  enum hipChannelFormatKind f;
} hipChannelFormatDesc;

/// The encoding of one channel, for the driver functions.
typedef enum hipArray_Format {
  HIP_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  HIP_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  HIP_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  HIP_AD_FORMAT_SIGNED_INT8 = 0x08,
  HIP_AD_FORMAT_SIGNED_INT16 = 0x09,
  HIP_AD_FORMAT_SIGNED_INT32 = 0x0a,
  HIP_AD_FORMAT_HALF = 0x10,
  HIP_AD_FORMAT_FLOAT = 0x20
} hipArray_Format;

/// Sizes are in elements.
typedef struct HIP_ARRAY_DESCRIPTOR {
  size_t Width;
  size_t Height; ///< 0 for one dimension.
  enum hipArray_Format Format;
  unsigned int NumChannels; ///< 1, 2 or 4.
} HIP_ARRAY_DESCRIPTOR;

/// Sizes are in elements.
typedef struct HIP_ARRAY3D_DESCRIPTOR {
  size_t Width;
  size_t Height; ///< 0 for one dimension.
  size_t Depth;  ///< 0 for one or two dimensions; layers or faces if the flags say so.
  enum hipArray_Format Format;
  unsigned int NumChannels; ///< 1, 2 or 4.
  unsigned int Flags;       ///< hipArray* below.
} HIP_ARRAY3D_DESCRIPTOR;

#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

/// An array with levels, each of half the size of the one before. Sizes are in elements.
typedef struct hipMipmappedArray {
  void *data;
  struct hipChannelFormatDesc desc;
  unsigned int type;
  unsigned int width;
  unsigned int height;
  unsigned int depth;
  unsigned int min_mipmap_level;
  unsigned int max_mipmap_level;
  unsigned int flags;
  enum hipArray_Format format;
  unsigned int num_channels;
} hipMipmappedArray;

typedef struct hipMipmappedArray *hipMipmappedArray_t;
typedef hipMipmappedArray_t hipmipmappedArray;
typedef const struct hipMipmappedArray *hipMipmappedArray_const_t;
