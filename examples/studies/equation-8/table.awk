# SPDX-License-Identifier: MIT
# The first table of the study: the lines of the first file have P m real, and value low high by supersteps and as a formula; those
# of the second one P, inferred and real of the paper.
function error(predicted, real) { return 100 * (real - predicted) / real }
function interval(low, high) { return sprintf("[%.6f, %.6f]", low, high) }
FNR == NR { m[$1] = $2; real[$1] = $3; steps[$1] = $4; steps_in[$1] = interval($5, $6); whole[$1] = $7; whole_in[$1] = interval($8, $9); next }
FNR == 1 {
    print "Equation (8): " total " queries in all here, 2097152 in the paper; seconds, and error % = 100 (real - inferred)/real"
    printf "%4s | %29s | %9s %10s | %10s %22s %7s | %10s %22s\n", "", "the paper", "", "", "supersteps", "typical 95 %", "", "formula", "typical 95 %"
    printf "%4s | %10s %10s %7s | %9s %10s | %10s %22s %7s | %10s %22s\n", "p", "inferred", "real", "error", "m", "real", "", "", "error", "", ""
}
{
    printf "%4d | %10.6f %10.6f %7.1f |", $1, $2, $3, error($2, $3)
    if ($1 in m)
        printf " %9d %10.6f | %10.6f %22s %7.1f | %10.6f %22s\n", m[$1], real[$1], steps[$1], steps_in[$1], error(steps[$1], real[$1]), whole[$1], whole_in[$1]
    else
        print " not measured here"
}
