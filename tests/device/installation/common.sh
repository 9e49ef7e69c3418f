# What the tests of this folder share: sourced with the name of a case and the build tree as $1 and $2.
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
# installs: the project into $prefix, by way of another directory: an installation can be moved. With a space in its name, as
# home directories may have.
prefix=$work/'a prefix' first_prefix=$work/installed
installs() {
  cmake --install "$build" --prefix "$first_prefix" >install.log
  mv "$first_prefix" "$prefix"
}
# configures PROJECT OPTION...: in $work/b, with nothing of the build tree in sight.
configures() {
  local project=$1
  shift
  rm -rf b
  cmake -G Ninja -S "$here/$project" -B b -DCMAKE_PREFIX_PATH="$prefix" -DEXPECTED_PREFIX="$prefix" "$@" \
    >cmake.log 2>&1 || fail "$(tail -n 40 cmake.log)"
}
# builds TARGET...
builds() { ninja -C b "$@" >ninja.log || fail "$(tail -n 40 ninja.log)"; }
