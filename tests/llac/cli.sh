# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: options, scripts, pipes, exit status.
. "$CLL_SOURCE/tests/llac/setup.sh"

what=--help
exits 0 "$llac" --help
has_text out 'usage: llac [--json] [--machine NAME] [-e COMMANDS] [-f FILE] FILE...'
for option in '-e COMMANDS' '-f FILE' --json --help --version; do has_text out "  $option"; done
what=--version
exits 0 "$llac" --version
is "$(head -1 out)" "llac $(sed -n '/^project/s/.*VERSION \([0-9.]*\).*/\1/p' "$CLL_SOURCE/CMakeLists.txt")"
has out '^GSL: [0-9]'
exits 0 env PATH=/nowhere "$llac" --version
has out '^gnuplot: not found$'
what='unknown option'
exits 2 "$llac" --fast
has_text err "unknown option '--fast'"
what='-e without commands'
exits 2 "$llac" -e
has_text err '-e needs commands'
what='several -e, options behind files'
exits 0 "$llac" "$data/demo.dat" -e 'where N > 9000' -e 'fit sort'
has_text out '8 points'
what='-- ends options'
cp "$data/demo.dat" ./-odd.dat
exits 0 "$llac" -e list -- -odd.dat
has_text out '96 samples'
what='several files'
cp "$data/demo.dat" copy.dat
exits 0 "$llac" -e 'fit sort' "$data/demo.dat" copy.dat
has_text out '12 points, 192 samples'
what='a missing file'
exits 1 "$llac" -e 'list' "$data/demo.dat" nothing.dat
has_text err 'error: nothing.dat: No such file'
what='a directory'
exits 1 "$llac" -e 'list' /tmp
has_text err 'directory'
what='a file of something else'
printf 'what is this\n' >x.doc
exits 1 "$llac" -e 'list' x.doc
has_text err "x.doc:1:1: error: this is neither a data file of CALL nor in a format that llac imports (CALL 1.0,"
what='a table without a line of names'
printf '1,2\n2,4\n4,8\n' >headless.csv
exits 1 "$llac" -e 'list' headless.csv
has_text err 'a table starts with a line of names'
what='a data file whose first line is spaced otherwise'
sed '1s/.*/  #  cll-data 1/' "$data/demo.dat" >spaced.dat
exits 0 "$llac" -e 'list' spaced.dat
what='data of another tool'
printf 'N,time\n1,2\n2,4\n4,8\n' >x.csv
exits 0 "$llac" -e 'list; fit x = x[0]*N' x.csv
has_text out 'x   3 samples   over N'
has_text out 'x[0]'
exits 0 "$llac" -e 'load x.csv time=N; list'
has_text out 'over time'
what='an option that is not there'
exits 1 "$llac" -e 'load x.csv foo=bar'
has_text err "there is no file and no option 'foo=bar'; the options are time="
what='letters of other alphabets'
{
    printf '# cll-data 1\n# experiment: größer\n# variables: größer größe\n'
    echo 'experiment run seq start nested P rank thread count größe CLOCK'
    for n in 1 2 4; do echo "größer 0 $n 0 0 1 0 0 1 $n ${n}e-3"; done
} >letters.dat
exits 0 "$llac" -e 'fit größer = größer[0]*größe' letters.dat
has_text out 'größer[0]'
what='a file twice'
exits 1 "$llac" -e 'merge x.csv' x.csv
has_text err 'x.csv: this file is loaded already'
has_text err 'count twice'
exits 0 "$llac" -e list x.csv ./x.csv
has_text err './x.csv is left out: it is the same file as x.csv'
what='a column that is not there'
exits 1 "$llac" -e 'load x.csv time=seconds'
has_text err 'seconds'
what='an empty file'
: >empty.dat
exits 1 "$llac" -e 'list' empty.dat
has_text err 'empty.dat: the file is empty'
what='binary'
head -c 3000 "$llac" >binary.dat
exits 1 "$llac" -e list binary.dat
has_text err 'binary.dat:1:1: error: this is neither a data file of CALL nor in a format that llac imports (CALL 1.0,'

