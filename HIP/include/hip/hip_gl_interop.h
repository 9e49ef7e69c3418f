/// Use of buffers and images of OpenGL.
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

/// Stores the devices that the current OpenGL context uses. `devices` has room for `capacity`
/// elements; `*count` receives their number.
/// Errors: hipErrorInvalidValue (`count` or `devices` is null, `capacity` is 0, `list` is unknown,
/// or the thread has no OpenGL context that HIP can use), hipErrorNotSupported (`list` is
/// hipGLDeviceListNextFrame), hipErrorNoDevice (no device uses the context), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGLGetDevices(unsigned int *count, int *devices, unsigned int capacity,
                           hipGLDeviceList list);

/// Registers an OpenGL buffer as a resource that HIP can map. `flags` is a hipGraphicsRegisterFlags
/// value.
/// Errors: hipErrorInvalidValue (`resource` is null, `buffer` is not a buffer, or `flags` is
/// unknown), hipErrorInvalidGraphicsContext (the thread has no OpenGL context), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer,
                                       unsigned int flags);

/// Registers an OpenGL texture or renderbuffer as a resource that HIP can map. `target` is its
/// OpenGL target; `flags` is a hipGraphicsRegisterFlags value.
/// Errors: hipErrorInvalidValue (`resource` is null, `image` is not an image of this target, or
/// `flags` is unknown), hipErrorInvalidGraphicsContext (the thread has no OpenGL context),
/// hipErrorNotSupported (HIP cannot use images of this format), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target,
                                      unsigned int flags);

HIP_API_END

#endif
