#!/usr/bin/env bash
# run.sh TEST.ll PLUGIN LLVM_BIN_DIR: runs one test. The file says in comments
#   PASSES: names    the pipeline to run (required)
#   FAILS            opt ends with exit code 1, and CHECK lines are about what it prints on standard error
# Otherwise CHECK lines are about the resulting module, and, if there are any, SPIRV lines about what LLVM's back end makes of it,
# disassembled; it must be valid then.
set -euo pipefail
. "$(dirname "$0")/../../filecheck.sh"
test=$1 plugin=$2 bin=$3
passes=$(sed -n 's/^; PASSES: //p' "$test")
[ -n "$passes" ] || { echo "$test names no passes" >&2; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

run_and_check "$test" "$bin/FileCheck" CHECK "$out/module.ll" "$bin/opt" -load-pass-plugin="$plugin" -passes="$passes" "$test" -S
if grep -q '^; SPIRV' "$test"; then
  "$bin/llc" -O2 -mtriple=spirv64v1.4-unknown-unknown -filetype=obj \
    --spirv-ext=+SPV_INTEL_function_pointers,+SPV_EXT_shader_atomic_float_add,+SPV_KHR_shader_clock,+SPV_EXT_relaxed_printf_string_address_space \
    "$out/module.ll" -o "$out/module.spv"
  spirv-val --target-env spv1.4 "$out/module.spv"
  spirv-dis --no-color "$out/module.spv" -o "$out/module.spvasm"
  "$bin/FileCheck" --check-prefix=SPIRV --input-file="$out/module.spvasm" "$test"
fi
