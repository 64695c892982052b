# SPDX-License-Identifier: GPL-3.0-or-later
# The listings of the papers (docs/results/listings.md). Where an example has a listing as it is printed but for corrections,
# it runs, and each misprint, put back, gets a message at its line. The others are typed here. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

listing=$CLL_SOURCE/examples/fft-pub.c

# misprint SED-COMMAND [EXAMPLE]: listing.c is the example with a misprint of the papers
misprint() {
    local listing=${2:-$listing}
    sed "$1" "$listing" >listing.c
    ! cmp -s "$listing" listing.c || fail "'$1' changes nothing"
}
# line TEXT: the number of the last line of listing.c that contains it
line() { grep -nF -- "$1" listing.c | tail -1 | cut -d: -f1; }

listings_run_as_printed() {
    mpi_library openmpi cll_pub
    cp "$listing" listing.c
    "$call" cc "$mpicc" -O1 listing.c -o listing -lm 2>err || fail "the listing does not compile"
    for n in 1 2 4; do
        runs "$n" ./listing 2048
        is "$(cat out)" "the transform is right on all $n processors" "output"
    done
    is "$(values listing.cll.2.dat f P)" "4 " "P of the last run"
    for block in A B C D E F; do is "$(rows listing.cll.2.dat $block)" 16 "rows of $block"; done
}

pragma_without_cll_is_an_error() {
    misprint 's/#pragma cll parallel/#pragma parallel/'
    exits 1 "$call" --check listing.c
    has_text err "listing.c:$(line '#pragma parallel'):9: error: this pragma would be ignored: write 'cll parallel' in place of 'parallel'"
    mpi_library openmpi cll_pub
    exits 1 "$call" cc "$mpicc" -O1 listing.c -o listing -lm
    has_text err "write 'cll parallel' in place of 'parallel'"
    gone listing
}

misprint_of_cll_is_an_error() {
    misprint '0,/#pragma cll end D/! s/#pragma cll end D/#pragma ll end D/'
    exits 1 "$call" --check listing.c
    has_text err "listing.c:$(line '#pragma ll end D'):21: error: this pragma would be ignored: write 'cll' in place of 'll'"
}

argument_that_the_function_does_not_have_is_an_error_of_the_compiler() {
    mpi_library openmpi cll_pub
    misprint 's/parDandCFFT(A, a, W, N, 1, gbsp)/parDandCFFT(A, a, W, N, 1, D, gbsp)/'
    exits 1 "$call" cc "$mpicc" -O1 listing.c -o listing -lm
    has err "listing.c:$(line 'W, N, 1, D, gbsp'):.*error"
}

# The text of the paper has bsp_obl_sync, its listings bsp_oblsync.
name_of_oblsync_in_the_text_is_an_error_that_names_the_call() {
    misprint 's/bsp_oblsync(/bsp_obl_sync(/'
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        exits 1 "$compiler" -c -O1 -Wno-unknown-pragmas -I"$CLL_SOURCE/include" listing.c
        has err "error: .*bsp_oblsync"
    done
}

call_h_has_the_names_of_the_paper() {
    mpi_library openmpi cll_pub
    for first in '#include <call.h>\n#include <pub.h>' '#include <pub.h>\n#include <call.h>'; do
        misprint "s/bsp_oblsync(/bsp_obl_sync(/; s/#include <pub.h>/$first/"
        "$call" cc "$mpicc" -c listing.c 2>err || fail "$first does not compile"
    done
    "$call" cc "$mpicc" listing.o -o listing -lm || fail "the listing cannot be linked"
    CLL_OUT=fft.call.0.dat runs 2 ./listing 1024
    is "$(values fft.call.0.dat f P)" "2 " "P"
}

