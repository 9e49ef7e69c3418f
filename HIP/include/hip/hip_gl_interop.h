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
/// elements; `*count` receives their number. In libCHIP no device shares anything with an OpenGL
/// context.
/// Errors: hipErrorNotSupported (`list` is hipGLDeviceListNextFrame), hipErrorInvalidValue (`count` or
/// `devices` is null, `capacity` is 0, `list` is unknown, or the thread has no OpenGL context that
/// HIP can use, which is always so), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGLGetDevices(unsigned int *count, int *devices, unsigned int capacity,
                           hipGLDeviceList list);

/// Registers an OpenGL buffer as a resource that HIP can map. `flags` combines
/// hipGraphicsRegisterFlags values. In libCHIP no device shares anything with an OpenGL context.
/// Errors: hipErrorInvalidValue (`resource` is null, or `flags` is unknown),
/// hipErrorInvalidGraphicsContext (the thread has no OpenGL context that HIP can use, which is always
/// so), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint buffer,
                                       unsigned int flags);

/// Registers an OpenGL texture or renderbuffer as a resource that HIP can map. `target` is its
/// OpenGL target; `flags` combines hipGraphicsRegisterFlags values. In libCHIP no device shares
/// anything with an OpenGL context.
/// Errors: hipErrorInvalidValue (`resource` is null, or `flags` is unknown),
/// hipErrorInvalidGraphicsContext (the thread has no OpenGL context that HIP can use, which is always
/// so), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint image, GLenum target,
                                      unsigned int flags);

HIP_API_END

#endif
