# SPDX-License-Identifier: GPL-3.0-or-later
# SELF of measured programs: nested regions, recursion, signal handlers, threads, thinning. What llac finds is compared with
# the times of the same samples, so the speed of the machine does not matter.
. "$CLL_SOURCE/tests/llac/setup.sh"
cat >nested.c <<'END'
#define _GNU_SOURCE
#include <cll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
static volatile double sink;
static void work(int n) { for (int i = 0; i < n; i++) sink += i; }
static void inner(int n)
{
    CLL_REGION("inner", "inner[0] + inner[1]*n", n);
    work(n);
}
static void outer(int n)
{
    CLL_REGION("outer", "outer[0] + outer[1]*n", n);
    for (int i = 0; i < 3; i++) {
        inner(n);
        work(n);
    }
}
static void again(int depth)
{
    CLL_REGION("again", "again[0]", depth);
    work(100);
    if (depth)
        again(depth - 1);
}
static void handler(int signal)
{
    int n = signal;
    CLL_REGION("handler", "handler[0]", n);
    work(50);
}
int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    if (argc > 1 && !strcmp(argv[1], "signals")) {
        struct itimerval often = {{0, 200}, {0, 200}};
        signal(SIGALRM, handler);
        setitimer(ITIMER_REAL, &often, NULL);
    }
    for (int round = 0; round < rounds; round++)
        for (int n = 1000; n <= 16000; n *= 2) {
            outer(n);
            again(4);
        }
    return 0;
}
END
exits 0 "$call" cc ${CC:-cc} -O1 $sanitize nested.c -o nested
# truth FILE: for each sample of outer, its time less that of the three samples of inner that it contains, overhead subtracted
truth() {
    awk '/^# overhead:/ {pair = $3} /^# empty:/ {empty = $3} /^#/ {next} /^experiment/ {for (i = 1; i <= NF; i++) col[$i] = i; next}
         $1 == "inner" {at[$col["seq"]] = $col["CLOCK"]}
         $1 == "outer" {time[$col["seq"]] = $col["CLOCK"]; n[$col["seq"]] = $col["n"]}
         END {for (s in time) printf "%d %.12g\n", n[s], time[s] - at[3*s] - at[3*s+1] - at[3*s+2] - empty - 3 * (pair - empty)}' "$1" |
        sort -k1n -k2g
}
# found FILE OBS: [n, min, max] of the points of outer
found() {
    "$llac" --json -e "rounds all; disturbed keep; show outer on $2" "$1" |
        python3 -c 'import json, sys
for p in json.loads(sys.stdin.read().splitlines()[-1])["points"]: print("%d %.12g %.12g %d" % (p["at"]["n"], p["min"], p["max"], p["samples"]))'
}
compare() {
    truth "$1" | awk '{if (!($1 in low) || $2 < low[$1]) low[$1] = $2; if (!($1 in high) || $2 > high[$1]) high[$1] = $2; k[$1]++}
                      END {for (n in low) printf "%d %.12g %.12g %d\n", n, low[n], high[n], k[n]}' | sort -n >truth.txt
    found "$1" SELF | sort -n >found.txt
    awk 'NR == FNR {low[$1] = $2; high[$1] = $3; k[$1] = $4; next}
         function far(x, y) { d = x - y; return d > 2e-11 || d < -2e-11 }
         far($2, low[$1]) || far($3, high[$1]) || $4 != k[$1] {print "found " $0 ", not " low[$1], high[$1], k[$1]; bad = 1}
         {n++} END {exit bad || !n}' truth.txt found.txt || fail "SELF of $1 is wrong"
}
need python3
what='nested regions'
exits 0 ./nested
compare nested.cll.0.dat
good 'list' nested.cll.0.dat
has_text out 'SELF: CLOCK without the regions inside, which 25 samples have'
good 'fit outer on SELF; predict outer on SELF n=32000; table outer on SELF; explain outer on SELF n=500; plot outer on SELF to p.svg; advise outer on SELF for n=64000' nested.cll.0.dat
has_text out 'outer SELF = outer[0] + outer[1]*n'
has_text p.svg 'SELF'
exits 0 "$llac" --json -e 'fit outer on SELF' nested.cll.0.dat
has_text out '"observable":"SELF"'
has_text out '"unit":"s"'
good 'rounds all; disturbed keep; let part = SELF/CLOCK; show outer on part' nested.cll.0.dat
has_text out '       16000         5'
exits 0 "$llac" -e 'rounds all; disturbed keep; where SELF > 1; where all; where SELF >= 0; show outer' nested.cll.0.dat
has_text err 'samples are left out by their own SELF'
has_text out '       16000         5'
bad 'let SELF = 3' 'SELF'  nested.cll.0.dat
what='a formula of SELF alone is that of commands which name no observable'
sed 's/^# formula: \([a-z]*\) CLOCK /# formula: \1 SELF /' nested.cll.0.dat >only.dat
good 'list; fit outer; predict outer n=32000; rank n=32000; report r.html; export m.json' only.dat
has_text out '      SELF = outer[0] + outer[1]*n'
has_text out 'outer SELF = outer[0] + outer[1]*n'
lacks_text out 'no formula is given'
filled r.html
exits 0 "$llac" check only.dat only.dat
has_text out 'outer[1]'
what='recursion: each execution has the one inside'
exits 0 "$llac" --json -e 'show again on SELF; show again' nested.cll.0.dat
python3 -c 'import json
own, whole = [json.loads(line)["points"] for line in open("out")]
assert [p["at"]["depth"] for p in own] == [0, 1, 2, 3, 4]
assert all(p["min"] <= q["min"] for p, q in zip(own, whole))
assert own[0]["min"] == whole[0]["min"] and own[4]["max"] < whole[4]["max"]' || fail 'SELF of a recursion is wrong'

