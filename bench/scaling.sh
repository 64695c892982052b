# SPDX-License-Identifier: GPL-3.0-or-later
#
# scaling.sh [translate | measure | judge]: MPI programs, by default a stencil, conjugate gradients and molecular dynamics.
# P = 1, 2, 4, 8 are fitted, P = 16 is predicted and compared with the 10th percentile of the slowest rank that was
# measured there. The stencil and the solver are fitted once more with a term in the bandwidth of a core when P cores are
# active, which cllprobe measures before. Programs with blocks are also predicted as the sum of these: of a block that computes the slowest
# rank counts, of one that communicates the fastest, which came last and did not wait. Without a word, all three steps. They can run on different machines, with the
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

# The blocks of a program: those that compute, and those that communicate, with how often a step executes them.
blocks() {
    case $1 in
    stencil) echo 'average halo:1' ;;
    cg) echo 'multiply update direction halo:1 sums:2' ;;
    md) echo 'forces gather:1' ;;
    transpose) echo 'pack unpack exchange:1' ;;
    bucketsort) echo 'count fill local sizes:1 keys:1' ;;
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
    mpirun --map-by core --bind-to core -n 16 "$runtime/bin/cllprobe" --quiet --only mpi --seconds 25 --name here -o "$work/mpi.json"
    cd "$work"
    for p in $programs; do
        mpicc -O2 -w "$p.cll.c" -I"$runtime/include" "$runtime/lib/libcll_mpi_$flavour.a" "$runtime/lib/libcll.a" -lpthread -lm -o "$p"
        rm -rf "data/$p"
        mkdir -p "data/$p"
        sh "./$p.cll.sh" --time "${TIME:-100s}" --rounds 100 --outdir "data/$p" --launcher 'mpirun --map-by core --bind-to core -n {P}'
    done
    cd "$source"
}

# A line for each way to fit: the mean error at P = 16, how many points are inside their intervals, and the mean half width.
judge() {
    for p in $programs; do
        python3 - "$bin/llac" "$work" "${MACHINE:-$work/here.json}" "$p" "$(formula "$p")" "$(blocks "$p")" "$work/data/$p/"*.dat <<'END'
import json, os, subprocess, sys
llac, work, memory, name, terms, blocks, files = *sys.argv[1:7], sys.argv[7:]
machine = memory
if os.path.exists(work + "/mpi.json"): # the figures of both
    both, messages = (json.load(open(f)) for f in (memory, work + "/mpi.json"))
    for part in ("families", "figures"):
        both[part] += [x for x in messages[part] if x not in both[part]]
    machine = work + "/both.json"
    json.dump(both, open(machine, "w"))
def run(commands):
    done = subprocess.run([llac, "--json", "--machine", machine, "-e", commands, *files], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
points = run(f"ranks max; where P == 16; show {name}")[-1]["points"]
predictions = "; ".join(f"predict {name} " + " ".join("%s=%g" % v for v in q["at"].items()) for q in points)
ways = {"fit": ("auto", ""), "fit nonneg": ("auto", " nonneg"), "ranks max; fit nonneg": ("max", " nonneg")}
if terms:
    ways["fit with bw() nonneg"] = ("auto", f" = {terms} nonneg")
def judge(way, fitted, found):
    mean = sum(abs(f["value"] / q["value"] - 1) for f, q in zip(found, points)) / len(points)
    inside = sum(f["low"] <= q["value"] <= f["high"] for f, q in zip(found, points))
    half = sum((f["high"] - f["low"]) / 2 / f["value"] for f in found) / len(found)
    print("%-10s %-22s %s at P = 16 %5.1f %%, inside %d of %d, half width %.0f %%" %
          (name, way, fitted, 100 * mean, inside, len(points), 100 * half))
def sum_of_blocks():
    total = [{"value": 0, "low": 0, "high": 0} for _ in points]
    for block in blocks.split():
        block, _, times = block.partition(":")
        ranks, least = ("min", 2) if times else ("auto", 1)
        places = [q["at"] for q in run(f"where P == 16; show {block}")[-1]["points"]]
        asked = "; ".join(f"predict {block} " + " ".join("%s=%g" % v for v in at.items()) for at in places)
        for t, f in zip(total, run(f"ranks {ranks}; where P <= 8 and P >= {least}; fit {block} nonneg; {asked}")[-len(places):]):
            for k in t:
                t[k] += int(times or 1) * f[k]
    return total
for way, (ranks, options) in ways.items():
    answers = run(f"ranks {ranks}; where P <= 8; fit {name}{options}; {predictions}")
    found, fit = answers[-len(points):], answers[-len(points) - 1]
    judge(way, "error of the fit %4.1f %%," % fit["error"]["mean_pct"], found)
if blocks:
    judge("sum of blocks", "", sum_of_blocks())
END
    done
}

case $step in
all) translate; measure; judge ;;
translate | measure | judge) $step ;;
*) echo "usage: scaling.sh [translate | measure | judge]" >&2; exit 2 ;;
esac
