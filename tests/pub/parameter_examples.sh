# SPDX-License-Identifier: GPL-3.0-or-later
# Program 1 and table 1 of the paper on PUB and the Parsytec machine. A test is a function.
. "$CLL_SOURCE/tests/pub/parameter_setup.sh"
need "$call"
need "$llac"

# constant FILE FORMULA NAME: its value by llac
constant() {
    "$llac" --json -e "$2" "$1" >fit.json || fail "llac: $2"
    grep -o "\"name\":\"$3\"[^}]*" fit.json | grep -o '"value":[-0-9.e+]*' | cut -d: -f2 | head -1
}
# close VALUE EXPECTED WHAT: to half of the last digit that the paper's table bears
close() {
    awk -v a="$1" -v b="$2" 'BEGIN {exit !(a / b < 1.005 && a / b > 0.995)}' || fail "$3: expected $2, got $1"
}

example_parameter_pub() {
    build_probe # finds compiler and launcher
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize "$CLL_SOURCE/examples/parameter-pub.c" -o parameter ||
        fail "it does not compile"
    runs 2 ./parameter
    is "$(wc -l <out)" 2 "lines"
    # on a busy machine the line through the times may have no slope
    awk 'NR == 1 && (($2 < 0) || ($5 < 0) || $1 != "L=" || $4 != "g=") {exit 1}' out || fail "values"
}

example_h_relation() {
    build_probe
    cp "$CLL_SOURCE/examples/h-relation.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas $sanitize -I"$CLL_SOURCE/include" h-relation.c \
        "$CLL_BUILD/lib/libpub_openmpi.a" -o plain || fail "it does not compile"
    runs 1 ./plain 1 64
    is "$(awk 'NF == 3 && $1 + 0 {print $1}' out | tr '\n' ' ')" "8 64 " "sizes"
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize h-relation.c -o h-relation || fail "call cc"
    for n in 1 2; do
        runs $n ./h-relation 2 65536
        has out "P = $n"
        is "$(awk 'NF == 3 && $1 + 0 && $2 > 0 && $3 > 0 {print $1}' out | tr '\n' ' ')" \
            "8 64 256 1024 16384 65536 " "rows"
        well_formed h-relation.cll.$((n - 1)).dat
        is "$(rows h-relation.cll.$((n - 1)).dat comm)" $((n * 6 * 2)) "samples"
        is "$(values h-relation.cll.$((n - 1)).dat comm P)" "$n " "P"
    done
    is "$(values h-relation.cll.0.dat comm h)" "32 256 1024 4096 65536 262144 " "bytes"
    # what the constants are depends on what else the machine does
    "$llac" -e 'where P == 2; fit comm nonneg' h-relation.cll.?.dat >fit.txt || fail "llac"
    has fit.txt 'comm\[0\] *[0-9]'
    has fit.txt 'comm\[1\] *[0-9]'
    ! run 1 ./h-relation 0 || fail "no rounds"
    has err usage
}

# What least squares makes of the paper's table 1, and that it is not what the paper prints.
table_1_of_the_parsytec() {
    data=$CLL_SOURCE/examples/data/parsytec-h.dat
    well_formed "$data"
    is "$(rows "$data" comm)" 24 "its columns"
    is "$(rows "$data" mean)" 8 "its means"
    # relative least squares, as llac has it
    close "$(constant "$data" 'fit mean' 'mean\[0\]')" 4.50e-6 g
    close "$(constant "$data" 'fit mean' 'mean\[1\]')" 8.28e-4 L
    close "$(constant "$data" 'fit comm intervals none' 'comm\[0\]')" 4.50e-6 "g from the columns"
    close "$(constant "$data" 'fit mean = mean[0]*2*n + mean[1]' 'mean\[0\]')" 2.252e-6 "g where h counts both ways"
    # three values of P are enough to find that 2 processors differ from more: one value for each constant is 18 % off
    "$llac" -e 'fit comm intervals none; fit comm intervals on P' "$data" >few.txt || fail "intervals on P"
    has few.txt 'error: mean 6 %, max 18 %'
    has few.txt 'values: P = 2 and P = 4 differ (comm\[0\], comm\[1\])'
    has few.txt 'error: mean 2.3 %, max 8.8 %'
    # absolute least squares
    awk '$1 == "mean" {n++; h += $10; t += $11; hh += $10 * $10; ht += $10 * $11}
         END {g = (n * ht - h * t) / (n * hh - h * h); print g, (t - g * h) / n}' "$data" >absolute
    close "$(cut -d' ' -f1 absolute)" 4.44e-6 "g, absolute"
    close "$(cut -d' ' -f2 absolute)" 2.00e-3 "L, absolute"
    # one row's mean is not the mean of its row
    awk '$1 == "comm" {sum[$10] += $11 / 3} $1 == "mean" {mean[$10] = $11}
         END {for (n in mean) {d = sum[n] / mean[n] - 1; if (d * d > 1e-10) print n}}' "$data" >differ
    is "$(cat differ)" 16384 "misprinted means"
    # the paper's own line is 40 % off its own table
    "$llac" "$CLL_SOURCE/examples/parsytec-h.llac" "$data" >script.txt 2>&1 || { cat script.txt >&2; fail "the script"; }
    has script.txt 'error: mean 40 %, max 73 %'
    is "$(grep -c '^comm = ' script.txt)" 3 "fits of single P"
}

# Table 2 prints |100 - 100 inferred/real|: 2, 15, 8.5 and 23 for P = 2, 4, 8, 16; figure 1 shows both times over P.
table_2_of_the_parsytec() {
    data=$CLL_SOURCE/examples/data/parsytec-search.dat
    well_formed "$data"
    "$llac" --json -e 'fit bbp = BSP; table bbp; plot bbp over P' "$data" >out || fail "the commands"
    sed -n 2p out | tr '{' '\n' | sed -n 's/.*"P":\([0-9]*\).*"error_pct":\([-0-9.]*\).*/\1 \2/p' | sort -n |
        awk '{printf "%d %.1f ", $1, $2}' >errors
    is "$(cat errors)" "2 2.1 4 -15.3 8 -8.4 16 -23.0 " "errors of table 2"
    sed -n 3p out | grep -o '"measured":.*"errors_pct"' | grep -o '\[[0-9]*,[0-9.]*' |
        awk -F'[[,]' '{printf "%d %.4f ", $2, $3}' >figure
    is "$(cat figure)" "2 2.8875 4 2.8206 8 2.7390 16 2.1855 2 2.8266 4 3.2516 8 2.9703 16 2.6890 " "real and inferred times of figure 1"
    command -v gnuplot >/dev/null || return 0
    "$llac" -e 'fit bbp = BSP; plot bbp over P to figure-1.svg' "$data" >out || fail "the picture"
    has figure-1.svg '</svg>'
}

main "$1"
