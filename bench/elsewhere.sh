#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# elsewhere.sh [translate | measure NAME | count | judge A B]: programs that are measured on two machines; the constants of one
# are carried to the other and compared with what was measured there, in both directions. The steps can run on different
# machines, with the folder build/elsewhere carried between them:
#   translate   translates the programs; needs call
#   measure A   probes this machine (unless build/elsewhere/A/machine.json is there) and measures the programs here; needs a C compiler and `make runtime`, MPI not used
#   count       counts what the constants execute; needs call and Valgrind
#   judge A B   fits on A and predicts B, then the reverse; needs llac
# Without a word (make bench, on one machine) it says so and does nothing.
# Compute-bound programs have working sets below the second-level cache; memory-bound ones go to 15 MB and more. The first eight
# programs were chosen after the method was fixed, which was changed later; the other six after that, before two more loops of
# cllprobe. Memory-bound programs have their accesses counted (bench/beyond.sh), as sums. RUNS
# (default 30) is the number of runs of each program, PROBE (default 90) the seconds of the probe, CLL_BIN the folder of call and
# llac. A round runs every program once: where a core has slow and fast times, as with a neighbour on its other hyper-thread, each
# program meets both, as the probe does.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/elsewhere
bin=${CLL_BIN:-$source/build/bin}

# Program, kind, experiment, arguments | arguments of the counted run | formula if it is not the program's own
programs='
examples/matmul.c       compute mul    16 128       | 16 64      |
examples/fft.c          compute fft    256 8192     | 64 1024    |
examples/sort.c         compute f      512 16384    | 64 2048    |
bench/elsewhere/nbody.c compute nbody  32 512       | 8 64       |
bench/elsewhere/hash.c  compute hash   1024 32768   | 64 1024    |
examples/axpy.c         memory  axpy   1024 8388608 | 64 2048    | axpy[0] + axpy[1]*N + axpy[2]*24*N/bw(16*N)
bench/beyond/gather.c   memory  gather              |            | gather[0] + gather[1]*N + N*random(8*N) + gather[2]*12*N/bw(20*N)
bench/beyond/spmv.c     memory  spmv                |            | spmv[0] + spmv[1]*N + 8*N*random(8*N) + spmv[2]*108*N/bw(116*N)
bench/elsewhere/lu.c     compute lu     16 128      | 8 40       |
bench/elsewhere/edit.c   compute edit   64 1024     | 16 128     |
bench/elsewhere/filter.c compute filter 256 8192    | 64 1024    |
bench/elsewhere/sieve.c  compute sieve  1024 131072 | 64 2048    |
bench/elsewhere/list.c   memory  list   512 524288  | 16 1024    | list[0] + list[1]*N + N*lat(64*N)
bench/elsewhere/triad.c  memory  triad  1024 8388608 | 64 2048   | triad[0] + triad[1]*N + triad[2]*24*N/bw_copy(24*N)
'

each() { # each FUNCTION: for every program, with $file, $kind, $name, $arguments, $small and $formula set
    while IFS='|' read -r head small formula; do
        read -r file kind name arguments <<<"$head"
        [ -n "$file" ] || continue
        read -r small <<<"$small" || true
        read -r formula <<<"$formula" || true
        program=$(basename "$file" .c)
        "$1" </dev/null
    done <<<"$programs"
}

translate_one() { "$bin/call" --outdir "$work" "$file"; }
compile_one() {
    gcc -O2 -w -Ibench/beyond "$work/$program.cll.c" -Ibuild/runtime/include build/runtime/lib/libcll.a -lpthread -lm -o "$work/$program"
    rm -f "$data/$program".*.dat
}
run_one() {
    # shellcheck disable=SC2086
    (cd "$data" && CLL_RUN=$round CLL_OUT="$program.$round.dat" "$work/$program" $arguments >/dev/null)
}
count_one() {
    # shellcheck disable=SC2086
    "$bin/call" count --cflags "-O2 -I$source/bench/beyond" --outdir "$work/counts" "$file" -- $small >"$work/counts/$program.txt"
}
judge_one() {
    if [ ! -e "$work/$from/$program.0.dat" ] || [ ! -e "$work/$to/$program.0.dat" ]; then
        echo "$program was not measured on both machines"
        return 0
    fi
    report=$work/counts/$program.count.json counts='' fit="fit $name nonneg"
    if [ -e "$report" ]; then counts="counts $report;"; fi
    if [ -n "$formula" ]; then fit="fit $name = $formula nonneg"; fi
    for machine in "$from" "$to"; do # one file for each machine
        "$bin/llac" -e "save $work/$machine/all.$program.dat" "$work/$machine/$program".*.dat >/dev/null
    done
    against="table $name against $work/$to/all.$program.dat"
    "$bin/llac" --json -e "$counts machine use $work/$from/machine.json; $fit" \
        -e "$against; $against on $work/$to/machine.json" "$work/$from/all.$program.dat" >"$work/judge.json"
    python3 bench/elsewhere/judge.py "$work/judge.json" "$program" "$kind"
}

step=${1:-}
case $step in
translate)
    rm -rf "$work" && mkdir -p "$work"
    each translate_one ;;
measure)
    data=$work/${2:?measure NAME}
    mkdir -p "$data"
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    [ -e "$data/machine.json" ] || build/runtime/bin/cllprobe --quiet --seconds "${PROBE:-90}" --name "$2" -o "$data/machine.json"
    each compile_one
    for ((round = 0; round < ${RUNS:-30}; round++)); do each run_one; done ;;
count)
    mkdir -p "$work/counts"
    each count_one ;;
judge)
    from=${2:?judge A B} to=${3:?judge A B}
    for _ in 1 2; do
        echo "from $from to $to: mean error in % over the sizes"
        printf '%-9s %-8s %12s %9s %9s\n' program kind "not carried" carried inside
        each judge_one
        other=$from from=$to to=$other
    done ;;
'') echo "elsewhere: skipped, it needs two machines: bench/elsewhere.sh translate | measure NAME | count | judge A B" ;;
*) echo "usage: elsewhere.sh translate | measure NAME | count | judge A B" >&2; exit 2 ;;
esac
