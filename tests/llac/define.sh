# SPDX-License-Identifier: GPL-3.0-or-later
# Compositions: define, what other commands do with definitions, derive; observables in let and where.
. "$CLL_SOURCE/tests/llac/setup.sh"

# Blocks A, B and C of a program f, which takes 3 A + 1.5 B + C(n = N/P); C costs twice as much beyond n = 4096.
{
    printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-12\n'
    for e in A B f; do printf '# experiment: %s\n# variables: %s N\n' $e $e; done
    printf '# formula: A CLOCK A[0] + A[1]*N\n# formula: B CLOCK B[0]*N*log(N)\n# formula: f CLOCK f[0] + f[1]*N + f[2]*N*log(N)\n'
    printf '# experiment: C\n# variables: C n\n# formula: C CLOCK C[0]*n\n'
    printf 'experiment run seq start nested P rank thread count N n CLOCK\n'
    # rand() differs between awks
    awk 'function e() { state = state * 16807 % 2147483647; return 1 + 0.002 * (state / 2147483647 - 0.5) }
    BEGIN { state = 3
        for (n = 512; n <= 65536; n *= 2) for (run = 0; run < 3; run++) {
            printf "A %d %d 0 0 1 0 0 1 %d nan %.12g\n", run, seq++, n, (1e-5 + 2e-9 * n) * e()
            printf "B %d %d 0 0 1 0 0 1 %d nan %.12g\n", run, seq++, n, 1e-9 * n * log(n) * e()
            printf "C %d %d 0 0 1 0 0 1 nan %d %.12g\n", run, seq++, n, (n > 4096 ? 8e-9 : 4e-9) * n * e()
            for (p = 1; p <= 4; p *= 2)
                printf "f %d %d 0 0 %d 0 0 1 %d nan %.12g\n", run, seq++, p, n,
                    (3 * (1e-5 + 2e-9 * n) + 1.5e-9 * n * log(n) + (n / p > 4096 ? 8e-9 : 4e-9) * n / p) * e() } }'
} >blocks.dat
number() { tail -1 out | sed "s/.*\"$1\":\([^,}]*\)[,}].*/\1/"; } # of a key, its last one
close_to() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b * 0.998 && a < b * 1.002) }' || fail "$1 is not $2"; }

# Versions and values of a variable: f@LABEL, f@VAR=VALUE.
. "$CLL_SOURCE/tests/llac/version_data.sh"
version before.dat 1 1 "$old"
version after.dat 1.5 3 "$new"
version v1-2.dat 2 4 "$new"
exits 0 "$llac" --json -e 'load before.dat; merge after.dat; define slower = sort@after[1]/sort@before[1]; predict slower' before.dat
what='a ratio of constants of two versions'
awk -v x="$(number value)" 'BEGIN { exit !(x > 1.47 && x < 1.53) }' || fail "$(number value) is not 1.5"
has_text out '"parts":[{"experiment":"sort@after","share":'
exits 0 "$llac" -e 'define gain(N) = sort@after - sort@before(N=N); predict gain N=64000; explain gain N=64000; show gain; table gain' before.dat after.dat
has_text out '  uses the experiments sort@after, sort@before'
has out '^  sort@before  *-0.000[0-9]* '
has out '^  error: mean 0.[0-9]* %' # the difference of the measured values, at the points of both
exits 0 "$llac" -e 'define d = sort@v1-2[1]-sort@before[1]; predict d; define e = sort@"v1-2"; predict e N=9000' before.dat v1-2.dat
has_text out 'define e = sort@"v1-2"'
exits 0 "$llac" -e 'derive sort@after from sort@before, 1.5*scan@after' before.dat after.dat
has out '^  sort@before  *[67][0-9.]* %'
has_text out 'the difference is within the uncertainty of the blocks'
bad 'load before.dat; merge after.dat; define c = sort@nosuch; predict c N=9' "there is no experiment 'sort@nosuch': the data has sort@before, scan@before, sort@after, scan@after" before.dat
bad 'load before.dat; merge after.dat; define c = 2*sort; predict c N=9' 'sort has several versions: name one, sort@before, sort@after' before.dat
bad 'load before.dat; merge after.dat; define c = sort[1]; predict c' 'sort has several versions: name one' before.dat
bad 'load before.dat; merge after.dat; define sort = 3' "'sort' is an experiment: choose another name" before.dat
bad 'load before.dat; merge after.dat; fit sort@after = sort@after[0]*N' "the formula of an experiment has its plain name, f[0]" before.dat
bad 'define c = sort@before[5]; predict c' 'sort@before has no constant 5: its formula is sort[0] + sort[1]*N' before.dat
bad 'define c = A@N=7; predict c n=1' "no sample of A has N = 7; 'show A' lists its points" blocks.dat
bad 'define c = A@nosuch=7; predict c n=1' "A has no variable 'nosuch'" blocks.dat
exits 0 "$llac" --json -e 'fit f = f[0]*N; define c = f@P=1[0]/f@P=4[0]; predict c; define g = f@"P=2^1"(N=N)/f@P=2; predict g N=4096' blocks.dat
what='values of a variable'
is "$(number value)" 1 'the same samples, named in two ways'

