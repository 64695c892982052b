# SPDX-License-Identifier: MIT
#
# arithmetic.awk: the arithmetic of the paper; see "arithmetic", which calls it with three files: the figures of the machine
# (family, name, bytes, value in seconds), counts.txt and stages.txt. Comments name the sections of the paper.

function wanted(family, name, bytes,    key) {
    key = family " " name " " bytes
    if (!(key in figure)) {
        print "arithmetic: the machine file has no " family " " name (bytes == "-" ? "" : " at " bytes " bytes") > "/dev/stderr"
        failed = 1
        exit 1
    }
    return figure[key]
}

# The cycles of an instruction; a count of cycles is a whole number.
function cycles(name,    at) {
    at = name ~ /\./ ? name : name ".latency"
    return int(wanted("operations", at, "-") / cycle + 0.5)
}

function decimals(text) { return index(text, ".") ? length(text) - index(text, ".") : 0 }

# A figure as printed and as computed. Without a remark they must agree to the last printed digit, rounded or cut off.
function row(what, printed, computed, remark,    d, unit, shown) {
    d = decimals(printed)
    unit = 10 ^ -d
    shown = sprintf("%.*f", d, computed)
    if (remark == "" && shown != printed) {
        if (printed <= computed && computed < printed + unit)
            remark = "cut off"
        else
            remark = "DIFFERS, without an explanation"
    }
    printf "  %-54s %11s %11s%s\n", what, printed, shown, remark == "" ? "" : "   " remark
}
function head(text) { printf "\n%-56s %11s %11s\n", text, "printed", "computed" }
function only(what, printed, remark) { printf "  %-54s %11s %11s%s\n", what, printed, "-", remark == "" ? "" : "   " remark }

FNR == 1 { file++ }
/^#/ || NF == 0 { next }
file == 1 { figure[$1 " " $2 " " $3] = $4; next }
file == 2 {
    if (!cycle)
        cycle = wanted("operations", "cycle", "-")
    table = $1
    n[table]++
    name[table, n[table]] = $3
    times[table, n[table]] = $2
    printed[table, n[table]] = $4
    cost[table, n[table]] = cycles($3)
    sum[table] += $2 * cost[table, n[table]]
    sum_printed[table] += $4
    if (table == 2 && $3 ~ /^fp(ld|st)nl/)
        accesses += $2
    next
}
{
    stage[$1, $2, $3] = $4
    if ($1 > 5 && $3 !~ /^(start|end|total)$/) {
        stages[$1, $2] += $4
        stage_name[$1, $2, ++stage_count[$1, $2]] = $3
    }
}

function count_table(t, title, together,    i, right, remark) {
    head(title)
    for (i = 1; i <= n[t]; i++) {
        right = times[t, i] * cost[t, i]
        remark = right != printed[t, i] ? "misprint: " times[t, i] " x " cost[t, i] " = " right : ""
        row(sprintf("%4d x %-14s of %2d cycles", times[t, i], name[t, i], cost[t, i]), printed[t, i], right, remark)
    }
    row("together", together, sum[t], together != sum[t] ? "misprint: follows from the row above; the paper goes on with " together : "")
}

function section_5() {
    count_table(1, "Table 1: a loop (cycles)", "17")
    loop = sum[1]
    count_table(2, "Table 2: a butterfly (cycles)", "497")
    proc = sum_printed[2] # as the paper goes on
    head("Equation (6): ffourtr for 512 butterflies (cycles)")
    finit = 70; vinit = 53
    row("finit + vinit + l1 + l2 + 512 (l3 + proc)", "263325", finit + vinit + loop + loop + 512 * (loop + proc))
    head("5.2: the external memory")
    hit = 1
    penalty = int((wanted("memory", "latency", "4194304") - wanted("memory", "latency", "4096")) / cycle + 0.5)
    row("extra cycles of an access, e", "5", penalty)
    row("accesses per butterfly: loads and stores of table 2", "22", accesses)
    count_table(3, "Table 3: memcpy of 4 KB (cycles)", "2064")
    copy = sum[3] + penalty * 2 * 1024
    row("with 5 cycles for each word read and written", "12304", copy)
    count_table(4, "Table 4: initialisation of links (cycles)", "29")
    timer = int(wanted("clock", "read", "-") / cycle + 0.5)
    row("SysTimer", "57", timer)
    head("Table 5: connecting two processors (us, measured)")
    only("MakeLink, processor 0", stage[5, 0, "MakeLink"])
    only("GetLink, processor 1", stage[5, 1, "GetLink"])
    only("ConnectLink, processor 1", stage[5, 1, "ConnectLink"])
    connect = 1e6 * wanted("mpi", "connect", "-")
    row("ConnectLink, processor 0: what the paper uses", stage[5, 0, "ConnectLink"], connect)
    head("5.4: messages")
    slope = wanted("mpi", "per_byte", "-") * 1048576
    startup = 1e6 * wanted("mpi", "startup", "-")
    row("start-up, us: 0.0000507866 s", "51", startup)
    row("transfer rate, Mbyte/s: 1/0.973054", "1.03", 1 / slope)
    used_startup = 51; used_rate = 1.03
}

