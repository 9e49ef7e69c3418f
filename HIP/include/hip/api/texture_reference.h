/// Texture references, which HIP deprecates in favour of texture objects.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// Stores the address of a texture reference of the program, given by its variable.
/// Errors: hipErrorInvalidValue (`reference` is null), hipErrorInvalidSymbol (`symbol` is not a
/// texture reference of the program).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureReference(const textureReference **reference, const void *symbol);

/// Binds a texture reference to linear memory of `size` bytes; a size past the end of the
/// allocation is cut off. `description` has the number of bits of each channel of an element.
/// `*offset`, unless `offset` is null, receives the number of bytes that reads must add, which is 0
/// in libCHIP.
/// Errors: hipErrorInvalidValue (`reference`, `address` or `description` is null, `reference` is
/// not a texture reference, an element cannot be of this kind, or the address is not aligned to its
/// size), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture(size_t *offset, const textureReference *reference, const void *address,
                          const hipChannelFormatDesc *description, size_t size __dparm(UINT_MAX));

/// Binds a texture reference to pitched memory. `width` and `height` are in elements, `pitch` is
/// the distance from row to row in bytes. `description` has the number of bits of each channel of
/// an element. `*offset`, unless `offset` is null, receives the number of bytes that reads must
/// add, which is 0 in libCHIP.
/// Errors: hipErrorInvalidValue (`reference`, `address` or `description` is null, `reference` is
/// not a texture reference, an element cannot be of this kind, or a size, the pitch or the
/// alignment of the address is not possible), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture2D(size_t *offset, const textureReference *reference, const void *address,
                            const hipChannelFormatDesc *description, size_t width, size_t height,
                            size_t pitch);

/// Binds a texture reference to an array. `description` has the number of bits of each channel of
/// an element.
/// Errors: hipErrorInvalidValue (`reference` or `description` is null, `reference` is not a texture
/// reference, `array` is not a live array, or its elements have another number of channels),
/// @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToArray(const textureReference *reference, hipArray_const_t array,
                                 const hipChannelFormatDesc *description);

/// Binds a texture reference to a mipmapped array. `description` has the number of bits of each
/// channel of an element.
/// Errors: hipErrorInvalidValue (`reference` or `description` is null, `reference` is not a texture
/// reference, an element cannot be of this kind, or `array` is not a live mipmapped array),
/// @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToMipmappedArray(const textureReference *reference,
                                          hipMipmappedArray_const_t array,
                                          const hipChannelFormatDesc *description);

/// Removes the memory to which a texture reference is bound. A reference that is not bound is not
/// an error.
/// Errors: hipErrorInvalidValue (`reference` is null or not a texture reference), @work.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipUnbindTexture(const textureReference *reference);

/// Stores the offset of the last hipBindTexture in bytes, which is 0 in libCHIP.
/// Errors: hipErrorInvalidValue (`offset` or `reference` is null, or `reference` is not bound).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureAlignmentOffset(size_t *offset, const textureReference *reference);

// Driver interface: set

/// Binds a texture reference to linear memory of `bytes` bytes, with elements of the format that
/// the reference has. `*offset`, unless `offset` is null, receives the number of bytes that reads
/// must add, which is 0 in libCHIP.
/// Errors: hipErrorInvalidValue (`reference` or `address` is null, `reference` is not a texture
/// reference or has no format, or the address is not aligned to an element), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress(size_t *offset, textureReference *reference, hipDeviceptr_t address,
                               size_t bytes);

/// Binds a texture reference to pitched memory. `description` has the width and the height in
/// elements and the format; `pitch` is the distance from row to row in bytes.
/// Errors: hipErrorInvalidValue (`reference`, `description` or `address` is null, `reference` is
/// not a texture reference, or the format, a size, the pitch or the alignment of the address is not
/// possible), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress2D(textureReference *reference,
                                 const HIP_ARRAY_DESCRIPTOR *description, hipDeviceptr_t address,
                                 size_t pitch);

/// Binds a texture reference to an array and takes over its format. `flags` is
/// HIP_TRSA_OVERRIDE_FORMAT.
/// Errors: hipErrorInvalidValue (`reference` is null or not a texture reference, `array` is not a
/// live array, or `flags` is another value), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetArray(textureReference *reference, hipArray_const_t array,
                             unsigned int flags);

/// Binds a texture reference to a mipmapped array and takes over its format. `flags` is
/// HIP_TRSA_OVERRIDE_FORMAT.
/// Errors: hipErrorInvalidValue (`reference` is null or not a texture reference, `array` is not a
/// live mipmapped array, or `flags` is another value), @memory.
/// Stream: @null. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmappedArray(textureReference *reference, struct hipMipmappedArray *array,
                                      unsigned int flags);

/// Sets the type of a channel and the number of channels, 1, 2 or 4, of the elements that a texture
/// reference reads.
/// Errors: hipErrorInvalidValue (`reference` is null, `format` is unknown, or `channels` is not 1,
/// 2 or 4), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFormat(textureReference *reference, hipArray_Format format, int channels);