define='define whole(N, P) = 3*A + B + C(n=N/P)'
# The right piece of a constant, at its place: C[0] is 4e-9 up to n = 4096, 8e-9 beyond.
exits 0 "$llac" --json -e 'define c(n) = C[0]; predict c n=1024,32768' blocks.dat
what='pieces'
close_to "$(tail -1 out | sed 's/.*"n":1024},"value":\([^,]*\),.*/\1/')" 4e-9
close_to "$(tail -1 out | sed 's/.*"n":32768},"value":\([^,]*\),.*/\1/')" 8e-9
# Inside a sum the user says where: n = N/2^i is 16384, 8192, 4096.
exits 0 "$llac" --json -e 'define levels(N) = sum(i, 0, 2, C[0](n=N/2^i)*N/2^i); predict levels N=16384' blocks.dat
close_to "$(number value)" 0.000212992
bad 'define c(N) = C[0]; predict c N=9' 'C needs a value of n here: write C(n=...), or make n a parameter of c' blocks.dat

# Comparisons of variables are 1 or 0; those of predictions have no interval.
exits 0 "$llac" --json -e 'define c(n) = (n > 4096)*C(n=n) + (n <= 4096)*7; predict c n=1024,32768' blocks.dat
close_to "$(tail -1 out | sed 's/.*"n":1024},"value":\([^,]*\),.*/\1/')" 7
close_to "$(tail -1 out | sed 's/.*"n":32768},"value":\([^,]*\),.*/\1/')" 2.62144e-4
exits 0 "$llac" --json -e 'define c(n) = sum(i, 0, 3, (i != 2)*C(n=n)); predict c n=1024' blocks.dat
close_to "$(number value)" 1.2288e-5
bad 'define c(N) = (A > B)*A; predict c N=1024' 'A > B compares what models predict' blocks.dat
bad 'define d(x) = (x > 1)*3; define c(N) = d(sum(i, 1, 2, A)); predict c N=1024' 'x > 1 compares what models predict' blocks.dat
bad 'define c(N) = A(N >= 3)' 'a value is expected here, not a comparison' blocks.dat
bad 'define c(N) = (N = 3)*A' "write '=='" blocks.dat

# What is multiplied by 0 is not needed: an experiment that was never executed there, on either side; nor are variables given in vain.
good 'define c(P) = 3*A(N=1024) + (log2(P) - 1)*(X[0] + Y(n=3)); predict c P=2; explain c P=2' blocks.dat
has out '^  3.61[0-9]*e-05 s   typical '
good 'define c = 3*A + (X[0] + C + Y(m=k))*(log2(P) - 1); predict c P=2 N=1024 n=3 k=4' blocks.dat
has out '^  3.61[0-9]*e-05 s   typical '
bad 'define c(P) = 3*A(N=1024) + (log2(P) - 1)*(X[0] + Y(n=3)); predict c P=4' "there is neither an experiment nor a definition 'X': the data has A, B, f, C" blocks.dat
bad 'define c = 3*A + X[0]*(P - 1); table c' "there is neither an experiment nor a definition 'X': the data has A, B, f, C" blocks.dat
# a factor that is 0 by its data is uncertain, and so is the product
bad 'define c = (A - A)*X[0]; predict c N=1024' "there is neither an experiment nor a definition 'X'" blocks.dat

