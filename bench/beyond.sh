#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# beyond.sh [translate | measure | judge]: five programs, fitted on sizes that fit a second-level cache of 1 MB and predicted
# at 4, 8 and 16 times the largest of them, without and with functions of the machine in the formula, and with random() in
# place of lat() where accesses do not depend on each other. `measure` runs cllprobe
# (PROBE, default 100 seconds; 0 keeps the file that is there) and then all programs in turn (TIME, default 150 seconds).
# Without a word, all three steps. They can run on different machines, with the folder build/beyond carried between them:
# `measure` needs `make runtime`, not call and llac. CLL_BIN is the folder of call and llac, MACHINE another machine file for
# `judge`.
# The formulas of gather, msort and spmv were chosen before any of them was measured, those with random() afterwards.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/beyond
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}

# Program, largest size that is fitted, 4, 8 and 16 times its working set, the formula that asks the machine, and the same
# with random(). The working set is what the program touches between two uses of an element: all of its arrays; for spmv,
# where it depends on the columns, a fitted factor, or all of its arrays with random(). Where the accesses jump, the latency
# counts; where they are in order, the bandwidth.
programs='
fft     32768  131072,262144,524288  fft[0] + fft[1]*N*log2(N) + fft[2]*N*lat(24*N) ; fft[0] + fft[1]*N*log2(N) + fft[2]*N*random(24*N)
matinit 320    640,905,1280          matinit[0] + matinit[1]*N + matinit[2]*N^2 + matinit[3]*8*N^2/bw_write(8*N^2) ;
gather  50000  200000,400000,800000  gather[0] + gather[1]*N + gather[2]*N*lat(20*N) ; gather[0] + gather[1]*N + gather[2]*N*random(20*N)
msort   120000 480000,960000,1920000 msort[0] + msort[1]*N*log2(N) + msort[2]*8*N*log2(N)/bw_copy(8*N) ;
spmv    8000   32000,64000,128000    spmv[0] + spmv[1]*N + spmv[2]*8*N*lat(spmv.w*N) ; spmv[0] + spmv[1]*N + spmv[2]*8*N*random(116*N)
'
names='fft matinit gather msort spmv'

translate() {
    mkdir -p "$work"
    for p in $names; do
        "$bin/call" --outdir "$work" "bench/beyond/$p.c"
    done
    cp bench/beyond/sizes.h "$work"
}

measure() {
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    runtime=$source/build/runtime
    for p in $names; do
        ${CC:-cc} -O2 -w "$work/$p.cll.c" -I"$runtime/include" "$runtime/lib/libcll.a" -lpthread -lm -o "$work/$p"
        rm -rf "$work/data/$p"
        mkdir -p "$work/data/$p"
    done
    [ "${PROBE:-100}" = 0 ] ||
        "$runtime/bin/cllprobe" --quiet --only operations,memory --seconds "${PROBE:-100}" --name here -o "$work/here.json"
    end=$(($(date +%s) + ${TIME:-150}))
    for ((round = 1; round == 1 || $(date +%s) < end; round++)); do
        for p in $names; do
            CLL_RUN=$round CLL_OUT=$work/data/$p/$round.dat "$work/$p"
        done
    done
}

judge() {
    echo "$programs" | while read -r p largest beyond formulas; do
        [ -n "$p" ] || continue
        chosen=${formulas%% ;*} side_by_side=${formulas##*;}
        "$bin/llac" --json --machine "${MACHINE:-$work/here.json}" \
            -e "where N > $largest; show $p; where all; where N <= $largest; fit $p nonneg; predict $p N=$beyond" \
            -e "fit $p = $chosen nonneg; predict $p N=$beyond" \
            -e "fit $p = ${side_by_side:-$chosen} nonneg; predict $p N=$beyond" "$work/data/$p/"*.dat >"$work/$p.json"
        echo "$p $largest $beyond"
    done | python3 bench/beyond/judge.py "$work"
}

case $step in
all) translate; measure; judge ;;
translate | measure | judge) $step ;;
*) echo "usage: beyond.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
