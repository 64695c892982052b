# SPDX-License-Identifier: GPL-3.0-or-later
# The harness itself: each assertion passes and fails when it should. A test is a function.
. "$CLL_SOURCE/tests/harness/lib.sh"

passes() { ("$@") >log 2>&1 || { show log; fail "'$*' failed"; }; }
fails() { ! ("$@") >log 2>&1 || fail "'$*' passed"; }

assertions_pass_and_fail() {
    printf 'one [1]\ntwo\n' >two
    printf 'one [1]\ntwo\n' >copy
    : >nothing
    passes is a a && fails is a b word && has log "word: expected 'b', got 'a'"
    passes has two '^t.o$' && fails has two '^o$' && fails has missing two
    passes has_text two 'e [1]' && fails has_text two 'e .1'
    passes lacks two '^o$' && fails lacks two '^t.o$' && fails lacks missing two
    passes lacks_text two 'e .1' && fails lacks_text two 'e [1]'
    passes same two copy && fails same two nothing
    passes empty nothing missing && fails empty nothing two
    passes filled two && fails filled two nothing && fails filled missing
    passes exists two && fails exists missing
    passes gone missing && fails gone missing two
    passes exits 3 sh -c 'exit 3' && fails exits 0 sh -c 'exit 3'
    passes check right true && fails check wrong false
    fails main no_such_test
}

failures_are_counted_where_checks_are_independent() {
    list() {
        keep_going=yes
        is a b first
        check second is a b
        has two nothing
        check third true
        finish
    }
    : >two
    fails list
    has log 'first: expected'
    has log '^2 checks, 3 failures$'
    all_pass() {
        keep_going=yes
        check first true
        finish
    }
    passes all_pass
}

programs_are_shared_until_a_source_is_newer() {
    CLL_BUILD=$PWD/build call=$PWD/call CLL_SOURCE=$PWD
    mkdir -p build/lib include
    : >call
    : >source
    touch -d '1 hour ago' call source
    make_program() { echo made >>made && echo program >"$1"; }
    shared one make_program one source || fail "the first time"
    rm one
    shared one make_program one source || fail "the second time"
    is "$(cat one made | tr '\n' ' ')" "program made " "a copy of the first"
    shared one make_program one other || fail "another command"
    is "$(wc -l <made)" 2 "programs of two commands"
    touch -d '1 hour' source
    shared one make_program one source || fail "a newer source"
    is "$(wc -l <made)" 3 "programs, with that of the newer source"
    fails shared broken false
    gone broken
}

skipping_has_its_status() {
    exits 77 skip_in_a_subshell
    has err '^skipped: no reason$'
}
skip_in_a_subshell() { (skip "no reason"); }

works_at_last() {
    echo again >>../tries
    is "$(wc -l <../tries)" 3
}
skips() { skip "not here"; }
what_is_tried_again_passes_once() {
    eventually works_at_last
    is "$(wc -l <tries)" 3 tries
    passes rm -rf try.* && fails eventually false
    rm -rf try.*
    status=0
    (eventually skips) 2>log || status=$?
    is $status 77 "exit status"
    has_text log 'skipped: not here'
}

check_has_a_usage() {
    exits 0 "$CLL_SOURCE/tools/check" --help
    has_text out 'usage: tools/check [--long] [--only PATTERN]'
    empty err
    exits 2 "$CLL_SOURCE/tools/check" --lnog
    has_text err "check: there is no option '--lnog'"
    has err '^usage: tools/check'
    exits 2 "$CLL_SOURCE/tools/check" --long more
    has_text err "check: there is no option 'more'"
    empty out
    exits 2 "$CLL_SOURCE/tools/check" --only
    has_text err "check: --only needs a pattern"
    exits 0 "$CLL_SOURCE/tools/stress" --help
    has_text out 'stress [-n TIMES] [-k LOOPS] [--long] [PATTERN]: '
    exits 2 "$CLL_SOURCE/tools/stress" -n many
    has_text err "stress: -n needs a number, not 'many'"
    exits 2 "$CLL_SOURCE/tools/stress" --quiet
    has_text err "stress: there is no option '--quiet'"
}

main "$1"