# predict, explain, list, show, define
good "$define; predict whole N=8192 P=4" blocks.dat
has out '^  0.000[0-9]* s   typical \[0.000[0-9]*, 0.000[0-9]*\]   95 %$'
exits 0 "$llac" --json -e "$define; predict whole N=8192 P=4" blocks.dat
close_to "$(tail -1 out | sed 's/.*"value":\([^,]*\),"low".*/\1/')" 0.000161162
has_text out '"definition":"whole","at":{"N":8192,"P":4}'
has_text out '"unit":"s"'
has_text out '"parts":[{"experiment":"A","share":'
good "$define; predict whole N=1024:8192:2 P=1,4" blocks.dat
is "$(grep -c '^ *[0-9]* *[14] ' out)" 8 'rows'
good "$define; predict whole N=1048576 P=1" blocks.dat
has_text out '    A: N is 16 times beyond the data'
has_text out '    C: n is 16 times beyond the data'
good "$define; explain whole N=8192 P=4" blocks.dat
has_text out 'contributes     share   ± 95 %'
has out '^  B  *7.3'
good "$define; define e = whole(P=1)/(P*whole); define; list; show whole; show e; define none; define" blocks.dat
is "$(grep -c '^  define whole(N, P) = 3\*A + B + C(n=N/P)$' out)" 3 'definitions after each define'
is "$(grep -c '^  whole(N, P) = 3\*A + B + C(n=N/P)$' out)" 2 'definitions in list and show'
has_text out '      uses the experiments A, B, C'
has_text out '      needs P'
has_text out '  no definitions'
exits 0 "$llac" --json -e "$define; define w = whole; list; show w" blocks.dat
has_text out '{"define":[{"name":"whole","parameters":["N","P"],"formula":"3*A + B + C(n=N/P)"},{"name":"w","parameters":null,"formula":"whole"}]}'
has_text out '"definitions":[{"name":"whole"'
has_text out '"experiments":["A","B","C"]'
# A definition is the same as what it is made of, here where the noise does not grow with the size: constants do not
# know the time that they are a part of.
exits 0 "$llac" --json -e 'define same = A[0] + A[1]*N; predict same N=3000; predict A N=3000' blocks.dat
what='same as the experiment'
for key in value low high; do
    is "$(sed -n 2p out | grep -o "\"$key\":[0-9.e-]*" | cut -c1-16)" "$(sed -n 3p out | grep -o "\"$key\":[0-9.e-]*" | head -1 | cut -c1-16)" $key
done

# table and plot
good "$define; table whole against f" blocks.dat
has_text out 'measured     predicted    error %'
is "$(grep -c '^ *[0-9]* *[124] ' out)" 24 'points of f'
good 'define e = f(P=1)/(P*f); table e' blocks.dat
has out '^ *512 *1 *1 *1 *0.00$'
has out '^ *512 *4 *0.2'
sed 's/^# program.*//' blocks.dat >again.dat
good "$define; where N > 512; table whole against f in again.dat" blocks.dat
has out '^ *512 *4 '
good "$define; table whole" blocks.dat
has out '^ *512 *3.8'
bad 'define k(N) = A[0] + A[1]*N; table k' "k has no measured values of its own: name the experiment to compare it with, 'table k against NAME'" blocks.dat
bad "$define; table whole against" 'the name of an experiment is expected here: against NAME [in FILE]' blocks.dat
bad "$define; table whole against f in" 'the name of a file is missing: in FILE' blocks.dat
bad "$define; table whole against nosuch in again.dat" "again.dat has no experiment 'nosuch'" blocks.dat
bad "$define; table whole against g" "there is no experiment 'g'" blocks.dat
exits 0 "$llac" --json -e "$define; plot whole over P against f; plot whole N=1024:65536 P=2,4; define e = f(P=1)/f; plot e over P" blocks.dat
what='plots as JSON'
has_text out '"definition":"whole","unit":"s","over":"P","file":null,"series":[{"label":"N=512","measured":[[1,'
has_text out '"over":"N","file":null,"series":[{"label":"P=2","measured":[],"curve":[[1024,'
has_text out '"definition":"e","unit":"","over":"P"'
if command -v gnuplot >/dev/null; then
    good "$define; plot whole N=1024:65536 P=2,4 to whole.svg" blocks.dat
    has_text out 'drawn into whole.svg'
    has_text whole.svg '<svg'
    good "$define; plot whole against f linear to whole.svg" blocks.dat
    has_text whole.svg 'whole'
