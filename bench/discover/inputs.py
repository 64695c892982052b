# SPDX-License-Identifier: GPL-3.0-or-later
"""inputs.py KIND SIZE FILE: writes an input of bench/discover.sh, the same bytes each time.

text KILOBYTES, picture ROWS (of 1000 pixels), sound THOUSANDS of samples, transport N (a linear program, N x N), formula VARIABLES (random
3-SAT), sequences N (an alignment of N sequences of 400 bases), functions N.c (C functions). The first three repeat a piece that is longer than what their programs look back.
"""
import math
import os
import random
import struct
import sys

KIND, SIZE, FILE = sys.argv[1], int(sys.argv[2].split(".")[0]), sys.argv[3]


def piece(make):
    """What is repeated; made once."""
    path = os.path.join(os.path.dirname(FILE), "piece." + KIND)
    if not os.path.exists(path):
        with open(path + ".new", "wb") as f:
            make(f)
        os.rename(path + ".new", path)
    with open(path, "rb") as f:
        return f.read()


def repeat(make, size, out):
    bytes_ = piece(make)
    for begin in range(0, size, len(bytes_)):
        out.write(bytes_[: size - begin])


def make_text(out):
    r = random.Random(1)
    words = ["".join(r.choice("etaoinshrdlucmfwypvbgkqjxz"[: 8 + i % 19]) for _ in range(2 + int(r.expovariate(0.3)))) for i in range(20000)]
    written = 0
    while written < 2000000:
        written += out.write((" ".join(words[int(20000 ** r.random()) - 1] for _ in range(12)) + "\n").encode())


def text(kilobytes, out):
    repeat(make_text, 1000 * kilobytes, out)


def make_picture(out):
    r = random.Random(2)
    noise = bytes(r.randrange(24) for _ in range(30011))
    for y in range(250):
        base = [int(90 + 60 * math.sin(y / 37.0) + 60 * math.sin(x / 53.0 + y / 91.0)) for x in range(0, 1000, 4)]
        row = bytearray(3000)
        for c in range(3):
            shift = (y * 7919 + c * 101) % 27000
            row[c::3] = bytes(min(255, max(0, base[x >> 2] + noise[shift + x])) for x in range(1000))
        out.write(row)


def picture(rows, out):
    out.write(b"P6\n1000 %d\n255\n" % rows)
    repeat(make_picture, 3000 * rows, out)


def make_sound(out):
    r = random.Random(3)
    for _ in range(10):
        f = 220 * 2 ** (r.randrange(24) / 12)
        for i in range(44100):
            tone = int(9000 * math.sin(2 * math.pi * f * i / 44100) * math.exp(-i / 30000))
            out.write(struct.pack("<hh", tone + int(800 * r.random()) - 400, (tone >> 1) + int(800 * r.random()) - 400))


def sound(thousands, out):
    n = 1000 * thousands
    out.write(b"RIFF" + struct.pack("<I", 36 + 4 * n) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 44100, 176400, 4, 16))
    out.write(b"data" + struct.pack("<I", 4 * n))
    repeat(make_sound, 4 * n, out)


def transport(n, out):
    r = random.Random(4)
    lines = ["Minimize", " cost: " + "\n + ".join("%d x%d_%d" % (r.randrange(1, 100), i, k) for i in range(n) for k in range(n)), "Subject To"]
    lines += [" s%d: " % i + "\n + ".join("x%d_%d" % (i, k) for k in range(n)) + " <= 120" for i in range(n)]
    lines += [" d%d: " % k + "\n + ".join("x%d_%d" % (i, k) for i in range(n)) + " >= %d" % r.randrange(50, 100) for k in range(n)]
    out.write(("\n".join(lines) + "\nEnd\n").encode())


def formula(n, out):
    r = random.Random(5).random
    m = 3 * n
    out.write(b"p cnf %d %d\n" % (n, m))
    for _ in range(m):
        a = int(r() * n)
        b = (a + 1 + int(r() * (n - 1))) % n
        c = (b + 1 + int(r() * (n - 1))) % n
        signs = int(r() * 8)
        out.write(b"%d %d %d 0\n" % ((a + 1) * (1 - (signs & 1) * 2), (b + 1) * (1 - (signs & 2)), (c + 1) * (1 - (signs & 4) // 2)))


def sequences(n, out):
    r = random.Random(6)
    known = [[r.choice("ACGT") for _ in range(400)]]
    for _ in range(n - 1):  # a random one of those before, changed at some places
        new = list(known[int(r.random() * len(known))])
        for _ in range(12):
            new[int(r.random() * 400)] = r.choice("ACGT")
        known.append(new)
    for i, s in enumerate(known):
        out.write((">s%d\n%s\n" % (i, "".join(s))).encode())


def functions(n, out):
    r = random.Random(7).random
    out.write(b"int puts(const char *);\n")
    for i in range(n):
        a, b, c = int(100 * r()), int(100 * r()), int(r() * i)
        out.write(b"static int f%d(int x, int *y)\n{\n    int i, s = %d;\n    for (i = 0; i < x; i++)\n        if (y[i] > %d)\n            s += y[i] * %d - i;\n"
                  b"        else\n            s ^= y[i] << 2;\n    return s%s;\n}\n" % (i, a, b, a + b, b" + f%d(x - 1, y)" % c if i else b""))
    out.write(b"int main(void)\n{\n    int y[100] = {1};\n    return f%d(100, y);\n}\n" % (n - 1))


with open(FILE + ".new", "wb") as out:
    {f.__name__: f for f in (text, picture, sound, transport, formula, sequences, functions)}[KIND](SIZE, out)
os.rename(FILE + ".new", FILE)
