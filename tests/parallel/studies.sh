# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of examples/studies and of the farm and the pipeline; and each study from its programs to its tables, with small sizes.
. "$CLL_SOURCE/tests/parallel/setup.sh"
studies=$CLL_SOURCE/examples/studies

# compile SOURCE: examples/SOURCE.c plain as NAME.plain and measured as NAME
compile() {
    mpi_library openmpi
    local name
    name=$(basename "$1")
    cp "$CLL_SOURCE/examples/$1.c" .
    "$mpicc" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -I"$CLL_SOURCE/include" "$name.c" -o "$name.plain" \
        -L"$CLL_BUILD/lib" -lpub_openmpi -lm || fail "$name does not compile by itself"
    "$call" cc "$mpicc" -O2 -Wall -Wextra -Werror "$name.c" -o "$name" -lm || fail "$name does not compile"
}
# says TEXT WHAT: the output of the last run
says() { is "$(cat out)" "$1" "$2"; }
# refuses N TEXT ARGUMENTS...: the program ends with a message that has the text
refuses() {
    local n=$1 text=$2
    shift 2
    ! run "$n" "$@" || fail "$* is accepted"
    has_text err "$text"
}

example_farm_pub() {
    compile farm-pub
    for n in 2 4 7; do
        runs $n ./farm-pub.plain 20 500
        says "the sum is right" "plain with $n"
        runs $n ./farm-pub 20 500 $((n > 2 ? 2 : 1)) 2
        says "the sum is right" "teams, with $n"
    done
    # 20 tasks, 2 times, both kinds; with 4 processors a team of 3 (2 and what is left), with 7 three teams of 2
    is "$(rows farm-pub.cll.0.dat work)" 80 "tasks of one worker"
    is "$(rows farm-pub.cll.1.dat work)" 240 "parts of tasks in a team of 3"
    is "$(rows farm-pub.cll.2.dat work)" 160 "parts of tasks in teams of 2"
    is "$(values farm-pub.cll.2.dat oblivious rounds)" "7 " "rounds of three teams"
    runs 3 ./farm-pub.plain 5 100 1 2 oblivious
    says "the sum is right" "oblivious alone"
    refuses 1 'at least 2 processors' ./farm-pub
    refuses 2 'too few for a master and a team of 5' ./farm-pub 20 500 5
    refuses 2 'usage: farm-pub' ./farm-pub 0
    refuses 2 'usage: farm-pub' ./farm-pub 20 500 1 1 both-of-them
}

example_pipeline_pub() {
    compile pipeline-pub
    for n in 1 2 4; do
        runs $n ./pipeline-pub.plain 5 64
        says "the items are right" "plain with $n"
        runs $n ./pipeline-pub 5 64 $((n > 2 ? 2 : 1)) 2
        says "the items are right" "measured with $n"
        well_formed "pipeline-pub.cll.$((n / 2)).dat"
    done
    is "$(values pipeline-pub.cll.2.dat oblivious t)" "6 " "supersteps of 5 items in 2 stages"
    is "$(values pipeline-pub.cll.2.dat work n)" "32 " "numbers of a part"
    runs 4 ./pipeline-pub.plain 7 96 4 1 barrier
    says "the items are right" "one stage of four"
    refuses 2 'usage: pipeline-pub' ./pipeline-pub 5 64 3
    refuses 2 'usage: pipeline-pub' ./pipeline-pub 5 63 2
    refuses 2 'usage: pipeline-pub' ./pipeline-pub 5 64 1 1 none
}

example_imbalance() {
    compile studies/imbalance/imbalance
    for n in 2 3; do
        runs $n ./imbalance 8 100
        says "done" "with $n"
    done
    # 7 ratios and 2 sizes; 2 supersteps of figure 1, or one for each processor
    is "$(rows imbalance.cll.0.dat oblivious)" 28 "cases of two processors"
    is "$(rows imbalance.cll.1.dat work)" $((14 * 2 * 3 * 3)) "computations of three"
    is "$(values imbalance.cll.1.dat barrier s)" "3 " supersteps
    PUB_TRACE=barrier.trace runs 2 ./imbalance.plain 8 100 2 3 barrier
    is "$(grep -c ' sync ' barrier.trace)" 8 "supersteps in the trace"
    refuses 1 'at least 2 processors' ./imbalance
    refuses 2 'usage: imbalance' ./imbalance 1
    refuses 2 'usage: imbalance' ./imbalance 8 100 1 2 all
}