fi
bad "$define; plot whole N=5" 'no variable varies: give the values to plot over' blocks.dat
bad "$define; plot whole N=1:9 over M" "whole has no variable 'M' there" blocks.dat
bad "$define; plot whole N=1:9 against f" "give either it or values of variables" blocks.dat
bad "$define; plot whole to" "the name of a file is missing after 'to'" blocks.dat
bad "$define; plot whole over" "a name is missing after 'over'" blocks.dat

# derive: B takes 1.5 times as long inside f as on its own.
good "$define; derive f from 3*A, B, C(n=N/P)" blocks.dat
has_text out 'B explains 100 % of the difference: if it takes 1.5 times as long as on its'
has out '^  direct:   error mean '
has out '^  composed: error mean '
good "$define; derive f from whole" blocks.dat
has out '^  B explains 100 % of the difference'
good 'define right(N, P) = 3*A + 1.5*B + C(n=N/P); derive f from right' blocks.dat
has_text out 'the difference is within the uncertainty of the blocks'
good 'derive f from 100/N^2 + 0*A' blocks.dat
has_text out 'no block alone explains the difference'
exits 0 "$llac" --json -e 'derive f from 3*A, B, C(n=N/P)' blocks.dat
has_text out '"best":"B"}'
has out '"block":"B","share":0.[0-9]*,"factor":1.\(49\|50\)'
bad 'derive f' "'from' is expected here: derive f from EXPRESSION, ..." blocks.dat
bad 'derive f from' 'an expression is missing' blocks.dat
bad 'derive f from A,,B' 'a number, a variable or a constant is expected' blocks.dat
bad 'derive f from A, B - 1e308' 'the blocks cannot be compared with f: their values are too large or no numbers' blocks.dat
bad 'derive nosuch from A' "there is no experiment 'nosuch'" blocks.dat

# What is written wrong
bad 'define 3 = 4' 'a name is expected here: define NAME = EXPRESSION'
bad 'define a' "'=' is expected here"
bad 'define a =' "an expression is expected after '='"
bad 'define a(N = 3' "')' is expected here"
bad 'define a(3) = 3' 'the name of a variable is expected here'
bad 'define a(N, N) = 3' "'N' is given twice"
for name in fft N log sum CLOCK rank; do bad "define $name = 3" 'choose another name'; done
bad 'let n = N/P; define n = 3' "'n' is defined with 'let': choose another name"
bad 'define n = 3; let n = N/P' "'n' is a definition ('define'): choose another name"
bad 'define a = b; define b = 2*a' "the definition of 'b' is circular: b uses a, a uses b"
bad 'define a = A[0]; predict a' "there is neither an experiment nor a definition 'A': the data has sort, fft, init"
bad 'define a = A(N=3); predict a' "there is neither an experiment nor a definition 'A'"
bad 'define a = fft[7]; predict a' 'fft has no constant 7: its formula is fft[0] + fft[1]*log(P)'
bad 'define a = init; predict a N=3' 'init has no formula for CLOCK'
bad 'define a(N) = N*P; predict a N=3' "'P' is not a parameter of a: add it, 'define a(..., P) = ...'"
bad 'define a(N) = fft; predict a N=3' 'fft needs a value of P here: write fft(P=...), or make P a parameter of a'
bad 'define a = fft; predict a N=3' 'fft needs a value of P here: write fft(P=...), or give P=VALUE'
bad 'define a = N; predict a' 'the prediction needs a value of N: give N=VALUE'
bad 'define a(N) = N; predict a' 'the prediction needs a value of N: give N=VALUE'
bad 'define a = fft; predict a N=3 P=2 Q=1' "a has no variable 'Q': it has N, P"
bad 'define a(N) = N; predict a N=3 Q=1' "a has no variable 'Q': it has N"
bad 'define a = fft(3); predict a' 'fft is over 2 variables: name the variable, fft(P=...)'
bad 'define a = fft(N=3, P=2, K=1); predict a' "fft has no variable 'K'"
bad 'define a(N) = N; define b = a(1, 2); predict b' 'a has 1 parameter'
bad 'define a(N) = N; define b = a(K=2); predict b' 'a has 1 parameter and none is called K'
bad 'define a(N) = N; define b = a; predict b' 'a needs a value of N here: write a(N=...)'
bad 'define a = N; define b = a(2); predict b' 'a has no parameters: name the variable'
bad 'define a = log(N - 3); predict a N=3' 'a has no value there: log(N - 3) with 0'
bad 'define a = sum(i, 0, 1e9, i); predict a' 'has more than 100000 terms'
bad 'define a = lat(8*N); predict a N=3' 'lat() asks the machine, and no machine is in use'
bad 'define a = fft; predict a on CLOCK N=3' "'a' is a definition: it has no observable"
bad 'define a = fft; predict a N=3 P=2 on laptop' "this part of the command is for experiments: 'a' is a definition"
bad 'fit fft = fft[0] + sum(i, 0, 3, N)' "sum() is for definitions: 'define NAME = ...'"
good 'define a = 2^10 + sum(i, 1, 3, i); predict a'
has_text out '  1030'
good 'let n = N/P; define a = n*fft[0] + fft(n=64, P=4); predict a N=64 P=4'
has_text out '0.0001972 s   typical'

