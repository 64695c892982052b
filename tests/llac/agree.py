#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""agree.py LLAC SOURCE KIND...: models exported as KIND compute what llac does, at many places inside and outside of the
data. js has what `predict` says: the value, both intervals, and marks. The functions of h, py and gp have the value of the
formula, which `explain` says at every place, and `predict` where nothing but the formula decides. Works in the current
folder."""
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys

llac, source = sys.argv[1:3]
kinds = sys.argv[3:]
demo, data, examples = (os.path.join(source, x) for x in ("tests/llac/data/demo.dat", "tests/llac/data", "examples/data"))
MEMBERS = ("value", "low", "high", "single_low", "single_high")
TOLERANCE = 1e-8

# what is fitted, the data, the experiment, places
FUNCTIONS = ("fit sort = sort[0]*max(N, 5, 7)*log2(N) + sort[1]*cbrt(N)*ln(N+1) + sort[2]*floor(N/3)*exp(-1/N)*abs(2-N)",
             "fit sort = sort[0]*ceil(N/7)*log10(N) + sort[1]*sqrt(N)*pow(N, 0.25) + sort[2]*min(N, 100)*-(N^1.5 - N)/N")
CASES = [
    ("fit sort", demo, "sort", {"N": [1, 100, 1024, 5000, 65536, 1e9]}),
    ("fit fft", demo, "fft", {"N": [100, 1024, 5000, 65536, 1e9], "P": [1, 2, 3, 8, 1000]}),
    (FUNCTIONS[0], demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    (FUNCTIONS[1], demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    ("fit fft = fft[0] + fft[1]*(P > 1)*log(P) + fft[2]*N*(not 1 <= P < 4)/P + fft[3]*N*((P <= 2) + (P == 4))/(1 + (N >= 3000 or P != 8))", demo,
     "fft", {"N": [100, 1024, 3000, 65536, 1e9], "P": [1, 2, 3, 4, 8, 1000]}),
    ("fit fft = fft[0] + fft[1]*N*(not P < 2)/(P + (P == 4)/(N > 2)) + fft[2]*N*(P < 2 or P != 2)", demo, "fft", {"N": [3, 1024, 65536], "P": [1, 2, 4, 9]}),
    ("fit sort = sort[0] + sort[1]*N^sort[2]", demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    ("search sort", demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    ("search fft", demo, "fft", {"N": [100, 1024, 5000, 1e6], "P": [1, 2, 3, 8, 1000]}),
    ("fit grid", f"{data}/grid.dat", "grid", {"N": [10, 2500, 2600, 3162.27, 3162.28, 4000, 9000, 1e5, 1e7], "P": [1, 8, 9.79, 9.8, 12, 32, 1000]}),
    ("fit both", f"{data}/grid.dat", "both", {"N": [10, 2500, 2600, 3162.27, 3162.28, 4000, 9000, 1e5, 1e7], "P": [1, 8, 9.79, 9.8, 12, 32, 1000]}),
    ("search grid", f"{data}/grid.dat", "grid", {"N": [10, 2600, 3200, 9000, 1e7], "P": [1, 8, 10, 1000]}),
    ("fit work", f"{data}/share.dat", "work", {"N": [100, 4096, 20000, 65536, 90000, 1e5, 262144, 1e7], "P": [0.5, 1, 2, 5, 8, 100]}),
    ("fit fill", f"{data}/share.dat", "fill", {"N": [10, 50, 150, 800, 5000], "M": [30, 333, 400, 960, 1e4]}),
    ("let share = N/P; fit work = work[0]*P + work[1]*share*log(share)", f"{data}/share.dat", "work", {"N": [20000, 90000, 1e7], "P": [1, 5, 8]}),
    ("fit work intervals log(N) - log(P) at 9.01, 11", f"{data}/share.dat", "work", {"N": [20000, 90000, 262144, 1e7], "P": [1, 5, 8]}),
    ("fit init", f"{data}/cache.dat", "init", {"N": [10, 1000, 40000, 45000, 1e5, 1e6, 1e8]}),
    ("fit sum", f"{data}/busy.dat", "sum", {"N": [10, 1000, 1e5, 1e9]}),
    ("fit axpy", f"{examples}/axpy-xeon.dat", "axpy", {"N": [10, 1000, 5e4, 3e5, 1e6, 2e6, 1e8]}),
    ("fit fft", f"{examples}/t3e-fft.dat", "fft", {"N": [16, 1e5, 1e8], "P": [1, 3, 64, 5000]}),
    ("fit f", "ranked.dat", "f", {"N": [500, 2000, 1e5], "P": [1, 3, 16, 1000]}),
    (f"machine use {data}/machine.json; fit sort = sort[0] + sort[1]*N*lat(8*N) + cycle()*N", demo, "sort", {"N": [1, 100, 1024, 3001, 65536, 1e9]}),
    (f"machine use {data}/machine.json; fit sort = sort[0] + sort[1]*N*lat(sort.w*N)", demo, "sort", {"N": [100, 3001, 1e9]}),
]


RANKED = "ranked.dat"


def write_ranked():
    """Ranks that are alike and disturbed independently: an execution on many of them ends with the slowest."""
    random.seed(7)
    lines = ["# cll-data 1", "# program: ranked", "# clock: simulated", "# resolution: 1e-09", "# overhead: 0 0", "# experiment: f",
             "# formula: f CLOCK f[0] + f[1]*N/P", "# variables: f N", "experiment run seq start nested P rank thread count N CLOCK"]
    for p in (1, 2, 4, 8, 16):
        for n in (1000, 4000, 16000):
            for seq in range(24):
                for rank in range(p):
                    time = (1e-6 + 1e-9*n/p)*(1 + 0.1*random.expovariate(1))
                    lines.append(f"f 0 {seq} {seq*0.01} 0 {p} {rank} 0 1 {n} {time:.6e}")
    with open(RANKED, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def places_of(values):
    return [dict(zip(values, row)) for row in itertools.product(*values.values())]


def answers(k, fit, file, name, places):
    """What `predict` and `explain` say at all places. The same run exports the model as each kind."""
    at = [" ".join(f"{v}={x!r}" for v, x in p.items()) for p in places]
    script = [fit] + [f"predict {name} {x}" for x in at] + [f"explain {name} {x}" for x in at]
    script += [f"export m{k}.{kind} {name}" for kind in kinds]
    answer = subprocess.run([llac, "--json", "-e", "\n".join(script), file], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{fit}: {answer.stderr}")
    lines = [json.loads(line) for line in answer.stdout.splitlines()[-2*len(places) - len(kinds):-len(kinds)]]
    return lines[:len(places)], lines[len(places):]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def calls(function, cases):
    """A call for each place of each model."""
    return [[function.format(k=k, name=name) + "(" + ", ".join(repr(float(x)) for x in p.values()) + ")" for p in places]
            for k, (_, name, places, _, _) in enumerate(cases)]


def by_javascript(cases):
    write("package.json", ['{"type": "module"}'])
    models = ", ".join(f"[{', '.join(row)}].map((p) => ({{...p, remarks: m{k}.remarks(p)}}))"
                       for k, row in enumerate(calls("m{k}.predict_{name}_interval", cases)))
    write("use.js", [f"import * as m{k} from './m{k}.js';" for k in range(len(cases))] + [f"console.log(JSON.stringify([{models}]));"])
    return json.loads(output_of("node", "use.js"))


def by_python(cases):
    modules = [f"import m{k}" for k in range(len(cases))]
    write("use.py", modules + [f"print({call!s})" for row in calls("m{k}.predict_{name}", cases) for call in row])
    return output_of(sys.executable, "-B", "use.py")


def by_c(cases):
    """All headers in one program: the same function in two of them gets another name."""
    lines = ["#include <stdio.h>"]
    for k, (_, name, *_) in enumerate(cases):
        lines += [f"#define predict_{name} m{k}", f'#include "m{k}.h"', f"#undef predict_{name}", f"#undef CLL_MODELS_{name}"]
    lines += ["int main(void)", "{"] + [f'    printf("%.17g\\n", {call});' for row in calls("m{k}", cases) for call in row] + ["    return 0;", "}"]
    write("use.c", lines)
    subprocess.run(os.environ.get("CC", "cc").split() + ["-std=c99", "-Wall", "-Wextra", "-Werror", "use.c", "-o", "use", "-lm"], check=True)
    return output_of("./use")


def by_gnuplot(cases):
    lines = ["set print '-'"]
    for k, row in enumerate(calls("predict_{name}", cases)):
        lines += [f"load 'm{k}.gp'"] + [f"print sprintf('%.17g', {call})" for call in row]
    write("use.gp", lines)
    return output_of("gnuplot", "use.gp")


PLAIN = {"py": by_python, "h": by_c, "gp": by_gnuplot}


def close(a, b):
    if a is None or b is None or isinstance(a, float) and math.isnan(a) or isinstance(b, float) and math.isnan(b):
        return (a is None or math.isnan(a)) == (b is None or math.isnan(b))
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) or abs(a - b) < 1e-18


def plain(remark):
    """With numbers of two digits: 1.02e+03 is 1020, and 31.25 is rounded up or down."""
    return re.sub(r"[0-9.]+(e[+-][0-9]+)?", lambda n: f"{float(n.group()):.2g}", remark)


def compare_prediction(fit, place, got, want):
    for member in MEMBERS:
        if not close(got[member], want[member]):
            sys.exit(f"js, {fit}: {member} at {place}: {want[member]!r} was expected, got {got[member]!r}\n{got}\n{want}")
    beyond = [e["variable"] for e in got["extrapolates"]]
    if beyond != want["extrapolates"]:
        sys.exit(f"js, {fit}: at {place} it extrapolates {want['extrapolates']}, got {beyond}")
    said, meant = ({plain(r) for r in x["remarks"] if re.search("the data$|the gap|combination", r)} for x in (got, want))
    if said != meant:
        sys.exit(f"js, {fit}: the remarks at {place}: {want['remarks']} were expected, got {got['remarks']}")


def by_formula_alone(fit, prediction):
    """Whether neither other formulas (after a search; beyond the data without uncertain terms), nor a gap, nor the slowest of
    several ranks change the prediction."""
    return not (fit.startswith("search") or prediction["amplification"] is not None or prediction["extrapolates"] or
                any("in the gap" in r for r in prediction["remarks"]))


def compare_value(kind, fit, place, got, predicted, explained):
    wanted = [explained["value"]] + ([predicted["value"]] if by_formula_alone(fit, predicted) else [])
    for want in wanted:
        if not close(got, want):
            sys.exit(f"{kind}, {fit}: at {place}: {want!r} was expected, got {got!r}")
    return len(wanted) > 1


write_ranked()
if not json.loads(subprocess.run([llac, "--json", "-e", "predict f N=2000 P=64", RANKED], stdout=subprocess.PIPE, check=True).stdout)["amplification"] > 1.1:
    sys.exit("the ranks of the data should be alike")
cases = []
for k, (fit, file, name, values) in enumerate(CASES):
    places = places_of(values)
    cases.append((fit, name, places, *answers(k, fit, file, name, places)))
count, same = sum(len(places) for _, _, places, _, _ in cases), 0
for kind in kinds:
    rows = by_javascript(cases) if kind == "js" else iter(PLAIN[kind](cases).split())
    for k, (fit, _, places, predicted, explained) in enumerate(cases):
        for i, place in enumerate(places):
            if kind == "js":
                compare_prediction(fit, place, rows[k][i], predicted[i])
            else:
                same += compare_value(kind, fit, place, float(next(rows)), predicted[i], explained[i])
if same < len(PLAIN.keys() & set(kinds))*count/10:
    sys.exit(f"only {same} values were compared with predict")
print(f"all predictions agree ({count} places, {len(kinds)} languages)")
