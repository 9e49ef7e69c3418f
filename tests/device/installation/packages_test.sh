#!/usr/bin/env bash
# packages_test.sh CASE BUILD: the Debian packages.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

samples=$here/../../../samples root=$work/root
names=(libchip libchip-dev libze-cpu libze-opencl)
# Makes them below $work/packages.
packs() { cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages" >cpack.log 2>&1 || fail "$(tail -n 40 cpack.log)"; }
package() { echo "$work"/packages/"$1"_*.deb; }
# files PACKAGE: what it has in /usr, relative to it.
files() { dpkg-deb -c "$(package "$1")" | awk '$1 !~ /^d/ { print $6 }' | sed 's,^\./usr/,,'; }

case $case_name in
debian)
  packs
  for name in "${names[@]}"; do
    files "$name"
    dpkg-deb -I "$(package "$name")" >"$name.txt"
    [ -n "$(dpkg-deb -f "$(package "$name")" Description)" ] || fail "$name says nothing of itself"
    dpkg-deb -x "$(package "$name")" "$root"
  done | sort >packed.txt
  [ -z "$(uniq -d packed.txt)" ] || fail "in two packages: $(uniq -d packed.txt)"
  cmake --install "$build" --prefix "$prefix" >install.log
  (cd "$prefix" && find . ! -type d | sed 's,^\./,,' | sort) >installed.txt
  diff installed.txt packed.txt >differences.txt || fail "installed or packed only: $(cat differences.txt)"
  # What each needs: libraries found by dpkg-shlibdeps, and what is run.
  needs() { dpkg-deb -f "$(package "$1")" Depends | tr ',' '\n' | grep -qE "^ *$2" || fail "$1 does not need $2"; }
  needs libchip 'libc6 \(>= '
  needs libchip 'libze1'
  needs libchip 'libze-cpu \(= '
  needs libchip-dev 'libchip \(= '
  needs libchip-dev 'clang-[0-9]+$'
  needs libchip-dev 'clang-tools-[0-9]+$'
  needs libchip-dev 'llvm-[0-9]+$'
  needs libchip-dev 'libstdc\+\+-[0-9]+-dev$'
  needs libze-cpu 'libllvm[0-9]+'
  ! dpkg-deb -f "$(package libze-cpu)" Depends | grep -q libchip || fail 'the driver needs no HIP'
  needs libze-opencl 'ocl-icd-libopencl1'
  ! dpkg-deb -f "$(package libze-opencl)" Depends | grep -qE 'libchip|libze-cpu|llvm' || fail 'the driver over OpenCL needs OpenCL only'
  "$root/usr/bin/hipcc" -O2 "$samples/many_streams.hip" "$samples/many_streams_kernel.hip" -o many_streams
  readelf -d many_streams | grep -qF "[$root/usr/lib]" || fail "many_streams uses another library: $(readelf -d many_streams)"
  CHIP_DEVICE=cpu ./many_streams >out.txt || fail "many_streams failed: $(cat out.txt)"
  ;;
*) fail "no test '$case_name'" ;;
esac
