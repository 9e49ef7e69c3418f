// The driver's interface to the loader: the tables of function pointers, and the exported functions
// that hand them out.
#include "../api/entry_points.h"
#include "../api/handle.h"
#include "table_list.h"

#include <level_zero/ze_ddi.h>
#include <level_zero/ze_ddi_common.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

namespace ze_driver {
namespace {

constinit ze_dditable_t core_tables = {
    .Global = {.pfnInit = zeInit, .pfnInitDrivers = zeInitDrivers},
    .Driver = {.pfnGet = zeDriverGet,
               .pfnGetApiVersion = zeDriverGetApiVersion,
               .pfnGetProperties = zeDriverGetProperties,
               .pfnGetIpcProperties = zeDriverGetIpcProperties,
               .pfnGetExtensionProperties = zeDriverGetExtensionProperties,
               .pfnGetExtensionFunctionAddress = zeDriverGetExtensionFunctionAddress,
               .pfnGetLastErrorDescription = zeDriverGetLastErrorDescription,
               .pfnGetDefaultContext = zeDriverGetDefaultContext},
    .Device = {.pfnGet = zeDeviceGet,
               .pfnGetSubDevices = zeDeviceGetSubDevices,
               .pfnGetProperties = zeDeviceGetProperties,
               .pfnGetComputeProperties = zeDeviceGetComputeProperties,
               .pfnGetModuleProperties = zeDeviceGetModuleProperties,
               .pfnGetCommandQueueGroupProperties = zeDeviceGetCommandQueueGroupProperties,
               .pfnGetMemoryProperties = zeDeviceGetMemoryProperties,
               .pfnGetMemoryAccessProperties = zeDeviceGetMemoryAccessProperties,
               .pfnGetCacheProperties = zeDeviceGetCacheProperties,
               .pfnGetImageProperties = zeDeviceGetImageProperties,
               .pfnGetExternalMemoryProperties = zeDeviceGetExternalMemoryProperties,
               .pfnGetP2PProperties = zeDeviceGetP2PProperties,
               .pfnCanAccessPeer = zeDeviceCanAccessPeer,
               .pfnGetStatus = zeDeviceGetStatus,
               .pfnGetGlobalTimestamps = zeDeviceGetGlobalTimestamps,
               .pfnGetRootDevice = zeDeviceGetRootDevice,
               .pfnGetVectorWidthPropertiesExt = zeDeviceGetVectorWidthPropertiesExt,
               .pfnSynchronize = zeDeviceSynchronize,
               .pfnGetCounterBasedEventMaxValue = zeDeviceGetCounterBasedEventMaxValue},
    .Context = {.pfnCreate = zeContextCreate,
                .pfnDestroy = zeContextDestroy,
                .pfnGetStatus = zeContextGetStatus,
                .pfnSystemBarrier = zeContextSystemBarrier,
                .pfnMakeMemoryResident = zeContextMakeMemoryResident,
                .pfnEvictMemory = zeContextEvictMemory,
                .pfnMakeImageResident = zeContextMakeImageResident,
                .pfnEvictImage = zeContextEvictImage,
                .pfnCreateEx = zeContextCreateEx},
    .CommandQueue = {.pfnCreate = zeCommandQueueCreate,
                     .pfnDestroy = zeCommandQueueDestroy,
                     .pfnExecuteCommandLists = zeCommandQueueExecuteCommandLists,
                     .pfnSynchronize = zeCommandQueueSynchronize,
                     .pfnGetOrdinal = zeCommandQueueGetOrdinal,
                     .pfnGetIndex = zeCommandQueueGetIndex,
                     .pfnGetFlags = zeCommandQueueGetFlags,
                     .pfnGetMode = zeCommandQueueGetMode,
                     .pfnGetPriority = zeCommandQueueGetPriority},
    .CommandList =
        {.pfnCreate = zeCommandListCreate,
         .pfnCreateImmediate = zeCommandListCreateImmediate,
         .pfnDestroy = zeCommandListDestroy,
         .pfnClose = zeCommandListClose,
         .pfnReset = zeCommandListReset,
         .pfnAppendWriteGlobalTimestamp = zeCommandListAppendWriteGlobalTimestamp,
         .pfnAppendBarrier = zeCommandListAppendBarrier,
         .pfnAppendMemoryRangesBarrier = zeCommandListAppendMemoryRangesBarrier,
         .pfnAppendMemoryCopy = zeCommandListAppendMemoryCopy,
         .pfnAppendMemoryFill = zeCommandListAppendMemoryFill,
         .pfnAppendMemoryCopyRegion = zeCommandListAppendMemoryCopyRegion,
         .pfnAppendMemoryCopyFromContext = zeCommandListAppendMemoryCopyFromContext,
         .pfnAppendImageCopy = zeCommandListAppendImageCopy,
         .pfnAppendImageCopyRegion = zeCommandListAppendImageCopyRegion,
         .pfnAppendImageCopyToMemory = zeCommandListAppendImageCopyToMemory,
         .pfnAppendImageCopyFromMemory = zeCommandListAppendImageCopyFromMemory,
         .pfnAppendMemoryPrefetch = zeCommandListAppendMemoryPrefetch,
         .pfnAppendMemAdvise = zeCommandListAppendMemAdvise,
         .pfnAppendSignalEvent = zeCommandListAppendSignalEvent,
         .pfnAppendWaitOnEvents = zeCommandListAppendWaitOnEvents,
         .pfnAppendEventReset = zeCommandListAppendEventReset,
         .pfnAppendQueryKernelTimestamps = zeCommandListAppendQueryKernelTimestamps,
         .pfnAppendLaunchKernel = zeCommandListAppendLaunchKernel,
         .pfnAppendLaunchCooperativeKernel = zeCommandListAppendLaunchCooperativeKernel,
         .pfnAppendLaunchKernelIndirect = zeCommandListAppendLaunchKernelIndirect,
         .pfnAppendLaunchMultipleKernelsIndirect = zeCommandListAppendLaunchMultipleKernelsIndirect,
         .pfnAppendImageCopyToMemoryExt = zeCommandListAppendImageCopyToMemoryExt,
         .pfnAppendImageCopyFromMemoryExt = zeCommandListAppendImageCopyFromMemoryExt,
         .pfnHostSynchronize = zeCommandListHostSynchronize,
         .pfnGetDeviceHandle = zeCommandListGetDeviceHandle,
         .pfnGetContextHandle = zeCommandListGetContextHandle,
         .pfnGetOrdinal = zeCommandListGetOrdinal,
         .pfnImmediateGetIndex = zeCommandListImmediateGetIndex,
         .pfnIsImmediate = zeCommandListIsImmediate,
         .pfnAppendLaunchKernelWithParameters = zeCommandListAppendLaunchKernelWithParameters,
         .pfnAppendLaunchKernelWithArguments = zeCommandListAppendLaunchKernelWithArguments,
         .pfnAppendMemoryCopyWithParameters = zeCommandListAppendMemoryCopyWithParameters,
         .pfnAppendMemoryFillWithParameters = zeCommandListAppendMemoryFillWithParameters,
         .pfnImmediateAppendCommandListsWithParameters =
             zeCommandListImmediateAppendCommandListsWithParameters,
         .pfnGetFlags = zeCommandListGetFlags,
         .pfnImmediateGetFlags = zeCommandListImmediateGetFlags,
         .pfnImmediateGetMode = zeCommandListImmediateGetMode,
         .pfnImmediateGetPriority = zeCommandListImmediateGetPriority,
         .pfnBeginGraphCaptureExt = zeCommandListBeginGraphCaptureExt,
         .pfnBeginCaptureIntoGraphExt = zeCommandListBeginCaptureIntoGraphExt,
         .pfnIsGraphCaptureEnabledExt = zeCommandListIsGraphCaptureEnabledExt,
         .pfnEndGraphCaptureExt = zeCommandListEndGraphCaptureExt,
         .pfnGetGraphExt = zeCommandListGetGraphExt,
         .pfnAppendGraphExt = zeCommandListAppendGraphExt,
         .pfnAppendHostFunction = zeCommandListAppendHostFunction},
    .CommandListExp =
        {.pfnCreateCloneExp = zeCommandListCreateCloneExp,
         .pfnImmediateAppendCommandListsExp = zeCommandListImmediateAppendCommandListsExp,
         .pfnGetNextCommandIdExp = zeCommandListGetNextCommandIdExp,
         .pfnUpdateMutableCommandsExp = zeCommandListUpdateMutableCommandsExp,
         .pfnUpdateMutableCommandSignalEventExp = zeCommandListUpdateMutableCommandSignalEventExp,
         .pfnUpdateMutableCommandWaitEventsExp = zeCommandListUpdateMutableCommandWaitEventsExp,
         .pfnGetNextCommandIdWithKernelsExp = zeCommandListGetNextCommandIdWithKernelsExp,
         .pfnUpdateMutableCommandKernelsExp = zeCommandListUpdateMutableCommandKernelsExp,
         .pfnIsMutableExp = zeCommandListIsMutableExp},
    .Image = {.pfnGetProperties = zeImageGetProperties,
              .pfnCreate = zeImageCreate,
              .pfnDestroy = zeImageDestroy,
              .pfnGetAllocPropertiesExt = zeImageGetAllocPropertiesExt,
              .pfnViewCreateExt = zeImageViewCreateExt},
    .ImageExp = {.pfnGetMemoryPropertiesExp = zeImageGetMemoryPropertiesExp,
                 .pfnViewCreateExp = zeImageViewCreateExp,
                 .pfnGetDeviceOffsetExp = zeImageGetDeviceOffsetExp},
    .Mem = {.pfnAllocShared = zeMemAllocShared,
            .pfnAllocDevice = zeMemAllocDevice,
            .pfnAllocHost = zeMemAllocHost,
            .pfnFree = zeMemFree,
            .pfnGetAllocProperties = zeMemGetAllocProperties,
            .pfnGetAddressRange = zeMemGetAddressRange,
            .pfnGetIpcHandle = zeMemGetIpcHandle,
            .pfnOpenIpcHandle = zeMemOpenIpcHandle,
            .pfnCloseIpcHandle = zeMemCloseIpcHandle,
            .pfnFreeExt = zeMemFreeExt,
            .pfnPutIpcHandle = zeMemPutIpcHandle,
            .pfnGetPitchFor2dImage = zeMemGetPitchFor2dImage,
            .pfnGetIpcHandleWithProperties = zeMemGetIpcHandleWithProperties},
    .MemExp = {.pfnGetIpcHandleFromFileDescriptorExp = zeMemGetIpcHandleFromFileDescriptorExp,
               .pfnGetFileDescriptorFromIpcHandleExp = zeMemGetFileDescriptorFromIpcHandleExp,
               .pfnSetAtomicAccessAttributeExp = zeMemSetAtomicAccessAttributeExp,
               .pfnGetAtomicAccessAttributeExp = zeMemGetAtomicAccessAttributeExp},
    .Fence = {.pfnCreate = zeFenceCreate,
              .pfnDestroy = zeFenceDestroy,
              .pfnHostSynchronize = zeFenceHostSynchronize,
              .pfnQueryStatus = zeFenceQueryStatus,
              .pfnReset = zeFenceReset},
    .EventPool = {.pfnCreate = zeEventPoolCreate,
                  .pfnDestroy = zeEventPoolDestroy,
                  .pfnGetIpcHandle = zeEventPoolGetIpcHandle,
                  .pfnOpenIpcHandle = zeEventPoolOpenIpcHandle,
                  .pfnCloseIpcHandle = zeEventPoolCloseIpcHandle,
                  .pfnPutIpcHandle = zeEventPoolPutIpcHandle,
                  .pfnGetContextHandle = zeEventPoolGetContextHandle,
                  .pfnGetFlags = zeEventPoolGetFlags},
    .Event = {.pfnCreate = zeEventCreate,
              .pfnDestroy = zeEventDestroy,
              .pfnHostSignal = zeEventHostSignal,
              .pfnHostSynchronize = zeEventHostSynchronize,
              .pfnQueryStatus = zeEventQueryStatus,
              .pfnHostReset = zeEventHostReset,
              .pfnQueryKernelTimestamp = zeEventQueryKernelTimestamp,
              .pfnQueryKernelTimestampsExt = zeEventQueryKernelTimestampsExt,
              .pfnGetEventPool = zeEventGetEventPool,
              .pfnGetSignalScope = zeEventGetSignalScope,
              .pfnGetWaitScope = zeEventGetWaitScope,
              .pfnCounterBasedCreate = zeEventCounterBasedCreate,
              .pfnCounterBasedGetIpcHandle = zeEventCounterBasedGetIpcHandle,
              .pfnCounterBasedOpenIpcHandle = zeEventCounterBasedOpenIpcHandle,
              .pfnCounterBasedCloseIpcHandle = zeEventCounterBasedCloseIpcHandle,
              .pfnCounterBasedGetDeviceAddress = zeEventCounterBasedGetDeviceAddress,
              .pfnGetCounterBasedFlags = zeEventGetCounterBasedFlags},
    .EventExp = {.pfnQueryTimestampsExp = zeEventQueryTimestampsExp},
    .Module = {.pfnCreate = zeModuleCreate,
               .pfnDestroy = zeModuleDestroy,
               .pfnDynamicLink = zeModuleDynamicLink,
               .pfnGetNativeBinary = zeModuleGetNativeBinary,
               .pfnGetGlobalPointer = zeModuleGetGlobalPointer,
               .pfnGetKernelNames = zeModuleGetKernelNames,
               .pfnGetProperties = zeModuleGetProperties,
               .pfnGetFunctionPointer = zeModuleGetFunctionPointer,
               .pfnInspectLinkageExt = zeModuleInspectLinkageExt},
    .ModuleBuildLog = {.pfnDestroy = zeModuleBuildLogDestroy,
                       .pfnGetString = zeModuleBuildLogGetString},
    .Kernel = {.pfnCreate = zeKernelCreate,
               .pfnDestroy = zeKernelDestroy,
               .pfnSetCacheConfig = zeKernelSetCacheConfig,
               .pfnSetGroupSize = zeKernelSetGroupSize,
               .pfnSuggestGroupSize = zeKernelSuggestGroupSize,
               .pfnSuggestMaxCooperativeGroupCount = zeKernelSuggestMaxCooperativeGroupCount,
               .pfnSetArgumentValue = zeKernelSetArgumentValue,
               .pfnSetIndirectAccess = zeKernelSetIndirectAccess,
               .pfnGetIndirectAccess = zeKernelGetIndirectAccess,
               .pfnGetSourceAttributes = zeKernelGetSourceAttributes,
               .pfnGetProperties = zeKernelGetProperties,
               .pfnGetName = zeKernelGetName},
    .KernelExp = {.pfnSetGlobalOffsetExp = zeKernelSetGlobalOffsetExp,
                  .pfnSchedulingHintExp = zeKernelSchedulingHintExp,
                  .pfnGetAllocationPropertiesExp = zeKernelGetAllocationPropertiesExp},
    .Sampler = {.pfnCreate = zeSamplerCreate, .pfnDestroy = zeSamplerDestroy},
    .PhysicalMem = {.pfnCreate = zePhysicalMemCreate,
                    .pfnDestroy = zePhysicalMemDestroy,
                    .pfnGetProperties = zePhysicalMemGetProperties},
    .VirtualMem = {.pfnReserve = zeVirtualMemReserve,
                   .pfnFree = zeVirtualMemFree,
                   .pfnQueryPageSize = zeVirtualMemQueryPageSize,
                   .pfnMap = zeVirtualMemMap,
                   .pfnUnmap = zeVirtualMemUnmap,
                   .pfnSetAccessAttribute = zeVirtualMemSetAccessAttribute,
                   .pfnGetAccessAttribute = zeVirtualMemGetAccessAttribute},
    .Graph = {.pfnCreateExt = zeGraphCreateExt,
              .pfnGetPrimaryCommandListExt = zeGraphGetPrimaryCommandListExt,
              .pfnSetDestructionCallbackExt = zeGraphSetDestructionCallbackExt,
              .pfnInstantiateExt = zeGraphInstantiateExt,
              .pfnIsEmptyExt = zeGraphIsEmptyExt,
              .pfnDumpContentsExt = zeGraphDumpContentsExt,
              .pfnDestroyExt = zeGraphDestroyExt},
    .ExecutableGraph = {.pfnGetSourceGraphExt = zeExecutableGraphGetSourceGraphExt,
                        .pfnDestroyExt = zeExecutableGraphDestroyExt},
};

constinit zet_dditable_t tools_tables = {};

constinit zes_dditable_t sysman_tables = {
    .Global = {.pfnInit = zesInit},
    .Device = {.pfnGet = zesDeviceGet},
    .Driver = {.pfnGet = zesDriverGet},
};

constinit zer_dditable_t runtime_tables = {
    .Global = {.pfnGetLastErrorDescription = zerGetLastErrorDescription,
               .pfnTranslateDeviceHandleToIdentifier = zerTranslateDeviceHandleToIdentifier,
               .pfnTranslateIdentifierToDeviceHandle = zerTranslateIdentifierToDeviceHandle,
               .pfnGetDefaultContext = zerGetDefaultContext},
};

// The same tables as the loader finds them at the start of a handle.
#define ZE_DRIVER_POINTER(prefix, name, type, ...) .name = &ZE_DRIVER_TABLES.name,
#define ZE_DRIVER_TABLES core_tables
constinit ze_dditable_driver_t core_pointers = {
    .version = ZE_API_VERSION_1_17, .isValidFlag = 1, ZE_DRIVER_CORE_TABLES(ZE_DRIVER_POINTER)};
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES tools_tables
constinit zet_dditable_driver_t tools_pointers = {
    .version = ZE_API_VERSION_1_17, .isValidFlag = 1, ZE_DRIVER_TOOLS_TABLES(ZE_DRIVER_POINTER)};
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES sysman_tables
constinit zes_dditable_driver_t sysman_pointers = {
    .version = ZE_API_VERSION_1_17, .isValidFlag = 1, ZE_DRIVER_SYSMAN_TABLES(ZE_DRIVER_POINTER)};
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES runtime_tables
constinit zer_dditable_driver_t runtime_pointers = {
    .version = ZE_API_VERSION_1_17, .isValidFlag = 1, ZE_DRIVER_RUNTIME_TABLES(ZE_DRIVER_POINTER)};
#undef ZE_DRIVER_TABLES
#undef ZE_DRIVER_POINTER

struct Growth {
  uint32_t minor_version;
  size_t entries;
};

/// Copies the entries that a table of `version` has; those of functions we do not have are null.
template <class Table>
ze_result_t hand_out(ze_api_version_t version, Table *to, const Table &from,
                     std::initializer_list<Growth> growth) {
  if (!to)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != 1)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  size_t entries = 0;
  for (const Growth &step : growth)
    if (ZE_MINOR_VERSION(version) >= step.minor_version)
      entries = step.entries;
  std::memcpy(to, &from, std::min(entries * sizeof(void *), sizeof from));
  return ZE_RESULT_SUCCESS;
}

} // namespace

constinit ze_handle_t handle_tables = {&core_pointers, &tools_pointers, &sysman_pointers,
                                       &runtime_pointers};

} // namespace ze_driver

#define ZE_DRIVER_EXPORT(prefix, name, type, ...)                                                  \
  ze_result_t ZE_APICALL prefix##Get##name##ProcAddrTable(ze_api_version_t version, type *table) { \
    return ze_driver::hand_out(version, table, ze_driver::ZE_DRIVER_TABLES.name, {__VA_ARGS__});   \
  }
#define ZE_DRIVER_TABLES core_tables
ZE_DRIVER_CORE_TABLES(ZE_DRIVER_EXPORT)
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES tools_tables
ZE_DRIVER_TOOLS_TABLES(ZE_DRIVER_EXPORT)
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES sysman_tables
ZE_DRIVER_SYSMAN_TABLES(ZE_DRIVER_EXPORT)
#undef ZE_DRIVER_TABLES
#define ZE_DRIVER_TABLES runtime_tables
ZE_DRIVER_RUNTIME_TABLES(ZE_DRIVER_EXPORT)
#undef ZE_DRIVER_TABLES
#undef ZE_DRIVER_EXPORT
