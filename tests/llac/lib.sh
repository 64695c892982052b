# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of llac: run it, compare what it says.
set -u
llac=$CLL_BIN/llac
data=$CLL_SOURCE/tests/llac/data
failed=0
# Looking for leaks takes seconds at the end of each run; the unit tests do it.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}

# run ARGS...: sets $status, leaves out.txt and err.txt
run() {
    status=0
    "$llac" "$@" >out.txt 2>err.txt </dev/null || status=$?
}
say() {
    echo "FAILED: $what: $*"
    echo "--- status $status"
    echo "--- stdout"
    cat out.txt
    echo "--- stderr"
    cat err.txt
    failed=1
}
expect_status() { [ "$status" -eq "$1" ] || say "status is $status instead of $1"; }
expect_out() { grep -qF -- "$1" out.txt || say "stdout lacks '$1'"; }
expect_err() { grep -qF -- "$1" err.txt || say "stderr lacks '$1'"; }
expect_no_out() { ! grep -qF -- "$1" out.txt || say "stdout has '$1'"; }
expect_quiet() { [ ! -s err.txt ] || say "stderr is not empty"; }
expect_file() { [ -s "$1" ] || say "file $1 is missing or empty"; }

# good COMMANDS [FILE...]: must work without a word on stderr
good() {
    what=$1
    local commands=$1
    shift
    [ $# -gt 0 ] || set -- "$data/demo.dat"
    run -e "$commands" "$@"
    expect_status 0
    expect_quiet
}
# bad COMMANDS MESSAGE [FILE...]: must fail with the message and print nothing
bad() {
    what=$1
    local commands=$1 message=$2
    shift 2
    [ $# -gt 0 ] || set -- "$data/demo.dat"
    run -e "$commands" "$@"
    expect_status 1
    expect_err "$message"
}
finish() {
    [ $failed -eq 0 ] && echo "all as expected"
    exit $failed
}
