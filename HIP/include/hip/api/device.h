/// Start-up, and the devices of this machine.
#pragma once

#include <hip/api/device_types.h>
#include <hip/api/error_types.h>
#include <hip/api/launch_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

/// Starts HIP. `flags` is 0. Every other function starts HIP too, so that no program has to call
/// this.
hipError_t hipInit(unsigned int flags);

/// The version of HIP that the driver speaks, as HIP_VERSION writes it.
hipError_t hipDriverGetVersion(int *version);

/// The version of HIP that this library speaks, as HIP_VERSION writes it.
hipError_t hipRuntimeGetVersion(int *version);

// Which device

/// How many devices there are: with none, 0 and hipErrorNoDevice.
hipError_t hipGetDeviceCount(int *count);

/// Makes a device current for the calling host thread; hipErrorInvalidDevice if there is no such
/// one.
hipError_t hipSetDevice(int device);

/// The current device of the calling host thread.
hipError_t hipGetDevice(int *device);

/// Names the devices, in order of preference, that a thread without a current device may get.
hipError_t hipSetValidDevices(int *devices, int length);

/// The device that is most like `properties`.
hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *properties);

/// The handle of device number `ordinal`.
hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);

/// The device at a PCI address such as "0000:03:00.0".
hipError_t hipDeviceGetByPCIBusId(int *device, const char *pci_address);

// What it is

/// All properties of a device at once. For a single one hipDeviceGetAttribute is cheaper.
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);

/// One property of a device.
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);

/// The version of what the device's kernels can do.
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);

/// The device's name, in at most `length` bytes with the final 0.
hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device);

/// 16 bytes that no other device has.
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);

/// The device's PCI address as text, in at most `length` bytes with the final 0.
hipError_t hipDeviceGetPCIBusId(char *pci_address, int length, int device);

/// The bytes of memory that the device has.
hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device);

/// Keeps the signature that HIP 6.4 gave it, in which nothing can be answered.
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t *pool, int device);

/// What two devices can do with each other's memory.
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int src_device,
                                    int dst_device);

/// The kind of link between two devices, and how many links lie on the way.
hipError_t hipExtGetLinkTypeAndHopCount(int first, int second, uint32_t *link_type,
                                        uint32_t *hop_count);

// How it behaves

/// Waits until all work of the current device is done, and reports an error of that work.
hipError_t hipDeviceSynchronize(void);

/// Frees everything that the process holds on the current device.
hipError_t hipDeviceReset(void);

/// How host threads wait for the current device: hipDeviceSchedule*, hipDeviceMapHost.
hipError_t hipSetDeviceFlags(unsigned int flags);

/// The flags of hipSetDeviceFlags.
hipError_t hipGetDeviceFlags(unsigned int *flags);

/// Sets a limit in bytes; hipErrorUnsupportedLimit where the device has no such limit.
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);

/// A limit, in bytes.
hipError_t hipDeviceGetLimit(size_t *value, enum hipLimit_t limit);

/// A hint how to divide memory on chip; devices without the choice ignore it.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);

/// The hint of hipDeviceSetCacheConfig.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config);

/// A hint for the banks of shared memory; devices without the choice ignore it.
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);

/// The hint of hipDeviceSetSharedMemConfig.
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config);

/// The pool that a device starts with.
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device);

/// The pool from which hipMallocAsync takes memory of this device from now on.
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);

/// The pool from which hipMallocAsync takes memory of this device.
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device);

/// The least and the greatest priority of a stream; the greater, the smaller the number.
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest);

HIP_API_END
