# SPDX-License-Identifier: GPL-3.0-or-later
# call run --simulate: sweeps on machines that SimGrid simulates.
. "$CLL_SOURCE/tests/batch/setup.sh"

write_platform() {
    need_simulator
    cp "$here/simulated.c" .
    cat >net.xml <<'EOF'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <!-- <host id="not-this"/> -->
  <zone id="world" routing="Full">
    <cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="5us" sharing_policy="SPLITDUPLEX"/>
  </zone>
</platform>
EOF
}
# times FOLDER: all measured values
times() { cat "$1"/*.dat | grep -v '^#'; }

simulated_sweep_is_exact() {
    write_platform
    mkdir one two
    exits 0 "$call" run --simulate net.xml --procs 2:16:2 --outdir one simulated.c
    is "$(data one)" "simulated.net.cll.p2.r1.dat simulated.net.cll.p4.r1.dat simulated.net.cll.p8.r1.dat simulated.net.cll.p16.r1.dat " "one round, files with the name of the platform"
    is "$(header one/simulated.net.cll.p16.r1.dat clock)" simulated clock
    is "$(header one/simulated.net.cll.p16.r1.dat rank | sed -n '11p')" "10 n10" "hosts in the order of the platform"
    "$llac" --json -e 'fit work' one/*.dat >fit.json
    is "$(grep -o '"value":[0-9.e-]*' fit.json | tail -1 | sed 's/.*://' | awk '{print ($1 > 0.99999e-6 && $1 < 1.00001e-6)}')" 1 "1000 flops per n at 1 Gf"
    exits 0 "$call" run --simulate net.xml -p 2,4,8,16 --outdir two -q simulated.c
    is "$(times two)" "$(times one)" "two sweeps"
}

simulated_procs_come_from_the_pragma() {
    write_platform
    exits 0 "$call" run --simulate net.xml -n 2 simulated.c -- say a '$x' "'"
    is "$(data)" "simulated.net.cll.p2.r1.dat simulated.net.cll.p2.r2.dat simulated.net.cll.p4.r1.dat simulated.net.cll.p4.r2.dat simulated.net.cll.p8.r1.dat simulated.net.cll.p8.r2.dat " files
    is "$(grep -o "<a><\$x><'>" out | wc -l)" 3 "arguments; what is said is shown in the first round"
    exits 0 "$call" run --simulate net.xml -p 2 -n 1 --measured-compute --smpi '--cfg=network/latency-factor:2 --cfg=smpi/wtime:1e-7' -q simulated.c
    grep -q '^work' simulated.net.cll.p2.r3.dat || fail "no data with measured computing"
}

simulated_sizes_are_varied() {
    write_platform
    exits 0 "$call" run --simulate net.xml -p 2,4 --vary k=3,5 -q simulated.c -- say '{k}'
    is "$(data)" "simulated.net.cll.p2.k3.r1.dat simulated.net.cll.p2.k5.r1.dat simulated.net.cll.p4.k3.r1.dat simulated.net.cll.p4.k5.r1.dat " files
    is "$(header simulated.net.cll.p4.k5.r1.dat setting)" "k 5" setting
}

measured_seconds_stay_seconds() {
    write_platform
    cat >burn.c <<'EOF'
#include <mpi.h>
#pragma cll parallel MPI
static volatile double x;
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cll for (long n = 200; n <= 20000000; n *= 100000)
#pragma cll burn burn[0] * n
    for (int i = 0; i < n; i++)
        x += i;
#pragma cll end burn
#pragma cll end for
    MPI_Finalize();
    return 0;
}
EOF
    exits 0 "$call" run --simulate net.xml -p 2 -n 1 --measured-compute -q burn.c
    # Between what no processor can do and what the busiest needs.
    values burn.net.cll.p2.r1.dat burn CLOCK | tr ' ' '\n' >times.txt
    is "$(awk '$1 > 1e-3 && $1 < 20' times.txt | wc -l)" 2 "seconds of this machine"
    is "$(awk '$1 > 0 && $1 < 1e-3' times.txt | wc -l)" 2 "short computations count"
    exits 1 "$call" run --simulate net.xml -p 2 -q burn.c
    has err 'burn cannot be fitted: every measured value is 0. In a simulation code itself takes no time'
    sed 's/speed="[^"]*"//' net.xml >slow.xml
    exits 1 "$call" run --simulate slow.xml -p 2 --measured-compute burn.c
    has err 'give the speed of its hosts with --smpi --cfg=smpi/host-speed'
}

unfinished_simulation_is_noticed() {
    write_platform
    for mode in abort deadlock; do
        exits 1 "$call" run --simulate net.xml -p 2 -q simulated.c -- $mode
        has err 'round 1, P = 2: '
        gone simulated.net.cll.p2.r1.dat
        rm -rf ./*.part
    done
}

hosts_must_be_enough() {
    write_platform
    exits 1 "$call" run --simulate net.xml -p 2,17 simulated.c
    has err 'net.xml has hosts for 16 processes, and 17 are wanted'
    exits 1 "$call" run --simulate nowhere.xml simulated.c
    has err 'cannot read nowhere.xml'
    printf 'n3\nn1:2\n' >hosts
    exits 0 "$call" run --simulate net.xml --hostfile hosts -p 3 -q simulated.c
    is "$(header simulated.net.cll.p3.r1.dat rank | tr '\n' ' ')" "0 n3 1 n1 2 n1 " "own list of hosts"
    exits 1 "$call" run --simulate net.xml --hostfile hosts -p 4 simulated.c
    has err 'hosts has hosts for 3'
    sed 's/speed/core="2" speed/; s/0-15/0-1/' net.xml >"two cores.xml"
    exits 0 "$call" run --simulate "two cores.xml" -p 4 -q simulated.c
    is "$(header "simulated.two cores.cll.p4.r1.dat" rank | tr '\n' ' ')" "0 n0 1 n0 2 n1 3 n1 " "cores of a host"
}

what_smpirun_cannot_do_is_said() {
    write_platform
    for word in 'a b' '*'; do
        exits 1 "$call" run --simulate net.xml -p 2 simulated.c -- "$word"
        has err 'smpirun cannot pass on the argument'
    done
    mkdir "with blank"
    TMPDIR="$PWD/with blank" exits 1 "$call" run --simulate net.xml -p 2 simulated.c
    has err 'set TMPDIR'
    exits 1 "$call" run --simulate net.xml --cc "$cc" simulated.c
    ! command -v mpicc >/dev/null || { exits 1 "$call" run --simulate net.xml --cc "mpicc $sanitize" simulated.c; has err 'does not make programs for SimGrid'; }
    exits 1 "$call" run --cc smpicc simulated.c
    has err 'give --simulate'
}

main "$1"
