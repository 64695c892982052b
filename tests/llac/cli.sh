# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: options, scripts, pipes, exit status.
. "$CLL_SOURCE/tests/llac/lib.sh"

what=--help
run --help
expect_status 0
expect_out 'usage: llac [--json] [-e COMMANDS] [-f FILE] FILE...'
for option in '-e COMMANDS' '-f FILE' --json --help --version; do expect_out "  $option"; done
what=--version
run --version
expect_status 0
expect_out 'llac '
what='unknown option'
run --fast
expect_status 2
expect_err "unknown option '--fast'"
what='-e without commands'
run -e
expect_status 2
expect_err '-e needs commands'
what='several -e, options behind files'
run "$data/demo.dat" -e 'where N > 9000' -e 'fit sort'
expect_status 0
expect_out '8 points'
what='-- ends options'
cp "$data/demo.dat" ./-odd.dat
run -e list -- -odd.dat
expect_status 0
expect_out '96 samples'
what='several files'
cp "$data/demo.dat" copy.dat
run -e 'fit sort' "$data/demo.dat" copy.dat
expect_status 0
expect_out '12 points, 192 samples'
what='a missing file'
run -e 'list' "$data/demo.dat" nothing.dat
expect_status 1
expect_err 'error: nothing.dat: No such file'
what='a directory'
run -e 'list' /tmp
expect_status 1
expect_err 'directory'
what='a file of something else'
printf 'what is this\n' >x.doc
run -e 'list' x.doc
expect_status 1
expect_err "x.doc:1:1: error: this is no cll data file"
what='data of another tool'
printf 'N,time\n1,2\n2,4\n4,8\n' >x.csv
run -e 'list; fit x = x[0]*N' x.csv
expect_status 0
expect_out 'x   3 samples   over N'
expect_out 'x[0]'
run -e 'load x.csv time=N; list' </dev/null
expect_status 0
expect_out 'over time'
what='an option that is not there'
run -e 'load x.csv foo=bar' </dev/null
expect_status 1
expect_err "there is no file and no option 'foo=bar'; the options are time="
what='letters of other alphabets'
{
    printf '# cll-data 1\n# experiment: größer\n# variables: größer größe\n'
    echo 'experiment run seq start nested P rank thread count größe CLOCK'
    for n in 1 2 4; do echo "größer 0 $n 0 0 1 0 0 1 $n ${n}e-3"; done
} >letters.dat
run -e 'fit größer = größer[0]*größe' letters.dat
expect_status 0
expect_out 'größer[0]'
what='a file twice'
run -e 'merge x.csv' x.csv
expect_status 1
expect_err 'x.csv: this file is loaded already'
expect_err 'count twice'
run -e list x.csv ./x.csv
expect_status 0
expect_err './x.csv is left out: it is the same file as x.csv'
what='a column that is not there'
run -e 'load x.csv time=seconds' </dev/null
expect_status 1
expect_err 'seconds'
what='an empty file'
: >empty.dat
run -e 'list' empty.dat
expect_status 1
expect_err 'empty.dat: the file is empty'
what='binary'
head -c 3000 "$llac" >binary.dat
run -e list binary.dat
expect_status 1
expect_err 'binary.dat:1:1: error: this is no cll data file'

what='a script by its name'
printf '# a comment\nlist; fit sort # more\n\npredict sort N=4194304\n' >x.llac
run x.llac "$data/demo.dat"
expect_status 0
expect_quiet
expect_out '0.2475 s'
what='a script by -f'
printf '#!/usr/bin/env -S llac -f\nfit sort\n' >script
run -f script "$data/demo.dat"
expect_status 0
expect_out '12 points'
run "$data/demo.dat" -fscript -f script -e list
expect_status 0
[ "$(grep -c '12 points' out.txt)" = 2 ] || say 'the script did not run twice'
chmod +x script
status=0
PATH=$CLL_BIN:$PATH ./script "$data/demo.dat" >out.txt 2>err.txt </dev/null || status=$?
expect_status 0
expect_out '12 points'
status=0
"$llac" -f - "$data/demo.dat" <script >out.txt 2>err.txt || status=$?
expect_status 0
expect_out '12 points'
run -f
expect_status 2
expect_err '-f needs a file'
run -f nothing
expect_status 1
expect_err 'error: nothing: No such file'

# Data never acts, whatever it looks like and however it is reached.
mkdir never
for first in '' '#!/usr/bin/env llac\n' '# cll-data 1\n' '\n\n# comment\n'; do
    printf "${first}save $PWD/never/acts\nexport $PWD/never/m.h\nhelp\n" >b.dat
    for how in "-e list b.dat" "b.dat $data/demo.dat" "-e list -- b.dat"; do
        what="data that looks like commands: $how"
        run $how
        expect_status 1
        expect_no_out 'load'
    done
    for how in 'load b.dat' 'merge b.dat' 'load b.dat ignore formulas' 'table sort against b.dat'; do
        bad "$how" 'error'
    done
done
what='a script that is taken for data'
printf '#!/usr/bin/env llac\nfit sort\n' >script2
run script2 "$data/demo.dat"
expect_status 1
expect_err 'to run its commands: llac -f script2'
what='start-up files in the folder of the data'
for f in .llacrc llacrc .llac .inputrc .gnuplot gnuplotrc; do printf 'save never/acts\nset print "never/acts"; print 1\n' >$f; done
run -e 'list; plot sort to p.svg' "$data/demo.dat"
rm .llacrc llacrc .llac .inputrc .gnuplot gnuplotrc
[ -z "$(ls never)" ] || say "something ran: $(ls never)"

what='a script stops at the first error and names its line'
printf 'list\nfit nothing\nfit sort\n' >bad.llac
run bad.llac "$data/demo.dat"
expect_status 1
expect_err 'bad.llac:2:5: error: there is no experiment'
expect_no_out '12 points'
what='a script with a 0 byte'
printf 'list\0list\n' >zero.llac
run zero.llac
expect_status 1
expect_err 'zero.llac:1:5: error: a 0 byte'

what='commands from a pipe: no prompt'
status=0
echo 'fit sort' | "$llac" "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 0
expect_out '12 points'
expect_no_out 'llac>'
what='an error in a pipe'
status=0
printf 'fit nothing\nlist\n' | "$llac" "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 1
expect_err '<stdin>:1:5: error:'
expect_no_out '96 samples'
what='data from a pipe'
status=0
"$llac" -e 'fit sort' <(cat "$data/demo.dat") >out.txt 2>err.txt || status=$?
expect_status 0
expect_out '12 points'

what='a locale with a decimal comma changes nothing'
status=0
LC_ALL=de_DE.UTF-8 "$llac" -e 'predict sort N=4194304.5' "$data/demo.dat" >out.txt 2>err.txt || status=$?
expect_status 0
expect_out '0.2475 s'

what='a full disk'
if [ -e /dev/full ]; then
    status=0
    "$llac" -e 'fit sort' "$data/demo.dat" >/dev/full 2>err.txt || status=$?
    : >out.txt
    expect_status 1
    expect_err 'cannot write the output'
fi
what='a cut-off file'
head -c 9000 "$data/demo.dat" >cut.dat
run -e 'fit sort' cut.dat
expect_status 0
expect_out 'files were cut off'

what='the committed data is what its script makes'
run --version
for awk in mawk gawk; do
    command -v $awk >/dev/null || continue
    for set in demo cache grid; do
        $awk -f "$data/make-$set.awk" | cmp - "$data/$set.dat" || say "$awk makes another $set.dat"
    done
done
finish
