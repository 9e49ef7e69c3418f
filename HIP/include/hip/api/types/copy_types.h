/// Descriptions of copies of more than one dimension.
#pragma once

#include <hip/api/types/array_types.h>

/// Where memory lives.
typedef enum hipMemoryType {
  hipMemoryTypeUnregistered = 0, ///< Host memory that HIP does not know.
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3,
  hipMemoryTypeArray = 10,
  hipMemoryTypeUnified = 11
} hipMemoryType;

typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4, ///< The addresses tell which.
  hipMemcpyDeviceToDeviceNoCU = 1024
} hipMemcpyKind;

/// Memory in rows.
typedef struct hipPitchedPtr {
  void *ptr;
  size_t pitch; ///< The distance from row to row in bytes.
  size_t xsize; ///< The bytes of a row that are used.
  size_t ysize; ///< The number of rows of a slice.
} hipPitchedPtr;

/// A size. The width is in elements where an array takes part in a copy, and in bytes otherwise.
typedef struct hipExtent {
  size_t width;
  size_t height; ///< Rows.
  size_t depth;  ///< Slices.
} hipExtent;

/// A position. x is in elements for an array, and in bytes otherwise.
typedef struct hipPos {
  size_t x;
  size_t y; ///< Rows.
  size_t z; ///< Slices.
} hipPos;

/// A copy for hipMemcpy3D: each side is either an array or a pitched pointer.
typedef struct hipMemcpy3DParms {
  hipArray_t srcArray;
  struct hipPos srcPos;
  struct hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  struct hipPos dstPos;
  struct hipPitchedPtr dstPtr;
  struct hipExtent extent;
  enum hipMemcpyKind kind;
} hipMemcpy3DParms;

/// A copy for hipMemcpyParam2D; the memory types say which of the three addresses of a side counts.
typedef struct hip_Memcpy2D {
  size_t srcXInBytes;
  size_t srcY;
  hipMemoryType srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch; ///< Bytes from row to row.
  size_t dstXInBytes;
  size_t dstY;
  hipMemoryType dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} hip_Memcpy2D;

/// A copy for hipDrvMemcpy3D; the memory types say which of the three addresses of a side counts.
typedef struct HIP_MEMCPY3D {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  hipMemoryType srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;  ///< Bytes from row to row.
  size_t srcHeight; ///< Rows from slice to slice.
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  hipMemoryType dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} HIP_MEMCPY3D;

static inline struct hipPitchedPtr make_hipPitchedPtr(void *address, size_t pitch, size_t row_bytes,
                                                      size_t rows) {
  struct hipPitchedPtr result;
  result.ptr = address;
  result.pitch = pitch;
  result.xsize = row_bytes;
  result.ysize = rows;
  return result;
}

static inline struct hipPos make_hipPos(size_t x, size_t y, size_t z) {
  struct hipPos result;
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

static inline struct hipExtent make_hipExtent(size_t width, size_t height, size_t depth) {
  struct hipExtent result;
  result.width = width;
  result.height = height;
  result.depth = depth;
  return result;
}
