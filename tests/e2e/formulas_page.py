#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""formulas_page.py LLAC PAGE: each formula of the tables of docs/user/formulas.md can be fitted.

For each formula, data with known constants are made: 40 places with random values of its variables, constants that make
all terms equally large on the average, and noise of 0.01 percent. `fit` must find the constants again and may not warn
that terms cannot be told apart.
"""
import json
import math
import random
import re
import subprocess
import sys

RANGES = {"P": (2, 64), "N": (100, 20000), "D": (2, 30), "S": (5, 500)}
FUNCTIONS = {name: getattr(math, name) for name in ("log", "log2", "sqrt", "ceil", "floor")}
FUNCTIONS.update(max=max, min=min)


def values_of(name, formula, rng):
    low, high = RANGES.get(name, (50, 5000))
    if "2^N" in formula:
        low, high = 4, 24
    return round(low * (high / low) ** rng.random())


def check(llac, formula, rng):
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", formula)) - set(FUNCTIONS) - {"f"})
    count = len(set(re.findall(r"f\[\d+\]", formula)))
    code = compile(formula.replace("^", "**"), "formula", "eval")

    def value(constants, place):
        return eval(code, {"__builtins__": {}}, {**FUNCTIONS, **place, "f": constants})

    places = [{name: values_of(name, formula, rng) for name in names} for _ in range(40)]
    units = [[float(i == k) for i in range(count)] for k in range(count)]
    means = [math.exp(sum(math.log(max(value(u, p), 1e-300)) for p in places) / len(places)) for u in units]
    true = [1e-3 / mean for mean in means]
    with open("f.csv", "w") as out:
        out.write(",".join(names + ["time"]) + "\n")
        for place in places:
            time = value(true, place) * (1 + 1e-4 * rng.gauss(0, 1))
            out.write(",".join(str(place[name]) for name in names) + f",{time:.17g}\n")
    run = subprocess.run([llac, "--json", "-e", f"fit f = {formula} intervals none", "f.csv"], capture_output=True, text=True)
    if run.returncode:
        return f"{formula}: {run.stderr}"
    fit = json.loads(run.stdout)
    codes = {w["code"] for w in fit["warnings"]}
    if codes & {"collinear", "nearly-collinear", "undetermined", "misfit", "few-points", "negative"}:
        return f"{formula}: {fit['warnings']}"
    got = [c["pieces"][0]["value"] if "pieces" in c else c["value"] for c in fit["constants"]]
    if len(got) != count or any(abs(g - t) > 0.1 * t for g, t in zip(got, true)):
        return f"{formula}: constants {got}, not {true}"
    return None


def main():
    llac, page = sys.argv[1:]
    rng = random.Random(1)
    found = re.findall(r"^\|.*\| `(f\[0\][^`]*)` \|$", open(page).read(), re.M)
    wrong = [text for text in (check(llac, formula, rng) for formula in found) if text]
    print("\n".join(wrong) or f"{len(found)} formulas are fitted")
    sys.exit(bool(wrong) or len(found) < 30)


main()
