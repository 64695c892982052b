# SPDX-License-Identifier: GPL-3.0-or-later
"""misses.py sizes MEASURED | TITLE MEASURED PREDICTED: MEASURED is JSON of show, PREDICTED of predict ... on MACHINE. The sizes; or the mean error in
percent, how many points are inside the interval, and the times of a unit of N^2 in nanoseconds."""

import json
import sys

there = {p["at"]["N"]: p["value"] for p in json.load(open(sys.argv[2]))["points"]}
if sys.argv[1] == "sizes":
    print(",".join(str(n) for n in sorted(there)))
    sys.exit()
predicted = {p["at"]["N"]: p for p in json.load(open(sys.argv[3]))}
error = sum(100 * abs(there[n] - p["value"]) / there[n] for n, p in predicted.items()) / len(predicted)
inside = sum(p["low"] <= there[n] <= p["high"] for n, p in predicted.items())
print(f"{sys.argv[1]}: {error:.0f} %, {inside} of {len(predicted)} inside the interval")
for what, value in (("predicted", lambda n: predicted[n]["value"]), ("measured", lambda n: there[n])):
    print(f"  {what}: " + "  ".join(f"{n}: {value(n) / n**2 * 1e9:.2f}" for n in sorted(predicted)))
