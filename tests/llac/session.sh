# SPDX-License-Identifier: GPL-3.0-or-later
# undo, history, source, save session; small plots; the names of observables; words that were meant.
. "$CLL_SOURCE/tests/llac/setup.sh"

# ---- undo: each command that changes something, and then the session is as before
# undone COMMAND QUESTION: QUESTION has the same answer before COMMAND and after undo, and another one in between
undone() {
    what="undo of: $1"
    good "$2; quit"
    cp out before
    good "$1; $2"
    tail -n "$(wc -l <before)" out >between
    ! cmp -s before between || fail "'$1' does not change '$2'"
    good "$1; undo; $2"
    tail -n "$(wc -l <before)" out >after
    same after before
    has_text out "  undone: $1"
}
undone 'where N > 5000' where
undone 'let n = N/P' let
undone 'define x(N) = sort(N=N)' define
undone 'statistic min' statistic
undone 'statistic deviation' statistic
undone 'ranks mean' ranks
undone 'rounds skip 1' rounds
undone 'disturbed keep' disturbed
undone 'outliers keep' outliers
undone 'fit sort = sort[0]*N' 'predict sort N=3000'
undone 'search sort' 'export m.json sort; predict sort N=4194304'
undone "load $data/grid.dat" list
undone "merge $data/grid.dat" list
bad "machine use $data/machine.json; undo; machine show" 'no machine is in use'
good "machine use $data/machine.json; machine use none; undo; machine show"
has_text out 'Neoverse-N1'
what='undo twice'
good 'where N > 5000; where N > 9000; undo; undo; where'
has_text out 'all samples are used'
what='undo of where all'
good 'where N > 5000; where all; undo; where'
is "$(tail -1 out)" '  where N > 5000'
what='undo brings the last fit back'
good 'fit sort = sort[0]*N; fit sort; undo; predict sort N=3000'
cp out one
good 'fit sort = sort[0]*N; predict sort N=3000'
is "$(tail -1 one)" "$(tail -1 out)"
what='undo of load brings the fits back'
good "fit sort = sort[0]*N; load $data/grid.dat; undo; predict sort N=3000"
is "$(tail -1 one)" "$(tail -1 out)"
what='several loads and merges'
good "merge $data/grid.dat; where N > 5; load $data/grid.dat; undo; list"
has_text out '  sort   96 samples'
has_text out '  grid   460 samples'
what='commands that change nothing are no steps'
good 'where N > 5000; where; list; show sort; predict sort N=3; let; undo; where'
has_text out 'undone: where N > 5000'
bad 'undo' 'there is nothing to undo: no command changed the session'
bad 'where N > 5; undo; undo' 'there is nothing to undo'
bad 'undo 3' "not understood; 'help undo' shows its syntax"
what='a pipe cannot be read again'
exits 1 "$llac" -e "load $data/grid.dat; undo" <(cat "$data/demo.dat")
has_text err 'the earlier data cannot be read again, so nothing was undone'
what='undo as JSON'
exits 0 "$llac" --json -e 'where N > 5; undo' "$data/demo.dat"
is "$(tail -1 out)" '{"undone":"where N > 5"}'
what='many steps'
{ for i in $(seq 150); do echo "where N > $i"; done; for i in $(seq 100); do echo undo; done; echo where; } >many.llac
exits 0 "$llac" many.llac "$data/demo.dat"
is "$(tail -1 out)" '  where N > 50'
echo undo >>many.llac
exits 1 "$llac" many.llac "$data/demo.dat"
has_text err 'there is nothing to undo: no command of the last ones changed the session'

