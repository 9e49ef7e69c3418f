/// Buffers and images of OpenGL.
#ifndef HIP_GL_INTEROP_H
#define HIP_GL_INTEROP_H

#include <hip/hip_runtime_api.h>

typedef unsigned int GLuint;
typedef unsigned int GLenum;

/// The devices of the current OpenGL context: all, or those of this or the next frame.
typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame = 2,
  hipGLDeviceListNextFrame = 3
} hipGLDeviceList;

HIP_API_BEGIN

/// The devices behind the current OpenGL context; `devices` takes at most `capacity` of them.
hipError_t hipGLGetDevices(unsigned int *count, int *devices, unsigned int capacity,
                           hipGLDeviceList list);

/// Makes an OpenGL buffer a resource, with hipGraphicsRegisterFlags*.
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer,
                                       unsigned int flags);

/// Makes an OpenGL texture or render buffer a resource, with hipGraphicsRegisterFlags*.
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target,
                                      unsigned int flags);

HIP_API_END

#endif
