# SPDX-License-Identifier: GPL-3.0-or-later
# obsp with fitted experiments: in notations, in the values of the command, in the place of measured times of a trace.
. "$CLL_SOURCE/tests/llac/setup.sh"
need python3

# The blocks of the parallel binary search. A costs half as much again beyond m = 65536; raw has no formula.
{
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-12\n'
    for e in A C; do printf '# experiment: %s\n# variables: %s m\n# formula: %s CLOCK %s[0]*m + %s[1]\n' $e $e $e $e $e; done
    for e in B D; do printf '# experiment: %s\n# variables: %s m\n# formula: %s CLOCK %s[0]\n' $e $e $e $e; done
    printf '# experiment: S\n# variables: S m n\n# formula: S CLOCK S[0] + S[1]*m*log2(n)\n'
    printf '# experiment: comm\n# variables: comm h\n# formula: comm CLOCK comm[0] + comm[1]*h\n'
    printf '# experiment: raw\n# variables: raw m\n# experiment: wild\n# variables: wild m\n# formula: wild CLOCK wild[0] + wild[1]*m\n'
    printf 'experiment run seq start nested P rank thread count m n h CLOCK\n'
    # rand() differs between awks
    awk 'function e() { state = state * 16807 % 2147483647; return 1 + 0.02 * (state / 2147483647 - 0.5) }
    function row(name, m, n, h, t) { printf "%s %d %d 0 0 4 0 0 1 %s %s %s %.12g\n", name, run, seq++, m, n, h, t * e() }
    BEGIN { state = 3
        for (m = 1024; m <= 1048576; m *= 2) for (run = 0; run < 4; run++) {
            row("A", m, "nan", "nan", 1e-5 + (m > 65536 ? 12e-8 : 8e-8) * m)
            row("C", m, "nan", "nan", 1e-5 + 2e-8 * m)
            row("B", m, "nan", "nan", 5e-4)
            row("D", m, "nan", "nan", 2e-4)
            row("raw", m, "nan", "nan", 1)
            row("wild", m, "nan", "nan", 1e-3 * (1 + m % 7))
            row("S", m, m, "nan", 1e-5 + 2e-8 * m * log(m) / log(2))
            row("comm", "nan", "nan", 2 * m, 1e-4 + 6e-9 * 2 * m)
        } }'
} >blocks.dat
cat >search.obsp <<'END'
param P = 4
param m = 2^19
param n = m
proc search()
    work A(m=m)
    send mod(i + P/2, P) : 4*m/2
    sync
    work C
    if P > 2
        work B
        split in 2
            search()
            work D
        end
    else
        work S
    end
end
search()
END
# values EXPRESSION COMMANDS: true over the list j of what the commands print with --json
values() {
    what=$1
    exits 0 "$llac" --json -e "$2" blocks.dat
    empty err
    python3 -c '
import json, sys
near = lambda a, b: abs(a - b) <= 1e-6 * abs(b)
j = [json.loads(line) for line in open("out")]
same = lambda a, b: near(a["obsp"], b["value"]) and near(a["interval"]["low"], b["low"]) and near(a["interval"]["high"], b["high"]) and \
    near(a["interval"]["standard_error"], b["standard_error"]) and b["low"] < b["value"]
sys.exit(0 if eval(sys.argv[1]) else 1)' "$1" || fail "not true: $(cut -c1-300 out)"
}
notation() { printf '%b' "$1" >n.obsp; }

# Equation (8) of the paper on the Parsytec machine, corrected: by supersteps and as a composition. A[0] has two values, one beyond
# m = 65536; at P = 2 neither B nor D is needed.
eq8='define eq8(m, P) = log2(P)*(A(m=m) + comm[1]*2*m + comm[0] + C(m=m)) + (log2(P) - 1)*(B + D) + S(m=m, n=m)'
values 'same(j[1], j[2]) and same(j[3], j[4]) and same(j[5], j[6]) and len(j[1]["interval"]["parts"]) == 6' \
    "$eq8; obsp search.obsp m=2^18 P=8 g=comm[1] L=comm[0]; predict eq8 m=2^18 P=8
     obsp search.obsp m=4096 P=16 g=comm[1] L=comm[0]; predict eq8 m=4096 P=16
     obsp search.obsp m=2^18 P=2 g=comm[1] L=comm[0]; predict eq8 m=2^18 P=2"