# The loop ends at 262144 as printed; procs = 1:32:2 becomes a script for the powers of two.
figure_4_is_translated_into_the_names_of_the_paper() {
    mpi_library openmpi cll_pub
    misprint 's/N<=last; N\*=2/N<262144; N*=2/'
    exits 0 "$call" --cc "$mpicc" -o fft.call.c listing.c
    has_text fft.call.c '#include "fft.call.h"'
    has_text fft.call.c 'for(N=1024; N<262144; N*=2)'
    has fft.call.sh "^procs='1 2 4 8 16 32'$"
    exists fft.call.h
}

# Figures 3 and 4 of the earlier version: the experiment is fft, without sync, and E depends on size.
figures_of_the_earlier_version_run_as_printed() {
    mpi_library openmpi cll_pub
    misprint 's/cll sync f f\[0\]+f\[1\]/cll fft fft[0]+fft[1]/; s/f\[2\]\*(N/fft[2]*(N/; s/+f\[3\]/+fft[3]/
        s/^#pragma cll end f$/#pragma cll end fft\n    bsp_sync (gbsp);/; s/E\[1\] \* n/E[1]*size/'
    has_text listing.c '*log(N/P)+fft[3]'
    "$call" cc "$mpicc" -O1 listing.c -o listing -lm 2>err || fail "the listing does not compile"
    runs 2 ./listing 1024
    is "$(cat out)" "the transform is right on all 2 processors" "output"
    is "$(rows listing.cll.0.dat fft)" 2 "rows of fft"
    is "$(values listing.cll.0.dat E size)" "8192 " "size of E"
}

figure_3_is_measured_as_printed() {
    cat >init.c <<'C'
int main(void)
{
    static double a[64][64];
    int i, j;
    for (int N = 16; N <= 64; N *= 2) {
#pragma cll A A[0] + A[1] * N + A[2] * N^2
for(j=0; j<N; j++)
  for(i=0; i<N; i++)
    a[i][j] = 0;
#pragma cll end A
    }
    return a[1][1] != 0;
}
C
    exits 0 "$call" cc "${CC:-cc}" -O1 init.c -o init
    exits 0 ./init
    is "$(values init.cll.0.dat A N)" "16 32 64 " "N"
}

# Program 1 of the paper on PUB, with the headers that it needs; its typographic quotes are plain ones here.
program_1_runs_as_printed() {
    mpi_library openmpi cll_pub
    cat >one.c <<'C'
#include <pub.h>
#include <stdio.h>
int main()
{
tbsp bsp;
tbspparameter p_bsp;
bsplib_init (BSPLIB_STDPARAMS, &bsp);
bsp_parameter (&bsp, &p_bsp);
printf (" L=%lf -- g= %lf \n", p_bsp.l, p_bsp.g);
bsplib_done();
}
C
    "$call" cc "$mpicc" -O1 one.c -o one 2>err || fail "program 1 does not compile"
    runs 1 ./one
    has out '^ L=[0-9.]* -- g= 0.0000[0-9]* $'
}

