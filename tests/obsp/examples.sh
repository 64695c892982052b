# SPDX-License-Identifier: GPL-3.0-or-later
# Notations through llac's obsp: the examples, whose times follow from formulas worked out by hand, and the command itself.
. "$CLL_SOURCE/tests/harness/lib.sh"
need python3
examples=$CLL_SOURCE/examples/obsp
machines=$CLL_SOURCE/examples/machines

# of EXPRESSION FILE ARGUMENTS: the expression over the result j is true
of() {
    local expression=$1 file=$2
    what="$2 $3: $1"
    exits 0 "$llac" --json -e "obsp $file $3"
    empty err
    python3 -c '
import json, math, sys
from math import log2
j = json.load(open("out"))
near = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
is_ = lambda seconds: near(j["obsp"], seconds)
sys.exit(0 if eval(sys.argv[1]) else 1)' "$expression" || fail "is not true: $(head -c 200 out)"
}
# refused ARGUMENTS MESSAGE: obsp fails with the message, which is a part of stderr
refused() {
    what="obsp $1"
    exits 1 "$llac" -e "obsp $1"
    has_text err "$2"
}

figure_1_takes_5w_oblivious_and_6w_with_barriers() {
    of 'is_(5) and near(j["bsp"], 6)' "$examples/figure-1.obsp" 'g=0 L=1'
    of 'is_(6) and near(j["bsp"], 6)' "$examples/figure-1.obsp" 'barrier=1 g=0 L=1'
    of 'is_(6) and near(j["bsp"], 6)' "$examples/figure-1.obsp" 'two_way=1 g=0 L=1'
    # w is also the cost of 8 bytes
    of 'is_(0.1)' "$examples/figure-1.obsp" 'w=0.02 g=0.02/8 L=0'
}

# Equation (8) of the paper, with log2 and the memory of each block in its place
fft_takes_what_the_composed_formula_says() {
    local formula='is_(log2(P)*(A+B+C+E+F0+L) + G0 + G1*(N/P)*log2(N/P) + (F1+16*g)*N*(P-1)/P)'
    local constants='A=1e-7, B=5e-7, C=3e-7, E=2e-7, F0=1e-7, F1=4e-9, G0=1e-6, G1=5e-9, g=2e-9, L=2e-5'
    local p
    for p in 1 2 8 32 1024; do
        of "(lambda P, N, A, B, C, E, F0, F1, G0, G1, g, L: $formula)(P=$p, N=2**21, $constants)" \
            "$examples/fft.obsp" "N=2^21 P=$p g=2e-9 L=2e-5"
    done
    # constants of the user's own fit
    of 'is_(3e-3*1024*10 + 7)' "$examples/fft.obsp" 'N=1024 P=1 G[0]=7 G[1]=3e-3 g=0 L=0'
    refused "$examples/fft.obsp P=3 g=0 L=0" 'xor(i, P/2) with i = 0, P = 3 has no value'
}

# Equation (8) of the paper on PUB and the Parsytec machine, corrected: A[0]*m + A[1]
binary_search_takes_what_the_papers_formula_says() {
    local formula='is_(log2(P)*(A0*m + A1 + g*4*m + L + C0*m/2 + C1) + (log2(P) - 1)*(B + D) + S0 + S1*m*log2(m))'
    local constants='A0=8e-8, A1=1e-5, B=5e-6, C0=4e-8, C1=1e-5, D=2e-6, S0=1e-5, S1=2e-8, g=2.41e-6/4, L=0.00141817'
    local p
    for p in 2 4 16 256; do
        of "(lambda P, m, A0, A1, B, C0, C1, D, S0, S1, g, L: $formula)(P=$p, m=2**21/$p, $constants)" \
            "$examples/binary-search.obsp" "P=$p m=2^21/P g=2.41e-6/4 L=0.00141817 h sum"
    done
    of 'is_(1e-5 + 2e-8*1024*10)' "$examples/binary-search.obsp" 'P=1 m=1024 g=1 L=1'
}

odd_even_sort_takes_p_rounds() {
    of '(lambda n, P: is_(8e-9*n*log2(n) + P*(1e-9*8*n + 1e-5 + 3e-9*n)))(2**18, 64)' \
        "$examples/odd-even-sort.obsp" 'N=2^24 P=64 spread=0 g=1e-9 L=1e-5'
    of 'j["obsp"] < j["bsp"]' "$examples/odd-even-sort.obsp" 'N=2^24 P=64 g=1e-9 L=1e-5'
}

farm_takes_its_rounds() {
    # 240 tasks, 15 workers: 16 rounds; the master sends 15 tasks in each, and gets the last 15 results
    of 'is_(17*1e-5 + 16*1e-3 + 1e-9*(16*15*1024 + 15*64))' "$examples/farm.obsp" 'spread=0 g=1e-9 L=1e-5'
    # four farms with a quarter of the tasks and 3 workers each
    of 'is_(21*1e-5 + 20*1e-3 + 1e-9*(20*3*1024 + 3*64))' "$examples/farm.obsp" 'spread=0 farms=4 g=1e-9 L=1e-5'
    of 'j["obsp"] < j["bsp"]' "$examples/farm.obsp" 'g=1e-9 L=1e-5'
    # the table of the guide
    local farms row=0 input
    for input in 1024 100000; do
        for farms in 1 2 4 8 16; do
            row=$((row + 1))
            what="farms=$farms input=$input"
            exits 0 "$llac" --json -e "obsp $examples/farm.obsp tasks=960 P=64 input=$input farms=$farms g=1e-9 L=1e-5"
            is "$(python3 -c 'import json; print("%.3g" % (1000*json.load(open("out"))["obsp"]))')" \
                "$(grep -h -e '^| tasks of' -e '^| of 100' "$CLL_SOURCE/docs/user/obsp.md" | tr '|' '\n' | grep -x ' [0-9.]* ' |
                    sed -n "${row}p" | tr -d ' ')"
        done
    done
}

