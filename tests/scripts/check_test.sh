#!/usr/bin/env bash
# Tests of scripts/check.py with small test directories of our own.
#
# check_test.sh CASE runs one case, check_test.sh --list names them.
set -euo pipefail

source_checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  [ ! -e "$work/out" ] || sed 's/^/  output: /' "$work/out" >&2
  exit 1
}

# --- A build directory ------------------------------------------------------------------------------------------------

build=$work/build
known=$work/known_failures.yaml

make_build() {
  mkdir -p "$build"
  echo 'CMAKE_PROJECT_NAME:STATIC=suite' >"$build/CMakeCache.txt"
  : >"$build/CTestTestfile.cmake"
  : >"$known"
}

# add_test FOLDER NAME CMD...: a test in a folder of the build directory.
add_test() {
  local folder=$1 name=$2
  shift 2
  if [ ! -d "$build/$folder" ]; then
    mkdir -p "$build/$folder"
    echo "subdirs($folder)" >>"$build/CTestTestfile.cmake"
  fi
  printf 'add_test([=[%s]=]%s)\n' "$name" "$(printf ' [=[%s]=]' "$@")" >>"$build/$folder/CTestTestfile.cmake"
}
# set_property FOLDER NAME PROPERTY VALUE
set_property() { printf 'set_tests_properties([=[%s]=] PROPERTIES %s "%s")\n' "${@:2}" >>"$build/$1/CTestTestfile.cmake"; }

# list_known FOLDER KIND TEXT [SUITE [DEVICE]]: an entry of the list of known failures.
list_known() {
  printf '%s:\n  %s:\n    - reason: it is broken\n      devices: [%s]\n      %s: ["%s"]\n' \
    "${4:-suite}" "$1" "${5:-cpu}" "$2" "$3" >>"$known"
}

# run_check STATUS [OPTION...]: runs check.py on the build directory and expects that exit status.
run_check() {
  local expected=$1 status=0
  shift
  "$source_checkout/scripts/check.py" "$build" "${device:-cpu}" level0 --known-failures "$known" "$@" \
    >"$work/out" 2>&1 || status=$?
  [ "$status" -eq "$expected" ] || fail "exit status is $status, expected $expected"
}
expect() { grep -qxF -- "$1" "$work/out" || fail "no line '$1'"; }
# expect_row GROUP PASSED FAILED KNOWN SKIPPED
expect_row() { grep -qE -- "^$1 +$2 +$3 +$4 +$5 +[0-9.]+ s$" "$work/out" || fail "no row '$*'"; }

# --- Cases ------------------------------------------------------------------------------------------------------------

case_passes_and_shows_the_output_of_ctest_and_a_table() {
  add_test one a true
  add_test one b true
  add_test two c true
  run_check 0
  grep -q '^100% tests passed' "$work/out" || fail 'the summary of ctest is missing'
  expect_row one 2 0 0 0
  expect_row two 1 0 0 0
  expect_row total 3 0 0 0
}

case_a_failure_fails() {
  add_test one a true
  add_test one b false
  run_check 1
  expect 'check: failed: b'
  expect_row one 1 1 0 0
}

case_the_end_of_a_failures_output_is_told_last() {
  add_test one a sh -c 'seq 100; exit 1'
  add_test one b true
  run_check 1
  [ "$(tail -n 22 "$work/out")" = "$(echo 'check: failed: a'; seq 81 100 | sed 's/^/  /'; echo 'check: problems: 1')" ] ||
    fail 'other last lines'
}

case_ten_failures_fail() {
  local number
  for number in {1..10}; do add_test one "a$number" false; done
  run_check 1
  expect_row total 0 10 0 0
}

case_a_crash_fails() {
  add_test one a sh -c 'kill -SEGV $$'
  run_check 1
  expect 'check: failed: a'
}

case_a_program_that_is_missing_fails() {
  add_test one a "$work/missing"
  run_check 1
  expect 'check: failed: a'
}

case_a_timeout_fails() {
  add_test one a sleep 30
  run_check 1 --timeout 1
  expect 'check: failed: a'
}

case_a_known_failure_passes() {
  add_test one a true
  add_test one 'b - <int>' false
  list_known one tests 'b - <int>'
  run_check 0
  expect_row one 1 0 1 0
}

case_a_known_failure_that_passes_fails() {
  add_test one a true
  list_known one tests a
  run_check 1
  expect 'check: passes but is listed as a known failure: a (it is broken)'
}

case_a_known_failure_that_may_pass_does() {
  add_test one a true
  add_test one b false
  echo 'suite: {one: [{reason: chance, devices: [cpu], tests: [a, b], may_pass: true}]}' >"$known"
  run_check 0
  expect_row one 1 0 1 0
}

case_a_pattern_must_match_the_whole_name() {
  add_test one part false
  add_test one part_two false
  list_known one patterns 'par.'
  run_check 1
  expect 'check: failed: part_two'
  expect_row one 0 1 1 0
}

case_a_name_is_no_pattern() {
  add_test one part false
  list_known one tests 'par.'
  run_check 1
  expect "check: listed as a known failure but matches no test: 'par.' of one"
}

case_a_pattern_that_matches_nothing_fails() {
  add_test one a true
  list_known one patterns 'b.*'
  run_check 1
  expect "check: listed as a known failure but matches no test: pattern 'b.*' of one"
}

case_an_entry_counts_for_its_folder_only() {
  add_test one a false
  add_test two b true
  list_known two tests a
  run_check 1
  expect 'check: failed: a'
  expect "check: listed as a known failure but matches no test: 'a' of two"
}

case_equal_names_in_two_folders_are_told_apart() {
  add_test one a false
  add_test two a true
  list_known one tests a
  run_check 0
  expect_row one 0 0 1 0
  expect_row two 1 0 0 0
}

