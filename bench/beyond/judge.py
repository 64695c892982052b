# SPDX-License-Identifier: GPL-3.0-or-later
# judge.py FOLDER: reads `PROGRAM LARGEST BEYOND` lines, and for each the answers of llac in FOLDER/PROGRAM.json: show (measured
# beyond the fit), fit and predict without, with functions of the machine, and with random() in place of lat(). Prints the errors.
import json
import sys

folder = sys.argv[1]
kinds = ["without machine terms", "with machine terms", "with random()"]
print(f"{'':9}" + "".join(f" {kind:^33}" for kind in kinds))
print(f"{'program':9}" + f" {'fit':>6} {'4 x':>8} {'8 x':>8} {'16 x':>8}" * len(kinds))
sums = [0] * len(kinds)
n = 0
for line in sys.stdin:
    program, largest, beyond = line.split()
    answers = [json.loads(answer) for answer in open(f"{folder}/{program}.json")]
    points = next(a for a in answers if "points" in a and "constants" not in a)["points"]
    measured = {p["at"]["N"]: p["value"] for p in points}
    fits = [a for a in answers if "constants" in a]
    predictions = [a for a in answers if "at" in a or isinstance(a, list)]
    text = f"{program:9}"
    for i, (fit, made) in enumerate(zip(fits, predictions)):
        errors = {p["at"]["N"]: 100 * (p["value"] / measured[p["at"]["N"]] - 1) for p in made}
        text += f" {fit['error']['mean_pct']:4.1f} %" + "".join(f" {e:+6.1f} %" for _, e in sorted(errors.items()))
        sums[i] += abs(errors[max(errors)])
    n += 1
    print(text)
means = ", ".join(f"{total / n:.1f} % {kind}" for total, kind in zip(sums, kinds))
print(f"mean error at 16 times the working set: {means} (wanted: at most 10 %)")
