/// Compiles device code at run time.
#ifndef HIP_INCLUDE_HIP_HIPRTC_H
#define HIP_INCLUDE_HIP_HIPRTC_H

#include <stdlib.h>

#include <hip/api/macros.h>
#include <hip/hip_common.h>
#include <hip/linker_types.h>

typedef enum hiprtcResult {
  HIPRTC_SUCCESS = 0,
  HIPRTC_ERROR_OUT_OF_MEMORY = 1,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  HIPRTC_ERROR_INVALID_INPUT = 3,
  HIPRTC_ERROR_INVALID_PROGRAM = 4,
  HIPRTC_ERROR_INVALID_OPTION = 5,
  HIPRTC_ERROR_COMPILATION = 6,
  HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  HIPRTC_ERROR_INTERNAL_ERROR = 11,
  HIPRTC_ERROR_LINKING = 100
} hiprtcResult;

typedef struct _hiprtcProgram *hiprtcProgram;
typedef struct ihiprtcLinkState *hiprtcLinkState;

// The options and inputs of the linker are those of hipLink*.
#define hiprtcJIT_option hipJitOption
#define HIPRTC_JIT_MAX_REGISTERS hipJitOptionMaxRegisters
#define HIPRTC_JIT_THREADS_PER_BLOCK hipJitOptionThreadsPerBlock
#define HIPRTC_JIT_WALL_TIME hipJitOptionWallTime
#define HIPRTC_JIT_INFO_LOG_BUFFER hipJitOptionInfoLogBuffer
#define HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES hipJitOptionInfoLogBufferSizeBytes
#define HIPRTC_JIT_ERROR_LOG_BUFFER hipJitOptionErrorLogBuffer
#define HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES hipJitOptionErrorLogBufferSizeBytes
#define HIPRTC_JIT_OPTIMIZATION_LEVEL hipJitOptionOptimizationLevel
#define HIPRTC_JIT_TARGET_FROM_HIPCONTEXT hipJitOptionTargetFromContext
#define HIPRTC_JIT_TARGET hipJitOptionTarget
#define HIPRTC_JIT_FALLBACK_STRATEGY hipJitOptionFallbackStrategy
#define HIPRTC_JIT_GENERATE_DEBUG_INFO hipJitOptionGenerateDebugInfo
#define HIPRTC_JIT_LOG_VERBOSE hipJitOptionLogVerbose
#define HIPRTC_JIT_GENERATE_LINE_INFO hipJitOptionGenerateLineInfo
#define HIPRTC_JIT_CACHE_MODE hipJitOptionCacheMode
#define HIPRTC_JIT_NEW_SM3X_OPT hipJitOptionSm3xOpt
#define HIPRTC_JIT_FAST_COMPILE hipJitOptionFastCompile
#define HIPRTC_JIT_GLOBAL_SYMBOL_NAMES hipJitOptionGlobalSymbolNames
#define HIPRTC_JIT_GLOBAL_SYMBOL_ADDRESS hipJitOptionGlobalSymbolAddresses
#define HIPRTC_JIT_GLOBAL_SYMBOL_COUNT hipJitOptionGlobalSymbolCount
#define HIPRTC_JIT_LTO hipJitOptionLto
#define HIPRTC_JIT_FTZ hipJitOptionFtz
#define HIPRTC_JIT_PREC_DIV hipJitOptionPrecDiv
#define HIPRTC_JIT_PREC_SQRT hipJitOptionPrecSqrt
#define HIPRTC_JIT_FMA hipJitOptionFma
#define HIPRTC_JIT_POSITION_INDEPENDENT_CODE hipJitOptionPositionIndependentCode
#define HIPRTC_JIT_MIN_CTA_PER_SM hipJitOptionMinCTAPerSM
#define HIPRTC_JIT_MAX_THREADS_PER_BLOCK hipJitOptionMaxThreadsPerBlock
#define HIPRTC_JIT_OVERRIDE_DIRECT_VALUES hipJitOptionOverrideDirectiveValues
#define HIPRTC_JIT_NUM_OPTIONS hipJitOptionNumOptions
#define HIPRTC_JIT_IR_TO_ISA_OPT_EXT hipJitOptionIRtoISAOptExt
#define HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT hipJitOptionIRtoISAOptCountExt
#define hiprtcJITInputType hipJitInputType
#define HIPRTC_JIT_INPUT_CUBIN hipJitInputCubin
#define HIPRTC_JIT_INPUT_PTX hipJitInputPtx
#define HIPRTC_JIT_INPUT_FATBINARY hipJitInputFatBinary
#define HIPRTC_JIT_INPUT_OBJECT hipJitInputObject
#define HIPRTC_JIT_INPUT_LIBRARY hipJitInputLibrary
#define HIPRTC_JIT_INPUT_NVVM hipJitInputNvvm
#define HIPRTC_JIT_NUM_LEGACY_INPUT_TYPES hipJitNumLegacyInputTypes
#define HIPRTC_JIT_INPUT_LLVM_BITCODE hipJitInputLLVMBitcode
#define HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE hipJitInputLLVMBundledBitcode
#define HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE hipJitInputLLVMArchivesOfBundledBitcode
#define HIPRTC_JIT_INPUT_SPIRV hipJitInputSpirv
#define HIPRTC_JIT_NUM_INPUT_TYPES hipJitNumInputTypes

HIP_API_BEGIN

/// The name of a result; the text lives for ever.
const char *hiprtcGetErrorString(hiprtcResult result);

/// The version of the compiler.
hiprtcResult hiprtcVersion(int *major, int *minor);

/// A program from source text; `headers` are texts that it may include by their names.
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *src, const char *name,
                                 int header_count, const char **headers,
                                 const char **include_names);

/// Ends a program and sets the handle to null.
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program);

/// Asks for the mangled name of a kernel or variable, `kernel<float>` say; before the compilation.
hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *name_expression);

/// Compiles; after HIPRTC_ERROR_COMPILATION the log says why.
hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count, const char **options);

/// The mangled name of what was asked for; the text lives as long as the program.
hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *name_expression,
                                  const char **lowered_name);

/// The bytes of the compiler's messages, with the final 0.
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size);

/// The compiler's messages.
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log);

/// The bytes of the code.
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size);

/// The code, for hipModuleLoadData.
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code);

/// The bytes of the LLVM bitcode.
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t *size);

/// The LLVM bitcode, for hiprtcLinkAddData; the program is compiled with -fgpu-rdc.
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char *bitcode);

/// Starts to link; `option_values` holds a value per option.
hiprtcResult hiprtcLinkCreate(unsigned int option_count, hiprtcJIT_option *options,
                              void **option_values, hiprtcLinkState *state);

/// Adds code from a file.
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char *path,
                               unsigned int option_count, hiprtcJIT_option *options,
                               void **option_values);

/// Adds code from memory.
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void *image,
                               size_t size, const char *name, unsigned int option_count,
                               hiprtcJIT_option *options, void **option_values);

/// Links. The binary lives as long as `state`.
hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void **binary, size_t *size);

/// Ends the linking and frees its binary.
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state);

HIP_API_END

#endif
