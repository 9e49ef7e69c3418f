// What hipcc has to know of the options that it passes on, or not, to clang.
#pragma once

#include <array>
#include <string_view>

namespace chip::hipcc {

using namespace std::string_view_literals;

/// Options of AMD's compiler that choose among AMD's devices or tune their code generation, and
/// those that say how clang goes about offloading, of which one way works here: accepted, and
/// dropped.
inline constexpr std::array dropped_prefixes{
    "--offload="sv,          "--offload-new-driver"sv,       "--no-offload-new-driver"sv,
    "-foffload-lto"sv,       "-fno-offload-lto"sv,           "--rocm-path="sv,
    "--hip-path="sv,         "--rocm-device-lib-path="sv,    "--hip-device-lib-path="sv,
    "--hip-version="sv,      "-mcode-object-version="sv,     "-mcumode"sv,
    "-mno-cumode"sv,         "-mwavefrontsize64"sv,          "-mno-wavefrontsize64"sv,
    "-munsafe-fp-atomics"sv, "-mno-unsafe-fp-atomics"sv,     "-parallel-jobs="sv,
    "-famd-opt"sv,           "-fno-offload-uniform-block"sv, "-foffload-uniform-block"sv,
};

/// The same, with their value behind a '=' or as the next word: for which devices to compile.
inline constexpr std::array architecture_options{
    "--offload-arch"sv,
    "--no-offload-arch"sv,
    "--amdgpu-target"sv,
    "--cuda-gpu-arch"sv,
};

/// Options whose next word is a value, and must not be taken for an input file.
inline constexpr std::array with_value{
    "-o"sv,
    "-I"sv,
    "-L"sv,
    "-D"sv,
    "-U"sv,
    "-l"sv,
    "-B"sv,
    "-F"sv,
    "-G"sv,
    "-J"sv,
    "-T"sv,
    "-V"sv,
    "-b"sv,
    "-e"sv,
    "-u"sv,
    "-z"sv,
    "-MF"sv,
    "-MJ"sv,
    "-MT"sv,
    "-MQ"sv,
    "-include"sv,
    "-include-pch"sv,
    "-imacros"sv,
    "-isystem"sv,
    "-isystem-after"sv,
    "-cxx-isystem"sv,
    "-stdlib++-isystem"sv,
    "-idirafter"sv,
    "-iquote"sv,
    "-iframework"sv,
    "-iprefix"sv,
    "-isysroot"sv,
    "-ivfsoverlay"sv,
    "-iwithprefix"sv,
    "-iwithprefixbefore"sv,
    "-iwithsysroot"sv,
    "--include"sv,
    "--include-directory"sv,
    "--define-macro"sv,
    "--undefine-macro"sv,
    "--library-directory"sv,
    "--output"sv,
    "--sysroot"sv,
    "--config"sv,
    "--param"sv,
    "--target"sv,
    "-target"sv,
    "-gcc-toolchain"sv,
    "-working-directory"sv,
    "-mllvm"sv,
    "-dumpdir"sv,
    "-arch"sv,
    "-framework"sv,
    "-rpath"sv,
    "-serialize-diagnostics"sv,
    "--serialize-diagnostics"sv,
    "-Xlinker"sv,
    "-Xclang"sv,
    "-Xclangas"sv,
    "-Xarch_device"sv,
    "-Xarch_host"sv,
    "-Xpreprocessor"sv,
    "-Xassembler"sv,
    "-Xanalyzer"sv,
    "-Xoffload-linker"sv,
    "-Xopenmp-target"sv,
    "-Xcuda-ptxas"sv,
    "-Xcuda-fatbinary"sv,
};

/// What instruments or hardens code, or spreads it over threads: for the host's, as devices have
/// not what it takes.
inline constexpr std::array host_only_prefixes{
    "-fsanitize"sv,
    "-fno-sanitize"sv,
    "-fprofile"sv,
    "-fcs-profile"sv,
    "-fcoverage"sv,
    "-ftest-coverage"sv,
    "--coverage"sv,
    "-coverage"sv,
    "-finstrument-function"sv,
    "-fxray-"sv,
    "-fpatchable-function-entry"sv,
    "-fcf-protection"sv,
    "-fzero-call-used-regs"sv,
};

} // namespace chip::hipcc
