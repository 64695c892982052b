# SPDX-License-Identifier: GPL-3.0-or-later
# examples/peps: the paper on performance evaluation of parallel systems, its arithmetic and its programs.
. "$CLL_SOURCE/tests/parallel/setup.sh"
peps=$CLL_SOURCE/examples/peps
export CALL=$call LLAC=$llac
export OMPI_MCA_mpi_yield_when_idle=1 # on a busy machine, processes that wait let others work

# Every figure of the paper, as printed and as computed. peps.txt was compared with the paper by hand.
arithmetic_gives_every_figure_of_the_paper() {
    exits 0 "$peps/arithmetic"
    empty err
    sed '/^Equation (6) once/,$d' out >figures
    same figures "$CLL_SOURCE/tests/parallel/peps.txt"
    lacks_text out DIFFERS
    is "$(grep -c 'misprint: ' out)" 10 "misprints"
    # what the paper's result depends on, in its own words
    figure() { is "$(awk -v what="$1" 'index($0, "  " what " ") == 1 {print $(NF - 1), $NF; exit}' out)" "$2" "$1"; }
    figure together '17 17'
    figure 'finit + vinit + l1 + l2 + 512 (l3 + proc)' '263325 263325'
    figure 'T_k = 26468/2 + 3144 + 15379, us' '31757 31757'
    figure 'T_k = 328758/2 + 3144 + 15379, us' '182902 182902'
    has out '^  together  *497  *499   misprint'
    has out 'x 1024) x 40 ns, us  *26468  *26469   cut off$'
    has out '^  T, us  *328758  *328759   cut off$'
    has out '^  Measured  *26635  *31269  *0.85  *335592  *180330  *1.86$'
    has out '^  Predicted  *26468  *31757  *0.83  *328758  *182902  *1.80$'
    # equation (6) from counts and prices, and the same four predictions by llac
    has out '^    ffourtr\[1\]  *0.01057 s  *0.01057 s$'
    has_text out 'in cycles: 264349; with 497 for a butterfly as printed: 263325; printed: 263325'
    has_text out 'misses, equation (2): 56320 cycles, 22 accesses of 5 cycles for each butterfly'
    lacks_text out 'without a price'
    has out '^  *514  *214  *0  *0  *1  *0.026635  *0.026469  *0.62$'
    has out '^  *514  *214  *0  *16388  *2  *0.031269  *0.031756  *-1.56$'
    has out '^  *556  *343  *1536  *0  *1  *0.33559  *0.32876  *2.04$'
    has out '^  *556  *343  *1536  *16388  *2  *0.18033  *0.1829  *-1.43$'
    has out '^  % Difference  *-0.63  *1.56  *-2.15  *-2.04  *1.43  *-3.41$'
}

# The costs come from the machine file, and a difference that nothing explains is reported.
arithmetic_uses_the_costs_of_the_machine() {
    t800=$CLL_SOURCE/examples/machines/t800.json
    sed '/"ldl.latency"/s/8e-08/1.2e-07/g' "$t800" >slow.json
    exits 0 "$peps/arithmetic" slow.json
    has out '^ *3 x ldl  *of  3 cycles  *6  *9   misprint: 3 x 3 = 9$'
    has out '(l3 + proc)  *263325  *[0-9]*   DIFFERS, without an explanation$'
    grep -v '"clock", "name": "read"' "$t800" >without.json
    exits 1 "$peps/arithmetic" without.json
    has_text err 'arithmetic: the machine file has no clock read'
    exits 1 "$peps/arithmetic" nosuch.json
    has_text err nosuch.json
    exits 2 "$peps/arithmetic" a b
    has_text err 'usage: arithmetic'
    LLAC=./nosuch exits 2 "$peps/arithmetic"
    has_text err 'there is no ./nosuch'
}

