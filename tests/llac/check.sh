# SPDX-License-Identifier: GPL-3.0-or-later
# check: verdicts, exit status, the forms of its output, saved models, folders, errors. The rate of false alarms: bench/check.
. "$CLL_SOURCE/tests/llac/setup.sh"
. "$CLL_SOURCE/tests/llac/version_data.sh"
# says TEXT: it is in out, in lines that were broken anywhere
says() { tr -s ' \n' ' ' <out >joined && has_text joined "$1"; }
version old.dat 1 1 "$old"
version again.dat 1 2 "$old"
version slow.dat 1.3 3 "$new"
version fast.dat 0.7 4 "$new"

# ---- verdicts and exit status
exits 0 "$llac" check old.dat again.dat
empty err
has_text out 'old.dat -> again.dat: the files state no difference in code, flags or machine'
lacks_text out 'slower'
lacks_text out 'faster'
has_text out '0 of 7 got worse by more than the uncertainty and 5 %'
exits 1 "$llac" check old.dat slow.dat
empty err
has_text out 'old.dat -> slow.dat: they differ in the code of demo.c'
has out '^  sort\[1\]  *[0-9.e-]*  *[0-9.e-]*  1\.[23][0-9.]* \[.*slower  <-- worse$'
has out '^  at N=64000 .*slower  <-- worse$'
has out '^  at N=8000 .*slower  <-- worse$'
has out '^  sort\[0\] .*  same$'
has_text out '      it takes no visible time at any measured point'
exits 0 "$llac" check slow.dat fast.dat
has out '^  sort\[1\] .*faster$'
exits 0 "$llac" check old.dat slow.dat --threshold 50
has out '^  sort\[1\] .*slower$'
lacks_text out 'worse$'
exits 1 "$llac" check old.dat slow.dat --threshold=10
exits 1 "$llac" -e 'check old.dat slow.dat; list' old.dat # the script goes on
has_text out '  scan   210 samples'
exits 0 "$llac" -e 'check old.dat slow.dat threshold 50%' old.dat

# ---- places
exits 1 "$llac" check old.dat slow.dat --at N=1e6,2e6
has out '^  at N=1000000 .*worse$'
has out '^  at N=2000000 .*worse$'
lacks_text out 'N=64000'
exits 1 "$llac" -e 'check old.dat slow.dat at N=5000 threshold 1%' old.dat
has out '^  at N=5000 '

# ---- forms
exits 1 "$llac" check old.dat slow.dat --json
has_text out '"before":"old.dat","after":"slow.dat","differs":"the code of demo.c","threshold_pct":5,"confidence_pct":99,"worse":'
has out '"constant":"sort\[1\]","where":"","before":[0-9.e-]*,"after":[0-9.e-]*,"ratio":1\.[0-9]*,"low":1\.[0-9.]*,"high":1\.[0-9.]*,"difference":[0-9.e-]*,"difference_low":[0-9.e-]*,"difference_high":[0-9.e-]*,"by":"ratio","verdict":"slower","worse":true,"why":null'
has_text out '"at":{"N":64000}'
bad 'check old.dat slow.dat markdown' "the output is JSON (--json), so it cannot be 'markdown' as well: leave one of them out" --json
exits 1 "$llac" check old.dat slow.dat --github --json
has_text err "the output is JSON (--json), so it cannot be 'github' as well"
empty out
bad 'check old.dat slow.dat markdown github' "'markdown' and 'github' are two forms of the output"
exits 1 "$llac" check --markdown old.dat slow.dat
has_text out '### Slower than before'
has out '^| sort | sort\\\[1\\\] | .* | \*\*slower\*\* |$'
exits 0 "$llac" check --markdown old.dat again.dat
has_text out '### Not slower than before'
exits 1 "$llac" check old.dat slow.dat --github
has out '^::error file=demo.c,line=10,title=sort is slower::sort, sort\[1\]: .* before, .* now: 1\.[0-9]* \[.*\] times as much$'
has out '^::notice title=check::.* 5 %25'
# what data files state cannot become a command of the runner, or a table
what='text from data files is escaped'
version evil.dat 1.5 5 '# code: cccc demo.c\n'
sed 's/demo\.c:10-14/a%0Ab,c::d|x<b>.c:10-14/' evil.dat >evil2.dat
exits 1 "$llac" check old.dat evil2.dat --github
has_text out 'file=a%250Ab%2Cc%3A%3Ad|x<b>.c,line=10,title='
sed 's/sort/s_o/g' evil.dat >under.dat
exits 0 "$llac" check under.dat under.dat --markdown
has_text out '| s\_o | s\_o\[1\] |'

