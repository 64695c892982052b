# SPDX-License-Identifier: GPL-3.0-or-later
# 'fit all' and 'search all': a line for each experiment, what concerns the machine once, and no colours in a file.
. "$CLL_SOURCE/tests/llac/setup.sh"

# regions NAME...: a data file with these experiments over N. All but the first have two modes; those named free_...
# have no formula, and few_... has one point.
regions() {
    awk -v names="$*" 'BEGIN {
        n = split(names, name, " ")
        print "# cll-data 1"
        for (k = 1; k <= n; k++) {
            print "# experiment: " name[k] "\n# variables: " name[k] " N"
            if (name[k] !~ /^free/) print "# formula: " name[k] " CLOCK " name[k] "[0] + " name[k] "[1]*N"
        }
        print "experiment run seq start nested P rank thread count N CLOCK"
        srand(1)
        for (k = 1; k <= n; k++)
            for (run = 0; run < 20; run++)
                for (i = 0; i < (name[k] ~ /few/ ? 1 : 10); i++)
                    printf "%s %d %d 0 0 1 0 0 1 %d %.9g\n", name[k], run, i, 100*2^i,
                        k*(1e-6 + 1e-9*100*2^i)*(1 + 0.01*rand())*(k > 1 && run % 2 ? 1.5 : 1)
    }'
}
regions a b c d >four.dat
good 'fit all' four.dat
is "$(grep -c '^  [a-d] ' out)" 4 "a line for each region"
is "$(awk 'NR > 1 {printf "%s ", $1} NR == 5 {exit}' out)" "d c b a " "those that took most time first"
is "$(grep -c two-modes out)" 1 "the machine is mentioned once"
has_text out '  machine: two-modes (in 3 of 4 regions, in d): 10 of 10 points'
no_text() { ! grep -qF -- "$2" "$1" || fail "$1 has '$2'"; }
no_text out "$(printf '\033')"
good 'fit d' four.dat
has_text out '  warning: 10 of 10 points'
good 'fit all; predict c N=1e6; undo' four.dat

what='fit all full'
good 'fit all full' four.dat
is "$(grep -c '^[a-d] = ' out)" 4 "each fit in full"
is "$(grep -c '  machine: two-modes' out)" 1 "the machine is mentioned once"
no_text out 'warning: 10 of 10 points'
no_text out '. model'
good 'fit all full small on CLOCK' four.dat
is "$(grep -c 'o measured   . model' out)" 4 "a small plot below each"
regions a b | sed '/^# formula: b/s/N$/log(N - 100)/' >failed.dat
bad 'fit all full' '1 of 2 formulas could not be fitted' failed.dat
has_text out '  no model: b: the formula of b has no value'
has_text out 'a = a[0] + a[1]*N'
regions b | sed '/^# formula: b/s/N$/log(N - 100)/' >failed.dat
bad 'fit all full' 'the formula of b has no value' failed.dat
no_text out 'no model'
! "$llac" --json -e 'fit all' failed.dat >out 2>err || fail "a formula that cannot be fitted is an error"
has_text out '"missing":[{"experiment":"b"'
has_text out '"measured":null'

what='one size is no failure'
regions a few >one.dat
for how in '' ' full'; do
    good "fit all$how" one.dat
    has_text out '  no model: few: few has 2 constants but only 1 different point (N, P): measure'
    has out '^    measured at N=100: 2.2[0-9]*e-06 s, 10th percentile of 20 samples$'
done
regions few >one.dat
good 'fit all full' one.dat
has_text out 'measured at N=100: '
bad 'fit few' 'few has 2 constants but only 1 different point' one.dat
exits 0 "$llac" --json -e 'fit all' one.dat
has_text out '"measured":[{"at":{"N":100,"P":1},"value":1.1'
bad 'fit all small' 'not understood' four.dat

what='fit all --json'
exits 0 "$llac" --json -e 'fit all' four.dat
is "$(grep -o '"code":"two-modes"' out | wc -l)" 3 "JSON has the warnings of each model"
has_text out '"missing":[]'
has_text out '"growth":"N"'

# experiments without a formula are searched, and one that cannot be does not keep the others from their models
regions a free_b free_few >free.dat
good 'fit all' free.dat
is "$(grep -c searched out)" 1 "one was searched"
has_text out '  no model: free_few: '
good 'search all' free.dat
is "$(grep -c searched out)" 2 "all are searched"
good 'search all terms 1' free.dat
good 'fit all full' free.dat
is "$(grep -c searched out)" 1 "a searched formula has a line"
is "$(grep -c '^a = ' out)" 1 "a formula of the data is in full"
bad 'fit all where' 'a condition such as N >= 4096 is missing' four.dat
good 'fit all full where N > 500' four.dat
is "$(grep -c ' 7 points, 140 samples' out)" 4 'fits of a part'
good 'fit all on CPUTIME' four.dat

# an experiment of that name
regions all b >all.dat
good 'fit all' all.dat
has_text out 'all = all[0] + all[1]*N'

# colours on a terminal alone, unless NO_COLOR is set and not empty
if command -v script >/dev/null; then
    colours() { env "$1" TERM=xterm script -qec "$llac -e 'fit all' free.dat" /dev/null </dev/null | grep -c "$(printf '\033')\["; }
    is "$(colours NO_COLOR=)" 2 "lines with colours"
    is "$(colours NO_COLOR=1)" 0 "lines with colours and NO_COLOR"
    esc=$(printf '\033')
    for c in 'fit b' 'list' 'show b' 'table b' 'help' 'fit nothing'; do
        env PAGER= NO_COLOR= TERM=xterm script -qec "$llac -e '$c' free.dat" /dev/null </dev/null >out
        has out "$esc\["
        env PAGER= NO_COLOR=1 TERM=xterm script -qec "$llac -e '$c' free.dat" /dev/null </dev/null >out
        lacks out "$esc\[[0-9]"
        what="no colours in a pipe or a file: $c"
        env NO_COLOR= TERM=xterm "$llac" -e "$c" free.dat >out 2>&1
        lacks out "$esc"
        env NO_COLOR= TERM=xterm "$llac" -e "$c" free.dat 2>&1 | cat >out
        lacks out "$esc"
    done
fi
finish
