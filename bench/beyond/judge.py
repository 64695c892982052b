# SPDX-License-Identifier: GPL-3.0-or-later
# judge.py FOLDER: reads `PROGRAM LARGEST BEYOND` lines, and for each the answers of llac in FOLDER/PROGRAM.json: show (measured
# beyond the fit), fit and predict without, with functions of the machine, and with the accesses counted. Prints the errors of
# all programs, and the mean at 16 times the working set over the first five, the next five and the last three.
import json
import sys

folder = sys.argv[1]
kinds = ["without machine terms", "with machine terms", "accesses counted"]
print(f"{'':9}" + "".join(f" {kind:^33}" for kind in kinds))
print(f"{'program':9}" + f" {'fit':>6} {'4 x':>8} {'8 x':>8} {'16 x':>8}" * len(kinds))
worst = []  # for each program: the error of each kind at the largest size
for line in sys.stdin:
    program, largest, beyond = line.split()
    answers = [json.loads(answer) for answer in open(f"{folder}/{program}.json")]
    points = next(a for a in answers if "points" in a and "constants" not in a)["points"]
    measured = {p["at"]["N"]: p["value"] for p in points}
    fits = [a for a in answers if "constants" in a]
    predictions = [a for a in answers if "at" in a or isinstance(a, list)]
    text = f"{program:9}"
    last = []
    for i, (fit, made) in enumerate(zip(fits, predictions)):
        errors = {p["at"]["N"]: 100 * (p["value"] / measured[p["at"]["N"]] - 1) for p in made}
        text += f" {fit['error']['mean_pct']:4.1f} %" + "".join(f" {e:+6.1f} %" for _, e in sorted(errors.items()))
        last.append(abs(errors[max(errors)]))
    worst.append(last)
    print(text)
for name, part in (("first five", worst[:5]), ("next five", worst[5:10]), ("last three", worst[10:])):
    if part:
        means = ", ".join(f"{sum(e[i] for e in part) / len(part):.1f} % {kind}" for i, kind in enumerate(kinds))
        print(f"mean error at 16 times the working set, {name}: {means} (wanted: at most 10 %)")