what='all samples preempted: CPU time, as for CLOCK; and parts of the samples'
{
    printf '# cll-data 1\n# program: demo\n# clock: tsc\n# resolution: 1e-9\n# overhead: 0 0\n'
    printf '# experiment: outer\n# variables: outer N\n# experiment: inner\n# variables: inner N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK CPUTIME disturbed\n'
    for N in 1 2 4; do # of the second without a core, 0.4 are in inner
        printf 'inner 0 %d %d 0 1 0 0 1 %d %s %s 1\n' $N $((100 * N + 1)) $N $N "$N-0.4" | awk '{ split($12, x, "-"); $12 = x[1] - x[2]; print }'
        printf 'outer 0 %d %d 1 1 0 0 1 %d %d %d 1\n' $N $((100 * N)) $N $((3 * N)) $((3 * N - 1))
    done
} >taken.dat
exits 0 "$llac" --json -e 'show outer on SELF; show outer; show inner; show outer@N=4 on SELF; disturbed keep; show outer on SELF' taken.dat
python3 -c 'import json
own, outer, inner, part, wall = [[p["value"] for p in json.loads(line)["points"]] for line in open("out") if "points" in line]
near = lambda x, y: all(abs(a - b) < 1e-9 for a, b in zip(x, y)) and len(x) == len(y)
assert near(own, [1.4, 3.4, 7.4]), own
assert near([a + b for a, b in zip(own, inner)], outer), (own, inner, outer)
assert near(part, [7.4]), part
assert near(wall, [2, 4, 8]), wall' || fail 'SELF of preempted samples is wrong'

what='regions in signal handlers'
exits 0 env CLL_OUT=signals.dat ./nested signals 200
"$llac" --json -e 'rounds all; disturbed keep; show outer on SELF; show inner on SELF' signals.dat >out 2>err || fail 'no SELF'
python3 -c 'import json
lines = [json.loads(line) for line in open("out")]
outer, inner = [sum(p["samples"] for p in line["points"]) for line in lines if "points" in line]
assert outer > 500 and inner > 2000, (outer, inner)' || fail 'SELF is unknown too often'

what='threads: the regions of a thread are inside those of the same thread'
cat >team.c <<'END'
#include <cll.h>
static volatile double sink;
static void work(int n) { for (int i = 0; i < n; i++) { double x = sink; (void)x; } }
int main(void)
{
    for (int round = 0; round < 5; round++)
        for (int n = 1000; n <= 16000; n *= 2) {
            CLL_REGION("outer", "outer[0] + outer[1]*n", n);
            for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
                {
                    CLL_REGION("inner", "inner[0] + inner[1]*n", n);
                    work(n);
                }
            }
        }
    return 0;
}
END
if echo 'int main(void) { return 0; }' | ${CC:-cc} -fopenmp -x c - -o probe 2>/dev/null && [ -z "$sanitize" ]; then
    exits 0 "$call" cc ${CC:-cc} -O1 -fopenmp team.c -o team
    exits 0 ./team
    is "$(values team.cll.0.dat inner thread)" '0 1 2 ' threads
    awk '/^#/ || /^experiment/ {print; if (/^experiment/) for (i = 1; i <= NF; i++) if ($i == "thread") t = i; next}
         $1 == "outer" || $t == 0' team.cll.0.dat >first.dat
    truth first.dat | sort -n >truth.first
    compare_first() { truth() { cat truth.first; }; compare team.cll.0.dat; }
    (compare_first) || fail 'SELF around a team is wrong'
    good 'rank n=1e6 P=1' team.cll.0.dat
    has out '^  inner .* 3   '
fi

what='thinned samples'
exits 0 env CLL_OUT=thin.dat CLL_MEMORY=200K ./nested plain 3000
has thin.dat '^# thinned: '
lacks thin.dat '^# thinned: no'
"$llac" -e 'show outer on SELF' thin.dat >out 2>err
has err 'SELF of .*outer is not known: samples of regions inside them are not in the data: they were thinned'

what='samples that report or save left out'
good 'where nested > 0; save part.dat' nested.cll.0.dat
bad 'show outer on SELF' 'SELF of outer is not known: samples of regions inside them are not in the data' part.dat
printf 'n,time\n1,2\n2,3\n3,4\n' >plain.csv
bad 'show plain on SELF' 'SELF of plain is not known: the data do not state when executions began' plain.csv
finish