# The same experiment in several places, through names, arguments, parameters and the command, varies together; so do processors.
notation 'param P = 4\nparam c = A[0](m=1024)\nparam d\nproc twice(x)\n work x\n work x\nend\nt = A(m=2048)\nwork t\nsync\ntwice(3*t)\nwork 1e6*c + d\n'
values 'same(j[1], j[2])' 'define all = 7*A(m=2048) + 1e6*A[0](m=1024) + 4*A(m=4096) + 0.001; obsp n.obsp d=4*A(m=4096) g=0 L=0.001; predict all'
# also in a sum and in a definition; W*F multiplies what comes from a model
notation 'param P = 2\nwork sum(k, 0, 3, A(m=1024*2^k))\nwork both(m=1024)\n'
values 'same(j[2], j[3])' 'define both(m) = A + C; define all = 3*(sum(k, 0, 3, A(m=1024*2^k)) + both(m=1024)); obsp n.obsp g=0 L=0 W*3; predict all'
# nothing to do: no superstep
notation 'param P = 4\nwork 0*A(m=1024)\n'
values 'j[0]["obsp"] == 0 and j[0]["supersteps"] == []' 'obsp n.obsp g=0 L=0'
# only what is on the critical path counts; plain work has no interval
notation 'param P = 2\nwork A(m=1024) if i == 0\nwork 1 if i == 1\nsync\n'
values 'j[0]["interval"] is None and near(j[0]["obsp"], 1)' 'obsp n.obsp g=0 L=0'
# a name of the file comes before an experiment
notation 'param P = 1\nparam A[0] = 3\nparam C = 4\nwork A[0] + C\n'
values 'near(j[0]["obsp"], 7) and j[0]["interval"] is None' 'obsp n.obsp g=0 L=0'
# the measured values are wild: no time is negative
notation 'param P = 1\nwork wild(m=1048576*64)\n'
values 'j[0]["interval"]["low"] == 0 and j[0]["interval"]["high"] > 2*j[0]["obsp"]' 'obsp n.obsp g=0 L=0'
# what is multiplied by 0, or not executed, is not asked
notation 'param P = 2\nwork A(m=1024) + (log2(P) - 1)*(X[0] + Y(m=3))\nif P > 2\n work Y(m=3)\nend\n'
values 'same(j[1], j[2])' 'define a = A(m=1024); obsp n.obsp g=0 L=0; predict a'

# text
good 'obsp search.obsp m=2^18 P=8 g=comm[1] L=comm[0]' blocks.dat
has out '^    OBSP\*  *0.2[0-9]*   typical \[0.2[0-9]*, 0.2[0-9]*\]   95 %$'
# the interval has as many digits as the time: it contains what is printed
notation 'param P = 1\nwork 4.0001 + A(m=1024)/10\n'
good 'obsp n.obsp g=0 L=0' blocks.dat
has out '^    OBSP\*  *4.00011   typical \[4.00011, 4.00011\]   95 %$'
good 'obsp search.obsp m=2^22 g=1e-9 L=1e-5' blocks.dat
has_text out '    A: m is 4 times beyond the data'

# what is wrong, with its place, and what there is
wrong() { # wrong NOTATION MESSAGE [WORDS]
    notation "$1"
    bad "obsp n.obsp g=0 L=0 ${3:-}" "$2" blocks.dat
}
have='the data has A, C, B, D, S, comm, raw, wild'
wrong 'param P = 2\nwork X(m=3)\n' "n.obsp:2:6: error: there is neither an experiment nor a definition 'X': $have"
wrong 'param P = 2\nwork X(3)\n' "n.obsp:2:6: error: there is no function, experiment or definition 'X': $have"
wrong 'param P = 2\nwork 1 + X[3]\n' "n.obsp:2:10: error: there is neither an experiment nor a definition 'X': $have"
wrong 'param P = 2\nwork P*X(m=3)\n' "n.obsp:2:8: error: there is neither an experiment nor a definition 'X': $have"
wrong 'param P = 2\nwork lgo2(P)\n' "n.obsp:2:6: error: there is no function 'lgo2'; did you mean 'log2'?"
notation 'param P = 2\nwork X(m=3)\n'
exits 1 "$llac" -e 'obsp n.obsp g=0 L=0'
has_text err "n.obsp:2:6: error: there is no function, experiment or definition 'X': no data is loaded"
wrong 'param P = 2\nwork raw(m=3)\n' "n.obsp:2:6: error: raw has no formula for CLOCK: give one, 'fit raw = raw[0] + raw[1]*...'"
wrong 'param P = 2\nparam c = A[5]\nwork c\n' 'n.obsp:2:11: error: A has no constant 5: its formula is A[0]*m + A[1]'
wrong 'param P = 2\nwork A\n' 'n.obsp:2:6: error: A needs a value of m here: write A(m=...), or give m a value above'
wrong 'param P = 2\nwork A(m=k)\n' "n.obsp:2:10: error: there is no 'k' here; declare it as a parameter"
wrong 'param P = 2\nwork k\n' "'k = ...', above; it is no experiment or definition: $have"
wrong 'param P = 2\nwork 1 + A(M=3, m=1)\n' "n.obsp:2:10: error: A has no variable 'M'"
wrong 'param P = 2\nsend 0 : A(m=3)\nsync\n' 'n.obsp:2:10: error: this depends on what an experiment predicts, which is uncertain'
wrong 'param P = 2\nt = A(m=3)\nfor k = 1 to t\nend\n' 'n.obsp:3:14: error: this depends on what an experiment predicts'
wrong 'param P = 2\nwork 1 if A(m=3) > C(m=3)\n' 'n.obsp:2:11: error: A(m=3) > C(m=3) compares what models predict'
wrong 'param P = A(m=3)\nwork 1\n' 'n.obsp:1:7: error: the number of processors cannot depend on an experiment'
wrong 'work 1\n' 'the number of processors cannot depend on an experiment' 'P=A(m=3)'
wrong 'param P = 2\nwork A(m=1024) - C(m=1048576)\n' 'n.obsp:2:6: error: a time cannot be negative'
wrong 'param P = 2\nparam c\nwork c\n' 'A has no constant 5: its formula is A[0]*m + A[1]' 'c=A[5]'
wrong 'param P = 2\nparam c\nwork c\n' "there is neither an experiment nor a definition 'X': $have" 'c=X(m=3)'

