/// Nodes of graphs that copy and fill. New nodes wait for `dependencies`.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/graph_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

// Copies of a box

/// Adds a node that copies a box, as hipMemcpy3D does. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`copy` is null or not valid), @pitch,
/// hipErrorInvalidMemcpyDirection (the kind in `copy` is not a hipMemcpyKind), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemcpy3DParms *copy);

/// Stores the copy of a copy node in the form of hipMemcpy3D.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *params);

/// Changes the copy of a copy node. Executable graphs that were made before do not change.
/// Errors: @set-errors, @pitch, hipErrorInvalidMemcpyDirection (the kind in `params` is not a
/// hipMemcpyKind).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *params);

/// Changes the copy of a copy node in an executable graph. The hipMemcpyKind stays, and so do the
/// kind of memory and the device of each side. @later-launches
/// Errors: @exec-errors, @pitch, hipErrorInvalidMemcpyDirection (the kind in `params` is not a
/// hipMemcpyKind).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms *params);

// Copies of bytes

/// Adds a node that copies `count` bytes, as hipMemcpy does. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`dst` or `src` is null, or the copy passes the end of
/// an allocation), @direction, @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   void *dst, const void *src, size_t count, hipMemcpyKind kind);

/// Changes the copy of a copy node to one of `count` bytes, at least 1, from one address to another.
/// Executable graphs that were made before do not change.
/// Errors: @set-errors, @direction.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                         size_t count, hipMemcpyKind kind);

/// Changes the copy of a copy node in an executable graph to one of `count` bytes, at least 1, from
/// one address to another. The hipMemcpyKind stays, and so do the kind of memory and the device of
/// each side. @later-launches
/// Errors: @exec-errors, @direction.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst,
                                             const void *src, size_t count, hipMemcpyKind kind);

// Copies from and to variables

/// Adds a node that copies `count` bytes out of a variable of device code, from `offset` bytes on,
/// as hipMemcpyFromSymbol does. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`dst` is null, or memory of the host where `kind` is
/// hipMemcpyDeviceToDevice, `count` is 0, or the copy passes the end of the variable or of an
/// allocation), hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy from the device), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                           const hipGraphNode_t *dependencies,
                                           size_t dependency_count, void *dst, const void *symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind);

/// Changes the copy of a copy node to one of `count` bytes out of a variable of device code, from
/// `offset` bytes on. Executable graphs that were made before do not change.
/// Errors: @set-errors, hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy from the device).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind);

/// Changes the copy of a copy node in an executable graph to one of `count` bytes out of a variable
/// of device code, from `offset` bytes on. The hipMemcpyKind stays, and so do the kind of memory and
/// the device of each side. @later-launches
/// Errors: @exec-errors, hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy from the device).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void *dst, const void *symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind);

/// Adds a node that copies `count` bytes into a variable of device code, from `offset` bytes on, as
/// hipMemcpyToSymbol does. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`src` is null, or memory of the host where `kind` is
/// hipMemcpyDeviceToDevice, `count` is 0, or the copy passes the end of the variable or of an
/// allocation), hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy to the device), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                         const hipGraphNode_t *dependencies,
                                         size_t dependency_count, const void *symbol,
                                         const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind);

/// Changes the copy of a copy node to one of `count` bytes into a variable of device code, from
/// `offset` bytes on. Executable graphs that were made before do not change.
/// Errors: @set-errors, hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy to the device).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol,
                                               const void *src, size_t count, size_t offset,
                                               hipMemcpyKind kind);

/// Changes the copy of a copy node in an executable graph to one of `count` bytes into a variable
/// of device code, from `offset` bytes on. The hipMemcpyKind stays, and so do the kind of memory and
/// the device of each side. @later-launches
/// Errors: @exec-errors, hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` does not copy to the device).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void *symbol, const void *src,
                                                   size_t count, size_t offset, hipMemcpyKind kind);

// Fills

/// Adds a node that fills memory. `params` has the address, the value, the size of an element (1, 2
/// or 4 bytes), the width in elements, the height in rows and the pitch in bytes. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemsetParams *params);

/// Stores the fill of a fill node.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *params);

/// Changes the fill of a fill node. Executable graphs that were made before do not change.
/// Errors: @set-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *params);

/// Changes the fill of a fill node in an executable graph. The device of the memory stays, and only
/// fills of one row can change. @later-launches
/// Errors: @exec-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams *params);

// Driver interface

/// Adds a node that copies a box, as hipDrvMemcpy3D does. `ctx` is a context on the device that
/// copies. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`copy` is null or not valid, or `ctx` is null),
/// hipErrorInvalidContext (`ctx` is not a context), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_MEMCPY3D *copy, hipCtx_t ctx);

/// Stores the copy of a copy node in the form of hipDrvMemcpy3D.
/// Errors: @get-errors.
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D *params);

/// Changes the copy of a copy node. Executable graphs that were made before do not change.
/// Errors: @set-errors, @pitch.
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D *params);

/// Changes the copy of a copy node in an executable graph. `ctx` is a context on the device that
/// copies, which stays as it is, and so do the kind of memory and the device of each side.
/// @later-launches
/// Errors: @exec-errors, hipErrorInvalidValue (`ctx` is null), hipErrorInvalidContext (`ctx` is not a
/// context).
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D *copy, hipCtx_t ctx);

/// Adds a node that fills memory. `params` has the address, the value, the size of an element (1, 2
/// or 4 bytes), the width in elements, the height in rows and the pitch in bytes. `ctx` is a
/// context; the device of the memory fills it. @new-node
/// Errors: @add-errors, hipErrorInvalidValue (`params` is null or not valid, or `ctx` is null),
/// hipErrorInvalidContext (`ctx` is not a context), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_API_DRV_MEMSET_PARAMS *params, hipCtx_t ctx);

/// Changes the fill of a fill node in an executable graph. `ctx` is a context. The device of the
/// memory stays, and only fills of one row can change. @later-launches
/// Errors: @exec-errors, hipErrorInvalidValue (`ctx` is null), hipErrorInvalidContext (`ctx` is not a
/// context).
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_API_DRV_MEMSET_PARAMS *params,
                                              hipCtx_t ctx);

HIP_API_END
