#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""agree.py LLAC SOURCE KIND...: models exported as KIND (js, py, h) predict what `llac predict` does: values, both
intervals, and marks, at many places inside and outside of the data. Works in the current folder. CHECK_LONG=yes in the
environment: each model as each KIND, not as one of them."""
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
compared = 0

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
    ("fit sort = sort[0] + sort[1]*N^sort[2]", demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    ("search sort", demo, "sort", {"N": [10, 1024, 3001, 1e6]}),
    ("search fft", demo, "fft", {"N": [100, 1024, 5000, 1e6], "P": [1, 2, 3, 8, 1000]}),
    ("fit grid", f"{data}/grid.dat", "grid", {"N": [10, 2500, 2600, 3100, 3200, 4000, 9000, 1e5, 1e7], "P": [1, 7, 8, 10, 11, 12, 32, 1000]}),
    ("fit both", f"{data}/grid.dat", "both", {"N": [10, 2500, 2600, 3100, 3200, 4000, 9000, 1e5, 1e7], "P": [1, 7, 8, 10, 11, 12, 32, 1000]}),
    ("search grid", f"{data}/grid.dat", "grid", {"N": [10, 2600, 3200, 9000, 1e7], "P": [1, 8, 10, 1000]}),
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


def predictions(fit, file, name, places):
    """What `llac predict` says. The same run exports the model as each kind."""
    script = [fit] + [f"predict {name} " + " ".join(f"{v}={x!r}" for v, x in p.items()) for p in places]
    script += [f"export m.{kind} {name}" for kind in kinds]
    answer = subprocess.run([llac, "--json", "-e", "\n".join(script), file], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{fit}: {answer.stderr}")
    return [json.loads(line) for line in answer.stdout.splitlines()[-len(places) - len(kinds):-len(kinds)]]


def by_javascript(name, variables, places):
    calls = ",\n".join(f"m.predict_{name}_interval({', '.join(repr(p[v]) for v in variables)})" for p in places)
    with open("use.mjs", "w", encoding="utf-8") as out:
        out.write("import * as m from './m.mjs';\n"
                  f"console.log(JSON.stringify([{calls}].map((p) => ({{...p, remarks: m.remarks(p)}}))));\n")
    os.replace("m.js", "m.mjs")
    return json.loads(subprocess.run(["node", "use.mjs"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def by_python(name, variables, places):
    calls = ",\n".join(f"m.predict_{name}_interval({', '.join(repr(p[v]) for v in variables)})" for p in places)
    with open("use.py", "w", encoding="utf-8") as out:
        out.write(f"import json\nimport m\nprint(json.dumps([p._asdict() for p in [{calls}]]))\n")
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    return json.loads(subprocess.run([sys.executable, "use.py"], stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout)


def by_c(name, variables, places):
    with open("use.c", "w", encoding="utf-8") as out:
        out.write('#include <stdio.h>\n#include "m.h"\n'
                  "static void put(struct cll_prediction p)\n{\n"
                  '    printf("%.17g %.17g %.17g %.17g %.17g %u\\n", p.value, p.low, p.high, p.single_low, p.single_high, p.extrapolates);\n}\n'
                  "int main(void)\n{\n")
        for p in places:
            out.write(f"    put(predict_{name}_interval({', '.join(repr(p[v]) for v in variables)}));\n")
        out.write(f"    return predict_{name}({', '.join(repr(places[0][v]) for v in variables)}) != predict_{name}({', '.join(repr(places[0][v]) for v in variables)});\n}}\n")
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run(compiler + ["-std=c99", "-Wall", "-Wextra", "-Werror", "use.c", "-o", "use", "-lm"], check=True)
    rows = []
    for line in subprocess.run(["./use"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        numbers = line.split()
        row = dict(zip(MEMBERS, map(float, numbers)))
        row["extrapolates"] = [v for k, v in enumerate(variables) if int(numbers[5]) >> k & 1]
        rows.append(row)
    return rows


RUN = {"js": by_javascript, "py": by_python, "h": by_c}


def close(a, b):
    if a is None or b is None or isinstance(a, float) and math.isnan(a) or isinstance(b, float) and math.isnan(b):
        return (a is None or math.isnan(a)) == (b is None or math.isnan(b))
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) or abs(a - b) < 1e-18


def plain(remark):
    """With numbers of two digits: 1.02e+03 is 1020, and 31.25 is rounded up or down."""
    return re.sub(r"[0-9.]+(e[+-][0-9]+)?", lambda n: f"{float(n.group()):.2g}", remark)


def compare(kind, fit, name, values, places, want):
    global compared
    got = RUN[kind](name, list(values), places)
    if len(got) != len(want):
        sys.exit(f"{kind}, {fit}: {len(want)} predictions were expected, got {len(got)}")
    for place, g, w in zip(places, got, want):
        for member in MEMBERS:
            compared += 1
            if not close(g[member], w[member]):
                sys.exit(f"{kind}, {fit}: {member} at {place}: {w[member]!r} was expected, got {g[member]!r}\n{g}\n{w}")
        beyond = [e["variable"] if isinstance(e, dict) else e for e in g["extrapolates"]]
        if beyond != w["extrapolates"]:
            sys.exit(f"{kind}, {fit}: at {place} it extrapolates {w['extrapolates']}, got {beyond}")
        said, meant = ({plain(r) for r in x.get("remarks", []) if re.search("the data$|the gap|combination", r)} for x in (g, w))
        if "remarks" in g and said != meant:
            sys.exit(f"{kind}, {fit}: the remarks at {place}: {w['remarks']} were expected, got {g['remarks']}")


write_ranked()
if not json.loads(subprocess.run([llac, "--json", "-e", "predict f N=2000 P=64", RANKED], stdout=subprocess.PIPE, check=True).stdout)["amplification"] > 1.1:
    sys.exit("the ranks of the data should be alike")
thorough = os.environ.get("CHECK_LONG") == "yes"
for k, (fit, file, name, values) in enumerate(CASES):
    places = places_of(values)
    want = predictions(fit, file, name, places)
    for kind in kinds if thorough else [kinds[k % len(kinds)]]:
        compare(kind, fit, name, values, places, want)
print(f"all predictions agree ({compared})")
