/// Modules: device code that the program loads, with its kernels and variables.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>
#include <hip/linker_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// Loads device code from a file for the current device: an offload bundle, compressed or not, or
/// SPIR-V.
/// Errors: hipErrorInvalidValue (`module` or `file` is null, or `file` is empty),
/// hipErrorFileNotFound (the file cannot be read), @image, @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleLoad(hipModule_t *module, const char *file);

/// Loads device code from memory for the current device: an offload bundle, compressed or not. The
/// memory may be freed as soon as the call returns.
/// Errors: hipErrorInvalidValue (`module` or `image` is null), @image, @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);

/// Accepts options for the compiler: `option_count` elements of `options`, each with its value in
/// `option_values`. libCHIP ignores them. @like hipModuleLoadData
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int option_count,
                               hipJitOption *options, void **option_values);

/// Unloads a module. Its kernels, variables and texture references are not valid afterwards.
/// Errors: hipErrorInvalidResourceHandle (null), hipErrorNotFound (no loaded module), @work.
/// Stream: The host waits for the work of the device. Capture: @allowed.
hipError_t hipModuleUnload(hipModule_t module);

/// Stores a kernel of a module. `name` is the name in the device code, which is mangled unless the
/// kernel is `extern "C"`.
/// Errors: hipErrorInvalidValue (`function` or `name` is null), hipErrorInvalidResourceHandle
/// (`module` is not a loaded module), hipErrorNotFound (the module has no kernel of this name).
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);

/// Stores the address and the size in bytes of a variable of a module. `address` and `bytes` may be
/// null.
/// Errors: hipErrorInvalidValue (`name` is null), hipErrorInvalidResourceHandle (`module` is not a
/// loaded module), hipErrorNotFound (the module has no variable of this name).
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *bytes, hipModule_t module,
                              const char *name);

/// Stores a texture reference of a module, which is valid until the module is unloaded.
/// Errors: hipErrorInvalidValue (`reference` or `name` is null), hipErrorInvalidResourceHandle
/// (`module` is not a loaded module), hipErrorNotFound (the module has no texture reference of this
/// name).
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleGetTexRef(textureReference **reference, hipModule_t module, const char *name);

// Kernels and their attributes

/// Stores what a kernel of the program needs on the current device and how many threads a block of
/// it can have. Sizes are in bytes.
/// Errors: hipErrorInvalidValue (`attributes` is null), @kernel, @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attributes, const void *function);

/// Stores one attribute of a kernel of a module. Sizes are in bytes, the carve-out is in per cent.
/// Errors: hipErrorInvalidValue (`value` is null, or `attribute` is unknown),
/// @function-handle.
/// Stream: @none. Capture: @allowed.
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute, hipFunction_t function);

/// Sets an attribute of a kernel of the program on the current device:
/// hipFuncAttributeMaxDynamicSharedMemorySize in bytes, or
/// hipFuncAttributePreferredSharedMemoryCarveout in per cent, where -1 means no preference. Both
/// only read back: a launch may use all shared memory that the device has.
/// Errors: @kernel, hipErrorInvalidValue (`attribute` is unknown, or `value` is out of its range),
/// @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value);

/// Sets how the device should divide memory on the chip while a kernel of the program runs. This is
/// a hint, which libCHIP checks and does not use.
/// Errors: @kernel, hipErrorInvalidValue (`config` is not a hipFuncCache_t), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t config);

/// Sets the width of the banks of shared memory while a kernel of the program runs. This is a hint,
/// which libCHIP checks and does not use.
/// Errors: @kernel, hipErrorInvalidValue (`config` is not a hipSharedMemConfig), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig config);

/// Stores the kernel of the current device behind a host function, for hipModuleLaunchKernel and
/// similar functions.
/// Errors: hipErrorInvalidValue (`function` is null), hipErrorInvalidDeviceFunction (`symbol` is
/// not a kernel of the program), hipErrorNoBinaryForGpu (the program has no code for the device),
/// @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol);

/// Stores the address of a function of HIP, given by its name, as it was in the version `version`,
/// which is encoded as HIP_VERSION is, or as 100 times the major number plus the minor one. Before
/// version 6, the names hipGetDeviceProperties and hipChooseDevice stand for
/// hipGetDevicePropertiesR0000 and hipChooseDeviceR0000. `flags` is 0 or 1 for the functions that use
/// the null stream, and 2 for those that use hipStreamPerThread instead, where there are such.
/// `status`, which may be null, tells how the search ended.
/// Errors: hipErrorInvalidValue (`symbol` or `function` is null, `symbol` is empty, `flags` is
/// unknown, or there is no such function in that version: `function` then receives null).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *status);

// Linking at run time

/// Begins to link device code. `option_values` holds a value for each of the `option_count`
/// elements of `options`. The buffers for messages are used, and so have to live as long as `state`;
/// other options are ignored. libhiprtc, which is part of the installation, does the work.
/// Errors: hipErrorInvalidValue (`state` is null, or an array of options is missing),
/// hipErrorSharedObjectInitFailed (libhiprtc cannot be loaded), hipErrorOutOfMemory (there is not
/// enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipLinkCreate(unsigned int option_count, hipJitOption *options, void **option_values,
                         hipLinkState_t *state);

/// Adds `size` bytes of code from memory, which are copied: LLVM bitcode (hipJitInputLLVMBitcode), a
/// bundle of it (hipJitInputLLVMBundledBitcode) or an archive of bundles
/// (hipJitInputLLVMArchivesOfBundledBitcode), an object as `hipcc -fgpu-rdc -c` makes it
/// (hipJitInputObject) or an archive of objects (hipJitInputLibrary), or SPIR-V (hipJitInputSpirv).
/// The name and the options are ignored.
/// Errors: hipErrorInvalidHandle (`state` is not a live link state), hipErrorInvalidValue (`data` is
/// null, `size` is 0, an array of options is missing, or `type` is another one), hipErrorOutOfMemory
/// (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size,
                          const char *name, unsigned int option_count, hipJitOption *options,
                          void **option_values);

/// Adds code from a file, of the types that hipLinkAddData takes. The options are ignored.
/// Errors: hipErrorInvalidHandle (`state` is not a live link state), hipErrorInvalidValue (`path` is
/// null, an array of options is missing, or `type` is another one), hipErrorFileNotFound (the file
/// cannot be read), hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path,
                          unsigned int option_count, hipJitOption *options, void **option_values);

/// Links the code that was added and stores the address and the size in bytes of the result, for
/// hipModuleLoadData. The result is valid until `state` is destroyed. SPIR-V can only be the single
/// input.
/// Errors: hipErrorInvalidHandle (`state` is not a live link state), hipErrorInvalidValue (`binary` or
/// `size` is null), hipErrorInvalidImage (there is no input, or it cannot be linked: the buffer of
/// hipJitOptionErrorLogBuffer says why), hipErrorSharedObjectInitFailed (the compiler of the
/// installation cannot be run), hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipLinkComplete(hipLinkState_t state, void **binary, size_t *size);

/// Destroys a link state and frees its result.
/// Errors: hipErrorInvalidHandle (`state` is not a live link state).
/// Stream: @none. Capture: @allowed.
hipError_t hipLinkDestroy(hipLinkState_t state);

HIP_API_END
