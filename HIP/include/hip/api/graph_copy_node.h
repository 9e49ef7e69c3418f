/// Nodes of graphs that copy and fill. New nodes wait for `dependencies`.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/graph_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

// Copies of a box

/// A copy as of hipMemcpy3D.
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemcpy3DParms *copy);

/// The copy.
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *params);

/// Changes the copy.
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *params);

/// Changes the copy in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms *params);

// Copies of bytes

/// A copy as of hipMemcpy, of `count` bytes.
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *dependencies, size_t dependency_count,
                                   void *dst, const void *src, size_t count, hipMemcpyKind kind);

/// Changes the copy.
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                         size_t count, hipMemcpyKind kind);

/// Changes the copy in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *dst,
                                             const void *src, size_t count, hipMemcpyKind kind);

// Copies from and to variables

/// A copy as of hipMemcpyFromSymbol, of `count` bytes.
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                           const hipGraphNode_t *dependencies,
                                           size_t dependency_count, void *dst, const void *symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind);

/// Changes the copy.
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind);

/// Changes the copy in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void *dst, const void *symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind);

/// A copy as of hipMemcpyToSymbol, of `count` bytes.
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *node, hipGraph_t graph,
                                         const hipGraphNode_t *dependencies,
                                         size_t dependency_count, const void *symbol,
                                         const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind);

/// Changes the copy.
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol,
                                               const void *src, size_t count, size_t offset,
                                               hipMemcpyKind kind);

/// Changes the copy in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void *symbol, const void *src,
                                                   size_t count, size_t offset, hipMemcpyKind kind);

// Fills

/// A fill.
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                 const hipGraphNode_t *dependencies, size_t dependency_count,
                                 const hipMemsetParams *params);

/// The fill.
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *params);

/// Changes the fill.
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *params);

/// Changes the fill in an executable graph.
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams *params);

// For driver code

/// A copy as of hipDrvMemcpy3D.
hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_MEMCPY3D *copy, hipCtx_t ctx);

/// The copy.
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D *params);

/// Changes the copy.
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D *params);

/// Changes the copy in an executable graph.
hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D *copy, hipCtx_t ctx);

/// A fill.
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *dependencies, size_t dependency_count,
                                    const HIP_MEMSET_NODE_PARAMS *params, hipCtx_t ctx);

/// Changes the fill in an executable graph.
hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMSET_NODE_PARAMS *params, hipCtx_t ctx);

HIP_API_END
