// Declares the driver's implementation of each Level Zero function that it has: the same name, in
// our namespace, with the type that the public header gives it. What is not here is a null entry in
// the tables; the loader then answers ZE_RESULT_ERROR_UNSUPPORTED_FEATURE.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>
#include <level_zero/zet_api.h>

namespace ze_cpu {

#define ZE_CPU_ENTRY_POINT(name) decltype(::name) name

// driver.cpp
ZE_CPU_ENTRY_POINT(zeInit);
ZE_CPU_ENTRY_POINT(zeInitDrivers);
ZE_CPU_ENTRY_POINT(zeDriverGet);
ZE_CPU_ENTRY_POINT(zeDriverGetApiVersion);
ZE_CPU_ENTRY_POINT(zeDriverGetProperties);
ZE_CPU_ENTRY_POINT(zeDriverGetIpcProperties);
ZE_CPU_ENTRY_POINT(zeDriverGetExtensionProperties);
ZE_CPU_ENTRY_POINT(zeDriverGetExtensionFunctionAddress);
ZE_CPU_ENTRY_POINT(zeDriverGetLastErrorDescription);
ZE_CPU_ENTRY_POINT(zeDriverGetDefaultContext);
ZE_CPU_ENTRY_POINT(zerGetLastErrorDescription);
ZE_CPU_ENTRY_POINT(zerTranslateDeviceHandleToIdentifier);
ZE_CPU_ENTRY_POINT(zerTranslateIdentifierToDeviceHandle);
ZE_CPU_ENTRY_POINT(zerGetDefaultContext);

// sysman.cpp
ZE_CPU_ENTRY_POINT(zesInit);
ZE_CPU_ENTRY_POINT(zesDriverGet);
ZE_CPU_ENTRY_POINT(zesDeviceGet);

// device.cpp
ZE_CPU_ENTRY_POINT(zeDeviceGet);
ZE_CPU_ENTRY_POINT(zeDeviceGetRootDevice);
ZE_CPU_ENTRY_POINT(zeDeviceGetSubDevices);
ZE_CPU_ENTRY_POINT(zeDeviceGetProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetComputeProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetModuleProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetCommandQueueGroupProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetMemoryProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetMemoryAccessProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetCacheProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetImageProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetExternalMemoryProperties);
ZE_CPU_ENTRY_POINT(zeDeviceGetP2PProperties);
ZE_CPU_ENTRY_POINT(zeDeviceCanAccessPeer);
ZE_CPU_ENTRY_POINT(zeDeviceGetStatus);
ZE_CPU_ENTRY_POINT(zeDeviceGetGlobalTimestamps);
ZE_CPU_ENTRY_POINT(zeDeviceSynchronize);
ZE_CPU_ENTRY_POINT(zeDeviceGetCounterBasedEventMaxValue);

// context.cpp
ZE_CPU_ENTRY_POINT(zeContextCreate);
ZE_CPU_ENTRY_POINT(zeContextCreateEx);
ZE_CPU_ENTRY_POINT(zeContextDestroy);
ZE_CPU_ENTRY_POINT(zeContextGetStatus);
ZE_CPU_ENTRY_POINT(zeContextSystemBarrier);
ZE_CPU_ENTRY_POINT(zeContextMakeMemoryResident);
ZE_CPU_ENTRY_POINT(zeContextEvictMemory);

// memory.cpp
ZE_CPU_ENTRY_POINT(zeMemAllocShared);
ZE_CPU_ENTRY_POINT(zeMemAllocDevice);
ZE_CPU_ENTRY_POINT(zeMemAllocHost);
ZE_CPU_ENTRY_POINT(zeMemFree);
ZE_CPU_ENTRY_POINT(zeMemFreeExt);
ZE_CPU_ENTRY_POINT(zeMemGetAllocProperties);
ZE_CPU_ENTRY_POINT(zeMemGetAddressRange);
ZE_CPU_ENTRY_POINT(zeMemSetAtomicAccessAttributeExp);
ZE_CPU_ENTRY_POINT(zeMemGetAtomicAccessAttributeExp);

// image.cpp
ZE_CPU_ENTRY_POINT(zeImageGetProperties);
ZE_CPU_ENTRY_POINT(zeImageCreate);
ZE_CPU_ENTRY_POINT(zeImageViewCreateExt);
ZE_CPU_ENTRY_POINT(zeImageViewCreateExp);
ZE_CPU_ENTRY_POINT(zeImageDestroy);
ZE_CPU_ENTRY_POINT(zeImageGetAllocPropertiesExt);
ZE_CPU_ENTRY_POINT(zeImageGetMemoryPropertiesExp);
ZE_CPU_ENTRY_POINT(zeImageGetDeviceOffsetExp);
ZE_CPU_ENTRY_POINT(zeMemGetPitchFor2dImage);
ZE_CPU_ENTRY_POINT(zeContextMakeImageResident);
ZE_CPU_ENTRY_POINT(zeContextEvictImage);
ZE_CPU_ENTRY_POINT(zeSamplerCreate);
ZE_CPU_ENTRY_POINT(zeSamplerDestroy);

// ipc.cpp
ZE_CPU_ENTRY_POINT(zeMemGetIpcHandle);
ZE_CPU_ENTRY_POINT(zeMemGetIpcHandleWithProperties);
ZE_CPU_ENTRY_POINT(zeMemPutIpcHandle);
ZE_CPU_ENTRY_POINT(zeMemOpenIpcHandle);
ZE_CPU_ENTRY_POINT(zeMemCloseIpcHandle);
ZE_CPU_ENTRY_POINT(zeMemGetIpcHandleFromFileDescriptorExp);
ZE_CPU_ENTRY_POINT(zeMemGetFileDescriptorFromIpcHandleExp);

// virtual_memory.cpp
ZE_CPU_ENTRY_POINT(zeVirtualMemReserve);
ZE_CPU_ENTRY_POINT(zeVirtualMemFree);
ZE_CPU_ENTRY_POINT(zeVirtualMemQueryPageSize);
ZE_CPU_ENTRY_POINT(zeVirtualMemMap);
ZE_CPU_ENTRY_POINT(zeVirtualMemUnmap);
ZE_CPU_ENTRY_POINT(zeVirtualMemSetAccessAttribute);
ZE_CPU_ENTRY_POINT(zeVirtualMemGetAccessAttribute);
ZE_CPU_ENTRY_POINT(zePhysicalMemCreate);
ZE_CPU_ENTRY_POINT(zePhysicalMemDestroy);
ZE_CPU_ENTRY_POINT(zePhysicalMemGetProperties);

// module.cpp
ZE_CPU_ENTRY_POINT(zeModuleCreate);
ZE_CPU_ENTRY_POINT(zeModuleDestroy);
ZE_CPU_ENTRY_POINT(zeModuleDynamicLink);
ZE_CPU_ENTRY_POINT(zeModuleGetNativeBinary);
ZE_CPU_ENTRY_POINT(zeModuleGetGlobalPointer);
ZE_CPU_ENTRY_POINT(zeModuleGetKernelNames);
ZE_CPU_ENTRY_POINT(zeModuleGetProperties);
ZE_CPU_ENTRY_POINT(zeModuleGetFunctionPointer);
ZE_CPU_ENTRY_POINT(zeModuleBuildLogDestroy);
ZE_CPU_ENTRY_POINT(zeModuleBuildLogGetString);

// kernel.cpp
ZE_CPU_ENTRY_POINT(zeKernelCreate);
ZE_CPU_ENTRY_POINT(zeKernelDestroy);
ZE_CPU_ENTRY_POINT(zeKernelSetCacheConfig);
ZE_CPU_ENTRY_POINT(zeKernelSetGroupSize);
ZE_CPU_ENTRY_POINT(zeKernelSuggestGroupSize);
ZE_CPU_ENTRY_POINT(zeKernelSuggestMaxCooperativeGroupCount);
ZE_CPU_ENTRY_POINT(zeKernelSetArgumentValue);
ZE_CPU_ENTRY_POINT(zeKernelSetIndirectAccess);
ZE_CPU_ENTRY_POINT(zeKernelGetIndirectAccess);
ZE_CPU_ENTRY_POINT(zeKernelGetSourceAttributes);
ZE_CPU_ENTRY_POINT(zeKernelGetProperties);
ZE_CPU_ENTRY_POINT(zeKernelGetName);
ZE_CPU_ENTRY_POINT(zeKernelSetGlobalOffsetExp);
ZE_CPU_ENTRY_POINT(zeKernelSchedulingHintExp);

// event.cpp
ZE_CPU_ENTRY_POINT(zeEventPoolCreate);
ZE_CPU_ENTRY_POINT(zeEventPoolDestroy);
ZE_CPU_ENTRY_POINT(zeEventPoolGetContextHandle);
ZE_CPU_ENTRY_POINT(zeEventPoolGetFlags);
ZE_CPU_ENTRY_POINT(zeEventCreate);
ZE_CPU_ENTRY_POINT(zeEventCounterBasedCreate);
ZE_CPU_ENTRY_POINT(zeEventDestroy);
ZE_CPU_ENTRY_POINT(zeEventHostSignal);
ZE_CPU_ENTRY_POINT(zeEventHostSynchronize);
ZE_CPU_ENTRY_POINT(zeEventQueryStatus);
ZE_CPU_ENTRY_POINT(zeEventHostReset);
ZE_CPU_ENTRY_POINT(zeEventQueryKernelTimestamp);
ZE_CPU_ENTRY_POINT(zeEventQueryKernelTimestampsExt);
ZE_CPU_ENTRY_POINT(zeEventQueryTimestampsExp);
ZE_CPU_ENTRY_POINT(zeEventGetEventPool);
ZE_CPU_ENTRY_POINT(zeEventGetSignalScope);
ZE_CPU_ENTRY_POINT(zeEventGetWaitScope);
ZE_CPU_ENTRY_POINT(zeEventGetCounterBasedFlags);
ZE_CPU_ENTRY_POINT(zeEventCounterBasedGetDeviceAddress);

// command_queue.cpp
ZE_CPU_ENTRY_POINT(zeCommandQueueCreate);
ZE_CPU_ENTRY_POINT(zeCommandQueueDestroy);
ZE_CPU_ENTRY_POINT(zeCommandQueueExecuteCommandLists);
ZE_CPU_ENTRY_POINT(zeCommandQueueSynchronize);
ZE_CPU_ENTRY_POINT(zeCommandQueueGetOrdinal);
ZE_CPU_ENTRY_POINT(zeCommandQueueGetIndex);
ZE_CPU_ENTRY_POINT(zeCommandQueueGetFlags);
ZE_CPU_ENTRY_POINT(zeCommandQueueGetMode);
ZE_CPU_ENTRY_POINT(zeCommandQueueGetPriority);
ZE_CPU_ENTRY_POINT(zeFenceCreate);
ZE_CPU_ENTRY_POINT(zeFenceDestroy);
ZE_CPU_ENTRY_POINT(zeFenceHostSynchronize);
ZE_CPU_ENTRY_POINT(zeFenceQueryStatus);
ZE_CPU_ENTRY_POINT(zeFenceReset);

// command_list.cpp
ZE_CPU_ENTRY_POINT(zeCommandListCreate);
ZE_CPU_ENTRY_POINT(zeCommandListCreateImmediate);
ZE_CPU_ENTRY_POINT(zeCommandListDestroy);
ZE_CPU_ENTRY_POINT(zeCommandListClose);
ZE_CPU_ENTRY_POINT(zeCommandListReset);
ZE_CPU_ENTRY_POINT(zeCommandListHostSynchronize);
ZE_CPU_ENTRY_POINT(zeCommandListGetDeviceHandle);
ZE_CPU_ENTRY_POINT(zeCommandListGetContextHandle);
ZE_CPU_ENTRY_POINT(zeCommandListGetOrdinal);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateGetIndex);
ZE_CPU_ENTRY_POINT(zeCommandListIsImmediate);
ZE_CPU_ENTRY_POINT(zeCommandListGetFlags);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateGetFlags);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateGetMode);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateGetPriority);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateAppendCommandListsExp);
ZE_CPU_ENTRY_POINT(zeCommandListImmediateAppendCommandListsWithParameters);

