# SPDX-License-Identifier: GPL-3.0-or-later
# Formulas that ask the machine. data/machine.json was measured up to 64 KB; the other machine here has a stair of latencies,
# from which the samples are made.
. "$CLL_SOURCE/tests/llac/setup.sh"
file=$data/machine.json
export CLL_MACHINES=$PWD/machines
unset CLL_MACHINE

# a machine with latencies on one and two cores, and samples of 1e-6 + 2e-9 N + 0.3 N lat(24 N), with a deviation of 0.2 %
cat >stair.awk <<'AWK'
function figure(name, bytes, cores, unit, value) {
    if (family == "gpu" && cores > 1)
        return
    printf "%s{\"family\": \"%s\", \"name\": \"%s\", \"bytes\": %d,%s \"unit\": \"%s\", \"value\": %.9g, \"low\": %.9g, \"high\": %.9g, \"steady\": true, \"rounds\": 1, \"values\": [%.9g]}", n++ ? ",\n" : "", family ? family : "memory", name, bytes, family ? "" : " \"cores\": " cores ",", unit, value, value * 0.99, value * 1.01, value
}
BEGIN {
    k = split("4 1.6 8 1.6 16 1.6 32 1.6 64 1.6 128 5.4 256 5.5 512 6 1024 13 2048 30 4096 31 8192 80 16384 81 32768 82", x, " ")
    if (what == "samples") {
        srand(1)
        print "N,time"
        for (N = 50; N <= 40000; N = int(N * 1.3))
            for (r = 0; r < 4; r++)
                printf "%d,%.9g\n", N, (1e-6 + 2e-9 * N + 0.3 * N * lat(24 * N)) * (1 + 0.002 * (rand() + rand() - 1))
    } else {
        for (i = 1; i < k; i += 2) {
            figure("latency", x[i] * 1024, 1, "s", x[i + 1] * 1e-9)
            figure("latency", x[i] * 1024, 2, "s", x[i + 1] * 1.5e-9)
            figure("read", x[i] * 1024, 1, "B/s", 5e10 - 1e9 * i)
            figure("read", x[i] * 1024, 2, "B/s", (what == "doubtful" ? 20e10 : 8e10) - 1e9 * i)
        }
    }
}
function lat(b,   i) {
    for (i = 1; i + 2 < k && x[i + 2] * 1024 < b; i += 2)
        ;
    if (b <= x[1] * 1024)
        return x[2] * 1e-9
    return x[i + 1] * 1e-9 * exp(log(x[i + 3] / x[i + 1]) * log(b / x[i] / 1024) / log(x[i + 2] / x[i]))
}
AWK
{ sed '/^ "figures": \[/,$d; s/"name": "demo"/"name": "stairs"/' "$file"; echo ' "figures": ['; awk -f stair.awk; echo ']}'; } >stairs.json
awk -v what=samples -f stair.awk >f.csv
load='load f.csv experiment=f time=time unit=s variables=N'
"$llac" -e "machine add stairs.json; machine add \"$file\"" >/dev/null

# fit and predict; the constants are those of the samples
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); predict f N=100000,1000000,2000000"
has out '^  f\[2\]  *0\.\(29[89]\|30[012]\)'
has out '^  machine: stairs, measured 2026-'
has out '^     1000000  .* N is [0-9.]* times beyond the data$'
has_text out 'lat() was measured up to 32 MB, and is taken as constant beyond'
lacks_text out 'another level of'
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); predict f N=100000"
lacks_text out 'taken as constant'
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); predict f N=100"
has_text out 'lat() was measured from 4 KB on, and is taken as constant below'
exits 0 "$llac" --json --machine stairs -e "$load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); predict f N=2000000; fit f = f[0] + f[1]*N"
has out '"machine":{"name":"stairs","date":"2026-'
has_text out 'lat() was measured up to 32 MB'
has out '^{"experiment":"f","observable".*"machine":null}$'

# the uncertainty of the figures widens the interval of a prediction beyond the data, not that of the data
sed 's/"low": \([^,]*\), "high": \([^,]*\)/"low": \1, "high": \2/' stairs.json >narrow.json
awk '{ while (match($0, /"value": [0-9.e+-]+, "low": [0-9.e+-]+, "high": [0-9.e+-]+/)) {
           split(substr($0, RSTART, RLENGTH), a, /[:,] */); printf "%s\"value\": %s, \"low\":%.9g, \"high\":%.9g", substr($0, 1, RSTART - 1), a[2], a[2] * 0.6, a[2] * 1.6; $0 = substr($0, RSTART + RLENGTH) } print }' narrow.json >wide.json
