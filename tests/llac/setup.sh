# SPDX-License-Identifier: GPL-3.0-or-later
# How the tests of llac run it. Their checks are independent of each other.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
data=$CLL_SOURCE/tests/llac/data

# good COMMANDS [FILE...]: they work, and stderr is empty
good() {
    what=$1
    local commands=$1
    shift
    [ $# -gt 0 ] || set -- "$data/demo.dat"
    exits 0 "$llac" -e "$commands" "$@"
    empty err
}
# bad COMMANDS MESSAGE [FILE...]: they fail with the message
bad() {
    what=$1
    local commands=$1 message=$2
    shift 2
    [ $# -gt 0 ] || set -- "$data/demo.dat"
    exits 1 "$llac" -e "$commands" "$@"
    has_text err "$message"
}
# reading FILE COMMAND..., piped TEXT COMMAND...: the command's standard input is the file, or a pipe with the text.
# printing_to FILE COMMAND...: its standard output is the file. For use with exits.
reading() {
    local file=$1
    shift
    "$@" <"$file"
}
printing_to() {
    local file=$1
    shift
    "$@" >"$file"
}
piped() {
    local text=$1
    shift
    printf "$text" | "$@"
}
