# SPDX-License-Identifier: GPL-3.0-or-later
# bsp_parameter on simulated machines, whose latency and bandwidth are known. A test is a function.
. "$CLL_SOURCE/tests/pub/parameter_setup.sh"

build_simulated() {
    need_simulator pub
    smpicc -O1 -Wall -Wextra -Werror -I"$CLL_SOURCE/include" "$CLL_SOURCE/tests/pub/parameter.c" \
        "$CLL_BUILD/lib/libpub_smpi.a" -o probe || fail "parameter.c does not compile"
}

# simulates_probe N PLATFORM MODE
simulates_probe() { platform=$platforms/$2.xml && simulates "$1" ./probe "$3"; }

# parameters P PLATFORM LATENCY BANDWIDTH ROUNDS G: l is that of ROUNDS messages one after the other, and g a byte's time.
# The line is a compromise: up to 4 KB travel in the messages that end the superstep, more in two messages one
# after the other, beside the rounds. So both may be up to 15 % off, l upwards, g upwards from G.
parameters() {
    simulates_probe "$1" "$2" values
    awk -v lat="$3" -v bw="$4" -v rounds="$5" -v least="$6" 'NR == 1 {
        l = $1 / (rounds * lat); g = $2 * bw; s = $3 / 1e10
        if (l < 1 || l > 1.15 || g < least || g > least + 0.15 || s < 1 - 1e-9 || s > 1 + 1e-9 || $8 != 0) exit 1
    }' out || fail "$1 processors on $2: not the latency and bandwidth of the platform"
}

parameters_are_those_of_the_platform() {
    build_simulated
    parameters 2 fast 1e-6 1e10 1 1
    parameters 2 slow 1e-4 125e6 1 1
    # there are more rounds than messages behind each other that are large: these are under way meanwhile
    parameters 4 fast 1e-6 1e10 2 0.95
    parameters 4 slow 1e-4 125e6 2 0.95
    parameters 8 fast 1e-6 1e10 3 0.9
    parameters 16 fast 1e-6 1e10 4 0.85
    parameters 32 fast 1e-6 1e10 5 0.85
    # one: messages to oneself take no simulated time
    simulates_probe 1 fast values
    is "$(awk 'NR == 1 {print $1, $2}' out)" "0 0" "l and g of one processor"
}

# With two processors all times can be told beforehand: a message of n bytes takes latency + (n + 16)/bandwidth. Packets
# have 32 bytes before the contents if that is one message, else 64, and records 16 before each. What fits goes with the
# round; more in a message of its own after a header; messages from 16 KB on each by themselves. The headers and the
# round, which has 64 + 4 bytes then, share the link until the shortest has come and its message begins, which is told
# here only nearly: so the line
# through them, found here once more, must agree to a thousandth.
line_is_the_one_through_the_exact_times() {
    build_simulated
    for platform in "fast 1e-6 1e10" "slow 1e-4 125e6"; do
        # shellcheck disable=SC2086
        set -- $platform
        simulates_probe 2 "$1" values
        awk -v lat="$2" -v bw="$3" 'function point(h, n,  bytes, t, w, fits) {
                fits = h == 0 || h + 16 * n + 64 + 8 <= 4032
                if (h == 0) bytes = 32 + 16
                else if (fits) bytes = n == 1 ? h + 32 + 16 : h + 16 * n + 64 + 16
                else if (h / n < 16384) bytes = n == 1 ? h + 16 + 2 * 48 : h + 16 * n + 16 + 2 * 80
                else bytes = h + 16 * n + (n + 1) * 48
                t = (fits ? 1 : 2) * lat + bytes / bw
                w = 1 / (t * t)
                S += w; H += w * h; T += w * t; HH += w * h * h; HT += w * h * t
            }
            NR == 1 {
                for (i = 0; i < 9; i++)
                    for (pattern = 0; pattern < 3; pattern++)
                        point(i ? 64 * 4 ^ (i - 1) : 0, pattern == 2 ? 4 : 1)
                d = S * HH - H * H
                l = (T * HH - HT * H) / d / $1 - 1
                g = (S * HT - H * T) / d / $2 - 1
                if (l * l > 1e-6 || g * g > 1e-6) {print l, g; exit 1}
            }' out || fail "$1: another line"
        cp out first
        simulates_probe 2 "$1" values
        cmp first out || fail "$1: the second run says something else"
    done
}

# examples/h-relation.c, simulated: g is a byte's time to the last digit, and L that of the two rounds of four processors.
llac_finds_the_platform_in_the_table() {
    need "$call"
    need "$llac"
    build_simulated
    cp "$CLL_SOURCE/examples/h-relation.c" .
    "$call" cc smpicc -O2 -Wall -Wextra -Werror h-relation.c -o probe || fail "h-relation.c does not compile"
    platform=$platforms/fast.xml
    simulate 4 ./probe 3 || fail "h-relation"
    # a chain of supersteps begins with the differences of the one before
    awk 'NF == 3 && $1 + 0 {n++; if ($2 < $3 || $2 > 1.05 * $3) exit 1} END {exit n != 8}' out || fail "rows"
    "$llac" -e 'fit comm' probe.cll.0.dat >fit.txt || fail "llac"
    has fit.txt 'comm\[0\] *1.00000.e-10'
    has fit.txt 'comm\[1\] *2.0[0-9]*e-06'
}

# The description of a platform may change without a name in it: a file could be wrong.
files_are_not_used_for_simulated_machines() {
    build_simulated
    export PUB_PARAMETER=file
    simulates_probe 2 fast values
    simulates_probe 3 fast groups
    simulates_probe 3 fast undisturbed
    gone file
}

main "$1"
