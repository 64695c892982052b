# SPDX-License-Identifier: GPL-3.0-or-later
#
# scaling.sh [translate | measure | judge]: three MPI programs, a stencil, conjugate gradients and molecular dynamics.
# P = 1, 2, 4, 8 are fitted, P = 16 is predicted and compared with the 10th percentile of the slowest rank that was
# measured there. The stencil and the solver are fitted once more with a term in the bandwidth of a core when P cores are
# active, which cllprobe measures before. Without a word, all three steps. They can run on different machines, with the
# folder build/scaling carried between them: `measure` needs `make runtime`, an MPI compiler and 16 cores, not call and
# llac. TIME (default 100s) is for each program, PROBE (default 180) the seconds of cllprobe. PROGRAMS names some of them.
# MACHINE is another machine file for `judge`.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
programs=${PROGRAMS:-stencil cg md}
work=$source/build/scaling
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# The formula with what the memory charges: the bytes that a rank moves, divided by what a core moves while P are active.
# The working set of a rank: two grids; the matrix and four vectors.
formula() {
    case $1 in
    stencil) echo 'stencil[0] + stencil[1]*N^2/P + stencil[2]*N*(1 - 1/P) + stencil[3]*16*N^2/P/bw_copy(16*N^2/P, P)' ;;
    cg) echo 'cg[0] + cg[1]*N/P + cg[2]*m^2*(1 - 1/P) + cg[3]*log2(P) + cg[4]*124*N/P/bw(124*N/P, P)' ;;
    esac
}

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
    "$runtime/bin/cllprobe" --quiet --only memory --seconds "${PROBE:-180}" --name here -o "$work/here.json"
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
        n && $1 ~ /^[0-9]/ && $2 ~ /^[0-9]/ {for (i = 1; i <= n; i++) printf "%s=%s ", name[i], $i; print $(n + 2)}'
}

# predictions PROGRAM COMMANDS: fits with them, and predicts what is in the file measured
predictions() {
    { echo "where P <= 8; $2"
      sed "s/^\(.*\) [^ ]*$/predict $1 \1/" "$work/measured"; } >"$work/judge.llac"
    "$bin/llac" --machine "${MACHINE:-$work/here.json}" -f "$work/judge.llac" "$work/data/$1/"*.dat
}

judge() {
    printf '%-9s %12s %9s %9s %14s %9s\n' program "error of fit" "ranks max" auto "with bw(): fit" "P = 16"
    for p in $programs; do
        terms=$(formula "$p")
        rows "$p" 'ranks max' >"$work/measured"
        predictions "$p" "ranks max; fit $p nonneg" >"$work/max.txt"
        predictions "$p" "ranks auto; fit $p nonneg" >"$work/auto.txt"
        predictions "$p" "ranks auto; fit $p ${terms:+= $terms }nonneg" >"$work/terms.txt"
        awk -v program="$p" -v terms="$terms" '
            FILENAME ~ /measured/ {truth[++points] = $NF; next}
            FNR == 1 {rule++; k = 0}
            /error: mean/ {fit[rule] = $3}
            / s   typical / {sum[rule] += ($1 > truth[++k] ? 1 : -1) * ($1 / truth[k] - 1)}
            END {
                printf "%-9s %10s %% %7.1f %% %7.1f %%", program, fit[2], 100 * sum[1] / points, 100 * sum[2] / points
                if (terms != "") printf " %12s %% %7.1f %%", fit[3], 100 * sum[3] / points
                print ""
            }' "$work/measured" "$work/max.txt" "$work/auto.txt" "$work/terms.txt"
    done
}

case $step in
all) translate; measure; judge ;;
translate | measure | judge) $step ;;
*) echo "usage: scaling.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