# The stages of a table add up to its total but for the timing between them.
function stage_table(t, title,    p, i, rest) {
    head(title)
    for (p = 0; p < 2; p++) {
        for (i = 1; i <= stage_count[t, p]; i++)
            only("processor " p ": " stage_name[t, p, i], stage[t, p, stage_name[t, p, i]])
        row("processor " p ": end less start", stage[t, p, "total"], stage[t, p, "end"] - stage[t, p, "start"])
        rest = stage[t, p, "total"] - stages[t, p]
        if (t == 6 && p == 1)
            only("processor 1: total less its stages", rest, "its line for sending a quarter is missing (3870 in table 7)")
        else
            only("processor " p ": total less its stages", rest, "between the stages: timing, assignments")
    }
}

function section_6() {
    stage_table(6, "Table 6: the stages without the sine table (us, measured)")
    stage_table(7, "Table 7: the stages with the sine table (us, measured)")
}

function section_7() {
    head("7.1: one processor, without the sine table")
    A = timer + finit + vinit + loop + loop
    row("A = 57 + 70 + 53 + 17 + 17, cycles", "214", A)
    memory = (hit + penalty) * accesses
    row("accesses per butterfly in the formula of n_memory", "16", accesses, "misprint: 5.2 and the next formula have 22")
    T = (A + (proc + loop) * 1024 + memory * 1024) * cycle * 1e6
    row("T = (214 + 514 x 1024 + 6 x 22 x 1024) x 40 ns, us", "26468", T)
    T = 26468 # as the paper goes on
    row("the measured time in 7.1", "26468", 26635, "misprint: measured and predicted are swapped")
    row("the predicted time in 7.1", "26635", 26468, "misprint: measured and predicted are swapped")
    row("predicted less measured", "-167", T - 26635)
    row("in percent of the measured time", "-0.63", 100 * (T - 26635) / 26635)
    head("7.2: two processors, without the sine table")
    overhead = timer * 15 + 200 + sum[4] + 4 * copy
    row("calls of SysTimer in the formula", "15", 16, "misprint: 5.3 says 16, and Appendix A calls it 16 times")
    row("57 x 15 + 200 + 29 + 4 x 12304, cycles", "50300", overhead)
    row("in us", "2012", overhead * cycle * 1e6)
    Tpo = overhead * cycle * 1e6 + connect
    row("T_po, us", "3144", Tpo)
    t8 = 8 / 1024 / used_rate * 1e6
    t4 = t8 / 2
    tdone = 4 / 1048576 / used_rate * 1e6
    row("8 Kbyte at 1.03 Mbyte/s, us", "7585", t8)
    row("4 Kbyte, us", "3793", t4, "half of 7585, rounded up; 4/(1024 x 1.03) is 3792.48")
    row("4 byte, us", "4", tdone, "the program sends 1 byte")
    row("7585 + 3793 + 3793 + 4 + 4 x 51, us", "15379", 7585 + 3793 + 3793 + 4 + 4 * used_startup)
    messages = 15379
    Tk = T / 2 + Tpo + messages
    row("T_k = 26468/2 + 3144 + 15379, us", "31757", Tk)
    row("predicted less measured (31269)", "488", Tk - stage[6, 0, "total"])
    row("in percent of the measured time", "1.56", 100 * (Tk - stage[6, 0, "total"]) / stage[6, 0, "total"])
}

function section_8() {
    head("8.1: one processor, with the sine table")
    row("butterfly_cycles = 539 + 17", "556", 539 + loop)
    row("A = 57 + 70 + 153 + 17 + 17 + 29, cycles", "343", timer + finit + 153 + loop + loop + 29)
    sine = 1e6 * wanted("operations", "sin.latency", "-")
    row("a sine, us (measured)", "195", sine)
    sines = 3 * 2048 / 4 * (sine + loop * cycle * 1e6)
    row("t(sine) = 3 x 2048/4 x (195 + 17/25), us", "300564", sines)
    butterflies = 1024 * (539 + loop + memory)
    row("C(Butterflies) = 1024 x (556 + 6 x 22), cycles", "704512", butterflies)
    row("(343 + 704512) x 40 ns, us", "28194", (343 + butterflies) * cycle * 1e6)
    Tsine = (343 + butterflies) * cycle * 1e6 + sines
    row("T, us", "328758", Tsine)
    Tsine = 328758 # as the paper goes on
    head("8.2: two processors, with the sine table")
    row("C(Butterflies) = 512 x 688, cycles", "352256", 512 * (539 + loop + memory))
    row("t(sine) = 3 x 1024/4 x (195 + 17/25), us", "150282", sines / 2)
    Tksine = Tsine / 2 + Tpo + messages
    row("T_k = 328758/2 + 3144 + 15379, us", "182902", Tksine)
}

# A column of the summary: measured, predicted, difference, percent.
function column(what, measured, predicted, difference, percent, remark_percent) {
    row(what ": predicted less measured", difference, predicted - measured)
    row(what ": percent of the measured time", percent, 100 * (predicted - measured) / measured, remark_percent)
}

