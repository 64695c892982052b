# SPDX-License-Identifier: GPL-3.0-or-later
# The listings of the papers: figures 4 and 5 are in examples/fft-pub.c as they are printed, but for the corrections that it
# lists. Here they run, and each misprint, put back, gets a message that names the right text. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

listing=$CLL_SOURCE/examples/fft-pub.c

# misprint SED-COMMAND: listing.c is the example with a misprint of the papers
misprint() {
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

main "$1"