/// Sets how a texture reference reads. `flags` combines HIP_TRSF_READ_AS_INTEGER,
/// HIP_TRSF_NORMALIZED_COORDINATES and HIP_TRSF_SRGB.
/// Errors: hipErrorInvalidValue (`reference` is null, or `flags` has unknown bits), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFlags(textureReference *reference, unsigned int flags);

/// Sets what a texture reference reads at coordinates outside of the texture, for one dimension
/// from 0 to 2.
/// Errors: hipErrorInvalidValue (`reference` is null, `dimension` is not from 0 to 2, or `mode` is
/// unknown), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddressMode(textureReference *reference, int dimension,
                                   enum hipTextureAddressMode mode);

/// Sets how a texture reference reads between elements: the nearest one, or a linear mixture.
/// Errors: hipErrorInvalidValue (`reference` is null, or the bound memory cannot be read in this
/// mode), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFilterMode(textureReference *reference, enum hipTextureFilterMode mode);

/// Sets the four values that a texture reference reads outside of the texture with
/// hipAddressModeBorder.
/// Errors: hipErrorInvalidValue (`reference` or `color` is null), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetBorderColor(textureReference *reference, float *color);

/// Sets the greatest ratio of an anisotropic read. libCHIP stores it and reads without anisotropy.
/// Errors: hipErrorInvalidValue (`reference` is null), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMaxAnisotropy(textureReference *reference, unsigned int anisotropy);

/// Sets how a texture reference reads between two levels: the nearest one, or a linear mixture.
/// Errors: hipErrorInvalidValue (`reference` is null, or the reference is bound and `mode` is
/// unknown), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapFilterMode(textureReference *reference,
                                        enum hipTextureFilterMode mode);

/// Sets the number that a texture reference adds to each level that is read.
/// Errors: hipErrorInvalidValue (`reference` is null), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelBias(textureReference *reference, float bias);

/// Sets the least and the greatest level that a texture reference reads.
/// Errors: hipErrorInvalidValue (`reference` is null), @memory.
/// Stream: @rebinds. Capture: @unsafe.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelClamp(textureReference *reference, float least, float greatest);

// Driver interface: get

/// Stores the address of the linear or pitched memory to which a texture reference is bound.
/// Errors: hipErrorInvalidValue (`address` or `reference` is null, or the reference is not bound to
/// memory).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddress(hipDeviceptr_t *address, const textureReference *reference);

/// Stores the array to which a texture reference is bound.
/// Errors: hipErrorInvalidValue (`array` or `reference` is null, or the reference is not bound to
/// an array).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetArray(hipArray_t *array, const textureReference *reference);

/// Stores the mipmapped array to which a texture reference is bound.
/// Errors: hipErrorInvalidValue (`array` or `reference` is null, or the reference is not bound to a
/// mipmapped array).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t *array,
                                      const textureReference *reference);

/// Stores the type of a channel and the number of channels of the elements that a texture reference
/// reads.
/// Errors: hipErrorInvalidValue (an argument is null, or the reference has no format).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFormat(hipArray_Format *format, int *channels,
                              const textureReference *reference);

/// Stores the HIP_TRSF_* flags of a texture reference.
/// Errors: hipErrorInvalidValue (`flags` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFlags(unsigned int *flags, const textureReference *reference);

/// Stores what a texture reference reads at coordinates outside of the texture, for one dimension
/// from 0 to 2.
/// Errors: hipErrorInvalidValue (`mode` or `reference` is null, or `dimension` is not from 0 to 2).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddressMode(enum hipTextureAddressMode *mode,
                                   const textureReference *reference, int dimension);

/// Stores how a texture reference reads between elements.
/// Errors: hipErrorInvalidValue (`mode` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFilterMode(enum hipTextureFilterMode *mode,
                                  const textureReference *reference);

/// Stores the four values that a texture reference reads outside of the texture. `color` has room
/// for 4 elements.
/// Errors: hipErrorInvalidValue (`color` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetBorderColor(float *color, const textureReference *reference);

/// Stores the greatest ratio of an anisotropic read of a texture reference.
/// Errors: hipErrorInvalidValue (`anisotropy` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMaxAnisotropy(int *anisotropy, const textureReference *reference);

/// Stores how a texture reference reads between two levels.
/// Errors: hipErrorInvalidValue (`mode` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapFilterMode(enum hipTextureFilterMode *mode,
                                        const textureReference *reference);

/// Stores the number that a texture reference adds to each level that is read.
/// Errors: hipErrorInvalidValue (`bias` or `reference` is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelBias(float *bias, const textureReference *reference);

/// Stores the least and the greatest level that a texture reference reads.
/// Errors: hipErrorInvalidValue (an argument is null).
/// Stream: @none. Capture: @allowed.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelClamp(float *least, float *greatest,
                                        const textureReference *reference);

HIP_API_END