# Speed-ups: the paper subtracts the rounded ones.
function speedup(what, one, two, p1, p2, m, p, difference, percent, remark,    d) {
    row(what ": S_k measured", m, one / two)
    row(what ": S_k predicted", p, p1 / p2)
    d = p - m
    row(what ": S_k predicted less measured", difference, d, difference * d < 0 ? "misprint: the sign is lost" : "")
    row(what ": percent of the measured S_k", percent, 100 * d / m, \
        sprintf("misprint: the sign is lost; unrounded %.2f", 100 * (p1 / p2 / (one / two) - 1)))
}

function section_9() {
    head("Table 9: the summary (us)")
    only("sequential, without: measured", "26635", "differs: section 6 has 26515, and no other figure decides")
    column("sequential, without", 26635, T, "-167", "-0.67", "misprint: -0.63, as in 7.1")
    column("parallel, without", stage[6, 0, "total"], Tk, "488", "1.56")
    speedup("without", 26635, stage[6, 0, "total"], T, Tk, "0.85", "0.83", "0.02", "2.35")
    column("sequential, with", 335592, Tsine, "-6834", "-2.04")
    column("parallel, with", stage[7, 0, "total"], Tksine, "2572", "1.43")
    speedup("with", 335592, stage[7, 0, "total"], Tsine, Tksine, "1.86", "1.80", "-0.06", "3.23")
}

# The same predictions with 84 cycles in table 2, 16 calls of SysTimer, unrounded messages and the byte that is sent.
function corrected(    T1, T2, po, ti, one, two, other) {
    one = (A + (sum[2] + loop + memory) * 1024) * cycle * 1e6
    po = (timer * 16 + 200 + sum[4] + 4 * copy) * cycle * 1e6 + connect
    ti = (16384 + 1) / 1048576 * slope * 1e6 + 4 * startup
    two = one / 2 + po + ti
    T1 = (343 + butterflies) * cycle * 1e6 + sines
    T2 = T1 / 2 + po + ti
    printf "\n%-56s %11s %11s\n", "With the misprints corrected and nothing rounded (us)", "printed", "corrected"
    fixed("T, without", "26468", one)
    fixed("T_po", "3144", po)
    fixed("sum of the messages", "15379", ti)
    fixed("T_k, without", "31757", two)
    fixed("T_k, without: percent of the measured time", "1.56", 100 * (two / stage[6, 0, "total"] - 1))
    fixed("T, without: percent of 26635 (table 9)", "-0.63", 100 * (one / 26635 - 1))
    fixed("T, without: percent of 26515 (section 6)", "-", 100 * (one / 26515 - 1))
    # equation (2) has the penalty alone: the cycles of table 2 contain the access itself
    other = (A + (sum[2] + loop + penalty * accesses) * 1024) * cycle * 1e6
    fixed("T, without, 5 cycles per access as in equation (2)", "26468", other)
    fixed("the same: percent of 26635 (table 9)", "-0.63", 100 * (other / 26635 - 1))
    fixed("T, with", "328758", T1)
    fixed("T_k, with", "182902", T2)
    fixed("T_k, with: percent of the measured time", "1.43", 100 * (T2 / stage[7, 0, "total"] - 1))
}
function fixed(what, as_printed, value) {
    printf "  %-54s %11s %11.*f\n", what, as_printed, decimals(as_printed) || as_printed == "-" ? 2 : 0, value
}

# Table 9 in the paper's form, from the numbers above.
function summary(    m, p, i) {
    split("26635 " stage[6, 0, "total"] " 335592 " stage[7, 0, "total"], m)
    split(T " " Tk " " Tsine " " Tksine, p)
    for (i = 1; i <= 4; i++) # columns 1, 2, 4, 5; then the speed-ups
        place[i] = i + (i > 2)
    for (i = 1; i <= 4; i++) {
        measured[place[i]] = m[i]
        predicted[place[i]] = p[i]
    }
    for (i = 3; i <= 6; i += 3) {
        measured[i] = measured[i - 2] / measured[i - 1]
        predicted[i] = predicted[i - 2] / predicted[i - 1]
    }
    printf "\nTable 9, computed          Without sine[3N/4]                With sine[3N/4]\n"
    printf "  %-14s %10s %10s %7s   %10s %10s %7s\n", "", "Sequential", "Parallel", "S_k", "Sequential", "Parallel", "S_k"
    line("Measured", 0, 1, 0)
    line("Predicted", 0, 0, 1)
    line("Difference", 0, -1, 1)
    line("% Difference", 1, -1, 1)
}
# A line of it: a times what was measured and b times what was predicted, or that in percent of the measured value.
function line(what, percent, a, b,    i, x) {
    printf "  %-14s", what
    for (i = 1; i <= 6; i++) {
        x = (a * measured[i] + b * predicted[i]) * (percent ? 100 / measured[i] : 1)
        printf "%s %*.*f", i == 4 ? "  " : "", i % 3 ? 10 : 7, percent || i % 3 == 0 ? 2 : 0, x
    }
    printf "\n"
}

END {
    if (failed)
        exit 1
    section_5()
    section_6()
    section_7()
    section_8()
    section_9()
    summary()
    corrected()
}