width() { # MACHINE
    "$llac" --json --machine "$1" -e "$load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); predict f N=1000000" 2>err |
        tail -1 | sed 's/.*"low":\([^,]*\),"high":\([^,]*\),.*/\1 \2/' | awk '{ print $2 - $1 }'
}
what='the interval of a prediction holds that of the figures'
awk -v a="$(width ./narrow.json)" -v b="$(width ./wide.json)" 'BEGIN { exit !(a > 0 && b > 3 * a) }' || fail "$(width ./narrow.json) and $(width ./wide.json)"

# no intervals along a variable that the formula asks about, unless they are asked for
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(48*N)"
lacks out '^  boundary: \|^  bend: \|^  smooth change: '
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(48*N) intervals on N"
has out '^  boundary: \|^  bend: \|^  smooth change: '

# a factor that is fitted: by index and by name
for w in 'f[3]' f.w; do
    good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat($w*N); predict f N=1000000"
    what="the factor $w"
    awk -v w="$w" '$1 == w { found = 1; if (!($2 > 23.5 && $2 < 24.5)) exit 1 } END { exit !found }' out || fail "$(cat out)"
done
exits 0 "$llac" --json --machine stairs -e "$load; fit f = f[0] + f[1]*N + f[2]*N*lat(f.w*N)"
has out '"name":"f.w","pieces":\[{"value":2[34]\.[0-9]*,"low":2[34]\.[0-9]*,"high":2[45]\.[0-9]*,'
good "machine use stairs; $load; where N < 200; fit f = f[1]*N + f[2]*N*lat(f[3]*N)"
has_text out 'the data hardly determine f[3]'
bad "machine use stairs; $load; fit f = f[0] + f[1]*N*lat(f.w*N) intervals on N" 'f has an unknown factor in an argument: its constants cannot have intervals'
bad "machine use stairs; $load; fit f = f[0] + f[1]*N*lat(f.w*N + 8)" 'an argument of lat() may have one constant, as a factor: lat(f.w*N)'

# each function has a value, and that of the file
good "machine use demo; machine use none"
call_of() { # CALL: its value, as a prediction of a formula without constants
    "$llac" --json --machine "$file" -e "load f.csv experiment=f time=time unit=s variables=N; fit f = N*0 + $1; predict f N=100" 2>err |
        tail -1 | sed 's/.*"value":\([^,]*\),.*/\1/'
}
figure_of() { # FAMILY NAME PLACE: the value in the file
    sed -n "s/.*\"family\": \"$1\", \"name\": \"$2\", $3\"unit\": \"[^\"]*\", \"value\": \([^,]*\),.*/\1/p" "$file" | head -1
}
is_figure() { # CALL FAMILY NAME PLACE [FACTOR]
    what="$1 is $2 $3"
    awk -v a="$(call_of "$1")" -v b="$(figure_of "$2" "$3" "$4")" -v f="${5:-1}" 'BEGIN { d = a - b * f; if (d < 0) d = -d; exit !(b > 0 && d <= 1e-6 * a) }' ||
        fail "$1 gives $(call_of "$1") $(cat err), the file has $(figure_of "$2" "$3" "$4")"
}
is_figure 'lat(65536)' memory latency '"bytes": 65536, "cores": 1, '
is_figure 'lat(16384, 2)' memory latency '"bytes": 16384, "cores": 2, '
is_figure 'bw(65536)' memory read '"bytes": 65536, "cores": 1, '
is_figure 'bw(16384, 2)' memory read '"bytes": 16384, "cores": 2, ' 0.5
is_figure 'bw_copy(16384, 2)' memory copy '"bytes": 16384, "cores": 2, ' 0.5
is_figure 'bw_write(65536)' memory write '"bytes": 65536, "cores": 1, '
is_figure 'cycle()' operations cycle ''
is_figure 'division()' operations fp_div.throughput ''
is_figure 'idivision()' operations int_div.throughput ''
is_figure 'root()' operations fp_sqrt.throughput ''
is_figure 'mispredict()' operations branch.mispredicted ''
is_figure 'call()' operations call ''
is_figure 'syscall()' operations system_call ''
is_figure 'fault()' operations page_fault ''
is_figure 'fork(2)' openmp fork '"cores": 2, '
is_figure 'omp_barrier(2)' openmp barrier '"cores": 2, '
is_figure 'reduction(2)' openmp reduction '"cores": 2, '
is_figure 'barrier(2)' mpi barrier '"processes": 2, '
is_figure 'startup()' mpi startup '"processes": 2, '
is_figure 'per_byte()' mpi per_byte '"processes": 2, '
is_figure 'pingpong(256)' mpi pingpong '"bytes": 256, "processes": 2, '
is_figure 'alltoall(256, 2)' mpi alltoall '"bytes": 256, "processes": 2, '
is_figure 'g(2)' bsp g.exchange '"processes": 2, '
is_figure 'L(2)' bsp L.exchange '"processes": 2, '
is_figure 'L(1)' bsp L.shift '"processes": 1, '
is_figure 's(2)' bsp s '"processes": 2, '
what='flop() is the mean of an addition and a multiplication'
awk -v a="$(call_of 'flop()')" -v x="$(figure_of operations fp_add.throughput '')" -v y="$(figure_of operations fp_mul.throughput '')" \
    'BEGIN { d = a - (x + y) / 2; if (d < 0) d = -d; exit !(d <= 1e-6 * a) }' || fail "$(call_of 'flop()')"