# Each misprint of program 2 alone: the compiler names its line.
misprints_of_program_2_are_errors_of_the_compiler() {
    mpi_library openmpi cll_pub
    local example=$CLL_SOURCE/examples/binsearch-pub.c
    while IFS='|' read -r change text; do
        misprint "$change" "$example"
        exits 1 "$call" cc "$mpicc" -c -O1 listing.c
        has err "listing.c:$(line "$text"):.*error"
    done <<'MISPRINTS'
s/static void bin_search(/static Void bin_search(/|Void bin_search
s/int me = bsp_pid(bsp), nprocs/int me = bsppid(bsp), nprocs/|bsppid(bsp), nprocs
s/if ((query\[i\] <= gkey/if (query[i] <= gkey/|if (query[i] <= gkey
s/(me + nprocs \/ 2) % nprocs/(me+nprocs\/2)nprocs/|(me+nprocs/2)nprocs
s/other \* sizeof(int)/other*size(int)/|other*size(int)
MISPRINTS
}

# Appendices A, D and E begin with headers of Parix: the compiler names the first one that is not there.
programs_for_parix_are_errors_of_the_compiler() {
    cat >parix.c <<'C'
#include<stdio.h>
#include<math.h>
#include<errno.h>
#include<sys/root.h>
#include<sys/sys_rpc.h>
int main(void)
{
#pragma cll task task[0]
    puts("done");
#pragma cll end task
    return 0;
}
C
    exits 1 "$call" cc "${CC:-cc}" parix.c -o parix
    has err 'parix.c:4:.*error: .*sys/root.h'
    gone parix
}

# The butterflies of appendices A and B, which both print in the same words but for += and the table of sines. PI is nowhere defined.
butterflies_are_measured_as_printed() {
    cat >head.c <<'C'
#include <math.h>
#define NODE 2048
#define HNODE 1024
void ffourtr(data,nn)
float data[NODE]; /*data string*/
int nn; /* number of data items*/
{
int i, m, n, cradix, nbradix;
float tr, ti;
C
    cat >a.c <<'C'
float wr=0.707;
float wi=0.707;
nbradix=nn/2;
m=0;
n=m+nn;
#pragma cll proc(nbradix) proc[0] + proc[1]*nbradix
for (cradix=0; cradix<nbradix; cradix++){
data[m] = data[m] + data[n];
tr = data[m] - 2*data[n];
data[m+1] = data[m+1] + data[n+1];
ti = data[m+1] - 2*data[n+1];
data[n] = tr*wr + ti*wi;
data[n+1] = tr*wi - ti*wr;
m += 2;
n += 2;
        }
#pragma cll end proc
C
    cat >b.c <<'C'
int ksin, kcos, nbblock=1;
int offset=nn/4; /* offset between sin and cos*/
int sinelength = 3*HNODE/4;
float SIN[3*HNODE/4];
nbradix=nn/2;
for (i=0; i<sinelength; i++)
        SIN[i]=sin(3*PI/4);
m=0;
n=m+nn;
ksin=0;
kcos=ksin+offset;
#pragma cll proc(nbradix) proc[0] + proc[1]*nbradix
                 for (cradix=0; cradix<nbradix; cradix++){
                         data[m] += data[n];
                         tr = data[m] - 2*data[n];
                         data[m+1] += data[n+1];
                         ti = data[m+1] - 2*data[n+1];
                         data[n] = tr*SIN[ksin] + ti*SIN[kcos];
                         data[n+1] = tr*SIN[kcos] - ti*SIN[ksin];
                         m += 2;
                         n += 2;
                         ksin += nbblock;
                         kcos += nbblock;
                 }
#pragma cll end proc
C
    echo '(void)i; }' >end.c
    echo 'int main(void) { static float d[NODE]; d[0] = 1; ffourtr(d, HNODE); return !(d[HNODE] > 0.7 && d[HNODE] < 0.71); }' >>end.c
    for appendix in a b; do
        cat head.c $appendix.c end.c >$appendix.listing.c
        [ $appendix = a ] || { exits 1 "$call" cc "${CC:-cc}" -c b.listing.c; has err "b.listing.c:$(grep -n 'PI/4' b.listing.c | cut -d: -f1):.*PI"; }
        exits 0 "$call" cc "${CC:-cc}" -std=gnu99 -O1 -DPI=M_PI $appendix.listing.c -o $appendix -lm
        exits 0 ./$appendix
        is "$(values $appendix.cll.0.dat proc nbradix)" "512 " "butterflies of appendix $appendix"
    done
}

# Appendix C counts the instructions of the listing in section 5.1: table 1. Its head is a comment of C, which no shell reads.
instruction_counter_counts_as_printed() {
    f=$CLL_SOURCE/examples/peps/loop.s
    awk '$1 !~ /^[\._]/ && $1 !~ /^[ \t]*$/ { print "\t" $1 }' $f|\
    sort|uniq -c >counts 2>/dev/null
    is "$(awk '{printf "%d %s ", $1, $2}' counts)" "1 adc 1 cj 1 gt 1 j 1 ldc 3 ldl 2 stl " "table 1"
}

main "$1"
