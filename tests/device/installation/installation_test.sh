#!/usr/bin/env bash
# installation_test.sh CASE BUILD: one test of what hipcc makes, as a user runs it; BUILD is the build tree.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

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
installed)
  installs
  "$prefix/bin/hipcc" program.hip -o program
  runs ./program
  "$prefix/bin/hipcc" -### program.hip -o x 2>commands.txt
  ! grep -qF "$build/lib" commands.txt || fail 'the installation needs the build tree'
  [ "$("$prefix/bin/hipconfig" --path)" = "$prefix" ] || fail "$("$prefix/bin/hipconfig" --path)"
  # Another revision of the same sources does not make another compiler.
  echo abcdef0 >"$prefix/lib/chip/revision"
  for says in 'hipconfig --version' 'hipcc --version'; do
    "$prefix/bin/"$says >version.txt
    grep -qE '6\.4\.[0-9]+-abcdef0$' version.txt || fail "$says does not say the revision: $(cat version.txt)"
  done
  ;;
cmake_language_hip)
  installs
  # hipconfig in PATH is all that CMake needs; else the compiler is named.
  (PATH=$prefix/bin:$PATH && configures language_hip && builds)
  for program in by_cxx by_libraries by_hip relocated; do runs "b/$program"; done
  configures language_hip -DCMAKE_HIP_COMPILER="$("$prefix/bin/hipconfig" --hipclangpath)/clang++" \
    -DCMAKE_HIP_ARCHITECTURES=gfx90a
  builds by_hip
  runs b/by_hip
  ;;
cmake_with_hipcc)
  installs
  # A compiler that calls hipcc's under another name, as those of MPI do.
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$prefix/lib/chip/bin/clang++" >mpicxx
  chmod +x mpicxx
  for compiler in "$prefix/bin/hipcc" "$prefix/lib/chip/bin/clang++" "$work/mpicxx"; do
    configures cxx_hipcc -DCMAKE_CXX_COMPILER="$compiler"
    builds
    runs b/program
  done
  ;;