# ---- patterns
mkdir some
for i in 1 2 10; do sed "s/^# date:.*/# date: 2001-02-03T04:05:$((10 + i))Z/" "$data/demo.dat" >some/r$i.dat; done
what='all files that match, in the order of their names'
exits 0 "$llac" --json -e 'load some/r?.dat some/r1[0].dat ignore formulas'
has_text out '"files":["some/r1.dat","some/r2.dat","some/r10.dat"]'
bad 'load nothing*.dat' "-e:1:6: error: no file matches 'nothing*.dat'"
bad 'load ~/nothing.dat' "no file matches '~/nothing.dat'"
bad 'load "some/*.dat"' 'some/*.dat: No such file or directory'
bad "load 'some/r?.dat'" 'some/r?.dat: No such file or directory'
what='a pipe that happens to match is not read'
mkfifo some/r0.dat
exits 0 timeout 60 "$llac" --json -e 'load some/r?.dat ignore formulas'
has_text out '"files":["some/r1.dat","some/r2.dat"]'
bad 'load some/r0*' "no file matches 'some/r0*'"
rm some/r0.dat
what='the name of a file that is there is not a pattern'
cp "$data/demo.dat" '[1].dat'
exits 0 "$llac" --json -e 'load [1].dat'
has_text out '"files":["[1].dat"]'
what='undo and save session know the files that matched'
good "load some/r?.dat as x; save some/r3.dat; load \"$data/demo.dat\"; undo; list; save session saved.llac"
has_text out 'sort   192 samples'
lacks_text out 'sort   384 samples'
has saved.llac '^load "some/r1.dat" "some/r2.dat" as x$'
rm some/r3.dat
what='wherever commands take data files'
good 'table sort against some/*.dat'
has_text out '12 of 12 points'
good 'plot sort with some/r[12].dat to p.svg'
good 'check some/r1*.dat some/r2.dat'
has_text out 'some/r1*.dat -> some/r2.dat'
bad 'table sort against some/x*.dat' "no file matches 'some/x*.dat'"
bad 'counts some/c*.json' "no file matches 'some/c*.json'"
bad 'report x.html beside some/y*.dat' "no file matches 'some/y*.dat'"
bad 'check some/z*.dat some' "no file matches 'some/z*.dat'"

# ---- history
good 'list; where N > 5; history'
has_text out '    1   list'
has_text out '    2   where N > 5'
has_text out '    3   history'
is "$(tail -1 out)" '  undo takes back: where N > 5'
good 'list; show; history 2'
lacks_text out '    1   list'
has_text out '    2   show'
what='history as JSON'
exits 0 "$llac" --json -e 'list; history 1' "$data/demo.dat"
is "$(tail -1 out)" '{"history":[{"number":2,"command":"history 1","failed":false}],"undo":null}'
bad 'history 0' "'history' is followed by a whole number, 1 or more"
bad 'history all' "'history' needs a number"

# ---- source
printf 'where N > 8000 # a comment\nstatistic min\n' >inner.llac
printf 'source inner.llac\nlet n = N/P\n' >outer.llac
good 'source outer.llac; undo; where; let; statistic'
has_text out '  undone: source outer.llac'
has_text out 'all samples are used'
has_text out 'no definitions'
has_text out 'the 10th percentile of its samples'
what='the commands of a script are one step'
bad 'source outer.llac; undo; undo' 'there is nothing to undo'
what='a quoted name'
cp inner.llac 'with blank.llac'
good 'source "with blank.llac"; where'
printf 'where N > 8000\nfit nothing\nlist\n' >wrong.llac
bad 'source wrong.llac' "wrong.llac:2:5: error: there is no experiment 'nothing'"
lacks_text out 'samples'
bad 'source nowhere.llac' 'nowhere.llac: No such file or directory'
bad 'source' 'the name of a file is missing: source FILE'
bad 'source inner.llac again' 'not understood'
echo 'source itself.llac' >itself.llac
bad 'source itself.llac' 'scripts source each other more than 8 deep: does itself.llac source itself?'
what='source as JSON'
exits 0 "$llac" --json -e 'source inner.llac' "$data/demo.dat"
is "$(tail -1 out)" '{"source":"inner.llac"}'
what='quit in a script'
echo quit >quit.llac
good 'source quit.llac; list'
empty out