demo=$file file=$CLL_SOURCE/examples/machines/h200.json
is_figure 'gpu_launch()' gpu launch.latency ''
is_figure 'gpu_launch_queued()' gpu launch.throughput ''
is_figure 'gpu_lat(65536)' gpu latency '"bytes": 65536, '
is_figure 'gpu_bw(65536)' gpu read '"bytes": 65536, '
is_figure 'gpu_bw_copy(65536)' gpu copy '"bytes": 65536, '
is_figure 'gpu_bw_write(65536)' gpu write '"bytes": 65536, '
is_figure 'gpu_flop()' gpu flop_double ''
is_figure 'gpu_flop_float()' gpu flop_float ''
is_figure 'gpu_atomic(4)' gpu atomic '"bytes": 4, '
is_figure 'to_gpu(65536)' gpu to_device.pageable '"bytes": 65536, '
is_figure 'to_gpu_pinned(65536)' gpu to_device.pinned '"bytes": 65536, '
is_figure 'from_gpu(65536)' gpu from_device.pageable '"bytes": 65536, '
is_figure 'from_gpu_pinned(65536)' gpu from_device.pinned '"bytes": 65536, '
is_figure 'to_gpu(1073741824)' gpu to_device.pageable '"bytes": 268435456, ' 4 # in proportion beyond the longest
is_figure 'gpu_bw(2147483648)' gpu read '"bytes": 1073741824, '                # constant beyond the largest
file=$demo
bad "machine use demo; load f.csv experiment=f time=time unit=s variables=N; fit f = f[0]*gpu_bw(N)" 'the machine demo has no figures for gpu_bw() (gpu read): measure them with cllprobe-cuda or cllprobe-opencl, and use that file'
what='help machine names every function'
"$llac" -e 'help machine' >out 2>err
for f in lat random bw bw_copy bw_write cycle flop division idivision root mispredict call syscall fault fork omp_barrier reduction barrier startup per_byte pingpong alltoall g L s gpu_launch gpu_launch_queued gpu_lat gpu_bw gpu_bw_copy gpu_bw_write gpu_flop gpu_flop_float gpu_atomic to_gpu to_gpu_pinned from_gpu from_gpu_pinned; do
    grep -q "^    $f(" out || fail "help machine lacks $f"
    grep -q "\`$f(" "$CLL_SOURCE/docs/reference/language.md" || fail "language.md lacks $f"
done
[ "$(grep -c '^    [a-zA-Z_]*(' out)" = 38 ] || fail 'help machine has others than this list'
exits 0 "$llac" --json -e 'help machine'
has_text out '{"name":"lat","arguments":"BYTES [, CORES]","unit":"s","meaning":"one load'

# variables that have the names of functions
printf 'g,L,bw,time\n1,2,3,1\n2,2,3,2\n3,2,3,3\n1,5,3,1\n2,5,4,2\n4,7,9,4\n' >names.csv
good 'load names.csv experiment=f time=time unit=s variables=g,L,bw; let lat = 2*g; fit f = f[0]*g; fit f = f[0]*lat + 0*L*bw'
bad 'load names.csv experiment=f time=time unit=s variables=g,L,bw; let log = g' "'log' is a function"

