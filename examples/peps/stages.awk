# SPDX-License-Identifier: MIT
#
# stages.awk: the stages of fft-stage.c on both processes, in the form of tables 6 and 7 of the paper; see "study", which calls it
# with a file of "RANK:EXPERIMENT:P:VARIABLES SECONDS".

{ fact[$1] = $2 }

function row(rank, what, key_without, key_with) {
    printf "  Processor %d %-34s %10s %10s\n", rank, what, shown(rank ":" key_without), shown(rank ":" key_with)
}
function shown(key) { return key in fact ? sprintf("%.2f", 1e6 * fact[key]) : "-" }
function both(rank, what, experiment, bytes,    place) {
    place = experiment ":2:" (bytes ? "bytes:" bytes : "N:" N) ",sines:"
    row(rank, what, place 0, place N / 2)
}

END {
    printf "N = %d: the stages on two processes (us)\n", N
    printf "  %-46s %10s %10s\n", "", "without", "with sines"
    for (rank = 0; rank < 2; rank++) {
        both(rank, "initialises the link", "link")
        if (rank == 0) {
            both(rank, "sends half of the data", "half", 4 * N)
            both(rank, "arranges data, each of two times", "arrange", 4 * N)
        } else
            both(rank, "receives half of the data", "half", 4 * N)
        row(rank, "computes the sines", "", "sines:2:sines:" N / 2)
        row(rank, "computes the butterflies", "butterflies:2:n:" N / 4, "rotations:2:n:" N / 4)
        if (rank == 0) {
            both(rank, "sends a quarter of the data", "send", 2 * N)
            both(rank, "receives a quarter of the data", "receive", 2 * N)
            both(rank, "receives the signal", "done")
        } else {
            both(rank, "arranges data for transfer", "arrange", 2 * N)
            both(rank, "receives a quarter of the data", "receive", 2 * N)
            both(rank, "sends a quarter of the data", "send", 2 * N)
            both(rank, "sends the signal", "done")
        }
        row(rank, "finished its task", "stage:2:N:" N ",sines:0", "stage:2:N:" N ",sines:" N / 2)
    }
}
