# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of libcll share. A test is a function of the script, named by the first argument;
# it runs in an empty folder.
set -u
unset CLL_OUT CLL_CLOCK CLL_MEMORY CLL_SPOOL CLL_COUNTERS CLL_OFF CLL_RUN CLL_PATIENCE
tests=$CLL_BUILD/tests
sanitize=
[ -z "${CLL_SANITIZE:-}" ] || sanitize=-fsanitize=$CLL_SANITIZE
# A sanitizer must not turn a signal that we send into something else.
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=handle_segv=0:handle_abort=0:${UBSAN_OPTIONS:-}

fail() { echo "FAILED: $*" >&2; exit 1; }
skip() { echo "skipped: $*" >&2; exit 77; }

# sample MODE [NUMBER]: a copy here, so that the data file is ours; stderr in err, stdout in out.
sample() {
    [ -e sample ] || ln -s "$tests/cll_sample" sample
    ./sample "$@" > out 2> err
}

# rows FILE [EXPERIMENT]: how many rows
rows() { awk -v e="${2:-}" '!/^#/ && $1 != "experiment" && (e == "" || $1 == e) {n++} END {print n+0}' "$1"; }
# header FILE KEY: the values of a header line
header() { sed -n "s/^# $2: //p" "$1"; }
# column FILE NAME: a column
column() { awk -v c="$2" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; if (!k) exit 1; next} {print $k}' "$1"; }

is() { [ "$1" = "$2" ] || fail "${3:-}: expected '$2', got '$1'"; }
has() { grep -q -- "$2" "$1" || { cat "$1" >&2; fail "$1 does not say '$2'"; }; }
silent() { [ ! -s err ] || { cat err >&2; fail "something was said on stderr"; }; [ ! -s out ] || fail "something was written to stdout"; }
gone() { for f in "$@"; do [ ! -e "$f" ] || fail "$f is there"; done; }

# well_formed FILE: the first line, every row as wide as the names, no empty field
well_formed() {
    is "$(head -1 "$1")" "# cll-data 1" "first line of $1"
    awk '/^#/ {if (names) bad = 1; next} !names {names = NF; if ($1 != "experiment") bad = 1; next}
         NF != names {bad = 1} END {exit bad || !names}' "$1" || fail "$1 is not well formed"
}
# own_mounts: $mounts runs a command that may mount what nobody else sees
own_mounts() {
    for mounts in "unshare -m" "unshare -rm"; do $mounts mount -t tmpfs none /mnt 2> /dev/null && return; done
    skip "cannot mount"
}
convert() { "$tests/cll_spool_text_tool" "$1"; }

main() {
    declare -F "$1" > /dev/null || fail "no test $1"
    "$1"
}
