# SPDX-License-Identifier: GPL-3.0-or-later
#
# The harness of the shell tests. Every script in tests/ sources it, directly or through the setup.sh of its folder, which
# says how to start the programs of that part. ctest starts a script in an empty folder (tests/harness/in-empty-folder).
#
# A script takes one of two forms:
#   - Its tests are functions, and the last line is `main "$1"`. ctest runs each function as a test.
#   - It is one test: a list of checks, and the last line is `finish`. With keep_going=yes a failed check is reported and
#     counted, and the script goes on.
#
# Assertions name what was found first, and what was expected second:
#   is ACTUAL EXPECTED [WHAT]      two texts are equal
#   has FILE PATTERN               a line of FILE matches (basic regular expression); lacks FILE PATTERN: none does
#   has_text FILE TEXT             the same with a fixed text; lacks_text FILE TEXT
#   same FILE EXPECTED-FILE        two files are equal
#   empty FILE...                  there is nothing in them; filled FILE...: there is something in each
#   exists FILE; gone FILE...      it exists; they do not
#   silent                         out and err are empty
#   exits STATUS COMMAND...        the command ends with this status; its output is in out and err, its status in $status
#   check WHAT COMMAND...          the command, which may be an assertion, succeeds
# A failure prints what is tested ($what), out and err.
set -u
export LC_ALL=C
unset CLL_OUT CLL_CLOCK CLL_MEMORY CLL_SPOOL CLL_COUNTERS CLL_OBSERVE CLL_DEVICE CLL_OFF CLL_RUN CLL_SETTINGS CLL_PATIENCE CLL_PREFIX CLL_MACHINES CLL_MACHINE CLL_DISCOVER CLL_DISCOVER_REGIONS CLL_DISCOVER_ARGUMENTS
unset PUB_PARAMETER PUB_TRACE PUB_CHECK PUB_CHECK_SECONDS PUB_BUFFER PUB_PIECES DISPLAY WAYLAND_DISPLAY
call=$CLL_BIN/call llac=$CLL_BIN/llac
sanitize=
[ -z "${CLL_SANITIZE:-}" ] || sanitize=-fsanitize=$CLL_SANITIZE
# A sanitizer must not handle the signals that tests send. Looking for leaks takes seconds in each process; ASAN_OPTIONS
# of the caller can ask for it.
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=handle_segv=0:handle_abort=0:${UBSAN_OPTIONS:-}

# Tests that try the same at many places try a part of them, unless make check-long runs them.
thorough=${CHECK_LONG:-no}
keep_going=no what= status=0 checks=0 failures=0

# ---- how a test ends

# show FILE...: those that have contents
show() {
    local file
    for file; do
        [ -f "$file" ] && [ -s "$file" ] || continue
        echo "--- $file"
        head -n 60 "$file"
    done
}
fail() {
    { echo "FAILED: ${what:+$what: }$*"; show out err; } >&2
    [ "$keep_going" = yes ] || exit 1
    failures=$((failures + 1))
    return 1
}
skip() { echo "skipped: $*" >&2; exit 77; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

# main TEST: runs the function TEST of the script
main() {
    declare -F "$1" >/dev/null || fail "there is no test $1"
    what=$1
    "$1"
}
# finish: the end of a list of checks. A part may define at_finish, which makes the last ones.
finish() {
    if declare -F at_finish >/dev/null; then at_finish; fi
    echo "$checks checks, $failures failures"
    [ "$failures" = 0 ]
    exit
}

# ---- assertions

is() { [ "$1" = "$2" ] || fail "${3:+$3: }expected '$2', got '$1'"; }
has() { grep -q -- "$2" "$1" || lacking "$1" "$2"; }
has_text() { grep -qF -- "$2" "$1" || lacking "$1" "$2"; }
lacking() { show_unless_output "$1"; fail "$1 does not contain '$2'"; }
lacks() { exists "$1" && { ! grep -q -- "$2" "$1" || having "$1" "$2"; }; }
lacks_text() { exists "$1" && { ! grep -qF -- "$2" "$1" || having "$1" "$2"; }; }
exists() { [ -e "$1" ] || fail "$1 does not exist"; }
having() { show_unless_output "$1"; fail "$1 contains '$2'"; }
show_unless_output() { case $1 in out | err) ;; *) show "$1" >&2 ;; esac }
same() { cmp "$1" "$2" || fail "$1 is not as $2"; }
empty() { local f; for f; do [ ! -s "$f" ] || { show_unless_output "$f"; fail "$f is not empty"; }; done; }
filled() { local f; for f; do [ -s "$f" ] || fail "$f does not exist or is empty"; done; }
gone() { local f; for f; do [ ! -e "$f" ] || fail "$f exists"; done; }
silent() { empty err out; }
exits() {
    local want=$1
    shift
    status=0
    "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$want" ] || fail "'$*' ended with $status, not $want"
}
check() {
    what=$1
    shift
    checks=$((checks + 1))
    (keep_going=no && "$@") >check.log 2>&1 || { sed 's/^/    /' check.log >&2; fail "$*"; }
}

