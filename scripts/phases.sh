# Sourced by demo, test and bench: the phases that they share, and how they report them.
# The sourcing script sets `program` (its name) and `phases` (how many it has).
# shellcheck shell=bash
: "${program:?}" "${phases:?}"

checkout=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$checkout/build/release
logs=$checkout/build/logs
# What a build of everything takes is 235 MiB; the rest is for what compilers and tests write meanwhile.
build_mib=400
phase_number=0

in_environment() { "$checkout/scripts/env" "$@"; }

die() {
  printf '%s: %s\n' "$program" "$*" >&2
  exit 1
}

phase() {
  phase_number=$((phase_number + 1))
  printf '%s: %d/%d %s\n' "$program" "$phase_number" "$phases" "$*"
}

free_mib() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# logged NAME CMD...: runs CMD with its output in a log; when it fails, says why in as few lines as will do.
logged() {
  local log=$logs/$1.log what=$1
  shift
  if "$@" 2>&1 </dev/null | tee "$log" | report_progress; then
    return
  fi
  if grep -q 'No space left on device' "$log" || [ "$(free_mib "$logs")" -lt 20 ]; then
    die "disk full: free some space for $checkout/build, then run again"
  fi
  # Ninja repeats the output of a command that failed below its name.
  sed -n '/^FAILED:/,$p' "$log" | head -n 30 >&2
  grep -q '^FAILED:' "$log" || tail -n 20 "$log" >&2
  die "$what failed; the whole log is $log"
}

# Shows how far ninja is: one line that is kept up to date, or a line every half minute where there is no terminal.
report_progress() {
  local line shown=$SECONDS
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [ -t 1 ]; then
      printf '\r\033[K  %s of %s steps' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    elif [ $((SECONDS - shown)) -ge 30 ]; then
      printf '  %s of %s steps\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
      shown=$SECONDS
    fi
  done
  [ ! -t 1 ] || printf '\r\033[K'
}

# How many compilers may run at once: those of LLVM-heavy files take up to 1.5 GiB each.
job_count() {
  local by_memory by_cores
  by_cores=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ { print int($2 / 1024 / 1536) }' /proc/meminfo)
  [ "$by_memory" -ge 1 ] || by_memory=1
  printf '%s' "$((by_cores < by_memory ? by_cores : by_memory))"
}

prepare_environment() {
  phase 'environment'
  in_environment true || exit 1
}

configure() {
  phase 'configure'
  mkdir -p "$logs" 2>/dev/null || die "cannot write $checkout/build: make it writable, or clone again elsewhere"
  # A build tree that was copied here together with the checkout works for its old place only.
  local home
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt" 2>/dev/null) || true
  [ -z "$home" ] || [ "$home" = "$checkout" ] || rm -rf "$build"
  [ -e "$build/.built" ] || [ "$(free_mib "$logs")" -ge "$build_mib" ] ||
    die "disk full: a build needs $build_mib MiB in $checkout/build; free some space, then run again"
  (cd "$checkout" && logged configure in_environment cmake --preset release "$@")
}

# build TARGET...
build() {
  phase 'build'
  logged build in_environment ninja -C "$build" -j "$(job_count)" "$@"
  touch "$build/.built"
}