# errors
bad "$load; fit f = f[0] + f[1]*N*lat(8*N)" "lat() asks the machine, and no machine is in use: say 'machine use NAME', or start llac with --machine NAME or CLL_MACHINE=NAME"
bad "machine use stairs; $load; fit f = f[0] + f[1]*N*fork(N)" 'the machine stairs has no figures for fork() (openmp fork)'
bad "machine use stairs; $load; fit f = f[0] + f[1]*N/bw_write(N)" 'the machine stairs has no figures for bw_write() (memory write)'
bad "machine use demo; $load; fit f = f[0] + f[1]*N/bw_write(N, 2)" 'the machine demo has figures for bw_write() on one core only'
bad "$load; fit f = f[0] + f[1]*lat()" 'lat takes 1 or 2 arguments, not 0'
bad "$load; fit f = f[0] + f[1]*latt(N)" "there is no function 'latt'"
bad "machine use stairs; $load; fit f = f[0] + f[1]*lat(N - 50)" 'has no value at the point N=50: lat(N - 50) with N = 50'
bad "machine use stairs; $load; where lat(N) > 1" 'a condition cannot ask the machine'
bad "machine use stairs; $load; fit f = f[0] + f[1]*N*lat(24*N); machine use none; predict f N=100" 'no machine is in use'
exits 2 "$llac" --machine
has_text err '--machine needs a name'
exits 1 "$llac" --machine nosuch -e list
has_text err "there is no machine and no file 'nosuch'"
in_environment() { CLL_MACHINE=$1 "$llac" -e "$load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N)"; }
exits 0 in_environment stairs
has_text out 'machine: stairs'
exits 1 in_environment nosuch
has_text err 'the environment variable CLL_MACHINE names this machine'

# another machine: the fit is made again, and names it
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N); machine use demo; export m.json"
has m.json '"machine":{"name":"demo"'

# figures that contradict each other
sed '/^ "figures": \[/,$d; s/"name": "stairs"/"name": "doubtful"/' stairs.json >doubtful.json
{ echo ' "figures": ['; awk -v what=doubtful -f stair.awk; echo ']}'; } >>doubtful.json
good 'machine show stairs'
lacks_text out 'doubtful'
good 'machine show doubtful.json'
has out '^  doubtful: bw() of 32 MB: each of 2 active cores is 3.8 times as fast as one'
exits 0 "$llac" --json -e 'machine show doubtful.json'
has_text out '"doubtful":["bw() of 32 MB: each'
exits 0 "$llac" --json --machine ./doubtful.json -e "$load; fit f = f[0] + f[1]*N + f[2]*N/bw(8*N, 2); fit f = f[0] + f[1]*N + f[2]*N*lat(24*N)"
has_text out '"code":"machine-doubt"'
what='only functions that the formula asks about several cores are doubted'
is "$(grep -c machine-doubt out)" 1

# definitions and compare
good "machine use stairs; let W = 24*N; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(W); predict f N=1000 ; compare f \"f[0] + f[1]*N\" \"f[0] + f[1]*N + f[2]*N*lat(24*N)\""
has_text out 'machine: stairs'

# exports agree with predict, inside the table and beyond it
value_of() { "$llac" --json --machine stairs -e "$load; fit f = $1; predict f N=$2" | tail -1 | sed 's/.*"value":\([^,]*\),.*/\1/'; }
close() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && d < 1e-9 * b) }'; }
formula='f[0]*cycle()*1e3 + f[1]*N*lat(f.w*N, 1.5)'
for x in h py gp tex json csv; do good "machine use stairs; $load; fit f = $formula; export m.$x"; done
has_text m.tex 'Functions of the machine stairs, measured 2026'
has m.csv '^f,CLOCK,f\.w,.*,stairs 2026-'
has m.json '"functions":{"cycle":{.*"lat":{"arguments":"BYTES \[, CORES\]","unit":"s","x":\[4096,'
printf '#include <stdio.h>\n#include <stdlib.h>\n#include "m.h"\nint main(int n, char **a) { printf("%%.17g\\n", predict_f(atof(a[n - 1]))); return 0; }\n' >use.c
what='the C header'
${CC:-cc} -std=c99 -Wall -Wextra -Werror use.c -o use -lm 2>err || fail 'm.h does not compile'
for N in 10 700 33333 90000000; do
    want=$(value_of "$formula" "$N")
    what="the exports at N=$N"
    close "$(./use $N)" "$want" || fail "m.h gives $(./use $N) instead of $want"
    if command -v python3 >/dev/null; then
        got=$(PYTHONDONTWRITEBYTECODE=1 python3 -c "import m; print(repr(m.predict_f($N)))" 2>err)
        close "$got" "$want" || fail "m.py gives $got instead of $want"
    fi
    if command -v gnuplot >/dev/null; then
        got=$(printf 'load "m.gp"\nset print "-"\nprint sprintf("%%.17g", predict_f(%s.0))\n' "$N" | gnuplot 2>err)
        close "$got" "$want" || fail "m.gp gives $got instead of $want"
    fi