what='a script by its name'
printf '# a comment\nlist; fit sort # more\n\npredict sort N=4194304\n' >x.llac
exits 0 "$llac" x.llac "$data/demo.dat"
empty err
has_text out '0.2476 s'
what='a script by -f'
printf '#!/usr/bin/env -S llac -f\nfit sort\n' >script
exits 0 "$llac" -f script "$data/demo.dat"
has_text out '12 points'
exits 0 "$llac" "$data/demo.dat" -fscript -f script -e list
[ "$(grep -c '12 points' out)" = 2 ] || fail 'the script did not run twice'
chmod +x script
exits 0 env PATH="$CLL_BIN:$PATH" ./script "$data/demo.dat"
has_text out '12 points'
exits 0 reading script "$llac" -f - "$data/demo.dat"
has_text out '12 points'
exits 2 "$llac" -f
has_text err '-f needs a file'
exits 1 "$llac" -f nothing
has_text err 'error: nothing: No such file'

# Data never acts, whatever it looks like and however it is reached.
mkdir never
for first in '' '#!/usr/bin/env llac\n' '# cll-data 1\n' '\n\n# comment\n'; do
    printf "${first}save $PWD/never/acts\nexport $PWD/never/m.h\nhelp\n" >b.dat
    for how in "-e list b.dat" "b.dat $data/demo.dat" "-e list -- b.dat"; do
        what="data that looks like commands: $how"
        exits 1 "$llac" $how
        lacks_text out 'load'
    done
    for how in 'load b.dat' 'merge b.dat' 'load b.dat ignore formulas' 'table sort against b.dat'; do
        bad "$how" 'error'
    done
done
what='a script that is taken for data'
printf '#!/usr/bin/env llac\nfit sort\n' >script2
exits 1 "$llac" script2 "$data/demo.dat"
has_text err 'to run its commands: llac -f script2'
what='start-up files in the folder of the data'
for f in .llacrc llacrc .llac .inputrc .gnuplot gnuplotrc; do printf 'save never/acts\nset print "never/acts"; print 1\n' >$f; done
"$llac" -e 'list; plot sort to p.svg' "$data/demo.dat" >out 2>err </dev/null # there may be no gnuplot
rm .llacrc llacrc .llac .inputrc .gnuplot gnuplotrc
[ -z "$(ls never)" ] || fail "something ran: $(ls never)"

what='a script stops at the first error and names its line'
printf 'list\nfit nothing\nfit sort\n' >bad.llac
exits 1 "$llac" bad.llac "$data/demo.dat"
has_text err 'bad.llac:2:5: error: there is no experiment'
lacks_text out '12 points'
what='a script with a 0 byte'
printf 'list\0list\n' >zero.llac
exits 1 "$llac" zero.llac
has_text err 'zero.llac:1:5: error: a 0 byte'

what='commands from a pipe: no prompt'
exits 0 piped 'fit sort\n' "$llac" "$data/demo.dat"
has_text out '12 points'
lacks_text out 'llac>'
what='an error in a pipe'
exits 1 piped 'fit nothing\nlist\n' "$llac" "$data/demo.dat"
has_text err '<stdin>:1:5: error:'
lacks_text out '96 samples'
what='data from a pipe'
exits 0 "$llac" -e 'fit sort' <(cat "$data/demo.dat")
has_text out '12 points'

what='a locale with a decimal comma changes nothing'
exits 0 env LC_ALL=de_DE.UTF-8 "$llac" -e 'predict sort N=4194304.5' "$data/demo.dat"
has_text out '0.2476 s'

what='a full disk'
if [ -e /dev/full ]; then
    exits 1 printing_to /dev/full "$llac" -e 'fit sort' "$data/demo.dat"
    has_text err 'cannot write the output'
fi
what='a cut-off file'
head -c 9000 "$data/demo.dat" >cut.dat
exits 0 "$llac" -e 'fit sort' cut.dat
has_text out 'files were cut off'

what='the committed data is what its script makes'
exits 0 "$llac" --version
for awk in mawk gawk; do
    command -v $awk >/dev/null || continue
    for set in demo cache grid; do
        $awk -f "$data/make-$set.awk" | cmp - "$data/$set.dat" || fail "$awk makes another $set.dat"
    done
done
finish
