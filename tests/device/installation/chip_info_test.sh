#!/usr/bin/env bash
# Usage: chip_info_test.sh CASE BUILD_DIR
# What chip-info shows, with a device and without one.
set -euo pipefail
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CHIP_LOG CHIP_LOGLEVEL ZE_ENABLE_ALT_DRIVERS HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ZE_AFFINITY_MASK
export CHIP_DEVICE=cpu
info=$build/bin/chip-info

# run STATUS COMMAND...: the command ends with the status; what it wrote is in $work/out.
run() {
  local expected=$1 status=0
  shift
  "$@" >"$work/out" 2>"$work/err" || status=$?
  cat "$work/out" "$work/err"
  [ "$status" = "$expected" ] || { echo "exit code $status, not $expected"; exit 1; }
}
shows() {
  grep -qF -- "$1" "$work/out" || { echo "does not show: $1"; exit 1; }
}
# An installation that has nothing but this command.
bare() {
  mkdir -p "$work/bare/bin" "$work/bare/lib"
  cp "$info" "$work/bare/bin"
}

case $1 in
shows_versions_settings_and_devices)
  run 0 env CHIP_RTC_CACHE=0 ZE_CPU_THREADS=2 "$info"
  shows "libCHIP with HIP 6.4."
  shows "Compiler: /"
  shows "  CHIP_DEVICE=cpu"
  shows "  CHIP_RTC_CACHE=0"
  shows "  ZE_CPU_THREADS=2"
  shows "/libze_loader.so"
  shows "/libze_cpu.so"
  shows "the driver for the CPU has version "
  shows "Device 0: "
  shows "  memory  "
  shows "  threads per block  "
  [ ! -s "$work/err" ]
  ;;
says_that_it_cannot_write)
  run 1 sh -c '"$0" >/dev/full' "$info"
  grep -q '^chip-info: cannot write all of this' "$work/err"
  ;;
says_which_kind_of_device_is_not_here)
  run 1 env CHIP_DEVICE=tpu "$info"
  shows "No device was found:"
  shows "CHIP_DEVICE='tpu' is no list of different kinds of devices: use cpu, gpu"
  run 1 env CHIP_DEVICE=gpu ZE_ENABLE_ALT_DRIVERS="$build/lib/./libze_cpu.so" "$info"
  shows "CHIP_DEVICE='gpu' names no device that Level Zero has here"
  run 1 env HIP_VISIBLE_DEVICES=7 "$info"
  shows "HIP_VISIBLE_DEVICES='7' leaves none of 1 devices"
  ;;
says_that_no_device_is_visible)
  run 1 env HIP_VISIBLE_DEVICES=-1 "$info"
  shows "No device was found:"
  shows "hipGetDeviceCount answers hipErrorNoDevice"
  ;;
says_that_the_CPU_driver_is_missing)
  bare
  cp "$build/lib/libCHIP.so" "$work/bare/lib"
  run 1 "$work/bare/bin/chip-info"
  shows "there is no CPU driver $work/bare/lib/libze_cpu.so: install libCHIP completely"
  ;;
says_that_libCHIP_is_missing)
  bare
  run 1 "$work/bare/bin/chip-info"
  shows "libCHIP cannot be loaded: $work/bare/lib/libCHIP.so"
  ;;
says_that_the_loader_is_missing)
  bare
  : >"$work/none.c"
  cc -shared -Wl,-soname,libze_loader.so.none -o "$work/loader.so" "$work/none.c"
  cc -shared -Wl,--no-as-needed -o "$work/bare/lib/libCHIP.so" "$work/none.c" "$work/loader.so"
  run 1 "$work/bare/bin/chip-info"
  shows "install Level Zero's loader"
  ;;
refuses_options_that_it_does_not_have)
  run 0 "$info" --help
  shows "usage: chip-info"
  run 1 "$info" --everything
  grep -q "usage: chip-info" "$work/err"
  ;;
*)
  echo "unknown case $1"
  exit 2
  ;;
esac
