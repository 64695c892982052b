#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# traces.sh [measure | judge]: how near the OBSP* time is to the measured one, on traces of whole runs of the BSP programs of
# examples, with W, g and L from the trace itself, some kinds of costs that llac finds there, and start-up as measured. P goes over PROCS (2, 4,
# 8 and 16, up to the number of cores), and each program runs RUNS times (2). `measure` needs a C compiler, make and MPI and
# writes build/traces, which may be carried to a machine with llac for `judge`. Without a word, both.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/traces
bin=${CLL_BIN:-$source/build/bin}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
step=${1:-all}

# Name, program, arguments.
runs='
fft fft-pub 2097152 10
fft-small fft-pub 16384 20
binsearch binsearch-pub 1024 65536 20
farm farm-pub
pipeline pipeline-pub
imbalance-64KB-1 imbalance 400 65536 5 1 oblivious
imbalance-64KB-4 imbalance 400 65536 5 4 oblivious
imbalance-1KB-1 imbalance 400 1024 5 1 oblivious
imbalance-1KB-4 imbalance 400 1024 5 4 oblivious
barrier-64KB-1 imbalance 400 65536 5 1 barrier
barrier-64KB-4 imbalance 400 65536 5 4 barrier
barrier-1KB-4 imbalance 400 1024 5 4 barrier
'

# The pragmas of the programs are ignored: nothing is measured but the supersteps.
compile() {
    make -s runtime RUNTIME_SMPICC=none >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    flavour=$(sed -n 's/^BSP programs (\([a-z]*\)).*/\1/p' "$work/runtime.log")
    [ -n "$flavour" ] || { echo "bench/traces: there is no libpub for this MPI library"; exit 0; }
    for program in fft-pub binsearch-pub farm-pub pipeline-pub studies/imbalance/imbalance; do
        mpicc -O2 -w -I"$source/build/runtime/include" "examples/$program.c" "$source/build/runtime/lib/libpub_$flavour.a" -lm \
            -o "$work/$(basename "$program")"
    done
}

measure() {
    command -v mpicc >/dev/null || { echo "bench/traces: there is no mpicc"; exit 0; }
    mkdir -p "$work"
    compile
    rm -f "$work"/*.trace
    for ((round = 1; round <= ${RUNS:-2}; round++)); do
        for p in ${PROCS:-2 4 8 16}; do
            [ "$p" -le "$(nproc)" ] || continue
            echo "$runs" | while read -r name program arguments; do
                [ -n "$name" ] || continue
                trace=$work/$name.p$p.r$round.trace
                # shellcheck disable=SC2086
                PUB_TRACE=$trace timeout 120 mpirun --map-by core --bind-to core -n "$p" "$work/$program" $arguments \
                    >/dev/null </dev/null || { echo "bench/traces: $name with $p processes failed"; rm -f "$trace"*; }
            done
        done
    done
}

judge() { python3 bench/traces/judge.py "$bin/llac" "$work"; }

case $step in
all) measure; judge ;;
measure | judge) $step ;;
*) echo "usage: traces.sh [measure | judge]" >&2; exit 2 ;;
esac
