/// What libraries that were written for AMD's devices ask before they compile, defined before their first
/// line. docs/libraries.md has the same list. Each can be defined otherwise on the command line.
#pragma once

/// rocPRIM and others choose by this, and take 64 where it is not defined; for the host too, which
/// computes the sizes of launches.
#ifndef __AMDGCN_WAVEFRONT_SIZE
#define __AMDGCN_WAVEFRONT_SIZE 32
#endif
#ifndef __AMDGCN_WAVEFRONT_SIZE__
#define __AMDGCN_WAVEFRONT_SIZE__ 32
#endif

/// rocPRIM 6.4 stops with an error in device code for devices that it does not know, as it cannot say how
/// they load and store 16 bytes at once. This is the name of a family of AMD's whose warps have 32
/// threads, too, and nothing but that depends on it there.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__gfx10_3_generic__)
#define __gfx10_3_generic__ 1
#endif
/// So spelt by rocPRIM, which then does without atomic operations on 16 bytes: SPIR-V has none.
#ifndef ROCPRIM_TARGET_UKNOWN
#define ROCPRIM_TARGET_UKNOWN 1
#endif

/// Loads and stores with hints for caches are inline assembly of AMD's devices there.
#ifndef ROCPRIM_THREAD_LOAD_USE_CACHE_MODIFIERS
#define ROCPRIM_THREAD_LOAD_USE_CACHE_MODIFIERS 0
#endif
#ifndef ROCPRIM_THREAD_STORE_USE_CACHE_MODIFIERS
#define ROCPRIM_THREAD_STORE_USE_CACHE_MODIFIERS 0
#endif
#ifndef HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS
#define HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS 0
#endif
#ifndef HIPCUB_THREAD_STORE_USE_CACHE_MODIFIERS
#define HIPCUB_THREAD_STORE_USE_CACHE_MODIFIERS 0
#endif
