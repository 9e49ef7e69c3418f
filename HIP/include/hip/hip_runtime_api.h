/// The host interface of HIP: everything that a program calls, and no device code. For C and C++.
///
/// The comment of each function ends in three parts: Errors says what it returns and when, Stream
/// how it is ordered and whether the host waits, and Capture what it does while a stream is
/// captured. A word such as @queued stands for a phrase; the reference in docs/api has these
/// comments in full.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H

#include <string.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>

// Types
#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/external_types.h>
#include <hip/api/types/graph_types.h>
#include <hip/api/types/handles.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/memory_types.h>
#include <hip/api/types/stream_types.h>
#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

// Devices and errors
#include <hip/api/context.h>
#include <hip/api/device.h>
#include <hip/api/error.h>
#include <hip/api/peer.h>

// Streams and events
#include <hip/api/event.h>
#include <hip/api/stream.h>

// Memory
#include <hip/api/array.h>
#include <hip/api/copy.h>
#include <hip/api/external.h>
#include <hip/api/fill.h>
#include <hip/api/memory.h>
#include <hip/api/memory_pool.h>
#include <hip/api/virtual_memory.h>

// Code and its execution
#include <hip/api/launch.h>
#include <hip/api/module.h>
#include <hip/api/occupancy.h>
#include <hip/api/profiler.h>

// Textures
#include <hip/api/texture.h>
#include <hip/api/texture_reference.h>

// Graphs
#include <hip/api/graph.h>
#include <hip/api/graph_capture.h>
#include <hip/api/graph_copy_node.h>
#include <hip/api/graph_node.h>

// Of HIP 7
#include <hip/api/later/changed_in_7.h>
#include <hip/api/later/since_7.h>

#ifdef __cplusplus
#include <hip/api/cxx/templates.h>
#include <hip/api/cxx/templates_since_7.h>
#include <hip/api/cxx/texture_templates.h>
#endif

#include <hip/api/per_thread.h>

#endif