# What the papers' programs got for the studies: repetitions, patterns
programs_of_the_studies_repeat_their_sizes() {
    compile fft-pub
    runs 2 ./fft-pub 4096 3
    says "the transform is right on all 2 processors" "three times"
    is "$(rows fft-pub.cll.0.dat f)" 18 "3 sizes, 3 times, 2 processors"
    is "$(values fft-pub.cll.0.dat f N)" "1024 2048 4096 " sizes
    runs 4 ./fft-pub.plain 2097152
    says "the transform is right on all 4 processors" "2 mega"
    refuses 1 'up to 2097152' ./fft-pub.plain 4194304
    refuses 1 'TIMES at least 1' ./fft-pub 1024 0
    compile binsearch-pub
    runs 4 ./binsearch-pub 64 256 2
    says "the search is right" "two times"
    is "$(rows binsearch-pub.cll.0.dat bbp)" 24 "3 sizes, 2 times, 4 processors"
    refuses 1 'usage: binsearch-pub' ./binsearch-pub 64 256 0
    # a wrong answer is noticed
    sed 's/found\[i\] = at < 0 ? -1 : first_key + at/found[i] = at < 0 ? -1 : first_key + at + (i == 7)/' binsearch-pub.c >wrong.c
    cmp -s binsearch-pub.c wrong.c && fail "the search is written in another way"
    "$mpicc" -O2 -w -I"$CLL_SOURCE/include" wrong.c -o wrong -L"$CLL_BUILD/lib" -lpub_openmpi
    ! run 2 ./wrong 64 64 || fail "a wrong key is accepted"
    says "the search is wrong" "with a wrong key"
    sed 's/new_m += bspmsg_size(msg)/new_m += -4 + bspmsg_size(msg)/' binsearch-pub.c >wrong.c
    cmp -s binsearch-pub.c wrong.c && fail "the search is written in another way"
    "$mpicc" -O2 -w -I"$CLL_SOURCE/include" wrong.c -o wrong -L"$CLL_BUILD/lib" -lpub_openmpi
    ! run 2 ./wrong 64 64 || fail "a lost query is accepted"
    says "the search is wrong" "with a lost query"
}

h_relations_have_patterns() {
    compile h-relation
    local k=0
    for pattern in shift exchange random oneway gather; do
        CLL_OUT=$pattern.dat runs 3 ./h-relation 1 64 $pattern
        is "$(values $pattern.dat comm pattern)" "$k " "number of $pattern"
        k=$((k + 1))
    done
    is "$(values shift.dat comm h)" "32 256 " "max of a shift"
    is "$(values shift.dat comm sum)" "64 512 " "sum of a shift"
    is "$(values oneway.dat comm sum)" "32 256 " "sum, one way"
    is "$(values gather.dat comm sum)" "32 256 " "sum of a gather"
    is "$(values exchange.dat comm sum)" "64 512 " "sum of an exchange"
    refuses 2 'PATTERN shift, exchange, random, oneway or gather' ./h-relation 1 64 scatter
}

# The skeleton of the transform costs what its comment says, exactly: fitted up to 8 processors, it is known for 32.
skeleton_of_the_transform_is_exact() {
    need_simulator
    "$call" cc smpicc -O1 -Wall -Wextra -Werror "$studies/fft/skeleton.c" -o skeleton || fail "it does not compile"
    for p in 1 2 4 8 32; do CLL_OUT=skeleton.$p.dat simulates $p ./skeleton 8192; done
    "$llac" -e 'fit f; table f against skeleton.32.dat' skeleton.[1248].dat >table || fail "llac"
    is "$(awk '$2 == 32 {print $7}' table | sort -u)" 0.00 "errors at 32"
    # 10 N log2(N) operations at 1e10 per second
    "$llac" --json -e 'fit G' skeleton.[1248].dat | grep -o '"G\[1\]","pieces":\[{"value":[^,]*' | cut -d: -f3 >G
    awk '{exit !($1 * log(2) > 0.9999e-9 && $1 * log(2) < 1.0001e-9)}' G || { cat G >&2; fail "G[1]"; }
}

# study NAME: prepared here, measured in another folder without call and llac, reported here
study() {
    mpi_library openmpi
    export SMALL=1 PROBE=0 MPICC=$mpicc MPIRUN=${launcher%% *} CALL=$call LLAC=$llac
    exits 0 "$studies/$1/study" prepare "there/$1"
    ! grep -rl "$PWD" there || fail "a prepared file has a path of this machine"
    exits 1 "$studies/$1/study" report "there/$1"
    has_text err "data has no"
    (CALL=none LLAC=none exits 0 sh "there/$1/study" measure "there/$1" --seconds 1)
    has_text "there/$1/data/about.txt" "failed runs: 0"
    exits 0 "$studies/$1/study" report "there/$1"
}

