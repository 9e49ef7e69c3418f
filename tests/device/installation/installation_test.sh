#!/usr/bin/env bash
# installation_test.sh CASE BUILD: one test of what hipcc makes, as a user runs it; BUILD is the build tree.
set -euo pipefail
case_name=$1 build=$2
hipcc=$build/bin/hipcc hipconfig=$build/bin/hipconfig
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
contains() { grep -qF -- "$2" "$1" || fail "$1 does not contain '$2': $(head -c 2000 "$1")"; }
# Runs a program on the CPU driver and wants its 'ok'.
runs() { CHIP_DEVICE=cpu "$@" >out.txt || fail "$* failed: $(cat out.txt)" && contains out.txt ok; }
cp "$here/program.hip" program.hip

case $case_name in
unoptimised_and_debug)
  "$hipcc" -O0 -g program.hip -o program
  runs ./program
  ;;
compressed)
  "$hipcc" --offload-compress program.hip -o program
  grep -qa CCOB program || fail 'not compressed'
  runs ./program
  ;;
shared_library)
  cp "$here"/{plugin.hip,host.cpp} .
  "$hipcc" -fPIC -shared plugin.hip -o libplugin.so
  "$hipcc" -x c++ host.cpp -o host -ldl
  runs ./host ./libplugin.so
  ;;
installed)
  cmake --install "$build" --prefix "$work/prefix" >install.log
  "$work/prefix/bin/hipcc" program.hip -o program
  runs ./program
  "$work/prefix/bin/hipcc" -### program.hip -o x 2>commands.txt
  ! grep -qF "$build/lib" commands.txt || fail 'the installation needs the build tree'
  [ "$("$work/prefix/bin/hipconfig" --path)" = "$work/prefix" ] || fail "$("$work/prefix/bin/hipconfig" --path)"
  ;;
*) fail "no test '$case_name'" ;;
esac
