#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""draw-architecture.py PAGE: the list of arrows in PAGE as SVG on stdout. Fails if a library has no place in the drawing."""
import re
import sys

# centre of each box; the programs on top, what they are built from below
PLACE = {
    "call": (300, 90), "llac": (760, 76), "cll_mpi": (1040, 90), "cll_pub": (1195, 90), "cll_cuda": (1040, 430), "cll_opencl": (1195, 430), "probe_mpi": (1380, 90), "probe_gpu": (1380, 210),
    "flow": (80, 330), "discover": (225, 420),
    "translate": (370, 300), "count": (480, 215), "model": (650, 135), "carry": (866, 160), "obsp": (760, 207), "cll": (1040, 210), "pub": (1195, 210),
    "numeric": (515, 312), "data": (715, 350), "machine": (866, 280), "spool": (1040, 310), "bsp": (1195, 310), "probe": (1380, 330),
    "formula": (490, 380), "json": (866, 400), "base": (690, 470),
}
TEXT = {
    "call": "program call", "llac": "program llac", "cll": "libcll", "pub": "libpub", "cll_mpi": "MPI programs",
    "cll_pub": "PUB programs", "cll_cuda": "CUDA programs", "cll_opencl": "OpenCL programs", "bsp": "libbsp", "translate": "C with pragmas", "model": "fit, predict, search", "data": "data files",
    "numeric": "least squares", "spool": "samples on disk", "formula": "formulas", "base": "memory, messages",
    "machine": "machine files", "carry": "other machines", "obsp": "OBSP* model", "json": "JSON files", "count": "instructions", "flow": "calls, iterations", "discover": "exact formulas", "probe": "program cllprobe", "probe_mpi": "cllprobe with MPI", "probe_gpu": "accelerators",
}
WIDTH, HEIGHT, W, H = 1474, 510, 132, 46
ROOMS = [(8, 40, 930, 460, "on the analyst's computer", "#cfe3f1"), (950, 40, 340, 460, "in the measured program", "#f6dccb"),
         (1302, 40, 164, 460, "cllprobe", "#dcebd0")]

arrows = {}
for name, uses in re.findall(r"^    ([a-z_]+) +->(.*)$", open(sys.argv[1]).read(), re.M):
    arrows[name] = uses.split()
missing = sorted(set(arrows) ^ set(PLACE))
if missing:
    sys.exit(f"draw-architecture.py: no place, or no arrows, for: {' '.join(missing)}")


def reach(name, seen=None):
    seen = set() if seen is None else seen
    for other in arrows[name]:
        if other not in seen:
            seen.add(other)
            reach(other, seen)
    return seen


def border(a, b):
    """Where the line from the centre of a to that of b leaves the box of a."""
    (x, y), (u, v) = PLACE[a], PLACE[b]
    dx, dy = u - x, v - y
    scale = min(W / 2 / abs(dx) if dx else 9, H / 2 / abs(dy) if dy else 9)
    return x + dx * scale, y + dy * scale


print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="15">')
print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
print('<defs><marker id="tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
      '<path d="M0 0L10 5L0 10z" fill="#707070"/></marker></defs>')
for x, y, w, h, label, _ in ROOMS:
    print(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="8" fill="#f5f5ef" stroke="#d0d0c8"/>')
    print(f'<text x="{x + w / 2:.0f}" y="{y - 12}" text-anchor="middle" fill="#505050">{label}</text>')
for name, uses in arrows.items():
    for other in uses:
        # an arrow that follows from others would only hide them
        if any(other in reach(middle) for middle in uses if middle != other):
            continue
        (x1, y1), (x2, y2) = border(name, other), border(other, name)
        print(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#707070" stroke-width="1.4" marker-end="url(#tip)"/>')
for name, (x, y) in PLACE.items():
    colour = next(room[5] for room in ROOMS if room[0] < x < room[0] + room[2])
    print(f'<rect x="{x - W / 2}" y="{y - H / 2}" width="{W}" height="{H}" rx="6" fill="{colour}" stroke="#707070"/>')
    print(f'<text x="{x}" y="{y - 3}" text-anchor="middle" font-weight="bold">{name}</text>')
    print(f'<text x="{x}" y="{y + 15}" text-anchor="middle" font-size="12" fill="#404040">{TEXT[name]}</text>')
print("</svg>")