study_fft() {
    study fft
    is "$(grep -c '^ *[0-9]\{4,\}  *[124]  *[0-9.e-]* |.*|.*|' out)" 9 "sizes left out"
    is "$(grep -c '^ *[124]  *[0-9.]* |.*|.*|.*|.*|' out)" 3 "rows of table 3"
    has_text out "sizes by their neighbours"
    need_simulator
    export SIMULATED="1 2 4 8" PLATFORMS=fast
    exits 0 "$studies/fft/study" simulate there/fft
    exits 0 "$studies/fft/study" report there/fft
    has_text out Simulated
}

study_binsearch() {
    study binsearch
    is "$(grep -c '^ *[124] *[0-9]* *[0-9.]* |' out)" 3 "rows of table 2"
    is "$(grep -c '^ *[124]\( *[-0-9.]*\)\{7\}$' out)" 3 "shares of the blocks"
}

study_h_relations() {
    study h-relations
    is "$(grep -c '^ *[24] [a-z]* *| ' out)" 12 "lines of the patterns"
    has_text out 'Table 1, pattern shift, mean'
    has_text out 'intervals on P'
}

study_equation_8() {
    study equation-8
    # supersteps and formula are the same, with their intervals; the paper has four rows
    awk -F '|' '$4 ~ /\[/ { n++; split($4, a, " "); split($5, b, " "); if (a[1] != b[1] || a[2] != b[2] || a[3] != b[3] || a[2] ~ /-/) bad = 1 }
        END { exit bad || n != 2 }' out || { cat out >&2; fail "supersteps and formula differ"; }
    is "$(grep -c '^ *[0-9]* | *[0-9.]* *[0-9.]* *[-0-9.]* |' out)" 4 "rows of the paper"
    has out '^ *2 *1048576 | *2.5285 | *2.2197   \[2.0294, 2.4100\]$'
}

study_matinit() {
    study matinit
    has_text out 'jumping[2]'
    has out '^walking *[0-9]* sizes left out: error median [0-9.]* %'
}

study_imbalance() {
    study imbalance
    is "$(grep -c '^ *[24] *[124] |' out)" 6 "rows"
    need_simulator
    SIMULATED="2 4" exits 0 "$studies/imbalance/study" simulate there/imbalance
    exits 0 "$studies/imbalance/study" report there/imbalance
    # the model is right to 5 % on a machine that costs what the model says
    sed '1,/^Simulated/d' out | awk '$1 ~ /^[24]$/ { n++; if ($6 > 5 || $6 < -5) bad = 1 } END { exit bad || n != 8 }' ||
        { cat out >&2; fail "simulated"; }
}

study_skeletons() {
    study skeletons
    has out '^farm *4 |'
    has out '^pipeline2 *4 |'
    need_simulator
    exits 0 "$studies/skeletons/study" simulate there/skeletons
    exits 0 "$studies/skeletons/study" report there/skeletons
    sed '1,/^Simulated/d' out | awk '/^simulated/ { n++; if ($6 > 5 || $6 < -5) bad = 1 } END { exit bad || n != 4 }' ||
        { cat out >&2; fail "simulated"; }
}

studies_report_wrong_use() {
    exits 2 "$studies/fft/study"
    has_text err 'usage: study prepare|measure|simulate|report DIR'
    exits 2 "$studies/fft/study" measure x --rounds 3
    exits 2 "$studies/fft/study" frobnicate x
    exits 1 env LLAC=./nosuch "$studies/fft/study" report x
    has_text err 'there is no ./nosuch; set LLAC to its path'
    exits 2 "$studies/all"
    has_text err 'usage: all'
}

# points NAME...: of examples/studies/papers, in out; none may fail
points() {
    mpi_library openmpi
    CALL=$call LLAC=$llac CC=${CC:-cc} MPICC=$mpicc MPIRUN=${launcher%% *} exits 0 "$studies/papers" "$@"
    lacks out FAILED
}