# Figures 1 to 5; figure 1 has the counted butterflies, figure 3 the counted executions of two processes, and a bar for each stage of table 6
diagrams_are_drawn() {
    need gnuplot
    need valgrind
    exits 0 "$peps/diagrams" pictures
    empty err
    for figure in 1 2 3 4 5; do
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' pictures/figure-$figure.svg || fail "figure $figure is no SVG"
    done
    has_text pictures/figure-1.svg 'X(15)'
    is "$(grep -c '8 butterflies' pictures/figure-1.svg)" 4 'stages'
    is "$(grep -c '8 of 8 across' pictures/figure-1.svg)" 1 'stages with communication'
    is "$(grep -c '0 of 8 across' pictures/figure-1.svg)" 3 'stages without communication'
    has_text pictures/figure-3.svg 'processor 1'
    has_text pictures/figure-3.svg 'counted: N = 2048'
    is "$(grep -c '>butterflies<' pictures/figure-3.svg)" 4 'butterflies, counted and measured'
    is "$(grep -c '>2048 words<' pictures/figure-3.svg)" 4 'arrange, half and arrange of process 0, half of process 1'
    is "$(grep -c '>1024<' pictures/figure-3.svg)" 5 'send and receive of both, arrange of process 1'
    has_text pictures/figure-5.svg '31.757 ms'
    exits 2 "$peps/diagrams" a b
    has_text err 'usage: diagrams'
    echo '{}' >wrong.json
    exits 1 "$peps/diagrams" pictures wrong.json wrong.json
    has_text err 'diagrams: wrong.json or wrong.json is no count report'
    exits 1 env CALL=false "$peps/diagrams" pictures
    has_text err 'diagrams: the programs are not counted; reports from elsewhere'
}

# Appendix C: the instructions of the loop are those of table 1
instructions_of_a_listing_are_counted() {
    exits 0 "$peps/inscnt" "$peps/loop.s"
    is "$(awk 'NF == 2 {print $2, $1}' out)" "$(awk '$1 == 1 {print $3, $2}' "$peps/counts.txt")" "counts of table 1"
    printf 'f:\n\tadd\tx0, x0, 1 // one\n.L1: add x1, x1, 1\n\t.cfi_endproc\n# comment\n\tret\n' >f.s
    exits 0 "$peps/inscnt" f.s "$peps/loop.s"
    is "$(head -3 out | tr -s ' \n' ' ')" "f.s 2 add 1 ret " "labels, directives and comments"
    exits 1 "$peps/inscnt" nosuch.s
    has_text err 'inscnt: nosuch.s: cannot be read'
    exits 2 "$peps/inscnt"
    has_text err 'usage: inscnt'
}

# compile NAME: examples/peps/NAME.c, plain as NAME.plain and measured as NAME
compile() {
    mpi_library openmpi
    cp "$peps/$1.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas "$1.c" -o "$1.plain" -lm || fail "$1 does not compile by itself"
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror $sanitize "$1.c" -o "$1" -lm || fail "$1 does not compile"
}

# log2(N) stages of N/2 butterflies, and the right transform
example_fft_flow() {
    compile fft-flow
    for N in 2 16 64; do
        for program in ./fft-flow.plain ./fft-flow; do is "$("$program" $N)" right "$program $N"; done
    done
    is "$(rows fft-flow.cll.2.dat stage)" 6 'stages of 64 points'
    is "$(rows fft-flow.cll.2.dat butterfly)" 192 'butterflies of 64 points'
    sed 's/d.im \* w.re }/d.im * w.im }/; s/d.re \* w.re - /d.re * w.re + /' fft-flow.c >wrong.c
    cmp -s fft-flow.c wrong.c && fail "the butterfly is written in another way"
    "$mpicc" -O2 -Wno-unknown-pragmas wrong.c -o wrong -lm
    is "$(./wrong 16)" WRONG 'the check finds a wrong butterfly'
    for N in 3 1 2048; do
        exits 2 ./fft-flow $N
        has_text err 'usage: fft-flow [N]'
    done
}

