# SPDX-License-Identifier: GPL-3.0-or-later
# judge.py beyond LLAC MACHINE DATA NAME SIZE OBSERVABLE [FORMULA]: fits the region in DATA/fit.*.dat, predicts the sizes of
# DATA/beyond.*.dat, and prints a line for each. judge.py sum: the table and the mean of these lines. judge.py profile DATA: times
# of the device beside those of ncu. judge.py waits DATA: what DATA/wait.HOW.dat have of kernels that wait. judge.py cost: lines
# VERSION PROGRAM HOW WITHOUT WITH, the times of a launch in microseconds.
import csv
import glob
import json
import re
import statistics
import subprocess
import sys


def rows(paths, name):
    for path in paths:
        columns = None
        for line in open(path):
            if line.startswith("#"):
                continue
            words = line.split()
            if columns is None:
                columns = words
            elif words[0] == name:
                yield dict(zip(columns, words))


def p10(values):
    values = sorted(values)
    at = 0.1 * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def beyond(llac, machine, data, name, size, observable, formula=""):
    measured = {}
    for r in rows(sorted(glob.glob(f"{data}/beyond.*.dat")), name):
        measured.setdefault(float(r[size]), []).append(float(r[observable]))
    places = ",".join(f"{s:.0f}" for s in sorted(measured))
    formula = f"= {formula}" if formula else ""
    answers = subprocess.run([llac, "--machine", machine, "--json", "-e", f"fit {name} {formula} on {observable}; predict {name} {size}={places}"]
                             + sorted(glob.glob(f"{data}/fit.*.dat")), capture_output=True, text=True, check=True)
    fit, predictions = [json.loads(line) for line in answers.stdout.splitlines()]
    largest = max(float(r[size]) for r in rows([f"{data}/fit.1.dat"], name))
    for p in predictions:
        value = p10(measured[p["at"][size]])
        inside = p["low"] <= value <= p["high"]
        print(name, observable, p["at"][size] / largest, fit["error"]["mean_pct"], p["value"], value, int(inside), len(fit["boundaries"]))


def summary():
    print(f"{'region':14} {'observable':10} {'fit':>6}  {'4 x':>9} {'8 x':>9} {'16 x':>9}  measured 16 x   in the interval")
    table = {}
    for line in sys.stdin:
        name, observable, times, error, predicted, value, inside, boundaries = line.split()
        entry = table.setdefault(name, {"observable": observable, "fit": float(error), "points": []})
        entry["points"].append((float(times), 100 * (float(predicted) / float(value) - 1), float(value), inside == "1"))
    last, kept, all_points = [], 0, 0
    for name, entry in table.items():
        points = sorted(entry["points"])
        text = "".join(f" {p[1]:+7.1f} %" for p in points)
        inside = sum(p[3] for p in points)
        print(f"{name:14} {entry['observable']:10} {entry['fit']:4.1f} % {text}  {points[-1][2] * 1e3:10.3f} ms   {inside} of {len(points)}")
        last.append(abs(points[-1][1]))
        kept += inside
        all_points += len(points)
    print(f"mean error at 16 times the largest size: {statistics.mean(last):.1f} % (wanted: at most 5 %); "
          f"{kept} of {all_points} inside the interval (wanted: all)")


KERNELS = {"axpy_kernel": "axpy", "reduce_kernel": "reduce", "stencil_kernel": "stencil", "naive_kernel": "naive",
           "tiled_kernel": "tiled", "sparse_kernel": "spmv"}
EXECUTIONS = 11  # of each size, in the same order everywhere; the first one warms up


def of_ncu(path):
    """The times of each region, in the order of its executions."""
    table = list(csv.DictReader(x for x in open(path) if x.startswith('"')))
    column = "gpu__time_duration.sum"
    unit = {"ns": 1e-9, "us": 1e-6, "usecond": 1e-6, "nsecond": 1e-9, "ms": 1e-3, "msecond": 1e-3}[table[0][column]]
    times = {}
    for r in table[1:]:
        region = KERNELS.get(re.match(r"\w+", r["Kernel Name"]).group())
        if region:
            times.setdefault(region, []).append(float(r[column].replace(",", "")) * unit)
    return times


def of_region(path, region):
    found = list(rows([path], region))
    size = "m" if "m" in found[0] and found[0]["m"] != "nan" else "n"
    return [(float(r[size]), float(r["DEVICE"])) for r in found]


def profile(data):
    theirs, own, rounds = {}, {}, sorted(glob.glob(f"{data}/ncu.*.csv"))
    for path in rounds:
        number = path.split(".")[-2]
        for region, times in of_ncu(path).items():
            for how in ("cupti", "events"):
                samples = of_region(f"{data}/profile.{how}.{number}.dat", region)
                if len(samples) != len(times):
                    sys.exit(f"{region}: {len(samples)} executions, but {len(times)} kernels of ncu")
                for i, (size, t) in enumerate(samples):
                    if i % EXECUTIONS:
                        own.setdefault((region, size, how), []).append(t)
                        if how == "cupti":
                            theirs.setdefault((region, size), []).append(times[i])
    differ = {"cupti": [], "events": []}
    for key in sorted(theirs):
        ncu = statistics.median(theirs[key])
        if ncu <= 20e-6:
            continue
        line = f"{key[0]:8} {key[1]:10.0f}  ncu {ncu * 1e6:8.2f} us"
        for how in ("cupti", "events"):
            t = statistics.median(own[key + (how,)])
            differ[how].append(abs(t / ncu - 1) * 100)
            line += f"  {how} {t * 1e6:8.2f} us {100 * (t / ncu - 1):+5.1f} % {(t - ncu) * 1e6:+6.2f} us"
        print(line)
    for how, errors in differ.items():
        if errors:
            print(f"DEVICE by {how} beside ncu, kernels of more than 20 us, medians of {len(rounds)} runs: {len(errors)} sizes, differs by "
                  f"{statistics.median(errors):.1f} % (median), {max(errors):.1f} % (largest) (wanted: at most 2 %)")


def waits(data):
    for us in (0, 20, 100, 1000):
        line = f"a kernel that waits for {us:4} us:"
        for how in ("cupti", "events"):
            for idle, name in enumerate(("busy", "idle")):
                times = [float(r["DEVICE"]) for r in rows([f"{data}/wait.{how}.dat"], "wait")
                         if float(r["us"]) == us and float(r["idle"]) == idle]
                line += f"  {how}, {name} stream {statistics.median(times[1:]) * 1e6:7.2f} us"
        print(line)


def cost():
    times = {}
    for line in sys.stdin:
        version, program, how, without, within = line.split()
        times.setdefault((program, how, version), []).append((float(without), float(within)))
    print("us of the host for a launch: medians of the rounds, and the differences of each round")
    for (program, how, version), pairs in sorted(times.items()):
        differences = [within - without for without, within in pairs]
        print(f"{program:8} CLL_DEVICE={how:7} {version:20} without {statistics.median(p[0] for p in pairs):6.2f}"
              f"  in a region {statistics.median(p[1] for p in pairs):6.2f}  difference {statistics.median(differences):6.2f}"
              f" ({' '.join(f'{d:.2f}' for d in sorted(differences))})")


if sys.argv[1] == "beyond":
    beyond(*sys.argv[2:])
elif sys.argv[1] == "sum":
    summary()
elif sys.argv[1] == "cost":
    cost()
elif sys.argv[1] == "waits":
    waits(sys.argv[2])
else:
    profile(sys.argv[2])
