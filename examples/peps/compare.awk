# SPDX-License-Identifier: MIT
#
# compare.awk: equations (4) and (5) of the paper with fitted constants; see "study", which calls it with a file of facts:
# predictions "EXPERIMENT:VARIABLE:VALUE SECONDS" and measured times "EXPERIMENT:P:VARIABLES SECONDS". N is the number of points,
# form is "table" or "errors".
#
#   non-overlapped   T_k = T_p/k + T_s + T_po + sum of t_i
#   overlapped       T_k = max(T_p/k, sum of t_i) + T_s + T_po: the shorter of both is hidden by the longer. The sines come before the
#                    first block, and hide nothing.
#
# T_p is predicted for one process; T_s is 0, as in the paper. T_po is a link, the copies, and what the sines of the slower process take
# beyond half of those of one: N/2, not half of 3N/4, and larger angles. t_i is half of a round trip.

{ fact[$1] = $2 }

function wanted(key) {
    if (!(key in fact)) {
        print "study: the data have no " key "; measure more sizes, or choose another N" > "/dev/stderr"
        failed = 1
        exit 1
    }
    return 1e6 * fact[key]
}
function message(bytes) { return wanted("roundtrip:bytes:" bytes) / 2 }
function larger(a, b) { return a > b ? a : b }

function predict() {
    Tp[1] = wanted("butterflies:n:" N / 2)
    Tp[2] = wanted("sines:sines:" 3 * N / 4) + wanted("rotations:n:" N / 2)
    extra[1] = 0
    sines = larger(wanted("share0:sines:" N / 2), wanted("share1:sines:" N / 2))
    extra[2] = sines - wanted("sines:sines:" 3 * N / 4) / 2
    link = wanted("link:")
    copies = 2 * wanted("arrange:bytes:" 4 * N)
    half = message(4 * N)
    quarter = message(2 * N)
    done = message(1)
    t = half + 2 * quarter + done
    blocks = 16 * message(2 * N / 4)
    for (v = 1; v <= 2; v++) {
        one[v] = Tp[v]
        connected[v] = Tp[v] / 2 + extra[v] + copies + t
        two[v] = connected[v] + link
        before = v == 1 ? 0 : sines
        overlapped[v] = before + larger(Tp[v] / 2 + extra[v] - before, blocks) + link + copies + wanted("arrange:bytes:" 2 * N)
    }
}

function measure() {
    for (v = 1; v <= 2; v++) {
        measured_one[v] = wanted("stage:1:N:" N ",sines:" (v == 1 ? 0 : 3 * N / 4))
        measured_two[v] = wanted("stage:2:N:" N ",sines:" (v == 1 ? 0 : N / 2))
        measured_connected[v] = wanted("connected:2:N:" N ",sines:" (v == 1 ? 0 : N / 2))
        measured_overlapped[v] = wanted("overlapped:2:N:" N ",sines:" (v == 1 ? 0 : N / 2))
    }
}

function percent(predicted, measured) { return 100 * (predicted - measured) / measured }

# A table in the form of the paper's table 9.
function table(what, two, measured_two,    m, p) {
    printf "\n%-27s Without sine[3N/4]                With sine[3N/4]\n", what
    printf "  %-14s %10s %10s %7s   %10s %10s %7s\n", "us", "Sequential", "Parallel", "S_k", "Sequential", "Parallel", "S_k"
    line("Measured", measured_one[1], measured_two[1], measured_one[2], measured_two[2])
    line("Predicted", one[1], two[1], one[2], two[2])
    for (v = 1; v <= 2; v++) {
        m[v] = measured_one[v] / measured_two[v]
        p[v] = one[v] / two[v]
    }
    printf "  %-14s %10.2f %10.2f %7.3f   %10.2f %10.2f %7.3f\n", "Difference", one[1] - measured_one[1], two[1] - measured_two[1], \
        p[1] - m[1], one[2] - measured_one[2], two[2] - measured_two[2], p[2] - m[2]
    printf "  %-14s %10.1f %10.1f %7.1f   %10.1f %10.1f %7.1f\n", "% Difference", percent(one[1], measured_one[1]), \
        percent(two[1], measured_two[1]), percent(p[1], m[1]), percent(one[2], measured_one[2]), \
        percent(two[2], measured_two[2]), percent(p[2], m[2])
}
function line(what, a, b, c, d) {
    printf "  %-14s %10.2f %10.2f %7.3f   %10.2f %10.2f %7.3f\n", what, a, b, a / b, c, d, c / d
}

END {
    if (failed)
        exit 1
    predict()
    measure()
    if (form == "errors") {
        printf "%8d", N
        for (v = 1; v <= 2; v++)
            printf " %10.1f %10.1f %10.1f %10.1f", percent(one[v], measured_one[v]), percent(two[v], measured_two[v]), \
                percent(connected[v], measured_connected[v]), percent(overlapped[v], measured_overlapped[v])
        print ""
        exit
    }
    printf "N = %d: what the predictions are made of (us)\n", N
    printf "  %-34s %10s %10s\n", "", "without", "with"
    printf "  %-34s %10.2f %10.2f\n", "T_p/2", Tp[1] / 2, Tp[2] / 2
    printf "  %-34s %10.2f %10.2f\n", "T_po: sines beyond T_p/2", extra[1], extra[2]
    printf "  %-34s %10.2f %10.2f\n", "T_po: link", link, link
    printf "  %-34s %10.2f %10.2f\n", "T_po: two copies of " 4 * N " bytes", copies, copies
    printf "  %-34s %10.2f %10.2f\n", "t_1: " 4 * N " bytes", half, half
    printf "  %-34s %10.2f %10.2f\n", "t_2, t_3: " 2 * N " bytes each", 2 * quarter, 2 * quarter
    printf "  %-34s %10.2f %10.2f\n", "t_4: 1 byte", done, done
    printf "  %-34s %10.2f %10.2f\n", "overlapped: 16 of " 2 * N / 4 " bytes", blocks, blocks
    table("Non-overlapped", two, measured_two)
    table("Non-overlapped, linked", connected, measured_connected)
    table("Overlapped", overlapped, measured_overlapped)
}