# ---- rounds by turns
what='rounds by turns'
mark='# turns: 1a.2b\n'
version told.dat 1 1 "$old$mark"
version tnew.dat 1.06 2 "$new$mark"
version other.dat 1.06 2 "$new# turns: 3c.4d\n"
exits 1 "$llac" check told.dat tnew.dat
has_text out 'told.dat -> tnew.dat: they differ in the code of demo.c; measured by turns'
has out '^  at N=64000 .*slower  <-- worse$'
version tsame.dat 1 2 "$new$mark"
exits 0 "$llac" check told.dat tsame.dat
has out '^  scan\[0\] .*  same$'
has out '^  at N=64000 .*  same$'
exits 1 "$llac" check told.dat tnew.dat --json
has_text out '"turns":true'
exits 1 "$llac" check told.dat tnew.dat --markdown
has_text out 'they differ in the code of demo.c\), measured by turns.'
exits 0 "$llac" check told.dat other.dat # not by turns: too little
lacks_text out 'measured by turns'
exits 0 "$llac" check told.dat other.dat --json
has_text out '"turns":false'
has_text out '"verdict":"cannot tell"'
"$llac" -e 'save copy.dat' told.dat >out 2>&1
has copy.dat '^# turns: 1a\.2b$'
what='a drift of the machine cancels by turns'
data_head() { # FORMULA [LINES]: the head of a data file of f
    printf '# cll-data 1\n# program: demo\n# clock: tsc\n# resolution: 1e-9\n# overhead: 1e-8 1e-10\n%b' "${2:-}"
    printf '# experiment: f\n# formula: f CLOCK %s\n# variables: f N\n# source: f demo.c:1-2\n' "$1"
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
}
drift() { # FILE FACTOR [HEADER]: 8 runs of f, each slower than the one before; both versions have the same drift
    {
        data_head 'f[0]*N' "${3:-}"
        awk -v factor="$2" 'BEGIN {
            for (run = 0; run < 8; run++)
                for (i = 0; i < 8; i++)
                    printf "f %d %d 0 0 1 0 0 1 %d %.6g\n", run, i, 1000 * 2^i, \
                        factor * (1 + 0.1 * run) * (1 + 0.002 * ((7 * i + 3 * run) % 5)) * 1e-9 * 1000 * 2^i
        }'
    } >"$1"
}
drift d1.dat 1 "$mark"
drift d2.dat 1.12 "$mark"
drift d3.dat 1.12
exits 1 "$llac" check d1.dat d2.dat
has out '^  f\[0\] .*slower  <-- worse$'
exits 0 "$llac" check d1.dat d3.dat
has out '^  f\[0\] .*cannot tell$'
# one file per run, with dates: CLL_RUN and two folders
runs_of() { # FILE FOLDER SECOND: the run R of FILE began at second 10 R + SECOND
    mkdir -p "$2"
    for r in 0 1 2 3 4 5; do
        awk -v r="$r" -v date="$(printf '2026-11-15T01:%02d:%02dZ' "$r" "$3")" '
            NR == 2 { print "# date: " date }
            /^#/ || /^experiment / || $2 == r' "$1" >"$2/$r.dat"
    done
}
runs_of old.dat told 10
runs_of other.dat tnew 40
sed -i '/^# turns/d' tnew/*
exits 1 "$llac" check told tnew
has_text out 'measured by turns'
runs_of old.dat early 10
runs_of other.dat late 40
sed -i '/^# turns/d; s/T01:/T02:/' late/*
exits 0 "$llac" check early late
lacks_text out 'measured by turns'

# ---- slow phases
what='few rounds in slow phases'
phases() { # FILE SLOW SEED: 3 runs; the three largest sizes are slow in all runs (SLOW = 1), others now and then
    {
        data_head 'f[0]*N'
        awk -v slow="$2" -v seed="$3" '
            function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
            BEGIN {
                for (run = 0; run < 3; run++)
                    for (i = 0; i < 12; i++)
                        for (k = 0; k < 3; k++) {
                            in_phase = (slow && i >= 9) || (i + 4 * run) % 12 < 5
                            printf "f %d %d 0 0 1 0 0 1 %d %.6g\n", run, 3 * i + k, 1000 * 2^i, \
                                (in_phase ? 1.5 : 1) * (1 + 0.01 * random()) * 1e-9 * 1000 * 2^i
                        }
            }'
    } >"$1"
}
phases calm.dat 0 1
phases slow-phase.dat 1 2
exits 0 "$llac" check calm.dat slow-phase.dat
has out '^  at N=2048000 .*cannot tell$'
has_text out 'slow phases of the machine may explain it: measure more rounds'

# ---- three times as long, on a busy machine: a size is in a slow phase in two rounds of four, and runs differ by 10 %
what='four rounds on a busy machine'
busy() { # FILE FACTOR SEED
    {
        data_head 'f[0] + f[1]*N'
        awk -v factor="$2" -v seed="$3" '
            function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
            BEGIN {
                for (i = 0; i < 10; i++) random()
                for (run = 0; run < 4; run++) {
                    slow = 1 + 0.3 * random()
                    for (i = 0; i < 12; i++) {
                        phase = (i + run) % 4 < 2 ? 1.7 : 1
                        printf "f %d %d 0 0 1 0 0 1 %d %.6g\n", run, i, 1000 * 2^i, \
                            factor * phase * slow * (1 + 0.1 * random()) * (1e-6 + 1e-9 * 1000 * 2^i)
                    }
                }
            }'
    } >"$1"
}
busy busy1.dat 1 1
busy busy2.dat 1 2
busy busy3.dat 3 3
busy busy9.dat 8.7 4
exits 0 "$llac" check busy1.dat busy2.dat
lacks_text out 'slower'
exits 1 "$llac" check busy1.dat busy3.dat
is "$(grep -c 'slower  <-- worse$' out)" 4 'rows that are worse'
exits 1 "$llac" check busy1.dat busy9.dat
is "$(grep -c 'slower  <-- worse$' out)" 4 'rows that are worse'

# ---- the interval that is printed decides, and a verdict that it does not show has a reason
agree() { # FILE: JSON of a check
    python3 - "$1" <<'EOF'
import json, sys
for e in json.load(open(sys.argv[1]))["experiments"]:
    for r in e["rows"]:
        verdict, why = r["verdict"], r["why"]
        low, high, none = (r["low"], r["high"], 1) if r["by"] == "ratio" else (r["difference_low"], r["difference_high"], 0)
        high = float("inf") if high is None else high
        side = "-" if r["by"] is None else "slower" if low > none else "faster" if high < none else "around"
        if verdict in ("slower", "faster"):
            assert side == verdict and why is None, r
        elif verdict == "same":
            assert why or (r["by"] == "ratio" and low > 1 / 1.05 and high < 1.05), r
        else:
            assert verdict == "cannot tell" and why and side in ("-", "around"), r
EOF
}
for pair in 'old again' 'old slow' 'slow fast' 'told tnew' 'told tsame' 'told other' 'd1 d2' 'd1 d3' 'calm slow-phase' 'busy1 busy2' \
    'busy1 busy3' 'busy3 busy1' 'busy1 busy9'; do
    # shellcheck disable=SC2086
    set -- $pair
    "$llac" check "$1.dat" "$2.dat" --json >agree.json 2>err
    agree agree.json >out 2>&1 || fail "$pair: verdict and interval do not agree"
done

# ---- versions that are loaded, folders, saved models
exits 1 "$llac" -e 'load old.dat as before; merge slow.dat as after; check before after'
has_text out 'before -> after: they differ in the code of demo.c'
mkdir one two
cp old.dat one/a.dat; cp again.dat one/b.dat; cp slow.dat two/
exits 1 "$llac" check one two
has_text out 'one -> two: '
exits 0 "$llac" check one again.dat
exits 0 "$llac" -e 'fit sort; fit scan; export model.json' old.dat
exits 1 "$llac" check model.json slow.dat
has out '^  at N=64000 .*slower  <-- worse$'
exits 0 "$llac" check model.json again.dat
lacks_text out 'slower'
exits 0 "$llac" check model.json again.dat --at N=4000
has out '^  at N=4000 .*cannot tell$'
exits 0 "$llac" check model.json slow.dat --at N=5 --threshold 90
has_text out 'the saved model has predictions at its measured points only'
exits 0 "$llac" check slow.dat model.json
sed 's/"variance":[0-9.e-]*/"variance":-1/' model.json >negative.json
exits 1 "$llac" check negative.json slow.dat
has_text err 'negative.json: a variance is negative: this is not a complete file of models'
sed 's/"predictions"/"other"/' model.json >missing.json
exits 1 "$llac" check missing.json slow.dat
has_text err "the list 'predictions' is missing"

