#!/usr/bin/env bash
# Tests of the phases that scripts/demo, scripts/test and scripts/bench share, and of scripts/pvc-sim.
#
# phases_test.sh CASE runs one case, phases_test.sh --list names them.
set -euo pipefail

source_checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  [ ! -e "$work/err" ] || sed 's/^/  stderr: /' "$work/err" >&2
  exit 1
}

# A checkout whose scripts/env runs commands here, with programs of our own first.
make_checkout() {
  mkdir -p "$work/checkout/scripts" "$work/bin"
  cp "$source_checkout/scripts/phases.sh" "$source_checkout/scripts/test" "$work/checkout/scripts/"
  stand_in ../checkout/scripts/env <<<'exec "$@"'
  stand_in cmake <<<'mkdir -p build/release; echo configured; echo "$@" >"$FAKE_WORK/cmake.arguments"'
  stand_in ninja <<<'echo "[1/1] built"'
  stand_in ../checkout/scripts/check.py <<<'printf "%s\n" "$@" >"$FAKE_WORK/check.arguments"; echo "100% tests passed"'
  export PATH=$work/bin:$PATH FAKE_WORK=$work
}

# A program with the script on standard input.
stand_in() {
  { echo '#!/bin/bash' && cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# run_test STATUS [OPTION...]: runs the checkout's scripts/test and expects that exit status.
run_test() {
  local expected=$1 status=0
  shift
  "$work/checkout/scripts/test" "$@" >"$work/out" 2>"$work/err" || status=$?
  [ "$status" -eq "$expected" ] || fail "exit status is $status, expected $expected"
}
expect_message() { grep -qF -- "$1" "$work/err" || fail "standard error does not say '$1'"; }

case_test_names_each_phase_in_one_line() {
  run_test 0
  [ "$(grep -c '^test: [1-4]/4 ' "$work/out")" -eq 4 ] || fail "not four phases: $(cat "$work/out")"
  [ "$(tail -n 1 "$work/out")" = '100% tests passed' ] || fail 'the summary of ctest is missing'
}

case_test_shows_how_many_functions_are_unsupported() {
  mkdir -p "$work/checkout/build/release/src"
  printf 'hipOne\nhipTwo\n' >"$work/checkout/build/release/src/unsupported_functions.txt"
  run_test 0
  grep -q 'hipErrorNotSupported: 2$' "$work/out" || fail 'the number is missing'
}

case_test_fails_with_check() {
  stand_in ../checkout/scripts/check.py <<<'echo "check: failed: one"; exit 1'
  run_test 1
  grep -qx 'check: failed: one' "$work/checkout/build/logs/tests.log" || fail 'the log lacks it'
}

case_test_passes_options_on() {
  run_test 0 -R 'queue: a' -- --stop-on-failure
  grep -qx 'queue: a' "$work/check.arguments" || fail 'the expression is missing'
  [ "$(tail -n 2 "$work/check.arguments" | paste -sd' ')" = '-- --stop-on-failure' ] || fail 'the options of ctest are missing'
}

case_a_skipped_test_fails_under_continuous_integration_only() {
  CI='' run_test 0
  ! grep -qx -- --fail-skipped "$work/check.arguments" || fail 'it does elsewhere'
  CI=true run_test 0
  grep -qx -- --fail-skipped "$work/check.arguments" || fail 'it does not'
}

case_a_failed_build_shows_the_compiler_and_the_log() {
  stand_in ninja <<<'echo "[1/2] fine"; echo "FAILED: a.o"; echo "a.cpp:1: error: wrong"; exit 1'
  run_test 1
  expect_message 'a.cpp:1: error: wrong'
  expect_message "build failed; the whole log is $work/checkout/build/logs/build.log"
  ! grep -q fine "$work/err" || fail 'steps that succeeded are shown'
}

case_a_full_disk_is_one_line() {
  stand_in ninja <<<'echo "FAILED: a.o"; echo "fatal error: a.o: No space left on device"; exit 1'
  run_test 1
  expect_message 'disk full: free some space for'
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail 'not one line'
}

case_too_little_space_is_said_before_a_first_build() {
  stand_in df <<<'printf "Filesystem 1M-blocks Used Available\nfake 1 1 100\n"'
  run_test 1
  expect_message 'disk full: a build needs'
  [ ! -e "$work/cmake.arguments" ] || fail 'it configured all the same'
}

case_a_build_tree_of_another_checkout_is_not_used() {
  mkdir -p "$work/checkout/build/release"
  echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/another/place' >"$work/checkout/build/release/CMakeCache.txt"
  run_test 0
  [ ! -e "$work/checkout/build/release/CMakeCache.txt" ] || fail 'the tree is still there'
}

case_no_environment_no_build() {
  stand_in ../checkout/scripts/env <<<'echo "env: no network" >&2; exit 1'
  run_test 1
  [ "$(cat "$work/err")" = 'env: no network' ] || fail 'not the one line of scripts/env'
}

case_pvc_sim_chooses_the_simulated_device() {
  local seen
  seen=$(CHIP_DEVICE=cpu ZE_ENABLE_ALT_DRIVERS=x "$source_checkout/scripts/pvc-sim" env)
  grep -qx 'ProductFamilyOverride=pvc' <<<"$seen" || fail 'the simulated device is not set'
  grep -qx 'CHIP_SAMPLE_UNCHECKED=1' <<<"$seen" || fail 'samples would check results'
  ! grep -qE '^(CHIP_DEVICE|ZE_ENABLE_ALT_DRIVERS)=' <<<"$seen" || fail 'another device is still chosen'
  local status=0
  "$source_checkout/scripts/pvc-sim" sh -c 'exit 5' || status=$?
  [ "$status" -eq 5 ] || fail "exit status is $status"
}

if [ "${1:-}" = --list ]; then
  declare -F | sed -n 's/^declare -f case_//p'
  exit 0
fi
declare -F "case_${1:-}" >/dev/null || fail "no such case: '${1:-}'"
make_checkout
"case_$1"
echo "$1: passed"
