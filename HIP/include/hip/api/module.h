/// Modules: device code loaded by the program, and what is in it.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/launch_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>
#include <hip/linker_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// Loads device code from a file; hipErrorFileNotFound if there is none.
hipError_t hipModuleLoad(hipModule_t *module, const char *file);

/// Loads device code from memory; hipErrorInvalidImage if it is no code for this device.
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);

/// hipModuleLoadData with options for the compiler.
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int option_count,
                               hipJitOption *options, void **option_values);

/// Unloads a module; its functions and variables are gone.
hipError_t hipModuleUnload(hipModule_t module);

/// A kernel by its (mangled) name; hipErrorNotFound if there is none.
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);

/// Address and bytes of a variable by its name; hipErrorNotFound if there is none.
hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *bytes, hipModule_t module,
                              const char *name);

/// A texture reference by its name; hipErrorNotFound if there is none.
hipError_t hipModuleGetTexRef(textureReference **reference, hipModule_t module, const char *name);

// Kernels and their attributes

/// All attributes of a kernel, given by its host function.
hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attributes, const void *function);

/// One attribute of a kernel of a module.
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute, hipFunction_t function);

/// Sets an attribute of a kernel.
hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value);

/// A hint how to divide memory on chip when this kernel runs.
hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t config);

/// A hint for the banks of shared memory when this kernel runs.
hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig config);

/// The kernel behind a host function.
hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol);

/// The address of a function of HIP by its name, as it was in version `version`.
hipError_t hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *status);

// Linking at run time

/// Starts to link; `option_values` holds a value per option.
hipError_t hipLinkCreate(unsigned int option_count, hipJitOption *options, void **option_values,
                         hipLinkState_t *state);

/// Adds code from memory.
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size,
                          const char *name, unsigned int option_count, hipJitOption *options,
                          void **option_values);

/// Adds code from a file.
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path,
                          unsigned int option_count, hipJitOption *options, void **option_values);

/// Links. The binary lives as long as `state`.
hipError_t hipLinkComplete(hipLinkState_t state, void **binary, size_t *size);

/// Ends the linking and frees its binary.
hipError_t hipLinkDestroy(hipLinkState_t state);

HIP_API_END
