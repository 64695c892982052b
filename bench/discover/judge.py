# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py one FOLDER AT4 AT16: what call discover said about a program (FOLDER/4, FOLDER/16), against what was measured there.
judge.py all WORK NAME...: the tables of all programs, and the figures.

`one` writes FOLDER/verdict.json, and `all` reads it.
"""
import glob
import json
import math
import os
import re
import statistics
import subprocess
import sys


def load(path):
    try:
        with open(path) as f:
            return json.load(f)
    except (OSError, ValueError):
        return None


def seconds(path):
    """The best of the runs; None: there was none."""
    try:
        with open(path) as f:
            return min((float(line) for line in f if line.strip()), default=None)
    except OSError:
        return None


# ---- counts ----

BY_OTHERS = " by other counts"
BY_ARGUMENTS = " by arguments"
BY_BOUNDS = " by bounds or bytes"
BY_OWN_BOUND = " by their own bounds"  # which says what data a loop goes over, and nothing else
WITHOUT_ARGUMENTS = ("exact", "exact" + BY_OTHERS, "steps", "steps" + BY_OTHERS)
WITH_ARGUMENTS = WITHOUT_ARGUMENTS + ("steps" + BY_ARGUMENTS,)
WITH_BOUNDS = WITH_ARGUMENTS + ("steps" + BY_BOUNDS,)
VERDICTS = WITH_BOUNDS + ("steps" + BY_OWN_BOUND,)


def verdict(entry):
    def way(part):
        if part["count"] != "argument":
            return 1
        if (part.get("loop"), part["name"]) == (entry.get("number", 0), entry.get("function")):
            return 4
        return 3 if "loop" in part or "allocator" in part else 2

    most = max(map(way, entry.get("of") or []), default=0)
    return entry["counts"] + ("", BY_OTHERS, BY_ARGUMENTS, BY_BOUNDS, BY_OWN_BOUND)[most]


def shares(found):
    """Parts of the executed iterations at the largest size by verdict, and their number."""
    last = max(range(len(found["runs"])), key=lambda i: found["runs"][i]["n"])
    of = {}
    for loop in found["loops"]:
        count = loop["measured"][last] if len(loop["measured"]) > last else None
        of[verdict(loop)] = of.get(verdict(loop), 0) + (count or 0)
    total = sum(of.values())
    return {k: v / total for k, v in of.items()} if total else {}, total


def key(entry):
    return entry.get("name") or entry["function"], entry["file"], entry["line"], entry.get("number") or entry.get("argument"), entry.get("loop"), entry.get("allocator")


def sum_there(entry, there):
    """What the formula of a count that is a sum of others says, with the counts that were measured there; None: an argument is not known there."""
    counts = {key(e): e for e in there["functions"] + there["loops"] + there.get("arguments", [])}
    if any(part["count"] == "argument" and key(part) not in counts for part in entry["of"]):
        return None

    def value(part):
        if part["count"] in ("one", "size"):
            return there["runs"][0][part["name"]] if part["count"] == "size" else 1
        base = counts.get(key(part))  # what was not executed is not there
        return base["entries" if part["count"] == "entries" else "measured"][0] if base else 0

    def times(part):  # "n^2", a factor over the sizes
        names = {"__builtins__": {}, "floor": math.floor, "ceil": math.ceil, "log2": math.log2, "sqrt": math.sqrt}
        return eval(part.get("times", "1").replace("^", "**"), names | there["runs"][0])

    return sum(part["factor"] * times(part) * value(part) for part in entry["of"])


def check_formulas(found, there):
    """How many formulas that are exact, or steps, are right at the place, and which are wrong."""
    result = {}
    for kind, value in (("functions", "calls"), ("loops", "iterations")):
        measured = {key(e): e["measured"][0] for e in there[kind] if e["measured"]}
        for e in found[kind]:
            said = sum_there(e, there) if e.get("of") else e[value]
            if verdict(e) not in VERDICTS or said is None:
                continue
            right, wrong = result.setdefault(verdict(e), [0, []])
            real = measured.get(key(e), 0)
            if real is not None and abs(said - real) < 0.5 + 1e-12 * real:
                result[verdict(e)][0] = right + 1
            else:
                wrong.append("%s %s:%d: %s = %.15g, counted %s" % (e.get("name") or e["function"] + " loop", e["file"], e["line"], e["formula"], said, real))
    return result


# ---- own times ----

def own_times(folder):
    """Of each region in the data files: the sum over executions, without those directly inside; of all threads and processes. The place of each."""
    own, place = {}, {}
    for path in glob.glob(os.path.join(folder, "*.dat")):
        rows, columns, ranks = {}, None, set()
        with open(path) as f:
            for line in f:
                if line.startswith("# source: "):
                    name, where = line[10:].split(" ", 1)
                    m = re.match(r"(.*):(\d+)-\d+$", where.strip())
                    if m:
                        place[name] = (os.path.basename(m.group(1)), int(m.group(2)))
                elif line.startswith("experiment "):
                    columns = {c: i for i, c in enumerate(line.split())}
                elif columns and not line.startswith("#"):
                    w = line.split()
                    start, clock = w[columns["start"]], w[columns["CLOCK"]]
                    if "nan" in (start, clock):
                        continue
                    ranks.add(w[columns["rank"]])
                    rows.setdefault((w[columns["rank"]], w[columns["thread"]]), []).append((float(start), float(clock), w[0]))
        for list_ in rows.values():
            stack = []
            for start, clock, name in sorted(list_, key=lambda r: (r[0], -r[1])):
                while stack and start >= stack[-1][0] - 1e-12:
                    stack.pop()
                own[name] = own.get(name, 0) + clock / len(ranks)
                if stack:
                    own[stack[-1][1]] -= clock / len(ranks)
                stack.append((start + clock, name))
    return own, place


def compare_functions(found, folder, total):
    """The ten functions with the largest share at the place, by prediction and by measurement."""
    own, place = own_times(folder)
    functions = [f for f in found["functions"] if "at" in f]
    by_place = {}
    for f in found["functions"]:
        by_place.setdefault(os.path.basename(f["file"]), []).append(f)
    measured = {}
    for region, value in own.items():
        file, line = place.get(region, ("", 0))
        near = [f for f in by_place.get(file, []) if f["line"] <= line]
        name = max(near, key=lambda f: f["line"])["name"] if near else region
        measured[name] = measured.get(name, 0) + value
    measured["main"] = measured.get("main", 0) + max(total - sum(own.values()), 0) if "main" not in measured else measured["main"]
    predicted = {f["name"]: f["at"]["value"] or 0 for f in functions}
    main = next((n for n in predicted if n in ("main", "MAIN__", "(main)")), None)
    if main and main != "main":
        predicted["main"] = predicted.pop(main)
    if found.get("main"):
        predicted["main"] = found["main"]["at"]["value"] or 0
    top = lambda d: sorted((n for n in d if d[n] > 0), key=lambda n: -d[n])[:10]
    first, second = top(predicted), top(measured)
    n = min(10, len(second), max(len(first), 1))
    first, second = first[:n], second[:n]
    whole = sum(measured.values()) or 1
    return {"of": n, "common": len(set(first) & set(second)), "predicted": first, "measured": second,
            "share_in_common": sum(measured.get(x, 0) for x in first) / max(sum(measured[x] for x in second), 1e-12),
            "times": [[x, predicted.get(x), measured.get(x), measured.get(x, 0) / whole] for x in second]}


# ---- whole programs, as Extra-P predicts them ----

def run_times(data):
    """The run time and the size of each run that call discover measured."""
    sums, sizes, columns = {}, {}, None
    with open(data) as f:
        for line in f:
            if line.startswith("experiment "):
                columns = {c: i for i, c in enumerate(line.split())}
            elif columns and not line.startswith("#"):
                w = line.split()
                run = w[columns["run"]]
                sums[run] = sums.get(run, 0) + float(w[columns["CLOCK"]])
                sizes[run] = w[columns["n"]]
    return sums, sizes


def cost(data, slowdown, beyond, largest, at4, real):
    """What counting and measuring took, in runs of the largest size. By CPU time: on a busy machine the clock says what others did. The run beyond
    the sizes has counters alone: what it takes is known at 4 times the largest size, and between as the run time grows."""
    sums, sizes = run_times(data)
    of = {}
    for run, value in sums.items():
        of.setdefault(int(sizes[run]), []).append(value)
    once = {n: min(values) for n, values in of.items()}
    third = sorted(once)[min(2, len(once) - 1)]  # one size is counted twice
    counted = sum(once.values()) + once[third]
    if beyond:
        counted += largest * (real / largest) ** (math.log(beyond / max(once)) / math.log(at4 / max(once)))
    return (sum(sums.values()) + slowdown * counted) / once[max(once)]


def search_total(data, places):
    """llac search on the run times alone: what it predicts at the places."""
    sums, sizes = run_times(data)
    path = data + ".total.dat"
    with open(path, "w") as out:
        out.write("# cll-data 1\n# program: total\n# host: here\n# cpu: here\n# driver: seq\n# world: 1\n# clock: clock_gettime\n"
                  "# resolution: 1e-09\n# overhead: 0 0\n# empty: 0\n# oversubscribed: no\n# thinned: no\n# experiment: total\n"
                  "# variables: total n\nexperiment run seq start nested P rank thread count n CLOCK\n")
        for run in sums:
            out.write("total %s 0 nan 0 1 0 0 1 %s %.9g\n" % (run, sizes[run], sums[run]))
    said = subprocess.run(["llac", "--json", "-e", "search total; predict total n=%s" % ",".join(places), path], capture_output=True, text=True).stdout
    values, decoder, at = [], json.JSONDecoder(), 0
    while at < len(said):
        while at < len(said) and said[at].isspace():
            at += 1
        if at >= len(said):
            break
        value, at = decoder.raw_decode(said, at)
        values.append(value)
    return values


def predicted_values(values):
    """The predictions in what llac printed, in their order."""
    found = []

    def walk(v):
        if isinstance(v, dict):
            if "value" in v and ("low" in v or "interval" in v) and ("place" in v or "at" in v or "variables" in v):
                found.append(v)
            else:
                for x in v.values():
                    walk(x)
        elif isinstance(v, list):
            for x in v:
                walk(x)

    walk(values)
    return found


# ---- one program ----

def judge(folder, at4, at16):
    result = {"name": os.path.basename(folder)}
    for place, size in (("4", at4), ("16", at16)):
        found = load(os.path.join(folder, place, "found.json")) if size != "-" else None
        real = seconds(os.path.join(folder, place, "seconds"))
        if not found or "total" not in found:
            continue
        t = found["total"]
        result[place] = {"value": t["value"], "low": t["low"], "high": t["high"], "real": real, "formula": t["formula"], "now": t["now"],
                         "not_modelled": found["not_modelled_pct"], "regions": found["overhead_pct"], "seconds": found.get("seconds")}
    for place in ("4", "16"):
        found, there = load(os.path.join(folder, place, "found.json")), load(os.path.join(folder, place, "counts.json"))
        if found and there:
            result["formulas" + place] = check_formulas(found, there)
    found = load(os.path.join(folder, "4", "found.json"))
    if found:
        result["shares"], result["iterations"] = shares(found)
        result["functions_counted"], result["loops_counted"] = len(found["functions"]), len(found["loops"])
    timed = seconds(os.path.join(folder, "4", "seconds.timed"))
    if found and "total" in found and timed:
        result["functions"] = compare_functions(found, os.path.join(folder, "4", "times4"), timed)
    result["counted"] = seconds(os.path.join(folder, "4", "seconds.counted"))
    result["largest"] = seconds(os.path.join(folder, "4", "seconds.largest"))
    data = os.path.join(folder, "4", "own.dat")
    if os.path.exists(data):
        slowdown = result["counted"] / result["largest"] if result["counted"] and result["largest"] else 1
        beyond, real = (found or {}).get("change", {}).get("at", {}).get("n"), result.get("4", {}).get("real")
        result["cost"] = cost(data, slowdown, beyond if real and result["largest"] else None, result["largest"], int(at4), real)
        said = search_total(data, [at4] + ([at16] if at16 != "-" else []))
        result["search"] = [p["value"] for p in predicted_values(said)]
        with open(data + ".llac.json", "w") as f:
            json.dump(said, f, indent=1)
    with open(os.path.join(folder, "verdict.json"), "w") as f:
        json.dump(result, f, indent=1)
    return result


def error(value, real):
    return 100 * (value / real - 1) if value is not None and real else None


def is_inside(place):
    return place["low"] <= place["real"] <= place["high"]


def text(x, pattern="%.1f"):
    return "-" if x is None else pattern % x


def describe(r):
    print("%s:" % r["name"])
    for place in ("4", "16"):
        p = r.get(place)
        if p and p["real"] and p["value"] is None:
            print("  at %s times: a part of the program has no model, so nothing is predicted" % place)
        elif p and p["real"]:
            print("  at %s times: predicted %.3g s (%.3g ... %.3g), measured %.3g s: %+.1f %%, %s; = %s" % (
                place, p["value"], p["low"], p["high"], p["real"], error(p["value"], p["real"]), "inside" if is_inside(p) else "OUTSIDE", (p["formula"] or "")[:160]))
    for place in ("4", "16"):
        for name, (right, wrong) in sorted(r.get("formulas" + place, {}).items()):
            print("  %s: %d formulas right at %s times, %d wrong; %.1f %% of the iterations" % (name, right, place, len(wrong), 100 * r.get("shares", {}).get(name, 0)))
            for w in wrong[:8]:
                print("    wrong: " + w)
    if "functions" in r:
        f = r["functions"]
        print("  functions: %d of %d in common" % (f["common"], f["of"]))
        for name, predicted, measured, share in f["times"]:
            print("    %5.1f %%  measured %-10.3g predicted %-10s %s" % (100 * share, measured, text(predicted, "%.3g"), name))
        print("    predicted, not measured: " + ", ".join(x for x in f["predicted"] if x not in f["measured"]))
    sys.stdout.flush()


# ---- all programs ----

def table(results):
    head = ["program", "largest", "4 times: measured", "predicted", "error", "inside", "search", "16 times: measured", "predicted", "error", "inside", "search"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for r in results:
        cells = [r["name"], text(r["largest"], "%.2f s")]
        for i, place in enumerate(("4", "16")):
            p = r.get(place)
            if not p or not p["real"]:
                cells += ["-"] * 5
                continue
            guess = r["search"][i] if len(r.get("search", [])) > i else None
            cells += ["%.3g s" % p["real"], text(p["value"], "%.3g s"), text(error(p["value"], p["real"]), "%+.1f %%"),
                      "-" if p["value"] is None else "yes" if is_inside(p) else "no", text(error(guess, p["real"]), "%+.1f %%")]
        print("| " + " | ".join(cells) + " |")
    print()
    head = ["program", "functions, loops", "iterations", "exact or steps", "and by other counts", "and by arguments", "and by bounds or bytes", "their own bounds alone"] + [v + ": right, wrong" for v in VERDICTS] + ["exact at 16 times: right, wrong", "top ten in common", "all / largest", "counting / plain", "regions"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for r in results:
        p, f, g = r.get("4", {}), r.get("formulas4", {}), r.get("formulas16", {})
        sure = sum(r.get("shares", {}).get(v, 0) for v in ("exact", "steps"))
        cells = [r["name"], "%s, %s" % (r.get("functions_counted"), r.get("loops_counted")), text(r.get("iterations"), "%.3g"), "%.1f %%" % (100 * sure),
                 *("%.1f %%" % (100 * sum(r.get("shares", {}).get(v, 0) for v in list_)) for list_ in (WITHOUT_ARGUMENTS, WITH_ARGUMENTS, WITH_BOUNDS, VERDICTS[-1:]))]
        cells += ["%d, %d" % (f[v][0], len(f[v][1])) if v in f else "-" for v in VERDICTS]
        cells += ["%d, %d" % (g["exact"][0], len(g["exact"][1])) if "exact" in g else "-"]
        cells += ["%d of %d" % (r["functions"]["common"], r["functions"]["of"]) if "functions" in r else "-"]
        cells += [text(r.get("cost")), text(r["counted"] / r["largest"] if r["counted"] and r["largest"] else None, "%.2f"),
                  text(p.get("regions"), "%.1f %%")]
        print("| " + " | ".join(cells) + " |")
    print()


def figures(results):
    def median(list_):
        return statistics.median(list_) if list_ else float("nan")

    def line(what, value, goal, met):
        print("| %s | %s | %s | %s |" % (what, value, goal, "yes" if met else "**no**"))

    print("| figure | here | wanted | met |\n|---|---|---|---|")
    for place in ("4", "16"):
        for name, what in (("exact", "exact formulas"), ("exact" + BY_OTHERS, "formulas exact by other counts")):
            judged = [r["formulas" + place][name] for r in results if name in r.get("formulas" + place, {})]
            wrong, right = sum(len(list_) for _, list_ in judged), sum(n for n, _ in judged)
            line("%s that are wrong at %s times" % (what, place), "%d of %d" % (wrong, wrong + right), "0", right and not wrong)
    for verdicts, what in ((("exact", "steps"), "exact or in steps"), (WITHOUT_ARGUMENTS, "exact or in steps, also by other counts"), (WITH_ARGUMENTS, "exact or in steps, also by other counts and arguments"),
                           (WITH_BOUNDS, "exact or in steps, also by other counts, arguments, bounds and bytes")):
        sure = [100 * sum(r["shares"].get(v, 0) for v in verdicts) for r in results if "shares" in r]
        line("iterations %s, median of the programs" % what, "%.0f %%" % median(sure), "75 %", median(sure) >= 75)
    inside = []
    for i, (place, goal) in enumerate((("4", 10), ("16", 20))):
        all_there = [r for r in results if r.get(place) and r[place]["real"]]
        there = [r for r in all_there if r[place]["value"] is not None]
        errors = [abs(error(r[place]["value"], r[place]["real"])) for r in there]
        guesses = [abs(error(r["search"][i], r[place]["real"])) for r in there if len(r.get("search", [])) > i]
        inside += [is_inside(r[place]) for r in there]
        line("error of the run time at %s times, median of %d programs (%d get no prediction)" % (place, len(errors), len(all_there) - len(there)), "%.1f %%" % median(errors), "%d %%" % goal, median(errors) <= goal)
        print("| the same, `search` of llac on run times alone | %.1f %% | | |" % median(guesses))
    part = 100 * sum(inside) / len(inside) if inside else float("nan")
    line("intervals that contain the measured time", "%d of %d" % (sum(inside), len(inside)), "90 %", part >= 90)
    common = [(r["functions"]["common"], r["functions"]["of"]) for r in results if "functions" in r]
    good = sum(c >= 0.8 * n for c, n in common)
    line("programs with eight of ten functions in common", "%d of %d" % (good, len(common)), "all", good == len(common))
    costs = [r["cost"] for r in results if r.get("cost")]
    line("counting and measuring, in runs of the largest size: median, most", "%.0f, %.0f" % (median(costs), max(costs, default=float("nan"))), "20", max(costs, default=0) <= 20)
    slow = [r["counted"] / r["largest"] for r in results if r["counted"] and r["largest"]]
    line("the program with counters, against the plain one: most", "%.2f" % max(slow, default=float("nan")), "3", max(slow, default=0) <= 3)


if sys.argv[1] == "one":
    describe(judge(*sys.argv[2:5]))
else:
    loaded = [load(os.path.join(sys.argv[2], name, "verdict.json")) for name in sys.argv[3:]]
    loaded = [r for r in loaded if r and (r.get("4") or r.get("formulas4"))]
    table(loaded)
    figures(loaded)
