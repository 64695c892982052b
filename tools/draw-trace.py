#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""draw-trace.py TRACE: the superstep trace of a PUB program as SVG on stdout, one bar for each processor.

The clocks of the processes are not synchronised. Each bar therefore begins where its processor begins the first group.
"""
import sys

COLOURS = {"work": "#0072b2", "calls": "#56b4e9", "wait": "#d9d9d9", "transfer": "#d55e00"}
MEANING = {"work": "computes", "calls": "calls the library", "wait": "waits for messages", "transfer": "receives large messages"}
WIDTH, LEFT, ROW, BAR, TOP = 900, 110, 34, 22, 60


def read(path):
    processes, columns = {}, None
    for line in open(path):
        words = line.split()
        if line.startswith("#") or not words:
            continue
        if columns is None:
            columns = words
            continue
        row = dict(zip(columns, words))
        processes.setdefault(int(row["process"]), []).append(row)
    if not processes:
        sys.exit(f"{path} has no superstep")
    return processes


def parts(rows):
    """(kind, begin, end) in microseconds since the first group began, and the ends of supersteps."""
    begin = int(rows[0]["end"])
    out, ends = [], []
    for row in rows[1:]:
        spans = [(kind, int(row[kind])) for kind in COLOURS]
        at = int(row["end"]) - sum(length for _, length in spans)
        for kind, length in spans:
            if length:
                out.append((kind, (at - begin) / 1e3, (at + length - begin) / 1e3))
            at += length
        if row["kind"] in ("sync", "oblsync"):
            ends.append(((int(row["end"]) - begin) / 1e3, int(row["nprocs"])))
    return out, ends


def round_step(longest):
    step = 1
    while longest / step > 8:
        step *= 2.5 if str(step).startswith("2") else 2
    return int(step)


processes = read(sys.argv[1])
drawn = {p: parts(rows) for p, rows in sorted(processes.items())}
longest = max(end for spans, _ in drawn.values() for _, _, end in spans)
scale = (WIDTH - LEFT - 30) / longest
bottom = TOP + ROW * len(drawn)
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 60}" font-family="sans-serif" font-size="14">')
print(f'<rect width="{WIDTH}" height="{bottom + 60}" fill="white"/>')
x = LEFT
for kind, colour in COLOURS.items():
    print(f'<rect x="{x}" y="18" width="16" height="16" fill="{colour}"/><text x="{x + 22}" y="31">{MEANING[kind]}</text>')
    x += 40 + 8 * len(MEANING[kind])
step = round_step(longest)
for k in range(int(longest / step) + 1):
    at = LEFT + k * step * scale
    print(f'<line x1="{at:.1f}" y1="{TOP - 8}" x2="{at:.1f}" y2="{bottom}" stroke="#dcdcdc"/>')
    print(f'<text x="{at:.1f}" y="{bottom + 20}" text-anchor="middle">{k * step}</text>')
print(f'<text x="{(WIDTH + LEFT) / 2:.0f}" y="{bottom + 44}" text-anchor="middle">time (µs); a black mark ends a superstep of a group of 2, 4 or 8 processors</text>')
for row, (process, (spans, ends)) in enumerate(drawn.items()):
    y = TOP + row * ROW
    print(f'<text x="{LEFT - 12}" y="{y + 16}" text-anchor="end">processor {process}</text>')
    for kind, begin, end in spans:
        print(f'<rect x="{LEFT + begin * scale:.2f}" y="{y}" width="{(end - begin) * scale:.2f}" height="{BAR}" fill="{COLOURS[kind]}"/>')
    for end, size in ends:
        at = LEFT + end * scale
        print(f'<line x1="{at:.2f}" y1="{y - 4}" x2="{at:.2f}" y2="{y + BAR + 4}" stroke="black" stroke-width="1.5"/>')
print("</svg>")
