/// Options and inputs of linking at run time, for hipLink* and hiprtcLink*.
#ifndef HIP_INCLUDE_HIP_LINKER_TYPES_H
#define HIP_INCLUDE_HIP_LINKER_TYPES_H

#include <hip/api/types/api_version.h>
#include <hip/hip_common.h>

/// Each option has a value in the array beside it. Most are those of CUDA's compiler, which are
/// accepted and ignored.
typedef enum hipJitOption {
  hipJitOptionMaxRegisters = 0,
  hipJitOptionThreadsPerBlock = 1,
  hipJitOptionWallTime = 2,
  hipJitOptionInfoLogBuffer = 3,
  hipJitOptionInfoLogBufferSizeBytes = 4,
  hipJitOptionErrorLogBuffer = 5,
  hipJitOptionErrorLogBufferSizeBytes = 6,
  hipJitOptionOptimizationLevel = 7, ///< 0 to 3, as in -O0 to -O3.
  hipJitOptionTargetFromContext = 8,
  hipJitOptionTarget = 9,
  hipJitOptionFallbackStrategy = 10,
  hipJitOptionGenerateDebugInfo = 11,
  hipJitOptionLogVerbose = 12,
  hipJitOptionGenerateLineInfo = 13,
  hipJitOptionCacheMode = 14,
  hipJitOptionSm3xOpt = 15,
  hipJitOptionFastCompile = 16,
  hipJitOptionGlobalSymbolNames = 17,
  hipJitOptionGlobalSymbolAddresses = 18,
  hipJitOptionGlobalSymbolCount = 19,
  hipJitOptionLto = 20,
  hipJitOptionFtz = 21,
  hipJitOptionPrecDiv = 22,
  hipJitOptionPrecSqrt = 23,
  hipJitOptionFma = 24,
  hipJitOptionPositionIndependentCode = 25,
  hipJitOptionMinCTAPerSM = 26,
  hipJitOptionMaxThreadsPerBlock = 27,
  hipJitOptionOverrideDirectiveValues = 28,
  hipJitOptionNumOptions = 29,
  hipJitOptionIRtoISAOptExt = 10000, ///< Options for the compiler of the device: an array of texts.
  hipJitOptionIRtoISAOptCountExt = 10001 ///< How many texts that array has.
} hipJitOption;

typedef enum hipJitInputType {
  // CUDA's kinds of input.
  hipJitInputCubin = 0,
  hipJitInputPtx = 1,
  hipJitInputFatBinary = 2,
  hipJitInputObject = 3,
  hipJitInputLibrary = 4,
  hipJitInputNvvm = 5,
  hipJitNumLegacyInputTypes = 6,
  // HIP's own; the number of kinds stands where HIP 6 left it.
  hipJitInputLLVMBitcode = 100,
  hipJitInputLLVMBundledBitcode = 101,
  hipJitInputLLVMArchivesOfBundledBitcode = 102,
  hipJitInputSpirv = 103,
  hipJitNumInputTypes = 10
} hipJitInputType;

typedef enum hipJitCacheMode {
  hipJitCacheOptionNone = 0,
  hipJitCacheOptionCG = 1,
  hipJitCacheOptionCA = 2
} hipJitCacheMode;

typedef enum hipJitFallback { hipJitPreferPTX = 0, hipJitPreferBinary = 1 } hipJitFallback;

#if HIP_API_HAS_7
/// Options of hipLibraryLoadData.
typedef enum hipLibraryOption_e {
  hipLibraryHostUniversalFunctionAndDataTable = 0, ///< Not supported.
  hipLibraryBinaryIsPreserved = 1                  ///< The program keeps the code. Not needed.
} hipLibraryOption;
#endif

#endif
