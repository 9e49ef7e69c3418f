# To be sourced by scripts that run one test: a file that says in comments what a tool is to make of it.

# run_and_check TEST FILECHECK PREFIX OUTPUT COMMAND...: COMMAND prints its result to OUTPUT, and the lines of TEST that begin with
# PREFIX are about that. In a test that says FAILS, COMMAND ends with exit code 1, and the lines are about what it prints on standard
# error.
run_and_check() {
  local test=$1 filecheck=$2 prefix=$3 output=$4 status=0
  shift 4
  "$@" >"$output" 2>"$output.errors" || status=$?
  if grep -q '^; FAILS$' "$test"; then
    [ "$status" -eq 1 ] || { echo "$1 ended with $status instead of 1" >&2; cat "$output.errors" >&2; return 1; }
    output=$output.errors
  elif [ "$status" -ne 0 ]; then
    cat "$output.errors" >&2
    return 1
  fi
  "$filecheck" --check-prefix="$prefix" --input-file="$output" "$test"
}
