#!/usr/bin/env bash
# clients_test.sh CASE BUILD: what the build systems of well-known users of HIP ask of an installation, and do with the answer.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case $case_name in
libceed)
  # A makefile: the root is two levels above hipcc in PATH; the library is the one that hipconfig's macros stand for; C files are
  # compiled by cc with the options that hipconfig prints; kernels by hiprtc or hipcc. Its root cannot have spaces.
  prefix=$work/root
  installs
  export PATH=$prefix/bin:$PATH
  cat >Makefile <<'RULES'
root := $(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $(shell which hipcc)))))
options := $(shell $(root)/bin/hipconfig --cpp_config)
library := $(if $(findstring __HIP_PLATFORM_SPIRV__,$(options)),CHIP,amdhip64)
directory := $(patsubst %/,%,$(dir $(firstword $(wildcard $(foreach d,lib lib64,$(root)/$d/lib$(library).so)))))
architecture := $(shell $(root)/bin/rocm_agent_enumerator | tail -n 1)
program: host.o kernels.o
	c++ -L$(directory) -Wl,-rpath,$(directory) -o $@ $^ -l$(library) -lhiprtc
host.o: host.c
	cc -std=c99 -Wall -Werror $(options) -c -o $@ $<
kernels.o: kernels.hip.cpp
	hipcc -O2 -fPIC --offload-arch=$(architecture) -munsafe-fp-atomics -c -o $@ $<
RULES
  cat >host.c <<'SOURCE'
#include <hip/hip_runtime.h>
#include <stdio.h>
int one(void);
int main(void) {
  struct hipDeviceProp_t properties;
  puts(hipGetDeviceProperties(&properties, 0) == hipSuccess && one() == 1 ? "ok" : "wrong");
  return 0;
}
SOURCE
  printf '%s\n' '#include "answer.h"' 'extern "C" int one() { return answer<1>(); }' >kernels.hip.cpp
  cp "$here/language_hip/answer.h" .
  make >make.log 2>&1 || fail "$(cat make.log)"
  contains make.log ' -lCHIP '
  runs ./program
  ;;
occa)
  # Kernels are compiled as the program runs, by a command with the device's own name of its architecture, and loaded from the file.
  installs
  cp "$here/occa/main.cpp" "$here/occa/kernel.cpp" .
  PATH=$prefix/bin:$PATH
  eval "c++ main.cpp -o program $("$prefix/bin/hipconfig" --cpp_config | sed 's/-I\(.*\)/"-I\1"/')" \
    -L'"$prefix/lib"' -lamdhip64 '"-Wl,-rpath,$prefix/lib"'
  runs ./program
  ;;
petsc)
  # The root from hipcc's full name or --with-hip-dir; libraries by their fixed names, with the C++ compiler; the version by
  # preprocessing a header; the sizes of types by running what hipcc compiled; the architecture from rocminfo or the enumerator.
  installs
  PATH=$prefix/bin:$PATH
  root=$(dirname "$(dirname "$(command -v hipcc)")")
  printf '%s\n' '#include <hip/hip_version.h>' 'petsc_version = HIP_VERSION_MAJOR . HIP_VERSION_MINOR' >version.cpp
  "$root/bin/hipcc" -E "-I$root/include" version.cpp >version.txt
  contains version.txt 'petsc_version = 6 . 4'
  printf '%s\n' 'extern "C" char hipInit(); int main() { hipInit(); }' >function.cpp
  c++ function.cpp -o function "-L$root/lib" "-Wl,-rpath,$root/lib" -lamdhip64
  printf '%s\n' '#include <hip/hip_runtime.h>' '#include <cstdio>' \
    'struct Pair { double a; int b; };' \
    '__global__ void sizes(int *p) { p[0] = sizeof(void *), p[1] = sizeof(Pair); }' \
    'int main() { int *p; if (hipHostMalloc(&p, 8)) return 1; sizes<<<1, 1>>>(p); if (hipDeviceSynchronize()) return 1;' \
    'std::puts(p[0] == sizeof(void *) && p[1] == sizeof(Pair) ? "ok" : "wrong"); }' >sizes.cpp
  architecture=$(rocm_agent_enumerator | sort -u)
  for option in --offload-arch --amdgpu-target; do
    hipcc -x hip -std=c++17 -g -O3 -fPIC "$option=$architecture" sizes.cpp -o sizes
    runs ./sizes
  done
  CHIP_DEVICE=cpu rocminfo >rocminfo.txt
  [ "$(sed -n 's/^  Name: *//p' rocminfo.txt | sort -u)" = "$architecture" ] || fail "$(cat rocminfo.txt)"
  ;;
