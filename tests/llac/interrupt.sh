# SPDX-License-Identifier: GPL-3.0-or-later
# Ctrl-C at the prompt of llac, on a pseudo-terminal: wherever it comes, the session answers afterwards, with its data and its
# models. Each step waits for what the screen shows.
. "$CLL_SOURCE/tests/llac/setup.sh"
need python3
terminal=$CLL_SOURCE/tests/harness/terminal.py
export HOME=$PWD TERM=dumb INPUTRC=/dev/null PAGER=
unset XDG_STATE_HOME
prompt='--expect llac>\x20'

# session WHAT STEP...: the steps, with a model before them; afterwards the model and the data are as before
session() {
    what=$1
    shift
    "$terminal" $prompt --send 'fit sort = sort[0]*N\n' --expect 'leave-one-out' $prompt "$@" \
        --send 'predict sort N=4096\n' --expect '0.0001703 s' $prompt --send 'list\n' --expect '96 samples' $prompt \
        --send 'fit sort\n' --expect 'log(N)' --expect 'leave-one-out' $prompt --send 'quit\n' \
        -- "$llac" "$data/demo.dat" >out 2>err
    status=$?
    [ $status != 77 ] || skip 'there are no pseudo-terminals here'
    is $status 0 'exit status'
}
# stopped KEYS: Ctrl-C after them leads to a new prompt
stopped() { steps+=(--send "$1" ${2:+--expect "$2"} --send '\x03' --expect '\n' $prompt); }

at_the_prompt() {
    steps=()
    stopped ''
    stopped 'fit no' 'fit no'
    stopped '\x12so' 'i-search'
    stopped '\x12no such command' 'failed'
    stopped 'fit\x1b' 'fit'      # a key of several characters has begun
    stopped 'fit\x1b5' 'fit'     # a number for the next key
    stopped 'fit\x1b[200~no' 'fit'  # a paste without an end
    stopped 'load many/f\t\t' '(y or n)'
    stopped ''
}

mkdir many
(cd many && touch f{1..150})
for keys in emacs vi; do
    echo "set editing-mode $keys" >inputrc
    echo '"\C-c": self-insert' >>inputrc
    at_the_prompt
    INPUTRC=$PWD/inputrc session "at the prompt, keys of $keys" "${steps[@]}"
done
at_the_prompt
session 'the dropped line is not run' "${steps[@]}"
lacks_text out 'there is no'
TERM=xterm session 'at the prompt of a terminal that can erase lines' "${steps[@]}"

lines=
for ((i = 0; i < 500; i++)); do lines=$lines'\x03'; done
session 'many in quick succession' --send "$lines" --send '\nlist\n' --expect '96 samples' $prompt

# More of them than any machine runs before the key comes.
yes 'fit sort = sort[0]*N' | head -n 50000 >many.llac
session 'in a fit' --send 'source many.llac\n' --expect 'leave-one-out' --send '\x03' --expect 'interrupted' $prompt
session 'in a fit, many' --send 'source many.llac\n' --expect 'leave-one-out' --send "$lines" --expect 'interrupted' $prompt
is "$(grep -c 'error: interrupted' out)" 1 'one message'
session 'the rest of the line is not run' --send 'source many.llac; fit nothing\n' --expect 'leave-one-out' --send '\x03' \
    --expect 'interrupted' $prompt
lacks_text out 'there is no'

# A pager and a gnuplot that wait until they are ended; the second one does not listen.
TERM=xterm PAGER='cat; echo SHOWN; exec sleep 1000' \
    session 'in the pager' --send 'help\n' --expect 'SHOWN' --send '\x03' $prompt
mkdir bin
cat >bin/gnuplot <<'END2'
#!/bin/sh
trap '' INT
echo DRAWING >/dev/tty
exec sleep 1000
END2
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH session 'in a plot' --send 'plot sort to x.svg\n' --expect 'DRAWING' --send '\x03' --expect 'interrupted' $prompt
gone x.svg x.svg.*
mkfifo pipe
exec 3<>pipe
session 'while reading' --send 'load pipe\n' --expect 'pipe' --expect '\n' --send '\x03' --expect 'nterrupted' $prompt
session 'while reading a script' --send 'source pipe\n' --expect 'pipe' --expect '\n' --send '\x03' --expect 'nterrupted' $prompt
exec 3>&-
finish
