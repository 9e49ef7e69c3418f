#!/usr/bin/env bash
# Tests of scripts/env. Programs of our own stand in for the ones that need a network, root or namespaces, so that each
# failure can be brought about; nothing outside of a temporary directory is read or written.
#
# env_test.sh CASE runs one case, env_test.sh --list names them.
set -euo pipefail

source_checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- A machine --------------------------------------------------------------------------------------------------------

checkout=$work/checkout
export XDG_CACHE_HOME=$work/cache HOME=$work/home CHIP_ENV=root
export FAKE_MIRROR=http://mirror.invalid/debian FAKE_FREE_MIB=100000 FAKE_LOG='' FAKE_SECONDS=0 FAKE_WORK=$work
unset LD_PRELOAD

stand_in() {
  cat >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

make_machine() {
  mkdir -p "$work/bin" "$checkout/scripts" "$HOME"
  cp "$source_checkout/scripts/env" "$source_checkout/scripts/packages.txt" "$checkout/scripts/"
  export PATH=$work/bin:$PATH
  # What the environment is made with. Fails with FAKE_LOG as its last words; else makes a root of empty directories.
  stand_in mmdebstrap <<'END'
#!/bin/bash
echo made >>"$FAKE_WORK/mmdebstrap.calls"
printf '%s\n' "$@" >"$FAKE_WORK/mmdebstrap.arguments"
format=directory target=
for argument; do
  case $argument in --format=tar) format=tar ;; *.partial) target=$argument ;; esac
done
echo 'I: running apt-get update...' >&2
sleep "$FAKE_SECONDS"
[ -z "$FAKE_LOG" ] || { echo "$FAKE_LOG" >&2; exit 1; }
[ "$format" = directory ] || target=$(mktemp -d)
mkdir -p "$target"/{etc,usr,var,opt}
[ "$format" = directory ] || tar -C "$target" -c .
END
  # How it is entered: what stands after the '--' runs, in the directory that --chdir names.
  stand_in bwrap <<'END'
#!/bin/bash
[ -z "${FAKE_NO_NAMESPACES:-}" ] || { echo 'bwrap: No permissions to create new namespace' >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
  --chdir) cd "$2" || exit 1; shift ;;
  --) shift; exec "$@" ;;
  esac
  shift
done
END
  stand_in newuidmap <<<'#!/bin/sh'
  stand_in apt-get <<'END'
#!/bin/bash
case " $* " in
*' indextargets '*) [ -z "$FAKE_MIRROR" ] || printf 'Debian|%s/\nDebian-Security|%s-security/\n' "$FAKE_MIRROR" "$FAKE_MIRROR" ;;
esac
END
  stand_in apt-config <<'END'
#!/bin/sh
echo 'Acquire::http::Proxy "http://proxy.invalid:3128";'
echo 'DPkg::Post-Invoke:: "rm -f /nothing";'
END
  stand_in df <<'END'
#!/bin/sh
printf 'Filesystem 1M-blocks Used Available Capacity Mounted\nfake 1 1 %s 1%% /\n' "$FAKE_FREE_MIB"
END
}

# --- Expectations -----------------------------------------------------------------------------------------------------

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  [ ! -e "$work/err" ] || sed 's/^/  stderr: /' "$work/err" >&2
  exit 1
}

# run_env STATUS ARG...: runs scripts/env and expects that exit status; its output is in $work/out and $work/err.
run_env() {
  local expected=$1 status=0
  shift
  "$checkout/scripts/env" "$@" >"$work/out" 2>"$work/err" || status=$?
  [ "$status" -eq "$expected" ] || fail "exit status is $status, expected $expected"
}
expect_output() { [ "$(cat "$work/out")" = "$1" ] || fail "output is '$(cat "$work/out")', expected '$1'"; }
# The last line of standard error says what happened and what to do; nothing but progress comes before it.
expect_message() {
  tail -n 1 "$work/err" | grep -qF -- "$1" || fail "the last line does not say '$1'"
  ! grep -qv '^env: ' "$work/err" || fail "there are lines that are not scripts/env's own"
}
made_roots() { find "$XDG_CACHE_HOME/libchip" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' 2>/dev/null; }
expect_no_root() { [ -z "$(made_roots)" ] || fail "something was kept: $(made_roots)"; }
times_made() { if [ -e "$work/mmdebstrap.calls" ]; then grep -c . "$work/mmdebstrap.calls"; else echo 0; fi; }
expect_made() { [ "$(times_made)" = "$1" ] || fail "the environment was made $(times_made) times, expected $1"; }

# --- Cases ------------------------------------------------------------------------------------------------------------

case_without_a_command_says_how_it_is_used() {
  run_env 1
  expect_message 'usage: scripts/env [--list FILE] CMD'
}

case_passes_arguments_input_and_status() {
  run_env 0 sh -c 'printf "%s|" "$@"; cat' sh 'two words' '' '*' <<<'standard input'
  expect_output 'two words||*|standard input'
  run_env 7 sh -c 'exit 7'
}

case_runs_directly_where_told() {
  CHIP_ENV=host run_env 3 sh -c 'echo here; exit 3'
  expect_output here
  expect_made 0
  CHIP_ENV=elsewhere run_env 1 true
  expect_message "CHIP_ENV is 'elsewhere'"
}

case_runs_directly_where_all_packages_are() {
  stand_in dpkg-query <<'END'
#!/bin/sh
for argument; do case $argument in -*|'${'*) ;; *) echo "${FAKE_STATUS:-installed}" ;; esac; done
END
  CHIP_ENV='' run_env 0 true
  expect_made 0
  FAKE_STATUS=config-files CHIP_ENV='' run_env 0 true
  expect_made 1
}

