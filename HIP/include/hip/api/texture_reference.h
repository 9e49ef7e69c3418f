/// Texture references, which HIP deprecates: texture objects do the same.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// The reference behind a variable of the program.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureReference(const textureReference **reference, const void *symbol);

/// Binds linear memory, of `size` bytes, to a reference; `*offset` is what reads must add, in
/// bytes.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture(size_t *offset, const textureReference *reference, const void *address,
                          const hipChannelFormatDesc *description, size_t size __dparm(UINT_MAX));

/// Binds pitched memory; width and height are elements, the pitch bytes.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture2D(size_t *offset, const textureReference *reference, const void *address,
                            const hipChannelFormatDesc *description, size_t width, size_t height,
                            size_t pitch);

/// Binds an array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToArray(const textureReference *reference, hipArray_const_t array,
                                 const hipChannelFormatDesc *description);

/// Binds an array with mipmaps.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToMipmappedArray(const textureReference *reference,
                                          hipMipmappedArray_const_t array,
                                          const hipChannelFormatDesc *description);

/// Takes the memory away from a reference.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipUnbindTexture(const textureReference *reference);

/// The offset of the last hipBindTexture, in bytes.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureAlignmentOffset(size_t *offset, const textureReference *reference);

// For driver code: set

/// Binds linear memory of `size` bytes; `*offset` is what reads must add, in bytes.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress(size_t *offset, textureReference *reference, hipDeviceptr_t address,
                               size_t bytes);

/// Binds pitched memory; the pitch is bytes.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress2D(textureReference *reference,
                                 const HIP_ARRAY_DESCRIPTOR *description, hipDeviceptr_t address,
                                 size_t pitch);

/// Binds an array; `flags` is HIP_TRSA_OVERRIDE_FORMAT.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetArray(textureReference *reference, hipArray_const_t array,
                             unsigned int flags);

/// Binds an array with mipmaps; `flags` is HIP_TRSA_OVERRIDE_FORMAT.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmappedArray(textureReference *reference, struct hipMipmappedArray *array,
                                      unsigned int flags);

/// The element: encoding and number of channels.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFormat(textureReference *reference, hipArray_Format format, int channels);

/// HIP_TRSF_* flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFlags(textureReference *reference, unsigned int flags);

/// What a coordinate outside reads, per dimension.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddressMode(textureReference *reference, int dimension,
                                   enum hipTextureAddressMode mode);

/// How values between elements come about.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFilterMode(textureReference *reference, enum hipTextureFilterMode mode);

/// Four values for reads outside.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetBorderColor(textureReference *reference, float *color);

/// The greatest ratio of an anisotropic read.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMaxAnisotropy(textureReference *reference, unsigned int anisotropy);

/// How values between levels come about.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapFilterMode(textureReference *reference,
                                        enum hipTextureFilterMode mode);

/// What is added to every level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelBias(textureReference *reference, float bias);

/// The least and the greatest level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelClamp(textureReference *reference, float least, float greatest);

// For driver code: get

/// The linear memory that is bound.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddress(hipDeviceptr_t *address, const textureReference *reference);

/// The array that is bound.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetArray(hipArray_t *array, const textureReference *reference);

/// The array with mipmaps that is bound.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t *array,
                                      const textureReference *reference);

/// The element: encoding and number of channels.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFormat(hipArray_Format *format, int *channels,
                              const textureReference *reference);

/// HIP_TRSF_* flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFlags(unsigned int *flags, const textureReference *reference);

/// What a coordinate outside reads, per dimension.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddressMode(enum hipTextureAddressMode *mode,
                                   const textureReference *reference, int dimension);

/// How values between elements come about.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFilterMode(enum hipTextureFilterMode *mode,
                                  const textureReference *reference);

/// Four values for reads outside.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetBorderColor(float *color, const textureReference *reference);

/// The greatest ratio of an anisotropic read.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMaxAnisotropy(int *anisotropy, const textureReference *reference);

/// How values between levels come about.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapFilterMode(enum hipTextureFilterMode *mode,
                                        const textureReference *reference);

/// What is added to every level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelBias(float *bias, const textureReference *reference);

/// The least and the greatest level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelClamp(float *least, float *greatest,
                                        const textureReference *reference);

HIP_API_END
