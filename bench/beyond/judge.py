# SPDX-License-Identifier: GPL-3.0-or-later
# judge.py FOLDER: reads `PROGRAM LARGEST BEYOND` lines, and for each the answers of llac in FOLDER/PROGRAM.json: show (measured
# beyond the fit), fit and predict without, fit and predict with functions of the machine. Prints the errors.
import json
import sys

folder = sys.argv[1]
print(f"{'':9} {'without machine terms':^32} {'with machine terms':^32}")
print(f"{'program':9} {'fit':>6} {'4 x':>8} {'8 x':>8} {'16 x':>8} {'fit':>6} {'4 x':>8} {'8 x':>8} {'16 x':>8}")
sums = [0, 0]
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
print(f"mean error at 16 times the working set: {sums[0] / n:.1f} % without, {sums[1] / n:.1f} % with machine terms (wanted: at most 10 %)")