case_makes_the_environment_once() {
  run_env 0 true
  run_env 0 true
  expect_made 1
  grep -q 'making the Debian' "$work/err" && fail 'the second call made it again'
  return 0
}

case_takes_the_machines_mirror_and_network_settings() {
  run_env 0 true
  grep -qxF "$FAKE_MIRROR" "$work/mmdebstrap.arguments" || fail 'the mirror is not the one of the apt sources'
  grep -q 'Acquire::http::Proxy' "$work/mmdebstrap.arguments" || fail 'the proxy is not passed on'
  ! grep -q 'Post-Invoke' "$work/mmdebstrap.arguments" || fail 'a hook of this machine is passed on'
}

case_two_checkouts_share_it_and_another_list_does_not() {
  run_env 0 true
  cp -a "$checkout" "$work/second"
  checkout=$work/second run_env 0 true
  expect_made 1
  echo another-package >>"$work/second/scripts/packages.txt"
  checkout=$work/second run_env 0 true
  expect_made 2
}

case_a_list_of_its_own_makes_an_environment_of_its_own() {
  local package=$work/own.deb list=$work/list
  echo first >"$package"
  printf '%s\n' cmake "$package" >"$list"
  run_env 0 true
  CHIP_ENV=host run_env 0 --list "$list" sh -c 'echo there'
  expect_output there
  expect_made 2
  grep -qx -- '--include=cmake' "$work/mmdebstrap.arguments" || fail 'the package of the list is not installed'
  grep -qx -- "--include=$package" "$work/mmdebstrap.arguments" || fail 'the package file of the list is not installed'
  run_env 0 --list "$list" true
  expect_made 2
  echo second >"$package"
  run_env 0 --list "$list" true
  expect_made 3
  run_env 1 --list "$work/nothing" true
  expect_message "cannot read the list $work/nothing"
}

case_two_calls_at_once_make_it_once() {
  export FAKE_SECONDS=1
  "$checkout/scripts/env" true 2>"$work/first.err" &
  local first=$!
  while [ ! -e "$work/mmdebstrap.calls" ]; do sleep 0.05; done
  run_env 0 true
  wait "$first" || fail 'the first call failed'
  expect_made 1
  grep -q 'another process is making the environment' "$work/err" || fail 'the second call does not say that it waits'
}

case_a_finished_call_holds_no_lock() {
  run_env 0 sh -c 'ls -l /proc/self/fd'
  ! grep -q '\.lock$' "$work/out" || fail 'the command inherited the lock'
}

case_what_an_interrupted_call_left_is_not_trusted() {
  run_env 0 true
  local root
  root=$XDG_CACHE_HOME/libchip/$(made_roots)
  # A machine that lost its power: no mark, or still the name for unfinished ones.
  rm "$root/.complete"
  mkdir -p "$root.partial/usr"
  touch "$root/leftover" "$root.partial/leftover"
  run_env 0 true
  expect_made 2
  [ ! -e "$root/leftover" ] && [ ! -e "$root.partial" ] || fail 'the unfinished environment was kept'
}

case_a_signal_ends_it_and_leaves_nothing() {
  local signal pid status
  for signal in TERM HUP; do
    rm -f "$work/mmdebstrap.calls"
    FAKE_SECONDS=30 "$checkout/scripts/env" true 2>"$work/err" &
    pid=$!
    while [ ! -e "$work/mmdebstrap.calls" ]; do sleep 0.05; done
    kill "-$signal" "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" -eq 130 ] || fail "exit status after $signal is $status"
    expect_message 'interrupted: nothing is kept'
    expect_no_root
  done
}