// append.cpp
ZE_CPU_ENTRY_POINT(zeCommandListAppendWriteGlobalTimestamp);
ZE_CPU_ENTRY_POINT(zeCommandListAppendBarrier);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryRangesBarrier);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryCopy);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryCopyWithParameters);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryFill);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryFillWithParameters);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryCopyRegion);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryCopyFromContext);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemoryPrefetch);
ZE_CPU_ENTRY_POINT(zeCommandListAppendMemAdvise);
ZE_CPU_ENTRY_POINT(zeCommandListAppendSignalEvent);
ZE_CPU_ENTRY_POINT(zeCommandListAppendWaitOnEvents);
ZE_CPU_ENTRY_POINT(zeCommandListAppendEventReset);
ZE_CPU_ENTRY_POINT(zeCommandListAppendQueryKernelTimestamps);
ZE_CPU_ENTRY_POINT(zeCommandListAppendHostFunction);

// append_image.cpp
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopy);
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopyRegion);
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopyToMemory);
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopyFromMemory);
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopyToMemoryExt);
ZE_CPU_ENTRY_POINT(zeCommandListAppendImageCopyFromMemoryExt);

// append_launch.cpp
ZE_CPU_ENTRY_POINT(zeCommandListAppendLaunchKernel);
ZE_CPU_ENTRY_POINT(zeCommandListAppendLaunchKernelWithParameters);
ZE_CPU_ENTRY_POINT(zeCommandListAppendLaunchKernelWithArguments);
ZE_CPU_ENTRY_POINT(zeCommandListAppendLaunchCooperativeKernel);
ZE_CPU_ENTRY_POINT(zeCommandListAppendLaunchKernelIndirect);

#undef ZE_CPU_ENTRY_POINT

} // namespace ze_cpu