# ---- what cannot be compared
sed 's/scan/walk/g' slow.dat >walk.dat
exits 1 "$llac" check old.dat walk.dat
has_text out 'scan: only old.dat has it'
has_text out 'walk: only walk.dat has it'
lacks_text out 'nothing was compared'
sed 's/sort/find/g' walk.dat >neither.dat
exits 1 "$llac" check old.dat neither.dat
says 'nothing was compared, so nothing says that the versions are alike: the exit status is 1'
exits 1 "$llac" check old.dat neither.dat --github
has_text out 'nothing was compared'
sed 's/scan CLOCK scan\[0\]\*N/scan CLOCK scan[0] + scan[1]*N/' again.dat >formula.dat
exits 0 "$llac" check old.dat formula.dat
has_text out "scan: the formula was 'scan[0]*N' and is 'scan[0] + scan[1]*N'"
sed '/^# formula: scan/d' again.dat >none.dat
exits 0 "$llac" check old.dat none.dat
has_text out "the new data cannot be fitted: there is no formula for CLOCK"
exits 0 "$llac" -e 'fit scan = scan[0]*N; check old.dat none.dat' old.dat
has out '^  scan\[0\]  .*  0\.99[0-9]* \['
grep -v '^[a-z]* [1-5] ' again.dat >single.dat # one run says little about the next
grep -v '^[a-z]* [1-5] ' slow.dat | sed 's/# build/# builds/' >single2.dat
exits 0 "$llac" check single.dat single2.dat --threshold 0
has out '^  sort\[1\] .*cannot tell$'
# texts of rows that cannot be compared
sed 's/# formula: scan CLOCK scan\[0\]\*N/# formula: scan CLOCK scan[7]*N/' again.dat >renamed.dat
exits 0 "$llac" check old.dat renamed.dat
has_text out 'the new formula does not have it'
says '1 cannot be compared, for'
lacks_text out 'cannot be told'
exits 0 "$llac" check old.dat renamed.dat --markdown
has out '^| scan | scan\\\[0\\\] | .* | cannot tell: the new formula does not have it |$'
# simulated times are exact: any difference counts
for f in old slow; do sed 's/^# clock: tsc/# clock: simulated/' $f.dat | awk '/^[a-z]* [0-9]/ { $11 = ($1 == "sort" ? 2e-6 + ("'$f'" == "slow" ? 1.002 : 1) * 3e-9 * $10 : 1e-9 * $10) } { print }' >exact-$f.dat; done
exits 1 "$llac" check exact-old.dat exact-slow.dat --threshold 0
has out '^  sort\[1\] .*slower  <-- worse$'
exits 0 "$llac" check exact-old.dat exact-old.dat --threshold 0
lacks_text out 'slower'

