#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""palette.py PAGE.css: how far apart the colours k1 to k6 of the page of `report` are, on its light and on its dark pages: the
smallest CIEDE2000 of two of them, as people see them with normal sight, protanopia and deuteranopia (simulated as Machado,
Oliveira and Fernandes do, 2009, severity 1), and the smallest contrast to the page (WCAG). Fails below 13 and 3."""
import itertools
import math
import re
import sys

LEAST_DIFFERENCE, LEAST_CONTRAST = 13, 3
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def linear(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]


def seen(colour, sight):
    return [min(1, max(0, sum(a * b for a, b in zip(row, linear(colour))))) for row in SIGHT[sight]]


def lab(rgb):
    r, g, b = rgb
    xyz = ((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047, 0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
           (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(p, q):
    (l1, a1, b1), (l2, a2, b2) = p, q
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = math.hypot((1 + g) * a1, b1), math.hypot((1 + g) * a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, (1 + g) * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm, hm = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2

    def wave(degrees):
        return math.cos(math.radians(degrees))

    t = 1 - 0.17 * wave(hm - 30) + 0.24 * wave(2 * hm) + 0.32 * wave(3 * hm + 6) - 0.2 * wave(4 * hm - 63)
    sl, sc, sh = 1 + 0.015 * (lm - 50)**2 / math.sqrt(20 + (lm - 50)**2), 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(60 * math.exp(-((hm - 275) / 25)**2)))
    return math.sqrt((dl / sl)**2 + (dc / sc)**2 + (dh / sh)**2 + rt * dc / sc * dh / sh)


def contrast(colour, page):
    low, high = sorted(sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (colour, page))
    return (high + 0.05) / (low + 0.05)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        css = file.read()
    # a pair of the reference data of Sharma, Wu and Dalal (2005)
    assert abs(ciede2000((50, 2.6772, -79.7751), (50, 0, -82.7485)) - 2.0425) < 1e-4
    good = True
    pages = re.findall(r"--page: (#[0-9a-f]+);", css)
    sixes = re.findall(" ".join(rf"--k{k}: (#[0-9a-f]{{6}});" for k in range(1, 7)), css)
    for name, page, colours in zip(("light", "dark"), pages, sixes, strict=False):
        page = page if len(page) == 7 else "#" + "".join(2 * c for c in page[1:])
        least, sight, a, b = min((ciede2000(lab(seen(a, s)), lab(seen(b, s))), s, a, b) for s in SIGHT for a, b in itertools.combinations(colours, 2))
        faint = min((contrast(c, page), c) for c in colours)
        print(f"{name}: {a} and {b} differ least, by {least:.1f} with {sight}; {faint[1]} has the smallest contrast, {faint[0]:.2f}")
        good = good and least >= LEAST_DIFFERENCE and faint[0] >= LEAST_CONTRAST
    sys.exit(0 if good and len(sixes) == 2 else 1)


main()
