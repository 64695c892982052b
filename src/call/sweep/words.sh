# SPDX-License-Identifier: MIT
# The engine of every sweep, which batch scripts and call run share. First: messages, words and numbers.
# $self begins every message.

die() { # STATUS TEXT
    printf '%s: %s\n' "$self" "$2" >&2
    exit "$1"
}
misuse() { die 2 "$1; see --help"; }
note() { printf '%s: note: %s\n' "$self" "$1" >&2; }

# ---- words and numbers ----

# A decimal number: arithmetic would read 08 as octal.
is_whole() {
    case $1 in
    '' | *[!0-9]* | 0?*) return 1 ;;
    esac
    [ "${#1}" -le 9 ]
}
is_count() { is_whole "$1" && [ "$1" -gt 0 ]; }

# quoted WORD: prints it as a shell reads it
quoted() {
    case $1 in
    '' | *[!A-Za-z0-9@%+=:,./_-]*) ;;
    *)
        printf '%s' "$1"
        return
        ;;
    esac
    rest=$1
    printf "'"
    while :; do
        case $rest in
        *\'*)
            printf "%s'\\\\''" "${rest%%\'*}"
            rest=${rest#*\'}
            ;;
        *) break ;;
        esac
    done
    printf "%s'" "$rest"
}

# fill TEXT P: sets $filled, the text with P in the place of each {P}. replace TEXT MARK VALUE: the same with any mark
mark='{P}'
fill() { replace "$1" "$mark" "$2"; }
replace() {
    filled=
    rest=$1
    while :; do
        case $rest in
        *"$2"*)
            filled=$filled${rest%%"$2"*}$3
            rest=${rest#*"$2"}
            ;;
        *) break ;;
        esac
    done
    filled=$filled$rest
}

