#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The completion scripts for shells: the shells complete with them, they have every option of --help, and they are installed
# where the shells look for them. And misspelled options: a message names the right one.
. "$CLL_SOURCE/tests/harness/lib.sh"
keep_going=yes
mkdir sub "with blank"
touch a.c b.c notes.txt "with blank/x.c" x.dat

# ---- bash
# completed PROGRAM WORD...: what bash proposes for the last word, sorted
completed() {
    bash --norc -c '
        eval "$("$1" --completion bash)"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        function=$(complete -p "$1" | sed "s/.*-F \([^ ]*\) .*/\1/")
        $function "$1" "${@:$#}" "${@:$#-1:1}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$CLL_BIN/$1" "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' '
}
check "the commands of call" is "$(completed call c)" "cc count "
check "sources and folders" is "$(completed call count '')" "a.c b.c sub with blank "
check "sources and programs" is "$(completed call run n)" "notes.txt "
check "sources, folders and commands" is "$(completed call '')" "a.c b.c cc count discover run sub with blank "
check "an option of call run" is "$(completed call run --ob)" "--observe "
check "which call does not have" is "$(completed call --ob)" " "
check "and call count neither" is "$(completed call count --ob)" " "
check "its value" is "$(completed call run --observe '')" "CPUTIME "
check "a value after =" is "$(completed call run --observe = C)" "CPUTIME "
check "right after =" is "$(completed call run --observe =)" "CPUTIME "
check "folders" is "$(completed call run --outdir s)" "sub "
check "files" is "$(completed call run --hostfile no)" "notes.txt "
check "compilers" has_text <(completed call cc ba) "bash "
check "files of the compiler" is "$(completed call cc gcc no)" "notes.txt "
check "the arguments of the program" is "$(completed call run a.c -- n)" "notes.txt "
check "numbers are not completed" is "$(completed call run -n '')" " "
check "options of llac" is "$(completed llac --mac)" "--machine "
check "files of llac" is "$(completed llac -e 'fit f' x)" "x.dat "
check "shells" is "$(completed cllprobe --completion '')" "bash fish zsh "

# ---- every option that --help lists is there
# options COMMAND...: of its help
options() { "$@" --help | grep -o '^  *-[-a-zA-Z]*\(, --[a-z-]*\)*' | tr -d ','; }
for program in call llac cllprobe; do
    options "$CLL_BIN/$program" >options
    [ $program != call ] || { options "$call" run; options "$call" count; options "$call" discover; } >>options
    for shell in bash zsh fish; do "$CLL_BIN/$program" --completion $shell >script.$shell; done
    check "$program has options" test "$(wc -w <options)" -ge 7
    for option in $(cat options); do
        check "$program: bash has $option" has script.bash "[ '(]$option[ ')]"
        check "$program: zsh has $option" has script.zsh "'\*$option[=+[]"
        case $option in
        --*) check "$program: fish has $option" has script.fish " -l ${option#--} " ;;
        *) check "$program: fish has $option" has script.fish " -s ${option#-} " ;;
        esac
    done
    check "$program: no such shell" exits 2 "$CLL_BIN/$program" --completion csh
    check "$program names those there are" has_text err "there is no completion for 'csh'; the shells are bash, zsh and fish"
    check "$program: without a shell" exits 2 "$CLL_BIN/$program" --completion
    check "$program: = joins the value" exits 0 "$CLL_BIN/$program" --completion=bash
    check "$program: the same script" same out script.bash
done

# ---- zsh and fish, where they are
if command -v zsh >/dev/null; then
    mkdir functions
    for program in call llac cllprobe; do "$CLL_BIN/$program" --completion zsh >functions/_$program; done
    cat >zshrc <<'END'
PS1='ready> ' PATH=$CLL_BIN:$PATH
unsetopt beep
fpath=($PWD/functions $fpath)
autoload -U compinit && compinit -u -d $PWD/dump
show() { print -r -- "$BUFFER" >shown; BUFFER=exit; zle .accept-line; }
zle -N show
bindkey '^T' show
END
    # in_zsh LINE EXPECTED: the line with tabs becomes EXPECTED
    in_zsh() {
        rm -f shown
        HOME=$PWD TERM=vt100 "$CLL_SOURCE/tests/harness/terminal.py" --send '. ./zshrc\n' --expect 'ready> ' --send "$1\\x14" \
            -- zsh -f -i >screen 2>&1
        status=$?
        [ $status = 77 ] || is "$(cat shown)" "$2"
    }
    check "zsh: a command of call" in_zsh 'call ru\t' 'call run '
    check "zsh: an option" in_zsh 'call run --obs\t' 'call run --observe='
    check "zsh: its value" in_zsh 'call run --observe C\t' 'call run --observe CPUTIME '
    check "zsh: a source" in_zsh 'call run a\t' 'call run a.c '
    check "zsh: not another file" in_zsh 'llac no\t' 'llac notes.txt '
    check "zsh: cllprobe" in_zsh 'cllprobe --comp\tba\t' 'cllprobe --completion=bash '
fi
if command -v fish >/dev/null; then
    # in_fish PROGRAM LINE: what fish proposes, without the descriptions
    in_fish() {
        "$CLL_BIN/$1" --completion fish >$1.fish
        HOME=$PWD fish --no-config -c "source $1.fish; complete --do-complete '$2'" 2>&1 | cut -f1 | LC_ALL=C sort | tr '\n' ' '
    }
    check "fish: an option" is "$(in_fish call 'call run --obs')" "--observe "
    check "fish: its value" is "$(in_fish call 'call run --observe ')" "CPUTIME "
    check "fish: not of another command" is "$(in_fish call 'call count --obs')" ""
    check "fish: folders" is "$(in_fish call 'call run --outdir s')" "sub/ "
    check "fish: llac" is "$(in_fish llac 'llac --js')" "--json "
    check "fish: cllprobe" is "$(in_fish cllprobe 'cllprobe --completion z')" "zsh "
fi

# ---- misspelled options
check "call" exits 2 "$call" --chek a.c
check "names the option that was meant" has_text err "call: --chek: no such option, did you mean '--check'?; see 'call --help'"
check "call run" exits 2 "$call" run --utnil=2% a.c
check "with a value" has_text err "did you mean '--until'?"
check "the beginning of an option" exits 2 "$call" run --over a.c
check "names the whole" has_text err "did you mean '--oversubscribe'?"
check "an option of another command" exits 2 "$call" run --check a.c
check "names the command" has_text err "no such option; 'call' has it"
check "llac" exits 2 "$llac" --jsno
check "names it" has_text err "unknown option '--jsno'; did you mean '--json'?"
check "cllprobe" exits 2 "$CLL_BIN/cllprobe" --quik
check "names it" has_text err "there is no option '--quik'; did you mean '--quick'?"
finish