example_fft_stage() {
    compile fft-stage
    for n in 1 2; do
        runs $n ./fft-stage.plain 32 512 1 1
        is "$(cat out)" right "plain with $n"
        runs $n ./fft-stage 32 512 1 2
        is "$(cat out)" right "measured with $n"
        well_formed "fft-stage.cll.$((n - 1)).dat"
    done
    # 5 sizes, 2 times, 2 variants; each of 2 processes has these, and process 0 arranges twice
    is "$(rows fft-stage.cll.0.dat stage)" 20 "stages of one process"
    is "$(rows fft-stage.cll.0.dat half)" 0 "messages of one process"
    for e in stage connected overlapped link half send receive done; do is "$(rows fft-stage.cll.1.dat $e)" 40 "$e"; done
    for e in butterflies sines rotations; do is "$(rows fft-stage.cll.1.dat $e)" 20 "$e"; done
    is "$(rows fft-stage.cll.1.dat arrange)" 60 "arrange"
    is "$(values fft-stage.cll.0.dat sines sines)" "24 48 96 192 384 " "sines of one process"
    is "$(values fft-stage.cll.1.dat sines sines)" "16 32 64 128 256 " "sines of each of two"
    is "$(values fft-stage.cll.1.dat half bytes)" "128 256 512 1024 2048 " "bytes of half of the data"
    # the paper's butterfly has another sign, and the check finds it
    sed 's/im \* w - re \* w/re * w - im * w/; s/im \* cosine\[i\] - re \* sine\[i\]/re * sine[i] - im * cosine[i]/' fft-stage.c >paper.c
    cmp -s fft-stage.c paper.c && fail "the butterfly is written in another way"
    "$mpicc" -O2 -Wno-unknown-pragmas paper.c -o paper -lm
    run 1 ./paper 64 64 && fail "the check accepts the paper's sign"
    is "$(cat out)" WRONG "with the paper's sign"
    for wrong in "1 ./fft-stage 100" "1 ./fft-stage 64 32" "1 ./fft-stage 64 64 0" "1 ./fft-stage 64 64 1 0" "3 ./fft-stage 64 64"; do
        # shellcheck disable=SC2086
        run $wrong && fail "$wrong is accepted"
        has err '^usage: fft-stage'
    done
}

example_ping_pong() {
    compile ping-pong
    runs 2 ./ping-pong.plain 4096
    is "$(cat out)" right plain
    runs 2 ./ping-pong 262144 1
    is "$(cat out)" right measured
    is "$(rows ping-pong.cll.0.dat roundtrip)" 170 "17 sizes, 5 trips, 2 processes"
    is "$(values ping-pong.cll.0.dat roundtrip bytes)" \
        "4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 " "sizes"
    for wrong in "1 ./ping-pong" "2 ./ping-pong 3" "2 ./ping-pong 64 0"; do
        # shellcheck disable=SC2086
        run $wrong && fail "$wrong is accepted"
        has err '^usage: ping-pong'
    done
}

example_connect() {
    compile connect
    runs 2 ./connect.plain 5
    is "$(cat out)" right plain
    runs 2 ./connect 5 ports
    is "$(cat out)" right measured
    for e in link port; do is "$(rows connect.cll.0.dat $e)" 10 "$e"; done
    runs 2 ./connect 7
    is "$(rows connect.cll.1.dat link)" 14 "links"
    is "$(rows connect.cll.1.dat port)" 0 "ports only if asked for"
    for wrong in "1 ./connect" "2 ./connect 0" "2 ./connect 5 6"; do
        # shellcheck disable=SC2086
        run $wrong && fail "$wrong is accepted"
        has err '^usage: connect'
    done
}

