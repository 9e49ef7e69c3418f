#!/usr/bin/env bash
# run.sh TEST ZE_CPU_OPT FILECHECK SPIRV_AS: runs one test. The file says in comments
#   RUN: options     of ze_cpu_opt (required): CHECK lines are about what it prints
#   RUN-X: options   as often as there are other options to try: X lines are about what it prints then
#   FAILS            all runs end with exit code 1, and the lines are about what is printed on standard error
# A test in SPIR-V's assembly is assembled first.
set -euo pipefail
. "$(dirname "$0")/../../filecheck.sh"
test=$1 opt=$2 filecheck=$3 assembler=$4
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

input=$test
if [[ $test == *.spvasm ]]; then
  input=$out/module.spv
  "$assembler" --target-env spv1.4 "$test" -o "$input"
fi
runs=$(grep -E '^; RUN(-[A-Z]+)?: ' "$test") || { echo "$test says nothing to run" >&2; exit 2; }
while read -r _ name options; do
  name=${name%:} prefix=CHECK
  [ "$name" = RUN ] || prefix=${name#RUN-}
  # Options are words without spaces.
  # shellcheck disable=SC2086
  run_and_check "$test" "$filecheck" "$prefix" "$out/result.$prefix" "$opt" $options "$input"
done <<<"$runs"