case_full_disk_before() {
  FAKE_FREE_MIB=1000 run_env 1 true
  expect_message 'disk full: making the environment needs'
  expect_made 0
  expect_no_root
}

case_full_disk_while_making() {
  FAKE_LOG='tar: write error: No space left on device' run_env 1 true
  expect_message 'disk full while making the environment'
  expect_no_root
}

case_no_network() {
  FAKE_LOG="E: Failed to fetch $FAKE_MIRROR/dists/InRelease  Temporary failure resolving 'mirror.invalid'" run_env 1 true
  expect_message "no network: $FAKE_MIRROR cannot be reached"
  expect_no_root
  # Once the network is back, the same call works.
  run_env 0 true
}

case_mirror_lacks_a_package() {
  FAKE_LOG='E: Unable to locate package clang-22' run_env 1 true
  expect_message "$FAKE_MIRROR lacks clang-22 of scripts/packages.txt"
  expect_no_root
}

case_mirror_lacks_the_suite() {
  FAKE_LOG="E: The repository '$FAKE_MIRROR x Release' does not have a Release file." run_env 1 true
  expect_message "$FAKE_MIRROR does not carry Debian"
}

case_another_failure_names_the_log() {
  FAKE_LOG='E: something else broke' run_env 1 true
  expect_message 'E: something else broke'
  expect_message "$XDG_CACHE_HOME/libchip/"
}

case_no_mirror() {
  FAKE_MIRROR='' run_env 1 true
  expect_message 'no Debian mirror answers'
  expect_made 0
}

case_mirror_list_in_a_file() {
  printf '# mirrors\nhttp://listed.invalid/debian/\n' >"$work/mirrors"
  FAKE_MIRROR=mirror+file:$work/mirrors run_env 0 true
  grep -qxF 'http://listed.invalid/debian' "$work/mmdebstrap.arguments" || fail 'the listed mirror is not used'
}

case_no_namespaces() {
  FAKE_NO_NAMESPACES=1 run_env 1 true
  expect_message 'No permissions to create new namespace'
  expect_made 0
}

case_cache_that_cannot_be_written() {
  XDG_CACHE_HOME=/proc/nowhere run_env 1 true
  expect_message 'cannot write /proc/nowhere/libchip: set XDG_CACHE_HOME'
}

case_cache_is_below_home_unless_told() {
  XDG_CACHE_HOME='' run_env 0 true
  XDG_CACHE_HOME=relative run_env 0 true
  [ -d "$HOME/.cache/libchip" ] || fail "nothing in $HOME/.cache/libchip"
  expect_made 1
}

case_paths_with_spaces() {
  export XDG_CACHE_HOME="$work/my cache"
  mv "$checkout" "$work/my checkout"
  checkout="$work/my checkout" run_env 0 echo fine
  expect_output fine
}

case_missing_tools_are_named() {
  # As on a machine where an unprivileged user finds neither tool.
  stand_in id <<<'#!/bin/sh
echo 1000'
  rm "$work/bin/mmdebstrap" "$work/bin/bwrap"
  local only=$work/only tool
  mkdir "$only"
  for tool in bash dirname readlink sed awk sha256sum cut cat mkdir flock paste; do
    ln -s "$(command -v "$tool")" "$only/$tool"
  done
  PATH=$only:$work/bin run_env 1 true
  expect_message "needs mmdebstrap bubblewrap: ask an administrator to run 'apt-get install mmdebstrap bubblewrap'"
}

case_finds_the_hipcc_that_was_built_last() {
  local tree
  for tree in install/bin release/bin bin; do
    mkdir -p "$checkout/build/$tree"
    printf '#!/bin/sh\necho %s\n' "$tree" >"$checkout/build/$tree/hipcc"
    chmod +x "$checkout/build/$tree/hipcc"
  done
  touch -d '1 hour ago' "$checkout/build/release/bin/hipcc" "$checkout/build/bin/hipcc"
  run_env 0 hipcc
  expect_output install/bin
  touch "$checkout/build/bin/hipcc"
  touch -d '1 hour ago' "$checkout/build/install/bin/hipcc"
  run_env 0 hipcc
  expect_output bin
  # Installed from the release tree, which keeps the file's time.
  touch -r "$checkout/build/release/bin/hipcc" "$checkout"/build/{install/,}bin/hipcc
  run_env 0 hipcc
  expect_output release/bin
}

if [ "${1:-}" = --list ]; then
  declare -F | sed -n 's/^declare -f case_//p'
  exit 0
fi
declare -F "case_${1:-}" >/dev/null || fail "no such case: '${1:-}'"
make_machine
"case_$1"
echo "$1: passed"
