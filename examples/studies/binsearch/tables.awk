# SPDX-License-Identifier: MIT
# The tables of the study, from lines with, for each P: P m levels real direct, the predicted blocks A C B D SeqT comm, the
# communication of a level with the library's g and L and with measured h-relations (ten supersteps), and the
# measured blocks A C B D SeqT comm, each summed over the levels, and SeqT with a term for the memory.
function error(predicted, real) { return 100 * (real - predicted) / real }
function absolute(x) { return x < 0 ? -x : x }
{
    P[NR] = $1; m[NR] = $2; levels = $3; real[NR] = $4; direct[NR] = $5
    rest = levels * ($6 + $7) + (levels > 1 ? (levels - 1) * ($8 + $9) : 0) + $10
    library[NR] = rest + levels * $12
    measured[NR] = rest + levels * $13 / 10 # ten supersteps are one sample of h-relation.c
    blocks[NR] = rest + levels * $11
    machine[NR] = blocks[NR] - $10 + $20
    name[1] = "A"; name[2] = "comm"; name[3] = "C"; name[4] = "B"; name[5] = "D"; name[6] = "SeqT"
    off[NR, 1] = $14 - levels * $6
    off[NR, 2] = $19 - levels * $11
    off[NR, 3] = $15 - levels * $7
    off[NR, 4] = levels > 1 ? $16 - (levels - 1) * $8 : 0
    off[NR, 5] = levels > 1 ? $17 - (levels - 1) * $9 : 0
    off[NR, 6] = $18 - $10
}
END {
    print "Table 2: " total " queries in all; seconds, and error % = 100 (real - inferred)/real"
    printf "%4s %9s %10s | %10s %7s | %10s %7s | %10s %7s | %10s %7s | %10s %7s\n", "p", "m", "real", "library", "error", "h-rel.", "error", "blocks", "error", "machine", "error", "direct", "error"
    for (i = 1; i <= NR; i++) {
        printf "%4d %9d %10.6f | %10.6f %7.1f | %10.6f %7.1f | %10.6f %7.1f | %10.6f %7.1f | %10.6f %7.1f\n", P[i], m[i], real[i], library[i], error(library[i], real[i]),
            measured[i], error(measured[i], real[i]), blocks[i], error(blocks[i], real[i]), machine[i], error(machine[i], real[i]), direct[i], error(direct[i], real[i])
        if (P[i] > 1) {
            n++
            e = absolute(error(library[i], real[i])); s[1] += e; if (e > x[1]) x[1] = e
            e = absolute(error(measured[i], real[i])); s[2] += e; if (e > x[2]) x[2] = e
            e = absolute(error(blocks[i], real[i])); s[3] += e; if (e > x[3]) x[3] = e
            e = absolute(error(machine[i], real[i])); s[4] += e; if (e > x[4]) x[4] = e
            e = absolute(error(direct[i], real[i])); s[5] += e; if (e > x[5]) x[5] = e
        }
    }
    if (n)
        printf "P > 1: mean, max error: library %.1f, %.1f; h-relations %.1f, %.1f; blocks %.1f, %.1f; machine %.1f, %.1f; direct %.1f, %.1f\n",
            s[1] / n, x[1], s[2] / n, x[2], s[3] / n, x[3], s[4] / n, x[4], s[5] / n, x[5]
    print ""
    print "What each block adds to the error of `blocks`: (measured - predicted)/real, %"
    printf "%4s", "p"
    for (k = 1; k <= 6; k++) printf " %8s", name[k]
    printf " %8s\n", "rest"
    for (i = 1; i <= NR; i++) {
        printf "%4d", P[i]
        rest = real[i] - blocks[i]
        for (k = 1; k <= 6; k++) { printf " %8.2f", 100 * off[i, k] / real[i]; rest -= off[i, k] }
        printf " %8.2f\n", 100 * rest / real[i]
    }
}
