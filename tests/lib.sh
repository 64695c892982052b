# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the script tests, which run in an empty folder of their own (tests/in-empty-folder).
set -eu
call=$CLL_BIN/call
llac=$CLL_BIN/llac

fail() { echo "FAILED: $*" >&2; exit 1; }
skip() { echo "skipped: $*" >&2; exit 77; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }
same() { [ "$1" = "$2" ] || fail "expected '$2', got '$1'"; }
# contains FILE TEXT
contains() { grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "'$2' is not in $1"; }; }
lacks() { ! grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "'$2' is in $1"; }; }
# exits STATUS COMMAND...: output goes to ./out
exits() {
    local want=$1 got=0
    shift
    "$@" >out 2>&1 || got=$?
    [ "$got" = "$want" ] || { cat out >&2; fail "'$*' exited with $got, not $want"; }
}

# links_lead_somewhere FOLDER: every relative link of the pages in FOLDER does
links_lead_somewhere() {
    local page link
    for page in "$1"/*.md "$1"/docs/*.md "$1"/docs/*/*.md; do
        for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c3-); do
            [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which is not there"
        done
    done
}
