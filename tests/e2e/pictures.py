#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pictures.py SHOWN NOW: two pictures that gnuplot drew show the same, whatever its version, its fonts and its margins are.

Compared are the texts that are not numbers of axes, and the points of each curve, relative to the first and last of them in
both directions.
"""
import re
import sys

NEAR = 0.02  # of the height or width of a curve: positions have two digits, and machines round differently


def texts(svg):
    """The texts as a reader sees them, sorted; numbers belong to axes."""
    found = (re.sub(r"<[^>]*>", "", t).strip() for t in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.S))
    return sorted({t for t in found if re.search(r"[A-Za-z]{2}|^[A-Za-z]$", t) and not re.fullmatch(r"[-+.\d]+e[-+]?\d+", t)})


def curves(svg):
    """For each curve with at least three points their positions, from 0 to 1. The key has one point of each curve."""
    found = []
    for group in svg.split('<g id="gnuplot_plot_'):
        points = [(float(x), float(y)) for x, y in
                  re.findall(r"<use xlink:href='#gpPt\d+' transform='translate\(([-\d.]+),([-\d.]+)\)", group)]
        if len(points) >= 3:
            columns = []
            for values in zip(*points):
                low, high = min(values), max(values)
                columns.append([(v - low) / (high - low or 1) for v in values])
            found.append(list(zip(*columns)))
    return found


shown, now = (open(path).read() for path in sys.argv[1:])
wrong = [f"the text '{t}' is not shown" for t in texts(now) if t not in texts(shown)]
wrong += [f"the text '{t}' is not drawn now" for t in texts(shown) if t not in texts(now)]
here, there = curves(shown), curves(now)
if [len(c) for c in here] != [len(c) for c in there]:
    wrong.append(f"curves with {[len(c) for c in here]} points are shown, with {[len(c) for c in there]} drawn now")
else:
    moved = sum(abs(a - b) > NEAR for c, d in zip(here, there) for p, q in zip(c, d) for a, b in zip(p, q))
    if moved:
        wrong.append(f"{moved} points are elsewhere now")
if not texts(shown):
    wrong.append("no text is shown")
print("\n".join(wrong))
sys.exit(bool(wrong))
