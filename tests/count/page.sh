# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a count report: as a file, and in a headless Chromium (page.py).
. "$CLL_SOURCE/tests/harness/lib.sh"
tool=$CLL_BUILD/tests/count_page_tool
report=$CLL_SOURCE/tests/count/data/matinit.count.json

the_page_is_one_file_with_the_report() {
    exits 0 "$tool" "$report"
    empty err
    has out '^<!DOCTYPE html>'
    has_text out '<title>matinit.c - instructions</title>'
    has_text out 'Content-Security-Policy'
    lacks out '<!--@'
    lacks out 'https\{0,1\}://'
    lacks out '<script src\|<link rel="stylesheet"\|@import'
    is "$(grep -c '</script>' out)" 2 "number of scripts"
}

texts_of_the_report_are_data() {
    cat >evil.json <<'EVIL'
{"program": "</title><script>alert(1)</script>.c", "experiments": [], "sources": [
 {"file": "</script><script>alert(2)//.c", "text": "<!--<script>\u2028 & ]]>"}]}
EVIL
    exits 0 "$tool" evil.json
    has_text out '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;.c - instructions</title>'
    is "$(grep -c '<script' out)" 2 "number of scripts"
    lacks_text out 'alert(2)</script>'
    lacks_text out '<script>alert'
    has_text out '\u003c/script\u003e\u003cscript\u003ealert(2)//.c'
}

a_saved_assignment_changes_the_report() {
    cat >a.json <<'A'
{"format": 1, "program": "matinit.c", "assignments": [
  {"experiment": "jumping", "file": "matinit.c", "line": 16, "constant": "jumping[2]"}]}
A
    exits 0 "$tool" --json "$report" a.json
    has out '"assigned": true'
    sed -i 's/jumping\[2\]/jumping[7]/' a.json
    exits 1 "$tool" --json "$report" a.json
    empty out
    has_text err 'a.json: assignment 1: jumping has no constant jumping[7]; did you mean jumping['
}

a_damaged_assignment_is_refused_with_its_place() {
    printf '{"format": 1,\n "program": }\n' >a.json
    exits 1 "$tool" --json "$report" a.json
    empty out
    has_text err 'a.json:2:13: error: this is not a complete file of assignments'
    exits 1 "$tool" --json "$report" missing.json
    has_text err 'missing.json: No such file or directory'
}

a_full_disk_is_an_error() {
    [ -e /dev/full ] || skip "/dev/full does not exist"
    status=0
    "$tool" "$report" >/dev/full 2>err || status=$?
    is "$status" 1
}

chromium_shows_it() {
    need python3
    need chromium
    need chromedriver
    python3 "$CLL_SOURCE/tests/count/page.py" "$tool" "$report" >out 2>err || fail "page.py ended with $?"
    has out '^all checks passed'
}

main "$1"
