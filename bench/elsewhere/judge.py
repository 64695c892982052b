#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py FILE PROGRAM KIND: prints the mean errors of the two last tables in llac's JSON output, not carried and carried, and how many
points are inside the interval of the second."""
import json
import sys

path, program, kind = sys.argv[1:]
tables = [t for t in map(json.loads, open(path)) if "rows" in t][-2:]
means = [sum(abs(r["error_pct"]) for r in t["rows"]) / len(t["rows"]) for t in tables]
rows = tables[-1]["rows"]
inside = "%d of %d" % (sum(bool(r["inside"]) for r in rows), len(rows))
print("%-9s %-8s %12.1f %9.1f %9s" % (program, kind, *means, inside))
