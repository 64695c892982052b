#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# beyond.sh [probe | measure | judge]: five programs, fitted on sizes that fit the second-level cache (1 MB) and predicted
# at 4, 8 and 16 times the largest of them, without and with functions of the machine in the formula. `probe` measures the
# machine (PROBE, default 100 seconds), `measure` runs the programs (TIME, default 60s for each), `judge` prints the errors.
# Without a word, all three. The formulas of gather, msort and spmv were chosen before any of them was measured.
# CLL_BIN is the folder of call, llac and cllprobe.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/beyond
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}

# Program, largest size that is fitted, 4, 8 and 16 times its working set, and the formula that asks the machine. Its working set is
# what the program touches between two uses of an element: all of its arrays; for spmv, where it depends on the columns, a
# fitted factor. Where the accesses jump, the latency counts; where they are in order, the bandwidth.
programs='
fft     32768  131072,262144,524288  fft[0] + fft[1]*N*log2(N) + fft[2]*N*lat(24*N)
matinit 320    640,905,1280          matinit[0] + matinit[1]*N + matinit[2]*N^2 + matinit[3]*8*N^2/bw_write(8*N^2)
gather  50000  200000,400000,800000  gather[0] + gather[1]*N + gather[2]*N*lat(20*N)
msort   120000 480000,960000,1920000 msort[0] + msort[1]*N*log2(N) + msort[2]*8*N*log2(N)/bw_copy(8*N)
spmv    8000   32000,64000,128000    spmv[0] + spmv[1]*N + spmv[2]*8*N*lat(spmv.w*N)
'

probe() {
    mkdir -p "$work"
    "$bin/cllprobe" --quiet --only operations,memory --seconds "${PROBE:-100}" --name here -o "$work/here.json"
}

measure() {
    mkdir -p "$work"
    echo "$programs" | while read -r p _; do
        [ -n "$p" ] || continue
        rm -rf "$work/$p"
        mkdir -p "$work/$p"
        "$bin/call" run --quiet --time "${TIME:-60s}" --ldflags -lm --outdir "$work/$p" "bench/beyond/$p.c" >"$work/$p.txt"
    done
}

judge() {
    echo "$programs" | while read -r p largest beyond formula; do
        [ -n "$p" ] || continue
        "$bin/llac" --json --machine "$work/here.json" \
            -e "where N > $largest; show $p; where all; where N <= $largest; fit $p nonneg; predict $p N=$beyond" \
            -e "fit $p = $formula nonneg; predict $p N=$beyond" "$work/$p/"*.dat >"$work/$p.json"
        echo "$p $largest $beyond"
    done | python3 bench/beyond/judge.py "$work"
}

case $step in
all) probe; measure; judge ;;
probe | measure | judge) $step ;;
*) echo "usage: beyond.sh [probe | measure | judge]" >&2; exit 2 ;;
esac
