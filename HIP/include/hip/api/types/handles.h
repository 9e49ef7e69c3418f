/// The opaque objects of the API, and dim3.
#pragma once

#include <hip/api/types/dim3.h>
#include <hip/api/types/integers.h>
#include <hip/driver_types.h>
#include <hip/hip_common.h>

typedef int hipDevice_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipLinkState_t *hipLinkState_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipUserObject *hipUserObject_t;
typedef void *hipExternalMemory_t;
typedef void *hipExternalSemaphore_t;
typedef struct _hipGraphicsResource hipGraphicsResource;
typedef hipGraphicsResource *hipGraphicsResource_t;

/// The null stream with its implicit ordering, under a name of its own.
#define hipStreamLegacy ((hipStream_t)1)
/// A stream that every host thread has for itself and that does not order with the null stream.
#define hipStreamPerThread ((hipStream_t)2)

/// What runs on the host when a stream or graph reaches it.
typedef void (*hipHostFn_t)(void *user_data);
