# SPDX-License-Identifier: GPL-3.0-or-later
#
# scaling.sh [translate | measure | judge]: three MPI programs, a stencil, conjugate gradients and molecular dynamics.
# P = 1, 2, 4, 8 are fitted, P = 16 is predicted and compared with the 10th percentile of the slowest rank that was
# measured there. Without a word, all three steps. They can run on different machines, with the folder build/scaling
# carried between them: `measure` needs `make runtime`, an MPI compiler and 16 cores, not call and llac.
# TIME (default 100s) is for each program.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
programs='stencil cg md'
work=$source/build/scaling
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}

translate() {
    rm -rf "$work"
    mkdir -p "$work"
    for p in $programs; do
        "$bin/call" --cc mpicc --outdir "$work" "bench/scaling/$p.c"
    done
}

measure() {
    if [ "$(nproc)" -lt 16 ]; then
        echo "scaling: skipped, this machine has $(nproc) of the 16 cores it needs"
        exit 0
    fi
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    runtime=$source/build/runtime
    flavour=$(src/cll/mpi/flavour mpicc)
    cd "$work"
    for p in $programs; do
        mpicc -O2 -w "$p.cll.c" -I"$runtime/include" "$runtime/lib/libcll_mpi_$flavour.a" "$runtime/lib/libcll.a" -lpthread -lm -o "$p"
        rm -rf "data/$p"
        mkdir -p "data/$p"
        sh "./$p.cll.sh" --time "${TIME:-100s}" --rounds 100 --outdir "data/$p"
    done
    cd "$source"
}

# rows PROGRAM COMMANDS: the points at P=16 as `NAME=VALUE... value`
rows() {
    "$bin/llac" -e "where P == 16; $2; show $1" "$work/data/$1/"*.dat | awk '
        $1 == "N" {for (i = 1; i <= NF && $i != "samples"; i++) name[i] = $i; n = i - 1; next}
        n && $1 ~ /^[0-9]/ {for (i = 1; i <= n; i++) printf "%s=%s ", name[i], $i; print $(n + 2)}'
}

judge() {
    printf '%-9s %12s %9s %9s\n' program "error of fit" "ranks max" auto
    for p in $programs; do
        rows "$p" 'ranks max' >"$work/measured"
        for rule in max auto; do
            { echo "ranks $rule; where P <= 8; fit $p nonneg"
              sed "s/^\(.*\) [^ ]*$/predict $p \1/" "$work/measured"; } >"$work/judge.llac"
            "$bin/llac" -f "$work/judge.llac" "$work/data/$p/"*.dat >"$work/$rule.txt" 2>&1
        done
        awk -v program="$p" '
            FILENAME ~ /measured/ {truth[++points] = $NF; next}
            FNR == 1 {rule++; k = 0}
            /error: mean/ {fit = $3}
            / s   typical / {sum[rule] += ($1 > truth[++k] ? 1 : -1) * ($1 / truth[k] - 1)}
            END {printf "%-9s %10s %% %7.1f %% %7.1f %%\n", program, fit, 100 * sum[1] / points, 100 * sum[2] / points}
        ' "$work/measured" "$work/max.txt" "$work/auto.txt"
    done
}

case $step in
all) translate; measure; judge ;;
translate | measure | judge) $step ;;
*) echo "usage: scaling.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