# eventually COMMAND...: it succeeds in one of ten tries, each in a folder of its own; $try is its number. For what holds in
# real time unless the system takes the core away at the wrong moment.
eventually() {
    local try
    for try in 1 2 3 4 5 6 7 8 9 10; do
        mkdir "try.$try"
        status=0
        (cd "try.$try" && "$@") >"try.$try.log" 2>&1 || status=$?
        [ $status != 0 ] || return 0
        [ $status != 77 ] || { cat "try.$try.log" >&2; exit 77; }
    done
    cat "try.$try.log" >&2
    fail "'$*' failed ten times"
}

# ---- programs

# shared NAME COMMAND...: the program NAME, which the command makes in this folder. Tests of one build that give the same
# command get copies of one program, as long as call, the libraries, the headers and the files that the command names are
# older than it.
shared() {
    local name=$1 file store
    shift
    store=$(printf '%s\n' "$@" | cksum)
    store=$CLL_BUILD/tests/shared/$name.${store%% *}
    mkdir -p "$CLL_BUILD/tests/shared"
    (
        flock 9
        for file in "$call" "$CLL_BUILD"/lib/* "$CLL_SOURCE"/include/*.h "$@"; do
            [ -f "$file" ] && [ ! "$store" -nt "$file" ] || continue
            "$@" && mv "$name" "$store"
            exit
        done
    ) 9>"$store.lock" && cp "$store" "$name"
}

# takes EXPRESSION: from now on programs are not timed: an execution takes the seconds of this expression in C, on every
# machine and however busy it is (include/cll_clock.h). N and P are what the region calls so, `is(NAME)` tells whether it is
# the experiment NAME; `noise(SEED)` is a random number from [0, 1), `slow(FACTOR)` is 1 in the old version of
# `call run --baseline` and FACTOR in the new one; `argument()` is the first argument of the program, a number; e is the execution.
takes() {
    local folder
    folder=$(mktemp -d "$PWD/rule.XXXXXX")
    cat >"$folder/rule.c" <<END
#include <cll_clock.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define value(name)  cll_execution_value(e, name)
#define is(name)     (!strcmp(e->experiment, name))
#define noise(seed)  cll_execution_random(e, seed)
#define slow(factor) (getenv("CLL_OUT") && strstr(getenv("CLL_OUT"), "/old/") ? 1 : (factor))
static inline double argument(void)
{
    char text[8192] = "";
    FILE *f = fopen("/proc/self/cmdline", "r");
    if (f && fread(text, 1, sizeof text - 2, f))
        fclose(f);
    return atof(text + strlen(text) + 1);
}
double cll_clock_seconds(const struct cll_execution *e)
{
    double N = value("N"), P = e->processors;
    (void)N, (void)P;
    return $1;
}
END
    gcc -shared -fPIC -I"$CLL_SOURCE/include" "$folder/rule.c" -o "$folder/rule.so" -lm || fail "cannot compile '$1'"
    export CLL_CLOCK=$folder/rule.so
}

# ---- data files

# rows FILE [EXPERIMENT]: how many rows
rows() { awk -v e="${2:-}" '!/^#/ && $1 != "experiment" && (e == "" || $1 == e) {n++} END {print n+0}' "$1"; }
# header FILE KEY: the values of a header line
header() { sed -n "s/^# $2: //p" "$1"; }
# column FILE NAME: a column
column() {
    awk -v c="$2" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; if (!k) exit 1; next} {print $k}' "$1"
}
# values FILE EXPERIMENT COLUMN: its different values, sorted
values() {
    awk -v e="$2" -v c="$3" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; next} $1 == e {print $k}' "$1" |
        sort -nu | tr '\n' ' '
}
# well_formed FILE: the first line, every row as wide as the names, no empty field
well_formed() {
    is "$(head -1 "$1")" "# cll-data 1" "first line of $1"
    awk '/^#/ {if (names) bad = 1; next} !names {names = NF; if ($1 != "experiment") bad = 1; next}
         NF != names {bad = 1} END {exit bad || !names}' "$1" || fail "$1 is not well formed"
}
# spool_text SPOOL: a spool as the text of a data file
spool_text() { "$CLL_BUILD/tests/spool_text_tool" "$1"; }

# ---- the machine

# appears FILE: waits for it
appears() {
    for _ in $(seq 6000); do
        [ ! -e "$1" ] || return 0
        sleep 0.05
    done
    fail "$1 does not appear"
}

# own_mounts: $mounts starts a command that may mount file systems that no other process sees
own_mounts() {
    for mounts in "unshare -m" "unshare -rm"; do $mounts mount -t tmpfs none /mnt 2>/dev/null && return; done
    skip "cannot mount"
}
