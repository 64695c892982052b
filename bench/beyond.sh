#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# beyond.sh [translate | measure | judge]: 13 programs, fitted on sizes that fit a second-level cache of 1 MB and predicted
# at 4, 8 and 16 times the largest of them, without functions of the machine in the formula, with the first formula that asked
# the machine, and with the accesses counted. `measure` runs cllprobe
# (PROBE, default 100 seconds; 0 keeps the file that is there) and then all programs in turn (TIME, default 300 seconds).
# Without a word, all three steps. They can run on different machines, with the folder build/beyond carried between them:
# `measure` needs `make runtime`, not call and llac. CLL_BIN is the folder of call and llac, MACHINE another machine file for
# `judge`.
# The first formulas of gather, msort and spmv were chosen before any of them was measured. The rule for the counted accesses
# was found with the first ten programs in view. The last three were written, with their formulas, before they were measured. Then
# permute, scatter and histogram lost an operand, max(permute[1]*N, ...), which fit refused: their data do not show it.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/beyond
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}

# Program, largest size that is fitted, 4, 8 and 16 times its working set, the formula that asks the machine, and the formula
# with the accesses counted, where it is another one. The rule for the latter: the time of the memory is the number of accesses
# that jump times random(array), where array is what they jump in, in bytes, plus bytes that are accessed in order divided by
# bw(all arrays), or bw_copy() if as many are written. If no access needs the result of another one, memory and computation go on
# at the same time: max(). If it does, or branches depend on it, their times are added, and what waits costs lat(). Of gather only
# the accesses that jump are counted, since in the first-level cache the others would take longer than all takes.
programs='
fft       32768  131072,262144,524288  fft[0] + fft[1]*N*log2(N) + fft[2]*N*lat(24*N) ; fft[0] + fft[1]*N*log2(N) + N*random(16*N) + 32*N*log2(N)/bw_copy(24*N)
matinit   320    640,905,1280          matinit[0] + matinit[1]*N + matinit[2]*N^2 + matinit[3]*8*N^2/bw_write(8*N^2) ; matinit[0] + matinit[1]*N + max(matinit[2]*N^2, 8*N^2/bw_write(8*N^2))
gather    50000  200000,400000,800000  gather[0] + gather[1]*N + gather[2]*N*lat(20*N) ; gather[0] + max(gather[1]*N, N*random(8*N))
msort     120000 480000,960000,1920000 msort[0] + msort[1]*N*log2(N) + msort[2]*8*N*log2(N)/bw_copy(8*N) ; msort[0] + max(msort[1]*N*log2(N), 8*N*log2(N)/bw_copy(8*N))
spmv      8000   32000,64000,128000    spmv[0] + spmv[1]*N + spmv[2]*8*N*lat(spmv.w*N) ; spmv[0] + max(spmv[1]*N, 8*N*random(8*N) + 108*N/bw(116*N))
scatter   50000  200000,400000,800000  scatter[0] + scatter[1]*N + N*random(8*N) + scatter[2]*12*N/bw(20*N) ; scatter[0] + N*random(8*N) + 12*N/bw(20*N)
histogram 120000 480000,960000,1920000 histogram[0] + histogram[1]*N + N*random(4*N) + histogram[2]*4*N/bw(8*N) ; histogram[0] + N*random(4*N) + 4*N/bw(8*N)
search    50000  200000,400000,800000  search[0] + search[1]*N + search[2]*N*log2(N) + search[3]*N*lat(8*N) ;
jacobi    240    480,679,960           jacobi[0] + jacobi[1]*N + jacobi[2]*N^2 + jacobi[3]*16*N^2/bw_copy(16*N^2) ; jacobi[0] + jacobi[1]*N + max(jacobi[2]*N^2, 16*N^2/bw_copy(16*N^2))
lookup    25000  100000,200000,400000  lookup[0] + lookup[1]*N + N*random(32*N) + lookup[2]*8*N/bw(40*N) ;
permute   42000  168000,336000,672000  permute[0] + N*random(4*N) + N*random(8*N) ;
triad     42000  168000,336000,672000  triad[0] + max(triad[1]*N, 24*N/bw_copy(24*N)) ;
table     42000  168000,336000,672000  table[0] + max(table[1]*N, N*random(8*N) + 16*N/bw(24*N)) ;
'
names='fft matinit gather msort spmv scatter histogram search jacobi lookup permute triad table'

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
    end=$(($(date +%s) + ${TIME:-300}))
    for ((round = 1; round == 1 || $(date +%s) < end; round++)); do
        for p in $names; do
            CLL_RUN=$round CLL_OUT=$work/data/$p/$round.dat "$work/$p"
        done
    done
}

judge() {
    echo "$programs" | while read -r p largest beyond formulas; do
        [ -n "$p" ] || continue
        chosen=${formulas%% ;*} counted=${formulas##*;}
        "$bin/llac" --json --machine "${MACHINE:-$work/here.json}" \
            -e "where N > $largest; show $p; where all; where N <= $largest; fit $p nonneg; predict $p N=$beyond" \
            -e "fit $p = $chosen nonneg; predict $p N=$beyond" \
            -e "fit $p = ${counted:-$chosen} nonneg; predict $p N=$beyond" "$work/data/$p/"*.dat >"$work/$p.json" || continue
        echo "$p $largest $beyond"
    done | python3 bench/beyond/judge.py "$work"
}

case $step in
all) translate; measure; judge ;;
translate | measure | judge) $step ;;
*) echo "usage: beyond.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