case_an_entry_of_another_suite_is_passed_over() {
  add_test one a true
  list_known one tests b other
  run_check 0
  list_known one tests a suite
  run_check 1
}

case_an_entry_of_another_device_is_passed_over() {
  add_test one a false
  list_known one tests a suite dgpu
  run_check 1
  expect 'check: failed: a'
}

case_an_entry_of_a_folder_that_was_not_built_is_passed_over() {
  add_test one a true
  mkdir "$build/two"
  list_known two tests b
  run_check 0
  rmdir "$build/two"
  run_check 1
}

case_only_selected_entries_are_looked_for() {
  add_test one a true
  add_test one b false
  list_known one tests c_gone
  run_check 0 --regex-include '^a'
  run_check 1 --regex-include '^[ac]'
  expect "check: listed as a known failure but matches no test: 'c_gone' of one"
  run_check 0 --regex-include '^[ac]' --regex-exclude 'gone|b'
}

case_an_exclusion_leaves_tests_out() {
  add_test one a true
  add_test one b false
  run_check 0 --regex-exclude '^b'
  expect_row total 1 0 0 0
}

case_options_of_ctest_are_passed_on() {
  add_test one a true
  add_test one b false
  set_property one a LABELS quick
  run_check 0 -- -L quick
  expect_row total 1 0 0 0
}

case_nothing_run_fails() {
  run_check 1
  expect 'check: no test was run'
  add_test one a true
  run_check 1 --regex-include zzz
  expect 'check: no test was run'
}

case_a_skipped_test_passes_unless_told_otherwise() {
  add_test one a true
  add_test one b sh -c 'exit 4'
  set_property one b SKIP_RETURN_CODE 4
  run_check 0
  expect_row one 1 0 0 1
  run_check 1 --fail-skipped
  expect 'check: skipped: b'
}

case_only_skipped_tests_fail() {
  add_test one a echo SKIP
  set_property one a SKIP_REGULAR_EXPRESSION SKIP
  run_check 1
  expect 'check: no test was run'
}

case_every_try_must_pass() {
  add_test one a sh -c "echo run >>'$work/runs'; test \$(wc -l <'$work/runs') -ne 2"
  run_check 1 --num-tries 3
  expect 'check: failed: a'
  [ "$(wc -l <"$work/runs")" -eq 2 ] || fail 'not two runs'
  rm "$work/runs"
  run_check 0
}

case_a_failure_at_the_first_try_is_not_retried() {
  add_test one a sh -c "test -e '$work/ran' || { : >'$work/ran'; exit 1; }"
  run_check 1 --num-tries 2
}

case_tests_see_the_device() {
  add_test one a sh -c 'test "$CHIP_DEVICE" = cpu'
  CHIP_DEVICE=gpu run_check 0
}

# A library with an integrated and a discrete GPU, in that order.
make_library() {
  mkdir -p "$1/lib"
  cc -shared -x c - -o "$1/lib/libCHIP.so" <<'END_OF_SOURCE'
int hipGetDeviceCount(int *count) { *count = 2; return 0; }
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 16 && device == 0;
  return 0;
}
END_OF_SOURCE
}

case_the_kind_of_gpu_is_looked_for() {
  make_library "$build"
  add_test one a sh -c 'echo "mask $ZE_AFFINITY_MASK"; test "$CHIP_DEVICE" = gpu'
  device=igpu run_check 0 -- -V
  grep -q 'mask 0$' "$work/out" || fail 'not the first device'
  device=dgpu run_check 0 -- -V
  grep -q 'mask 1$' "$work/out" || fail 'not the second device'
}

case_a_gpu_that_is_not_there_is_an_error() {
  mkdir -p "$work/prefix/lib"
  echo 'int hipGetDeviceCount(int *count) { *count = 0; return 100; }' |
    cc -shared -x c - -o "$work/prefix/lib/libCHIP.so"
  echo "HIP_PATH:UNINITIALIZED=$work/prefix" >>"$build/CMakeCache.txt"
  add_test one a true
  device=dgpu run_check 2
  expect 'check: no dgpu here: libCHIP finds no GPU'
}

case_a_list_with_mistakes_is_an_error() {
  add_test one a true
  local text
  for text in '[]' 'suite: [one]' 'suite: {one: a}' 'suite: {one: [a]}' 'suite: {one: [{reason: r, devices: [cpu]}]}' \
    'suite: {one: [{devices: [cpu], tests: [a]}]}' 'suite: {one: [{reason: r, devices: [gpu], tests: [a]}]}' \
    'suite: {one: [{reason: r, devices: [cpu], tests: a}]}' 'suite: {one: [{reason: r, devices: [cpu], test: [a]}]}' \
    'other: {one: [{reason: r, devices: [cpu], patterns: ["("]}]}' 'suite: {' \
    'suite: {one: [], one: []}' 'suite: {one: [{reason: r, devices: [cpu], tests: [a], may_pass: no-one-knows}]}'; do
    echo "$text" >"$known"
    run_check 2
    grep -q '^check: ' "$work/out" || fail "no message for $text"
  done
}

case_a_directory_that_is_no_build_is_an_error() {
  rm "$build/CMakeCache.txt"
  run_check 2
  expect "check: $build is no build directory: No such file or directory: CMakeCache.txt"
}

case_our_own_list_is_well_formed() {
  known=$source_checkout/tests/known_failures.yaml
  add_test one a true
  run_check 0
}

if [ "${1:-}" = --list ]; then
  declare -F | sed -n 's/^declare -f case_//p'
  exit 0
fi
declare -F "case_${1:-}" >/dev/null || fail "no such case: '${1:-}'"
make_build
"case_$1"
echo "$1: passed"