pipeline_takes_items_and_stages() {
    of 'is_((100 + 8 - 2)*(1e-3 + 1e-9*8192 + 1e-5) + 1e-3 + 1e-5)' "$examples/pipeline.obsp" 'spread=0 g=1e-9 L=1e-5'
    of 'j["obsp"] < j["bsp"]' "$examples/pipeline.obsp" 'g=1e-9 L=1e-5'
}

initial_times_count() {
    printf 'param P = 2\nstart 3*i\nwork 1\nsend 1 - i : 1 if i == 0\noblsync\n' >start.obsp
    # processor 0 ends at 1 + 2, processor 1 at 4 + 2
    of 'is_(6)' start.obsp 'g=0 L=2'
    printf 'param P = 2\nstart 3*i\nwork 1\nsync\nwork 1 if i == 0\n' >start.obsp
    of 'is_(7)' start.obsp 'g=0 L=2'
}

formulas_ask_the_machine_of_the_command() {
    printf 'param P = 1\nwork 1000*flop()\n' >flop.obsp
    refused 'flop.obsp g=0 L=0' 'flop.obsp:2:11: error: flop() asks the machine, and none is in use'
    of 'j["obsp"] > 0' flop.obsp "on $machines/neoverse-2.json g=0 L=0"
    cp out named
    exits 0 "$llac" --machine "$machines/neoverse-2.json" --json -e 'obsp flop.obsp g=0 L=0'
    is "$(python3 -c 'import json; print(json.load(open("out"))["obsp"] == json.load(open("named"))["obsp"])')" True
}

values_are_formulas_over_values_before_them() {
    printf 'param P\nparam n = 1\nparam A[1] = 1\nwork n*A[1]\n' >v.obsp
    of 'is_(2**18 * 6)' v.obsp 'P=2^2 n=2^20/P A[1]=2*3 g=0 L=0'
    refused 'v.obsp n=2^20/P P=4 g=0 L=0' "'P' has no value here; only what was given before 'n' may be used"
    refused 'v.obsp P=4 P=2 g=0 L=0' "'P' is given twice"
    refused 'v.obsp P=4 g=0 L=0 n=' "the value of 'n' is missing: n=..."
    refused 'v.obsp P=4 n=1/0 g=0 L=0' '1/0 has no value'
    refused 'v.obsp P=4 n=(2 g=0 L=0' "')' is missing here"
    refused 'v.obsp P=4 m=3 g=0 L=0' "v.obsp has no parameter 'm'; its parameters are P, n, A[1]"
    refused 'v.obsp g=0 L=0' "'P' has no value; give it one with the command, P=..., or here, 'param P = ...'"
    refused 'v.obsp P=4 g=0' 'a notation does not state g and L; give both, g=SECONDS L=SECONDS, or a machine, on MACHINE'
    refused 'v.obsp P=4 g=-1 L=0' 'g cannot be negative'
    refused "v.obsp $(for k in $(seq 65); do printf 'a%d=1 ' "$k"; done) g=0 L=0" 'more than 64 values'
    printf 'param P = 1\nparam g = 2\n' >g.obsp
    refused 'g.obsp g=0 L=0' "g.obsp:2:7: error: 'g' belongs to the machine, and is given with the command; choose another name"
    refused 'none.obsp g=0 L=0' 'cannot read none.obsp: No such file or directory'
}

what_if_works_on_notations() {
    of 'is_(10)' "$examples/figure-1.obsp" 'g=0 L=1 W*2 L*2'
    # processor 0: 2 + 1 and 4 + 1
    of 'is_(8)' "$examples/figure-1.obsp" 'g=0 L=1 slower 0 by 2'
}

# Each function and word of the notation is in its reference, and each example is in the guide.
the_reference_is_complete() {
    local page=$CLL_SOURCE/docs/reference/obsp-notation.md guide=$CLL_SOURCE/docs/user/obsp.md name
    for name in $(sed -n 's/^ *{"\([a-z]*\)", [0-9].*/\1/p' "$CLL_SOURCE/src/obsp/notation_functions.c"); do
        has_text "$page" "\`$name("
    done
    for name in $(sed -n '/reserved\[\] = {/,/};/p' "$CLL_SOURCE/src/obsp/notation_text.c" | grep -o '"[a-z]*"' | tr -d '"'); do
        has "$page" "$name"
    done
    for name in "$examples"/*.obsp; do has_text "$guide" "$(basename "$name")"; done
}

# Its outputs are those of its commands. After a change of the output: tests/obsp/guide.py ... --update
the_guide_shows_what_is_printed() {
    cp "$examples"/*.obsp "$examples"/../data/{fft-startup.trace,parsytec-h.dat} .
    printf 'param P = 4\nsend i + 1 : 8\nsync\n' >ring.obsp
    python3 "$CLL_SOURCE/tests/obsp/guide.py" "$CLL_SOURCE/docs/user/obsp.md" "$llac" . >differences || fail "$(cat differences)"
}

# 1,024 processors with 10,000 supersteps each in 200 MB
many_processors_and_supersteps() {
    if [ -z "${CLL_SANITIZE:-}" ]; then ulimit -v 400000; fi
    of 'j["processes"] == 1024 and is_((8977 + 1024 - 2)*(1e-3 + 1e-9*8192 + 1e-5) + 1e-3 + 1e-5)' \
        "$examples/pipeline.obsp" 'P=1024 items=8977 spread=0 g=1e-9 L=1e-5'
}

main "$1"
