/// Initialisation, and the devices of the machine.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

/// Starts HIP. Every other function starts HIP as well, so that no program has to call this one.
/// `flags` is 0.
/// Errors: hipErrorInvalidValue (`flags` is not 0), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipInit(unsigned int flags);

/// Stores the version of HIP that the driver implements, encoded as HIP_VERSION is. The version of
/// libCHIP's driver is that of the library.
/// Errors: hipErrorInvalidValue (`version` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipDriverGetVersion(int *version);

/// Stores the version of HIP that this library implements, encoded as HIP_VERSION is.
/// Errors: hipErrorInvalidValue (`version` is null).
/// Stream: @none. Capture: @allowed.
hipError_t hipRuntimeGetVersion(int *version);

// The current device and the choice of one

/// Stores the number of devices. Without a device, `*count` is 0 and the call fails.
/// Errors: hipErrorInvalidValue (`count` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDeviceCount(int *count);

/// Makes a device the current device of the calling host thread. Other threads keep theirs.
/// Errors: hipErrorInvalidDevice (`device` is not from 0 to the number of devices less 1), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipSetDevice(int device);

/// Stores the number of the current device of the calling host thread, which is 0 until the thread
/// calls hipSetDevice.
/// Errors: hipErrorInvalidValue (`device` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDevice(int *device);

/// Sets the devices that a host thread without a current device may get, in the order of
/// preference. `devices` holds `length` device numbers. No device is ever refused to a thread, so
/// that threads which have none yet get the first of these; with a length of 0, device 0.
/// Errors: hipErrorInvalidValue (`devices` is null, or `length` is negative or greater than the
/// number of devices), hipErrorInvalidDevice (an element of `devices` is not the number of a
/// device), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipSetValidDevices(int *devices, int length);

/// Stores the number of the device that meets most of the requested properties. Memory size counts
/// most, then the number of multiprocessors, then the compute capability; of equal devices the
/// first is chosen.
/// Errors: hipErrorInvalidValue (`device` or `properties` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *properties);

/// Stores the handle of device number `ordinal`. In HIP the handle is the number itself.
/// Errors: hipErrorInvalidValue (`device` is null), hipErrorInvalidDevice (`ordinal` is not the
/// number of a device), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);

/// Stores the number of the device at a PCI address. The address is a text of hexadecimal numbers,
/// `domain:bus:device.function` or `domain:bus:device`, such as "0000:03:00.0".
/// Errors: hipErrorInvalidValue (`device` or `pci_address` is null, or the text is not a PCI
/// address), hipErrorInvalidDevice (no device has this address), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetByPCIBusId(int *device, const char *pci_address);

// Properties

/// Stores all properties of a device. To read a single property hipDeviceGetAttribute is cheaper.
/// Errors: hipErrorInvalidValue (`properties` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);

/// Stores one property of a device as an integer, in the unit that hipDeviceProp_t gives it.
/// Errors: hipErrorInvalidValue (`value` is null, or `attribute` is not known), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);

/// Stores the compute capability of a device, which states what its kernels can use.
/// Errors: hipErrorInvalidValue (`major` or `minor` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);

/// Stores the name of a device as a text with a final null byte. `length` is the size of `name` in
/// bytes; a longer name is cut off.
/// Errors: hipErrorInvalidValue (`name` is null, or `length` is not positive), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device);

/// Stores 16 bytes that identify a device. No other device has the same.
/// Errors: hipErrorInvalidValue (`uuid` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);

/// Stores the PCI address of a device as a text such as "0000:03:00.0". `length` is the size of
/// `pci_address` in bytes, of which the text takes 13 with its final null byte; with less room, as
/// much as there is room for is stored, and the function fails.
/// Errors: hipErrorInvalidValue (`pci_address` is null, or `length` is less than 13),
/// @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetPCIBusId(char *pci_address, int length, int device);

/// Stores the size of the memory of a device in bytes.
/// Errors: hipErrorInvalidValue (`bytes` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device);

HIP_API_END

#if !HIP_API_IS_7
HIP_API_BEGIN

/// Keeps the signature of HIP 6.4, which has no place for a result. Use hipDeviceGetAttribute with
/// hipDeviceAttributeMaxTexture1DLinear, which counts elements. The headers of HIP 7 have a function
/// of this name that does: hipDeviceGetTexture1DLinearMaxWidth(size_t *max_width, const
/// hipChannelFormatDesc *description, int device).
/// Errors: hipErrorInvalidValue (`pool` is null), @device-number, hipErrorNotSupported (otherwise).
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t *pool, int device);

HIP_API_END
#endif