# ---- errors
exits 2 "$llac" check old.dat
has_text err 'two versions are expected: llac check BEFORE AFTER'
exits 2 "$llac" check old.dat slow.dat fast.dat
has_text err "'fast.dat' is a third"
exits 2 "$llac" check old.dat slow.dat --nosuch
has_text err "unknown option '--nosuch'"
exits 1 "$llac" check old.dat nosuch.dat
has_text err 'nosuch.dat'
exits 1 "$llac" check old.dat slow.dat --threshold x
has_text err "'threshold' needs a number"
exits 1 "$llac" check old.dat slow.dat --at M=5
has_text err "no experiment has a variable 'M'"
exits 1 "$llac" check old.dat slow.dat --at N
has_text err 'VARIABLE=VALUE is expected here'
exits 2 "$llac" check old.dat slow.dat --at
has_text err '--at needs a value'
mkdir empty
exits 1 "$llac" check old.dat empty
has_text err 'the folder empty has no data files (*.dat)'
bad 'check old.dat' 'two data files, folders, saved models or labels are expected here' old.dat
bad 'check old.dat slow.dat nonsense' "this part of the command is not understood; 'help check'" old.dat
exits 2 "$llac" --threshold 5 old.dat
has_text err "'--threshold' is an option of 'llac check', and 'check' must be the first word"
exits 2 "$llac" --json check old.dat slow.dat --at=N=5
has_text err "'--at' is an option of 'llac check', and 'check' must be the first word: llac check BEFORE AFTER --at=N=5"
exits 2 "$llac" check old.dat slow.dat --markdown --github
has_text err '--markdown and --github are two forms of the output: leave one of them out'
exits 2 "$llac" check old.dat slow.dat --github --markdown
has_text err '--github and --markdown are two forms of the output'
exits 1 "$llac" check old.dat slow.dat --markdown --markdown
# ---- a formula that does not describe the data: measured values are compared
# shape FILE FORMULA SEED HEADER: sort takes FORMULA over n (awk), with the noise of version
shape() {
    version "$1" 1 "$3" "$4"
    awk -v seed="$3" 'function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        $1 == "sort" && /^sort [0-9]/ { n = $10; $11 = $11 / (2e-6 + 3e-9 * n) * ('"$2"') } { print }' "$1" >shaped
    mv shaped "$1"
}
shape linear.dat '2e-6 + 3e-9*n' 21 "$old"
shape quadratic.dat '2e-6 + 3e-9*n + 2e-13*n*n' 22 "$new"
exits 1 "$llac" check linear.dat quadratic.dat # 5 times as slow at N = 64000; with the formula nothing could be told
has out '^  sort\[1\] .*cannot tell$'
has_text out '      the formula does not describe the new data'
has out '^  at N=64000, measured  *0.00019[0-9]*  *0.00[019][0-9]*  5\.[0-9]* .*slower  <-- worse$'
has out '^  at N=8000, measured .*slower  <-- worse$'
says 'sort: the formula describes the old data, but not the new data (mean error 40 %),'
says "llac -e 'search sort' quadratic.dat shows how"
exits 0 "$llac" -e 'search sort' quadratic.dat # what the text says can be done
has_text out 'N^2'
exits 0 "$llac" check quadratic.dat linear.dat
says 'sort: the formula describes the new data, but not the old data (mean error 40 %),'
has out '^  at N=64000, measured .*faster$'
shape square.dat '2e-6 + 1e-12*n*n' 23 "$old"
shape square2.dat '2e-6 + 1e-12*n*n' 24 "$new"
shape square3.dat '2e-6 + 1.3e-12*n*n' 25 "$new"
exits 0 "$llac" check square.dat square2.dat
says 'the formula describes neither the old data (mean error 1'
lacks out 'slower\|faster'
exits 1 "$llac" check square.dat square3.dat
has out '^  at N=64000, measured .*slower  <-- worse$'
exits 1 "$llac" check linear.dat quadratic.dat --at N=64000,1e6
has out '^  at N=64000, measured .*slower  <-- worse$'
has_text out '      the formula misfits, and not both versions were measured there'
exits 1 "$llac" check linear.dat quadratic.dat --at N=1e6 # measured places come in addition
has out '^  at N=64000, measured .*slower  <-- worse$'
exits 1 "$llac" check linear.dat quadratic.dat --json
has_text out '"at":{"N":64000},"measured":true,"before":'
exits 1 "$llac" check linear.dat quadratic.dat --github
has_text out '::warning'
has_text out 'but not the new data'
exits 1 "$llac" -e 'load linear.dat as a; merge quadratic.dat as b; check a b' linear.dat
says 'search sort@b shows how'
mkdir quadratic
cp quadratic.dat quadratic/
exits 1 "$llac" check linear.dat quadratic
says "'search sort' quadratic/*.dat"
exits 0 "$llac" -e 'fit sort; fit scan; export saved.json' linear.dat
exits 0 "$llac" check saved.json quadratic.dat
says 'a saved model has nothing else to compare'
exits 1 "$llac" -e 'fit sort = sort[0] + sort[1]*N + sort[2]*N^2; check linear.dat quadratic.dat' linear.dat # a formula that describes both
lacks_text out 'measured  '

# ---- one run of each: a constant that is small beside the times moves by many times itself when a size is a little slower
one_run() { # FILE CONSTANT SLOPE
    printf '# cll-data 1\n# clock: tsc\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n# variables: f N\nexperiment run seq start nested P rank thread count N CLOCK\n' >"$1"
    awk -v a="$2" -v b="$3" 'BEGIN { for (n = 1; n <= 8; n++) for (k = 0; k < 4; k++) printf "f 0 %d 0 0 1 0 0 1 %d %.6g\n", k, n, (a + b * n) * (1 + 0.001 * k) }' >>"$1"
}
one_run before.dat 1.7e-8 8e-7
one_run after.dat 9.5e-8 7.8e-7
exits 0 "$llac" check before.dat after.dat
has out '^  f\[0\] .*cannot tell'
finish