# ---- save session
good "where N > 5000; let n = N/P; define x(N) = sort(N=N); statistic min; fit sort = sort[0]*N; fit sort = sort[0]*N*log(N); predict x N=10000; save session s.llac"
has_text out '  6 commands written to s.llac'
cp out saved
is "$(grep -c '^fit' s.llac)" 1 'fits in the script'
has s.llac "^# A session of llac. To restore it, in $PWD: llac -f s.llac$"
exits 0 "$llac" -f s.llac -e 'predict x N=10000; where; let; statistic'
grep 'typical' saved >expected
grep 'typical' out >found
same found expected
has_text out 'where N > 5000'
has_text out 'let n = N/P'
has_text out 'minimum of its samples'
good 'where N > 7; source s.llac; where' "$data/grid.dat"
has_text out '  where N > 5000'
what='data that a load replaced is not loaded'
good "fit sort; load $data/grid.dat; merge $data/cache.dat; save session s2.llac"
is "$(grep -c demo.dat s2.llac)" 0
is "$(grep -c '^fit' s2.llac)" 0
exits 0 "$llac" -f s2.llac -e list
has_text out '  grid   460 samples'
what='a search whose formula a later fit uses'
good 'search init; fit init; save session s3.llac'
has s3.llac '^search init$'
what='what was undone is not saved'
good 'where N > 5; undo; save session s4.llac'
lacks s4.llac '^where'
what='a sourced script is saved by its commands'
good 'source outer.llac; save session s5.llac'
has s5.llac '^where N > 8000$'
has s5.llac '^statistic min$'
has s5.llac '^let n = N/P$'
lacks s5.llac source
what='names of files with blanks and quotes'
cp "$data/demo.dat" 'my "data.dat'
exits 0 "$llac" -e 'save session s6.llac' 'my "data.dat'
exits 0 "$llac" -f s6.llac -e list
has_text out '96 samples'
cp "$data/demo.dat" "both '\".dat"
exits 1 "$llac" -e 'save session s7.llac' "both '\".dat"
has_text err 'both kinds of quotes, which no command can name'
gone s7.llac
what='the machine of the command line'
exits 0 "$llac" --machine "$data/machine.json" -e 'save session s8.llac'
has s8.llac '^machine use ".*machine.json"$'
bad 'save session' 'the name of a file is missing: save session FILE'
bad "save session $data/demo.dat" "is a loaded file, which 'save' would replace"
bad 'save session /proc/none/x' 'cannot write /proc/none/x'
exits 0 "$llac" --json -e 'where N > 5; save session s9.llac' "$data/demo.dat"
is "$(tail -1 out)" '{"session":"s9.llac","commands":2}'

# ---- small plots
good 'plot sort small'
has_text out '  CLOCK of sort (s)'
is "$(wc -l <out)" 14 lines
is "$(grep -c '|' out)" 10 rows
has out '^              1024 *N *2097152$'
has out '|o'
is "$(grep -o 'o' <(grep '|' out) | wc -l)" 12 points
good 'plot fft small'
has_text out 'o P=1   x P=2   + P=4   * P=8   . model'
good 'plot fft small over P'
has out ' 1  *P  *8$'
good 'let rate = N/CLOCK; fit init = init[0] on rate; plot init on rate small'
has_text out '  rate of init'
bad 'plot sort small to x.svg' "'small' draws on the terminal: leave out 'to x.svg'"
bad 'plot sort[0] small' "'small' goes with an experiment"
exits 0 "$llac" --json -e 'plot sort small' "$data/demo.dat"
has_text out '"series":'

# ---- observables other than CLOCK are named
pages='fit init = init[0] + init[1]*N on page-faults'
good "$pages; show init on page-faults"
has out '^  observable: page-faults$'
good "$pages; table init on page-faults"
has out '^  observable: page-faults$'
good "$pages; predict init on page-faults N=7000"
has out '^  [0-9.]* page-faults   typical'
good "$pages; predict init on page-faults N=7000:9000:+1000"
has out '^  observable: page-faults$'
good "$pages; explain init N=7000"
has out '^  observable: page-faults$'
good "let rate = N/CLOCK; define two = 2*init; fit init = init[0]+init[1]*N; table two against init on rate"
has out '^  observable: rate$'
good 'show sort; table sort; predict sort N=7000; explain sort N=7000'
lacks_text out 'observable'

# ---- what was meant
bad 'pred sort N=4' "there is no command 'pred'; did you mean 'predict'?"
bad 'fit srot' "there is no experiment 'srot'; did you mean 'sort'?"
bad 'fit SORT' "there is no experiment 'SORT'; did you mean 'sort'?"
bad 'predict sort n=4' "sort has no variable 'n'; did you mean 'N'?"
bad 'fit sort = sort[0]*n' "sort has no variable 'n'; did you mean 'N'?"
bad 'show init on page-fault' "page-fault was not measured for init; did you mean 'page-faults'?"
bad 'fit sort intervls auto' "'intervls' is not understood; did you mean 'intervals'?"
bad 'plot sort ovre N' "'ovre' is not understood; did you mean 'over'?"
bad 'where Rank > 1' "no experiment has a variable or an observable 'Rank'; did you mean 'rank'?"
bad 'fit nothing' "there is no experiment 'nothing': the data has sort, fft, init"
finish