cmake_and_dependencies)
  installs
  mkdir project
  cp "$here"/language_hip/* project/
  here=$work
  (PATH=$prefix/bin:$PATH && configures project && builds by_hip)
  # A header that changed rebuilds what includes it, and nothing else.
  sleep 0.01
  printf '\n' >>project/answer.h
  ninja -C b -n by_hip >again.log
  contains again.log one.hip
  contains again.log two.cu
  ! grep -q main.cpp again.log || fail "$(cat again.log)"
  ;;
no_paths_of_the_build)
  installs
  for path in "$build" "$first_prefix"; do
    ! grep -rIlF -- "$path" "$prefix" >found.txt || fail "$path is named in $(cat found.txt)"
  done
  find "$prefix" -type l ! -exec test -e {} ';' -print >found.txt
  [ ! -s found.txt ] || fail "links to nowhere: $(cat found.txt)"
  find "$prefix" -type f \( -name '*.so*' -o -perm -100 \) -exec readelf -d {} + >dynamic.txt 2>readelf.log || contains readelf.log 'Not an ELF file'
  contains dynamic.txt NEEDED
  ! grep -E 'R(UN)?PATH' dynamic.txt | grep -vF '[$ORIGIN' >found.txt || fail "run paths: $(cat found.txt)"
  ;;
pkg_config)
  installs
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  for package in hip hiprtc; do
    [ "$(pkg-config --modversion $package)" = "$("$prefix/bin/hipconfig" --version | cut -d- -f1)" ] ||
      fail "version of $package: $(pkg-config --modversion $package)"
  done
  # Spaces in paths are escaped for the shell.
  cp "$here/pkg_config/main.cpp" .
  eval "c++ main.cpp -o host $(pkg-config --cflags --libs hip hiprtc)"
  LD_LIBRARY_PATH=$prefix/lib runs ./host
  configures pkg_config
  builds
  runs b/host
  ;;
cmake_module_findhip)
  installs
  for generator in Ninja 'Unix Makefiles'; do
    configures find_hip -G "$generator" -DCMAKE_MODULE_PATH="$prefix/lib/cmake/hip" -DCMAKE_BUILD_TYPE=Release
    cmake --build b >ninja.log 2>&1 || fail "$(tail -n 40 ninja.log)"
    for program in program by_static by_shared; do runs b/$program; done
  done
  # Each configuration has its own options, where it is chosen when building, too.
  configures find_hip -G 'Ninja Multi-Config' -DCMAKE_MODULE_PATH="$prefix/lib/cmake/hip"
  for configuration in Release RelWithDebInfo; do
    cmake --build b --config $configuration --target program >ninja.log 2>&1 || fail "$(tail -n 40 ninja.log)"
    runs b/$configuration/program
  done
  # A header that changed rebuilds what includes it. The linker's own dependency file cannot name paths with spaces.
  configures find_hip -DCMAKE_MODULE_PATH="$prefix/lib/cmake/hip" -DCMAKE_LINK_DEPENDS_USE_LINKER=OFF
  builds
  [ "$(ninja -C b -n | tail -n 1)" = 'ninja: no work to do.' ] || fail "$(ninja -C b -n -d explain 2>&1)"
  sleep 0.01
  touch b/value.h
  ninja -C b -n >again.log
  contains again.log 'HIP object program.dir/kernel.cpp.o'
  # Device code that is linked needs hipcc to link it.
  cmake -G Ninja -S "$here/find_hip" -B c -DCMAKE_MODULE_PATH="$prefix/lib/cmake/hip" -DEXPECTED_PREFIX="$prefix" \
    -DOPTION=-fgpu-rdc >cmake.log 2>&1 && fail 'c++ cannot link device code'
  contains cmake.log 'program has -fgpu-rdc'
  configures find_hip -DCMAKE_MODULE_PATH="$prefix/lib/cmake/hip" -DOPTION=-fgpu-rdc -DCMAKE_CXX_COMPILER="$prefix/bin/hipcc"
  builds program
  runs b/program
  ;;
cmake_package_versions)
  installs
  mkdir project
  here=$work
  echo '#include <hip/hip_version.h>
static_assert(HIP_VERSION_MAJOR == EXPECTED);' >project/version.cpp
  # finds VERSION LINE...: what the lines find is this version of the interface, for CMake and for programs.
  finds() {
    local version=$1
    shift
    {
      printf 'cmake_minimum_required(VERSION 3.28)\nproject(versions LANGUAGES CXX)\n'
      printf '%s\n' "$@" "if(NOT hip_VERSION_MAJOR EQUAL $version)" '  message(FATAL_ERROR "${hip_VERSION}")' 'endif()' \
        'add_library(program OBJECT version.cpp)' 'target_link_libraries(program PRIVATE hip::host)' \
        "target_compile_definitions(program PRIVATE EXPECTED=$version)"
    } >project/CMakeLists.txt
    configures project
    builds
  }
  finds 6 'find_package(hip REQUIRED)'
  finds 7 'find_package(hip 7 REQUIRED)'
  # Whoever takes any version has the one that the project asks for, before or later.
  finds 7 'find_package(hipblas REQUIRED)' 'find_package(hip 7 REQUIRED)'
  finds 7 'find_package(hip 7 REQUIRED)' 'find_package(hipblas REQUIRED)' 'find_package(hip 6...<8 REQUIRED)'
  finds 7 'find_package(hiprtc 7 REQUIRED)' 'find_package(hip REQUIRED)'
  finds 7 'find_package(hip 6...<8 REQUIRED)' 'find_package(hip 7...<8 REQUIRED)'
  finds 6 'find_package(hip 6 REQUIRED)' 'find_package(hip 7)' 'if(hip_FOUND)' '  message(FATAL_ERROR "two versions")' 'endif()' \
    'find_package(hip REQUIRED)'
  contains cmake.log 'find_package(hip 6) was called before'
  # What was found in a function is found again outside of it, with its variables.
  finds 6 'function(find)' '  find_package(hip REQUIRED)' '  find_package(rocblas REQUIRED)' 'endfunction()' 'find()' \
    'find_package(hip REQUIRED)' 'find_package(rocblas REQUIRED)' \
    'if(NOT hip_INCLUDE_DIRS OR NOT HIP_PLATFORM STREQUAL amd OR NOT rocblas_LIBRARIES)' \
    '  message(FATAL_ERROR "${hip_INCLUDE_DIRS} ${HIP_PLATFORM} ${rocblas_LIBRARIES}")' 'endif()'
  ;;
cmake_package_hiprtc)
  installs
  configures hiprtc
  builds
  runs b/program
  ;;
marks_and_ranges)
  installs
  cat >marks.hip <<'SOURCE'
#include <cstdio>
#include <roctracer/roctx.h>
int main() { std::puts(roctxRangePush("range") == 0 && roctxRangePop() == 0 ? "ok" : "wrong"); }
SOURCE
  "$prefix/bin/hipcc" marks.hip -lroctx64 -o marks
  readelf -d marks >dynamic.txt
  contains dynamic.txt '[libroctx64.so.4]'
  runs ./marks
  ;;
makefile)
  # The options for host compilers go well with hipcc.
  "$hipcc" -Werror $("$hipconfig" --cpp_config) program.hip -o program
  runs ./program
  ;;
configure_script)
  # What autoconf's scripts ask of CXX=hipcc.
  export PATH=$build/bin:$PATH CXX=hipcc
  for option in --version -v; do $CXX $option >version.txt 2>&1 || fail "$CXX $option: $(cat version.txt)"; done
  ! $CXX -qversion >version.txt 2>&1 || fail '-qversion is no option'
  echo 'int main() { return 0; }' >conftest.cpp
  $CXX conftest.cpp 2>errors.txt && [ -x a.out ] && ./a.out && [ ! -s errors.txt ] || fail "a.out: $(cat errors.txt)"
  $CXX -c -g -O2 conftest.cpp -o conftest2.o && [ -f conftest2.o ] || fail 'with -c and -o'
  echo '#include <no/such/header.h>' >missing.cpp
  ! $CXX -E missing.cpp >/dev/null 2>errors.txt || fail 'preprocessed what is missing'
  echo 'int x = no_such_name;' >wrong.cpp
  ! $CXX -c wrong.cpp 2>errors.txt || fail 'compiled what is wrong'
  [ ! -e wrong.o ] || fail 'left an object of what is wrong'
  # depcomp's way of the dependencies, which automake's makefiles then include.
  mkdir .deps
  $CXX -MT conftest.o -MD -MP -MF .deps/conftest.Tpo -c -o conftest.o conftest.cpp
  contains .deps/conftest.Tpo 'conftest.o: conftest.cpp'
  ;;
hand_written_ninja)
  # A build without CMake: depfiles, objects, a static library.
  cp "$here"/language_hip/{one.hip,two.cu,main.cpp,answer.h} .
  export PATH=$build/bin:$PATH
  cat >build.ninja <<'RULES'
rule compile
  command = hipcc -O2 -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule archive
  command = rm -f $out && ar rcs $out $in
rule link
  command = hipcc $in -o $out
build one.o: compile one.hip
build two.o: compile two.cu
build main.o: compile main.cpp
build libboth.a: archive one.o two.o
build program: link main.o libboth.a
RULES
  ninja >ninja.log || fail "$(cat ninja.log)"
  runs ./program
  [ "$(ninja -n)" = 'ninja: no work to do.' ] || fail "$(ninja -n -d explain)"
  sleep 0.01
  touch answer.h
  ninja -n >again.log
  contains again.log one.hip
  ! grep -q main.cpp again.log || fail "$(cat again.log)"
  ;;
*) fail "no test '$case_name'" ;;
esac
