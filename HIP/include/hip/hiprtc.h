/// Compilation of device code at run time, a library of its own (libhiprtc.so).
#ifndef HIP_INCLUDE_HIP_HIPRTC_H
#define HIP_INCLUDE_HIP_HIPRTC_H

#include <stdlib.h>

#include <hip/api/types/api_version.h>
#include <hip/api/types/macros.h>
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

/// Returns the name of a result, such as "HIPRTC_ERROR_COMPILATION". The text is valid until the
/// process ends.
/// Errors: none; the function returns a text.
/// Stream: @none. Capture: @allowed.
const char *hiprtcGetErrorString(hiprtcResult result);

/// Stores the version of the compiler, which is that of HIP.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`major` or `minor` is null).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcVersion(int *major, int *minor);

/// Creates a program from source text. `headers` holds `header_count` texts that the source can
/// include by the names in `include_names`. `name` appears in messages and may be null. All texts
/// are copied.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`program` or `src` is null, `header_count` is negative, or a
/// header or its name is missing), HIPRTC_ERROR_OUT_OF_MEMORY (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *src, const char *name,
                                 int header_count, const char *HIP_API_CONST_SINCE_7 *headers,
                                 const char *HIP_API_CONST_SINCE_7 *include_names);

/// Destroys a program and sets the handle to null. Texts from hiprtcGetLoweredName are not valid
/// afterwards.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`program` is null), HIPRTC_ERROR_INVALID_PROGRAM (`*program`
/// is not a live program).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program);

/// Asks for the mangled name of a kernel or variable, such as `kernel<float>`. The call comes
/// before the compilation; an instance of a template is then compiled, too.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`name_expression` is null or empty),
/// HIPRTC_ERROR_INVALID_PROGRAM (`program` is not a live program),
/// HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION (the program has been compiled).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *name_expression);

/// Compiles a program with `option_count` options of the compiler. After HIPRTC_ERROR_COMPILATION
/// and HIPRTC_ERROR_INVALID_OPTION, hiprtcGetProgramLog tells why. With -fgpu-rdc, the program is
/// one to be linked: hiprtcGetBitcode has the result, for hiprtcLinkAddData, not hiprtcGetCode.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`option_count` is negative, or an option is null),
/// HIPRTC_ERROR_INVALID_PROGRAM (`program` is not a live program), HIPRTC_ERROR_INVALID_OPTION (an
/// option is not allowed), HIPRTC_ERROR_COMPILATION (the source, or a name of
/// hiprtcAddNameExpression, has an error), HIPRTC_ERROR_INTERNAL_ERROR (the compiler cannot be
/// run), HIPRTC_ERROR_OUT_OF_MEMORY (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count,
                                  const char *HIP_API_CONST_SINCE_7 *options);

/// Stores the mangled name of an expression of hiprtcAddNameExpression. The text is valid as long
/// as the program.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`name_expression` or `lowered_name` is null),
/// HIPRTC_ERROR_INVALID_PROGRAM (`program` is not a live program),
/// HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION (the program has not been compiled),
/// HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID (the name was not asked for, or the compilation failed).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *name_expression,
                                  const char **lowered_name);

/// Stores the size in bytes of the messages of the last compilation, with the final null byte.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`size` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program` is
/// not a live program).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size);

/// Stores the messages of the last compilation. `log` has room for as many bytes as
/// hiprtcGetProgramLogSize tells.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`log` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program` is
/// not a live program).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log);

/// Stores the size in bytes of the device code.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`size` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program` is
/// not a live program, is not compiled, or was compiled with -fgpu-rdc: hiprtcGetProgramLog then
/// tells what to do instead).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size);

/// Stores the device code, for hipModuleLoadData. `code` has room for as many bytes as
/// hiprtcGetCodeSize tells.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`code` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program` is
/// not a live program, is not compiled, or was compiled with -fgpu-rdc: hiprtcGetProgramLog then
/// tells what to do instead).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code);

/// Stores the size in bytes of the LLVM bitcode of a program that was compiled with -fgpu-rdc.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`size` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program` is
/// not a live program, or was not compiled with -fgpu-rdc: hiprtcGetProgramLog then tells what to
/// do instead).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t *size);

/// Stores the LLVM bitcode of a program that was compiled with -fgpu-rdc, for hiprtcLinkAddData.
/// `bitcode` has room for as many bytes as hiprtcGetBitcodeSize tells.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`bitcode` is null), HIPRTC_ERROR_INVALID_PROGRAM (`program`
/// is not a live program, or was not compiled with -fgpu-rdc: hiprtcGetProgramLog then tells what
/// to do instead).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char *bitcode);

/// Begins to link device code. `option_values` holds a value for each of the `option_count`
/// elements of `options`. The buffers for messages are used; other options are ignored.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`state` is null, or an array of options is missing),
/// HIPRTC_ERROR_OUT_OF_MEMORY (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcLinkCreate(unsigned int option_count, hiprtcJIT_option *options,
                              void **option_values, hiprtcLinkState *state);

/// Adds LLVM bitcode, a bundle or an object with it as `hipcc -fgpu-rdc -c` makes it, an archive of
/// either, or SPIR-V from a file. The options are ignored.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`path` is null, an array of options is missing, `state` is
/// not a live link state, or `type` is not supported), HIPRTC_ERROR_PROGRAM_CREATION_FAILURE (the
/// file cannot be read).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char *path,
                               unsigned int option_count, hiprtcJIT_option *options,
                               void **option_values);

/// Adds `size` bytes from memory, which are copied, of what hiprtcLinkAddFile takes. The name and the
/// options are ignored.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`image` is null, `size` is 0, an array of options is
/// missing, `state` is not a live link state, or `type` is not supported),
/// HIPRTC_ERROR_OUT_OF_MEMORY (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void *image,
                               size_t size, const char *name, unsigned int option_count,
                               hiprtcJIT_option *options, void **option_values);

/// Links the code that was added and stores the address and the size in bytes of the result, for
/// hipModuleLoadData. The result is valid until `state` is destroyed. SPIR-V can only be the single
/// input.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`binary` or `size` is null, or `state` is not a live link
/// state), HIPRTC_ERROR_LINKING (there is no input, or it cannot be linked),
/// HIPRTC_ERROR_INTERNAL_ERROR (the compiler cannot be run).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void **binary, size_t *size);

/// Destroys a link state and frees its result.
/// Errors: HIPRTC_ERROR_INVALID_INPUT (`state` is not a live link state).
/// Stream: @none. Capture: @allowed.
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state);

HIP_API_END

#if HIP_API_IS_7
HIP_API_EXTERN_C_BEGIN
// Stores 7.2.
__typeof__(hiprtcVersion) hiprtcVersion __asm__("hiprtcVersionR0700");
HIP_API_EXTERN_C_END
#endif

#endif