HIP_API_BEGIN

/// Stores a property of the connection between two devices: 1 or 0 for what is possible or not, or
/// a rank of performance, where 0 is the best.
/// Errors: hipErrorInvalidValue (`value` is null, or `attribute` is not known),
/// hipErrorInvalidDevice (`src_device` or `dst_device` is not the number of a device, or both are
/// the same), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int src_device,
                                    int dst_device);

/// Stores the kind of link between two devices, and how many links a transfer passes. The kinds are
/// numbers of AMD's HSA runtime; Level Zero names none, so that each link is 2, PCI Express. A
/// transfer passes one link to a device whose memory can be reached directly, and else two.
/// Errors: hipErrorInvalidValue (`link_type` or `hop_count` is null, a device is negative, or both
/// are the same), hipErrorInvalidDevice (`first` or `second` is not the number of a device),
/// @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipExtGetLinkTypeAndHopCount(int first, int second, uint32_t *link_type,
                                        uint32_t *hop_count);

// Synchronisation, limits and pools

/// Waits until all work of all streams of the current device is done.
/// Errors: @work.
/// Stream: The host waits for all streams of the current device. Capture: @wide.
hipError_t hipDeviceSynchronize(void);

/// Waits for the work of the current device, destroys its streams, events, arrays and textures,
/// frees its memory, and restores its flags and hints. Handles and pointers of the device are not valid
/// afterwards. Kernels and their variables stay.
/// Errors: @work.
/// Stream: The host waits for all streams of the current device. Capture: @wide.
hipError_t hipDeviceReset(void);

/// Sets how host threads wait for the current device: at most one of hipDeviceScheduleAuto,
/// hipDeviceScheduleSpin, hipDeviceScheduleYield and hipDeviceScheduleBlockingSync, combined with
/// hipDeviceMapHost and hipDeviceLmemResizeToMax, which mean nothing. The way to wait is stored and
/// does not change how libCHIP waits.
/// Errors: hipErrorInvalidValue (`flags` has unknown bits or more than one way to wait), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipSetDeviceFlags(unsigned int flags);

/// Stores the flags of the current device that hipSetDeviceFlags, hipCtxCreate or their like set.
/// Errors: hipErrorInvalidValue (`flags` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDeviceFlags(unsigned int *flags);

/// Sets a limit of the current device. `value` is in bytes; a value below the least possible is
/// raised to it. hipLimitMallocHeapSize has to be set before a kernel that uses malloc is loaded.
/// Errors: hipErrorUnsupportedLimit (`limit` is not known), hipErrorInvalidValue (`value` is more
/// than the device can have, or the heap is in use), @work.
/// Stream: No work is queued. If kernels that print are loaded, a new hipLimitPrintfFifoSize makes
/// the host wait for the device. Capture: @allowed.
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);

/// Stores a limit of the current device in bytes.
/// Errors: hipErrorInvalidValue (`value` is null), hipErrorUnsupportedLimit (`limit` is not known),
/// @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetLimit(size_t *value, enum hipLimit_t limit);

/// Sets how the current device should divide memory on the chip between cache and shared memory.
/// This is a hint, which libCHIP checks and remembers, and does not use.
/// Errors: hipErrorInvalidValue (`config` is not a hipFuncCache_t), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);

/// Stores the hint that hipDeviceSetCacheConfig gave for the current device; hipFuncCachePreferNone
/// without one.
/// Errors: hipErrorInvalidValue (`config` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config);

/// Sets the width of the banks of shared memory on the current device. This is a hint, which libCHIP
/// checks and does not use.
/// Errors: hipErrorInvalidValue (`config` is not a hipSharedMemConfig), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);

/// Stores the width of the banks of shared memory on the current device, which is
/// hipSharedMemBankSizeFourByte for all devices.
/// Errors: hipErrorInvalidValue (`config` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config);

/// Stores the memory pool that a device has from the start. It cannot be destroyed.
/// Errors: hipErrorInvalidValue (`pool` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device);

/// Sets the pool from which hipMallocAsync allocates memory of a device from now on.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool or was imported, or `device` is not the
/// number of a device), hipErrorInvalidDevice (`pool` is a pool of another device), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);

/// Stores the pool from which hipMallocAsync allocates memory of a device. It is the default pool
/// until hipDeviceSetMemPool replaces it.
/// Errors: hipErrorInvalidValue (`pool` is null, or `device` is not the number of a device), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device);

/// Stores the priorities that streams of the current device can have. A smaller number is a greater
/// priority, so that `*greatest` is the smaller one. Each pointer may be null.
/// Errors: @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest);

HIP_API_END