# Observables in let and where
good 'let bw = 8*N/CLOCK; show init on bw; fit init = init[0] + init[1]/N on bw; predict init on bw N=3000'
has_text out 'bw falls where CLOCK grows: it is taken where CLOCK is at its 10th percentile'
has_text out 'init bw = init[0] + init[1]/N'
has out '^  7.367e+09 bw   typical'
lacks_text out 'cannot be negative'
good 'let faults = page_faults/N; fit init = init[0] + init[1]/N on faults'
has_text out 'init[0]    2.000000e-03'
good 'let speedup = CLOCK(P=1)/CLOCK; show fft on speedup; fit fft = fft[0]*P on speedup where N > 100000; table fft on speedup'
has out '^ *4096 *1 *5 *1 '
good 'let n = N/P; let rate = n/CLOCK; statistic min; show fft on rate'
what='where CLOCK < 3e-6'
exits 0 "$llac" -e 'where CLOCK < 3e-6; fit init = init[0] + init[1]*N; save few.dat' "$data/demo.dat"
has_text err 'samples are left out by their own CLOCK: percentiles, intervals and points describe the rest'
has_text out '2 points, 16 samples'
has_text out 'warning: a condition leaves samples out by what was measured'
is "$(grep -c '^init' few.dat)" 16 'saved samples'
exits 0 "$llac" -e 'let bw = 8*N/CLOCK; where bw > 7e9 and page_faults < 12; show init' "$data/demo.dat"
is "$(grep -c '^ *[0-9]000 ' out)" 3 'points'
bad 'where CLOK < 3' "no experiment has a variable or an observable 'CLOK'"
what='where speedup'
exits 0 "$llac" -e 'let r = CLOCK(P=1)/CLOCK; where r > 3; show fft; where all; where CLOCK(P=1) > 0.01; show fft on r' "$data/demo.dat"
is "$(grep -c '^ *[0-9]* *[48] ' out)" 11 'points with a speed-up above 3, and those of the largest size'
is "$(grep -c '^ *[0-9]* *[12]  ' out)" 2 'points with smaller P of the largest size'
bad 'where foo(N) > 3' "there is no function and no observable 'foo'"
bad 'let r = foo(N)' "there is no function and no observable 'foo'"
bad 'let r = sum(i, 0, 3, N)' "sum() is for definitions: 'define NAME = ...'"
bad 'let r = CLOCK(3)/CLOCK; show fft on r' 'CLOCK(3): name the variable of the argument, as in CLOCK(P=1)'
bad 'let r = CLOCK(Q=1); show fft on r' "CLOCK(Q=1): fft has no variable 'Q'"
bad 'let r = N/P; fit fft = fft[0] on r' 'r is not an observable of fft: it uses no observable, such as CLOCK'
bad 'let r = N/CLOCK; fit fft = fft[0] + fft[1]*r' "CLOCK is an observable: it can be fitted ('on'), but a formula is over variables"
bad 'let CLOCK = N' "'CLOCK' is an observable in the data"
finish