# The whole study with few samples: its tables are complete, and their figures follow from each other.
study_measures_and_predicts() {
    mpi_library openmpi
    export MPICC=$mpicc MPIRUN="timeout -k 5 300 $launcher" ROUNDS=2 POINTS="128 4096 1 3" TRIPS="262144 2" LINKS=5
    exits 1 "$peps/study" compare nothing
    has_text err "nothing has no one.*.dat; 'study measure nothing' makes them"
    exits 0 "$peps/study" measure data
    exits 0 "$peps/study" compare data
    # T_k is the sum of its parts, S_k the ratio, the differences those of the lines above (rounded to 0.01)
    awk 'function near(a, b, by) { if (a - b > by || b - a > by) { print "line " NR ": " a " is not " b; bad = 1 } }
        function percent(said, i) { near(said, 100 * (p[i] - m[i]) / m[i], 1 + p[i] / (m[i] * m[i])) } # of rounded figures
        /^  (T_|t_)/ { without += $(NF - 1); with += $NF }
        $1 == "Measured" { for (i = 2; i <= 7; i++) m[i] = $i; n++ }
        $1 == "Predicted" {
            for (i = 2; i <= 7; i++) p[i] = $i
            if (n == 1) { near($3, without, 0.05); near($6, with, 0.05) }
            near($4, $2 / $3, 0.02); near($7, $5 / $6, 0.02)
        }
        $1 == "Difference" { for (i = 2; i <= 7; i++) near($i, p[i] - m[i], 0.02) }
        $1 == "%" { percent($3, 2); percent($7, 6) }
        END { exit bad || n != 3 }' out >why || { cat out why >&2; fail "the tables do not fit together"; }
    exits 0 "$peps/study" compare data 1024
    has_text out 'N = 1024: what'
    has_text out 'two copies of 4096 bytes'
    exits 1 "$peps/study" compare data 16384
    has_text err 'study: the data have no'
    exits 0 "$peps/study" stages data
    is "$(grep -c '^  Processor [01] .*[0-9.] *[0-9.]*$' out)" 18 "stages"
    lacks out '[a-z] *-  *-$'
    exits 0 "$peps/study" errors data
    is "$(grep -c '^ *[0-9]' out)" 6 "sizes"
    has out '^ *mean\( *[0-9.]*\)\{8\}$'
    command -v gnuplot >/dev/null || return 0
    exits 0 "$peps/study" figures data
    for figure in bandwidth time all-times; do has_text "data/$figure.svg" '<svg'; done
    has_text data/bandwidth.svg Mbyte
    is "$(wc -l <data/messages.csv)" 18 "17 sizes and the line of names"
    exits 2 "$peps/study" compare data 2k
    exits 2 "$peps/study"
    has_text err 'usage: study'
}

# docs/results/paper-003.md: its tables of the paper's arithmetic, and its figures of examples/data/peps-trips.dat
page_has_the_figures_of_the_scripts() {
    page=$CLL_SOURCE/docs/results/paper-003.md
    exits 0 "$peps/arithmetic"
    for line in Measured Predicted Difference '% Difference'; do
        figures=$(awk -v what="  $line " 'index($0, what) == 1 {
            sub(/^  % /, "  %"); out = ""; for (i = 2; i <= NF; i++) out = out " | " $i; print out " |"; exit }' out)
        has_text "$page" "| $(echo "$line" | tr 'MPD' 'mpd')$figures"
    done
    is "$(grep -c 'T_k, without  *31757  *31830\|T_k, with  *182902  *182934\|T, without  *26468  *26551' out)" 3 "corrected"
    has_text "$page" 'T is 26,551 µs and T_k 31,830 µs without the sine table, and 328,759 and 182,934 µs with it'
    command -v gnuplot >/dev/null || return 0
    mkdir data
    cp "$CLL_SOURCE/examples/data/peps-trips.dat" data/trips.1.dat
    exits 0 "$peps/study" figures data
    has out '^one line through all sizes: 2.7[0-9]*e-7 + 3.6[0-9]*e-10\*bytes seconds$'
    has out 'error: mean 19 %'
    for start_up in 2.58e-07 5.38e-07 1.62e-06; do has_text out " $start_up "; done
    has out 'error: mean 2.2 %'
    has_text "$page" '0.28 µs and 2590 Mbyte/s, is 19 % off'
    has_text "$page" '0.26 µs up to 256 bytes, 0.54 µs up to 2048 bytes, and 1.6 µs above'
}

main "$1"