points_of_the_papers_come_out() {
    need gnuplot
    points names no-cll wrong-cll statistics search-errors search-figure search-costs table-3 summary
    has out '^  here:  g = 4.50e-06 s per word$'
    has out '^  here:  -0.30 % (P = 1)  1.82 % (P = 2)  3.77 % (P = 4)  6.36 % (P = 8)  8.67 % (P = 16)  7.71 % (P = 32)'
    has out '^  here:  Predicted  *26468  *31757  *0.83  *328758  *182902  *1.80$'
    has out '^  here:  fft.call.0.dat fft.call.c fft.call.h and call.h$'
    has out "^  here:  refused in line [0-9]*: .*write 'cll parallel' in place of 'parallel'$"
    has out "^  here:  refused in line [0-9]*: .*write 'cll' in place of 'll'$"
    has out '^  here:  2.11 % (p = 2)  -15.28 % (p = 4)  -8.44 % (p = 8)  -23.04 % (p = 16)'
    has out '^  here:  p = 16: real 2.1855 s, inferred 2.689 s$'
    # the average difference of any samples is at most their standard deviation
    sed -n 's/.*average difference \([0-9.]*\) us, standard deviation \([0-9.]*\) us/\1 \2/p' out | awk '{exit !($1 <= $2 && $2 > 0)}' ||
        fail "the statistics"
}

models_of_the_papers_come_out() {
    need gnuplot
    points share there instructions equation-8 many what-if bound
    has out '^  here:  warning: the fit needs [4-9] intervals on N: the formula may be wrong$'
    has out '^  here:  OBSP\*, s: 5  *0.00$'
    has out '^  here:  OBSP\*, s: 4.5[0-9]*  *typical \[4.4[0-9]*, 4.5[0-9]*\]'
    has out '^  here:  [0-9.e-]* s   typical \[0, [0-9.e-]*\]   95 %$'
    has out '^  here:  f\[1\] .* N/P in \[256, 8192\]$'
    has out '^  here:      (64, 512\] .* L2 '
    has out '^  here:  cycles: 264349; with 497 for a butterfly as printed: 263325; printed: 263325$'
    sed -n 's/.*here:  p = [28]: obsp \([^ ]*\) s, define \([^ ]*\) s$/\1 \2/p' out |
        awk '{ d = $1 - $2; n++; if (d * d > 1e-18 * $1 * $1) exit 1 } END { exit n != 2 }' || fail "equation (8)"
}

counts_and_pieces_of_the_papers_come_out() {
    need valgrind
    need gnuplot
    points statements visible misses guess graph diagrams
    has out 'figure-5.svg'
    # a column of 880 lines fits into 64 KB
    has out '^  here:  xeon-16, N = 880: [3-9][0-9.]* % of the accesses of jumping'
    has out '^  here:  neoverse-2, N = 880: [1-9][0-9]*[.][0-9] % of the accesses of jumping'
    has out '^  here:  jumping on neoverse-2: .* s (overlapped) to .* s$'
    has out '^  here:  butterflies: C = C(1) + n\*C(2)$'
    has out '^  here:  walking\[2\], per unit of N^2: '
    has out '^  here:  jumping\[2\] '
}

points_of_the_papers_with_libraries_come_out() {
    mpi_library openmpi cll_pub
    points obl-sync papi argument program-2 parix procs figure-1
    has out '^  here:  refused in line [0-9]*: parDandCFFT(A, a, W, N, 1, D, gbsp);$'
    has out '^  here:  refused in line [0-9]*: static Void bin_search'
    has out '^  here:  refused in line 5: #include<sys/root.h>$'
    has out '^  here:  fft.call.sh runs the program on 1 2 4 8 16 32 processors$'
    has out '^  here:  OBSP\*: oblivious 5 w, with barriers 6 w$'
    has out '^  here:  the transform is right on all 2 processors$'
    has out '^  here:  counters of this machine, without a pragma: '
}

points_of_the_papers_have_rows_on_their_page() {
    exits 0 "$studies/papers" --list
    is "$(sed -n 's/^| `\([-a-z0-9]*\)` |.*/\1/p' "$CLL_SOURCE/docs/results/papers.md" | sort)" "$(sort out)" "rows of the page"
    CALL=$call LLAC=./nosuch exits 1 "$studies/papers" share
    is "$(cat err)" 'papers: there is no ./nosuch: install CALL, or add the folder of its programs to PATH' 'a missing program'
    CALL=$call LLAC=$llac exits 2 "$studies/papers" nosuch
    has_text err "papers: there is no point 'nosuch'"
    # a point that fails, and one that prints nothing
    sed 's/^point names .*/point a 0 text false\npoint b 0 text true/' "$studies/papers" >papers
    export CALL=$call LLAC=$llac
    exits 1 bash papers a
    has out 'FAILED (exit status 1)'
    exits 1 bash papers b
    has out 'FAILED (exit status 0)'
}

main "$1"