done

# the diagnosis proposes the term, and says when the data cannot tell
good "machine use stairs; $load; fit f = f[0] + f[1]*N"
has_text out 'the machine explains the data better'
exits 0 "$llac" --json --machine stairs -e "$load; fit f = f[0] + f[1]*N"
has_text out '"code":"machine-term"'
has_text out '"advice":"fit f = f[0] + f[1]*N + f[2]*N*lat(24*N)"'
good "$load; fit f = f[0] + f[1]*N"
lacks_text out 'machine'
good "machine use stairs; $load; fit f = f[0] + f[1]*N + f[2]*N*lat(24*N)"
lacks_text out 'explains the data better'
good "machine use stairs; $load; fit f = f[0] + f[1]*N where N < 900"
has_text out 'the data cannot show what the memory of stairs costs'

# times of kernels: the terms are those of the device, and intervals beyond a cache of it that all data fit into cover its memory
cat >kernel.awk <<'AWK'
BEGIN {
    srand(1)
    print "# cll-data 1\n# experiment: k\n# variables: k n\nexperiment run seq start nested P rank thread count n CLOCK " observable
    for (n = 1024; n <= 1048576; n *= 2)
        for (r = 0; r < 5; r++)
            printf "k %d %d nan 0 1 0 0 1 %d 5e-6 %.9g\n", r, r, n, (2e-6 + 1e-11 * n) * (1 + 0.002 * (rand() + rand() - 1))
}
AWK
awk -v observable=DEVICE -f kernel.awk >kernel.dat
awk -v observable=TRANSFER -f kernel.awk >copies.dat
"$llac" -e "$load; save f.dat" >/dev/null
sed 's/ CLOCK$/ DEVICE/' f.dat >stairs.dat
{ sed '/^ "figures": \[/,$d; s/"name": "demo"/"name": "device"/' "$file"; echo ' "figures": ['; awk -v family=gpu -f stair.awk; echo ']}'; } >device.json
h200=$CLL_SOURCE/examples/machines/h200.json
# ends FILE COMMANDS: the upper ends of the intervals of the predictions, divided by their values
ends() {
    exits 0 "$llac" --json --machine "$h200" -e "$2" "$1"
    tail -1 out | grep -o '"value":[^,]*,"low":[^,]*,"high":[^,]*' | awk -F'[:,]' '{printf "%s%.2f", (NR > 1 ? " " : ""), $6 / $2} END {print ""}'
}
what='the interval beyond a cache of the device'
is "$(ends kernel.dat 'fit k = k[0] + k[1]*n on DEVICE; predict k n=1000000,67108864')" '1.00 2.18'
has_text out 'the working set may leave a cache of the device of h200 that all data fit into'
is "$(ends kernel.dat 'fit k = k[0] + k[1]*n^2 on DEVICE; predict k n=1048577')" "$(ends kernel.dat 'fit k = k[0] + k[1]*n^2 on DEVICE; predict k n=1048576')" # 1 TB: no cache
good "load kernel.dat; fit k = k[0] + k[1]*n on DEVICE; predict k n=67108864"
lacks_text out 'a cache of the device'
good "load kernel.dat; machine use stairs; fit k = k[0] + k[1]*n on DEVICE; predict k n=67108864" # has no device
lacks_text out 'a cache of the device'
good "load kernel.dat; machine use \"$h200\"; fit k = k[0] + k[1]*n + 1*n/gpu_bw(4*n) on DEVICE; predict k n=67108864"
lacks_text out 'a cache of the device'
good "load copies.dat; machine use \"$h200\"; fit k = k[0] + k[1]*n on TRANSFER; predict k n=67108864"
lacks_text out 'a cache of the device'
exits 0 "$llac" --json --machine device.json -e 'fit f = f[0] + f[1]*N on DEVICE' stairs.dat
has_text out '"advice":"fit f = f[0] + f[1]*N + f[2]*N*gpu_lat(24*N)"'
finish