# A trace: figure 1, where w is a second and 100 bytes take w. Processor 0 computes 1 s and 2 s, processor 1 computes 2 s and 1 s.
cat >figure1.trace <<'END'
# pub trace 1
# processes: 2
process object pid nprocs step kind work calls wait transfer out in sent received partners end
0 m 0 2 1 oblsync 900000000 100000000 0 1000000000 100 0 1 0 - 2000000000
0 m 0 2 2 oblsync 2000000000 0 0 1000000000 100 100 1 1 1 5000000000
1 m 1 2 1 oblsync 2000000000 0 0 1000000000 0 100 0 1 0 3000000000
1 m 1 2 2 oblsync 1000000000 0 500000000 500000000 100 100 1 1 0 5000000000
END
costs='g=0.01 L=0'
values 'near(j[0]["obsp"], 4.5) and near(j[0]["bsp"], 5) and j[0]["what_if"] and j[0]["interval"] is None and j[0]["error_pct"] is None' \
    "obsp figure1.trace $costs replace 2 by W/2"
values 'near(j[0]["obsp"], 8) and near(j[1]["obsp"], 13)' "obsp figure1.trace $costs replace 1 to 2 by 3; obsp figure1.trace $costs replace 1 by 4 + i replace 2 by 3*P"
# a part of the computing, by another model; and all of it
values 'same(j[1], j[2])' "define all = 1 + 2*1 + 2 - C(m=65536) + 100*A(m=1024); obsp figure1.trace $costs replace 2 by W - C(m=65536) + 100*A(m=1024); predict all"
values 'same(j[1], j[2])' "define all = 2*(10*A(m=1048576) + 1); obsp figure1.trace $costs replace 1 to 2 by 10*A(m=1048576); predict all"
# the costs of a model
values 'same(j[1], j[2])' "define all = 3 + 2*(100*comm[1] + comm[0]); obsp figure1.trace g=comm[1] L=comm[0]; predict all"
# inside groups, and in the part after the last synchronisation
awk 'BEGIN {
    print "# pub trace 1\n# processes: 2\nprocess object pid nprocs step kind work calls wait transfer out in sent received partners end"
    for (p = 0; p < 2; p++) {
        print p, "m.1:" p, 0, 1, 1, "partition", 1000000, 0, 0, 0, 0, 0, 0, 0, "-", 1000000
        print p, "m.1:" p, 0, 1, 1, "done", 2000000, 0, 0, 0, 0, 0, 0, 0, "-", 3000000
        print p, "m", p, 2, 1, "sync", 3000000, 0, 0, 1000000, 8, 8, 1, 1, 1 - p, 7000000
        print p, "m", p, 2, 2, "done", 4000000, 0, 0, 0, 0, 0, 0, 0, "-", 11000000
    }
}' >groups.trace
values 'near(j[0]["obsp"], 0.011) and near(j[1]["obsp"], 0.008) and near(j[2]["obsp"], 0.012) and len(j[0]["supersteps"]) == 2' \
    "obsp groups.trace g=0 L=0.001; obsp groups.trace g=0 L=0.001 replace 1 by W/2; obsp groups.trace g=0 L=0.001 replace 2 by 0.005"
bad 'obsp figure1.trace replace 3 by 1' 'figure1.trace has 2 supersteps' blocks.dat
bad 'obsp figure1.trace replace 2 by W - 7' 'a time cannot be negative, and this is -5 s in superstep 2, where 2 s were measured; use max' blocks.dat
bad 'obsp figure1.trace replace 1 by 1 replace 1 to 2 by 3' 'superstep 1 is replaced twice' blocks.dat
bad 'obsp figure1.trace replace 1 by N' "'N' has no value here; only experiments, W (the measured time), P and i may be used" blocks.dat
bad 'obsp figure1.trace replace 0 by 1' 'the number of a superstep is expected here, from 1' blocks.dat
bad 'obsp figure1.trace replace 2 to 1 by 1' 'the last superstep, 1, is before the first one, 2' blocks.dat
bad 'obsp figure1.trace replace 1' "the word 'by' is expected here: replace 1 by FORMULA" blocks.dat
bad 'obsp figure1.trace replace 1 by' 'a formula is missing here' blocks.dat
bad 'obsp figure1.trace replace 1 by A' 'A needs a value of m here' blocks.dat
bad 'obsp figure1.trace skip 1 replace 1 by 3' 'superstep 1 is skipped, and taken as measured: it cannot be replaced' blocks.dat
bad 'obsp search.obsp replace 1 by 3 g=1 L=1' 'a notation states its times itself' blocks.dat
finish
