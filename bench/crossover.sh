#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# crossover.sh [SEEDS]: how often the interval of `crossover` contains the place where two known curves cross, with synthetic
# data and fixed seeds (default 40 for each kind). Points have 8 samples of 3 % noise; `runs` also multiplies all samples of a
# run by one factor, which varies by 2 %; `beyond` has data up to a fifth of the crossing. The formulas are the true ones, and
# all else is as a user has it: 10th percentile, intervals of constants where the data show some. A line for each kind: crossings
# that were found, and of those the part that is in its interval, the part whose interval has two ends and a certain order on
# both sides, and the median of the interval's width and of the error, in percent of the crossing.
set -eu
cd "$(dirname "$0")/.."
llac=${CLL_BIN:-$PWD/build/bin}/llac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$llac" "$work" "${1:-40}" <<'PY'
import json, math, os, random, statistics, subprocess, sys

llac, work, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])
LINES = (lambda n: 1e-7 + 1e-9 * n, "f[0] + f[1]*N", lambda n: 1e-5 + 1e-10 * n, "g[0] + g[1]*N")
KINDS = {  # curve and formula of f and g, sizes, standard deviation of the factor of a run
    "lines": (*LINES, [256 * 2**k for k in range(12)], 0),
    "sort": (lambda n: 1e-7 + 2e-9 * n * math.log(n), "f[0] + f[1]*N*log(N)",
             lambda n: 2e-5 + 4e-9 * n, "g[0] + g[1]*N", [64 * 2**k for k in range(12)], 0),
    "square": (lambda n: 1e-6 + 1e-11 * n * n, "f[0] + f[1]*N^2",
               lambda n: 1e-6 + 1e-8 * n, "g[0] + g[1]*N", [64 * 2**k for k in range(10)], 0),
    "runs": (*LINES, [256 * 2**k for k in range(12)], 0.02),
    "beyond": (*LINES, [16 * 2**k for k in range(8)], 0),
}


def crossing(f, g, low, high):
    while high / low > 1 + 1e-12:
        middle = math.sqrt(low * high)
        if (f(middle) < g(middle)) == (f(low) < g(low)):
            low = middle
        else:
            high = middle
    return low


def data(kind, seed):
    f, of, g, og, sizes, runs = KINDS[kind]
    r = random.Random(f"{kind} {seed}")
    for name, curve in (("f", f), ("g", g)):
        factors = random.Random(f"{kind} {seed} runs")  # both are measured in the same runs
        with open(f"{work}/{name}.{kind}.{seed}.csv", "w") as out:
            print("run,N,time", file=out)
            for run in range(8):
                factor = math.exp(factors.gauss(0, runs))
                for n in sizes:
                    print(f"{run},{n},{curve(n) * factor * math.exp(r.gauss(0, 0.03)):.9g}", file=out)
    load = "experiment={0} time=time unit=s variables=N"
    return (f"load {work}/f.{kind}.{seed}.csv {load.format('f')}\n"
            f"merge {work}/g.{kind}.{seed}.csv {load.format('g')}\n"
            f"fit f = {of} nonneg\nfit g = {og} nonneg\ncrossover f g over N\n")


for kind, (f, _, g, _, sizes, _) in KINDS.items():
    truth = crossing(f, g, 2, 1e6)
    script = f"{work}/script"
    with open(script, "w") as out:
        for seed in range(seeds):
            out.write(data(kind, seed))
    run = subprocess.run([llac, "--json", "-e", f"source {script}"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"over"')]
    all_crossings = [min(c["crossings"], key=lambda x: abs(math.log(x["at"] / truth)), default=None) for c in found]
    crossings = [c for c in all_crossings if c]
    inside = sum((c["low"] or 0) <= truth <= (c["high"] or math.inf) for c in crossings)
    certain = [c for c in crossings if c["certain"]]
    widths = [100 * (c["high"] - c["low"]) / truth for c in certain] or [math.nan]
    errors = [100 * abs(c["at"] / truth - 1) for c in crossings] or [math.nan]
    print(f"{kind:8} crossing at N={truth:.4g}: {len(crossings)} of {len(found)} found, {100 * inside / max(len(crossings), 1):.0f} % inside, "
          f"{100 * len(certain) / max(len(crossings), 1):.0f} % certain, width {statistics.median(widths):.1f} %, error {statistics.median(errors):.1f} %")
PY