hypre)
  # autoconf: ROCM_PATH names the root, headers are looked for as files, everything is compiled by hipcc as C++ or, with -x hip,
  # as HIP, and linked by hipcc or by the C++ compiler with fixed library names.
  installs
  export ROCM_PATH=$prefix
  [ -f "$ROCM_PATH/include/hip/hip_common.h" ] || fail 'no hip/hip_common.h'
  hipcc=$ROCM_PATH/bin/hipcc
  options=(-O2 -D_DEBUG "-I$ROCM_PATH/include" -D__HIP_PLATFORM_AMD__ --offload-arch=gfx90a)
  cp "$here/language_hip/"{answer.h,main.cpp} .
  printf '%s\n' '#include <hip/hip_runtime.h>' '#include "answer.h"' 'int one() { return answer<1>(); }' >one.c
  printf '%s\n' '#include <hip/hip_runtime.h>' '#include "answer.h"' 'int two() { return answer<2>(); }' >two.cpp
  for file in one.c two.cpp; do "$hipcc" -x hip -std=c++17 "${options[@]}" -c "$file" -o "$file.o"; done
  "$hipcc" "${options[@]}" -c main.cpp -o main.o
  ar rcs libkernels.a one.c.o two.cpp.o
  "$hipcc" main.o -o by_hipcc -L. -lkernels "-L$ROCM_PATH/lib" "-Wl,-rpath,$ROCM_PATH/lib" -lamdhip64
  c++ main.o -o by_cxx -L. -lkernels "-L$ROCM_PATH/lib" "-Wl,-rpath,$ROCM_PATH/lib" -lamdhip64
  runs ./by_hipcc
  runs ./by_cxx
  ;;
kokkos)
  # CMake with hipcc as the C++ compiler, known by what its --version says, or with clang and ROCM_PATH; hip::device and hip::host.
  installs
  "$prefix/bin/hipcc" --version >version.txt
  grep -qE '^HIP version: 6\.4\.[0-9]+-' version.txt && grep -q 'clang version 2' version.txt || fail "$(cat version.txt)"
  for option in path platform version rocmpath hipclangpath compiler runtime; do
    "$prefix/bin/hipconfig" --$option >hipconfig.txt || fail "hipconfig --$option"
    [ -s hipconfig.txt ] || fail "hipconfig --$option prints nothing"
  done
  [ "$("$prefix/bin/hipconfig" --platform)" = amd ] || fail "$("$prefix/bin/hipconfig" --platform)"
  export ROCM_PATH=$prefix
  for compiler in "$prefix/bin/hipcc" "$("$prefix/bin/hipconfig" --hipclangpath)/clang++"; do
    configures kokkos -DCMAKE_CXX_COMPILER="$compiler"
    builds
    runs b/program
  done
  ;;
algorithms)
  # The packages of rocPRIM, hipCUB and rocThrust are the system's; what they find of HIP is the installation.
  installs
  configures algorithms -DLANGUAGE=HIP -DCMAKE_HIP_COMPILER="$("$prefix/bin/hipconfig" --hipclangpath)/clang++"
  builds
  runs b/program
  configures algorithms -DCMAKE_CXX_COMPILER="$prefix/bin/hipcc"
  builds
  runs b/program
  ;;
rocminfo)
  # The lines that scripts look for.
  installs
  CHIP_DEVICE=cpu "$prefix/bin/rocminfo" >rocminfo.txt
  for pattern in '^HSA Agents' '^Agent 1' '^  Name: +spirv64$' '^  Uuid: +GPU-[0-9a-f]+$' '^  Marketing Name: +[^ ]' \
    '^  Vendor Name: +[^ ]' '^  Device Type: +[CG]PU$' '^  Compute Unit: +[1-9]' '^  Wavefront Size: +32\(0x20\)$'; do
    grep -qE "$pattern" rocminfo.txt || fail "no '$pattern' in $(cat rocminfo.txt)"
  done
  ! CHIP_DEVICE=cpu HIP_VISIBLE_DEVICES=-1 "$prefix/bin/rocminfo" >rocminfo.txt 2>errors.txt || fail 'there is no device'
  contains errors.txt 'rocminfo: no device'
  ;;
*) fail "no test '$case_name'" ;;
esac
