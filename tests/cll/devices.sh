# SPDX-License-Identifier: GPL-3.0-or-later
# Regions that launch kernels. CUDA: on a device that computes its times (fake_cuda), with g++ in the place of nvcc, so that what
# regions get is known exactly. OpenCL: on whatever device is there, which pocl makes of the processor.
. "$CLL_SOURCE/tests/cll/setup.sh"
keep_going=yes
export CLL_DEVICE=events
fake=$CLL_SOURCE/tests/cll/fake_cuda

# cuda MODE: the program of fake_cuda in this mode
cuda() {
    need g++
    if [ ! -e work ]; then
        # shellcheck disable=SC2086
        gcc $sanitize -shared -fPIC -Wl,-soname,libcuda.so.1 "$fake/fake.c" -o libcuda.so.1 -lpthread || fail "fake.c"
        ln -sf libcuda.so.1 libcudart.so
        # shellcheck disable=SC2086
        "$call" cc "$fake/nvcc" -O2 $sanitize -arch sm_90 "$fake/work.cu" -o work 2> err || fail "call cc nvcc"
    fi
    LD_LIBRARY_PATH=. ./work "$1" > out 2> err || fail "exit status $?"
    empty err
}
# values FILE EXPERIMENT COLUMN...: these columns of its rows; times in microseconds
values() {
    awk -v e="$2" -v names="${*:3}" 'BEGIN {n = split(names, name, " ")} /^#/ {next} !head {for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next}
        $1 == e {line = ""; for (i = 1; i <= n; i++) {v = $at[name[i]]; if (v != "nan" && (name[i] == "DEVICE" || name[i] == "TRANSFER")) v = sprintf("%.0f", v * 1e6)
            line = line (i > 1 ? " " : "") v}; print line}' "$1"
}
f=work.cll.0.dat

regions_get_what_they_launched() {
    cuda plain
    has $f '^# device: computed device, 10 multiprocessors, times by events$'
    values $f inner n grid block sm LAUNCHES DEVICE TRANSFER BYTES_IN BYTES_OUT > got
    printf '%s\n' '1 12 64 10 2 30 0 0 0' '2 12 64 10 2 60 0 0 0' '3 12 64 10 2 90 0 0 0' '4 12 64 10 2 120 0 0 0' > want
    same got want
    values $f outer n LAUNCHES BYTES_IN BYTES_OUT > got
    printf '%s\n' '1 2 2048 1024' '2 2 4096 2048' '3 2 6144 3072' '4 2 8192 4096' > want
    same got want
    values $f inner n WAVES > got # 12 blocks of 64 threads, on 10 multiprocessors of 2048 each
    printf '%s 0.0375\n' 1 2 3 4 > want
    same got want
    is "$(values $f outer WAVES | sort -u)" 0.0375
    is "$(values $f none WAVES | sort -u)" 0
    values $f none n LAUNCHES DEVICE TRANSFER BYTES_IN BYTES_OUT > got
    printf '%s 0 0 0 0 0\n' 1 2 3 4 > want
    same got want
    # kernels and the filling of 4096 n bytes count as DEVICE, the copies of 2048 n and 1024 n bytes as TRANSFER
    values $f outer DEVICE TRANSFER | awk '{n = NR; if ($1 < 34 * n || $1 > 34 * n + 8 || $2 < 3 * n || $2 > 3 * n + 4) exit 1}' || fail "times of outer"
}
values_come_later_and_nothing_waits_before() {
    cuda late
    has out '^waited 0 times$'
    values $f late n DEVICE > got
    awk '$2 < 1000 * $1 || $2 > 1000 * $1 + 2 {exit 1} END {exit NR != 4}' got || { cat got >&2; fail "DEVICE"; }
}
a_killed_program_leaves_records_without_times() {
    cuda late
    rm -f $f
    { LD_LIBRARY_PATH=. ./work killed; } > out 2> err
    exits 0 "$llac" -e 'save saved.dat' ./*.spool
    values saved.dat late LAUNCHES DEVICE > got
    printf '1 nan\n1 nan\n1 nan\n1 nan\n' > want
    same got want
}
a_reset_device_loses_no_time() {
    cuda reset
    is "$(values $f late DEVICE | awk '$1 >= 1000 {n++} END {print n}')" 8
}
streams_are_apart() {
    cuda streams
    values $f first n DEVICE | awk '$2 < 100 * $1 || $2 > 100 * $1 + 2 {exit 1}' || fail "first stream"
    values $f second n LAUNCHES DEVICE | awk '$2 != 2 || $3 < 14 * $1 || $3 > 14 * $1 + 4 {exit 1}' || fail "second stream"
}
threads_are_apart() {
    cuda threads
    values $f threads n DEVICE LAUNCHES > got
    awk '$3 != 1 || $2 < 1000 * $1 || $2 > 1000 * $1 + 16 {exit 1} END {exit NR != 12}' got || { cat got >&2; fail "DEVICE"; }
}
failing_launches_keep_their_error() {
    cuda failing
    has out '^errors 1 1 then 0$'
    values $f fails LAUNCHES DEVICE > got
    is "$(cut -d' ' -f1 got)" 2 LAUNCHES
}
captured_launches_are_not_launched() {
    cuda captured
    is "$(values $f captured LAUNCHES DEVICE)" '1 6'
}
too_much_work_leaves_times_unknown() {
    cuda flood
    has out '^waited 0 times$'
    is "$(values $f flood DEVICE | grep -vc nan)" 16384
    is "$(values $f flood LAUNCHES | sort -u)" 1
}
times_come_while_the_program_runs() {
    cuda 30000
    values $f steady k DEVICE | awk '$2 < $1 + 1 {exit 1} END {exit NR != 30000}' || fail "DEVICE"
    rm -f $f
    CLL_MEMORY=1M cuda 30000
    has $f '^# thinned: per-tuple'
    values $f steady k DEVICE | awk '$2 != "nan" && $2 < $1 + 1 {exit 1}' || fail "DEVICE of thinned data"
}
events_are_used_again() {
    # two for each piece of work that is not asked for: the device is done with 1000 at once
    cuda 30000
    awk '$1 == "events" && $2 < 3000 {n++} END {exit n != 1}' out || fail "$(cat out)"
}
device_off_measures_the_host_only() {
    CLL_DEVICE=off cuda plain
    has $f '^# absent: DEVICE CLL_DEVICE is off$'
    lacks $f LAUNCHES
    CLL_DEVICE=fast LD_LIBRARY_PATH=. ./work plain 2> err
    has err 'CLL_DEVICE=fast is not auto, cupti, events or off'
}
programs_without_regions_need_no_run_time() {
    cuda plain
    grep -v '#pragma cll' "$fake/work.cu" > plain.cu
    # shellcheck disable=SC2086
    exits 0 "$call" cc "$fake/nvcc" -O2 $sanitize plain.cu -o plain
    ldd plain > libraries
    lacks libraries libcll
    LD_LIBRARY_PATH=. exits 0 ./plain failing
    has out '^errors 1 1 then 0$'
}
nvcc_gets_options_that_it_knows() {
    cuda plain
    has nvcc.log '-Xlinker .*--wrap=cudaLaunchKernel,'
    has nvcc.log '-Xcompiler -iquote -Xcompiler '
    exits 0 "$call" cc "$fake/nvcc" -O2 -arch sm_90 -dc "$fake/work.cu" -o work.o -MD -MF work.d
    tail -1 nvcc.log > last
    lacks last '-lcll'
    # shellcheck disable=SC2086
    exits 0 "$call" cc g++ $sanitize work.o -o again -L. -lcudart -Wl,-rpath,.
    ./again failing > out || fail "exit status"
    has out '^errors 1 1 then 0$'
    has again.cll.0.dat '^fails '
}
threads_launch_while_another_one_reports() {
    cuda storm
    is "$(values $f storm LAUNCHES | sort | uniq -c | awk '{print $1, $2}')" '12000 1'
    values $f storm n DEVICE | awk '$2 < $1 {exit 1}' || fail "DEVICE"
}
other_sources_say_what_is_missing() {
    cat > other.c <<'C'
int main(void)
{
    int n = 3;
#pragma cll f DEVICE = f[0]*n
    n++;
#pragma cll end f
    return n - 4;
}
C
    # shellcheck disable=SC2086
    exits 0 "$call" cc gcc $sanitize other.c -o other
    exits 0 ./other
    has other.cll.0.dat '^# absent: DEVICE this source is not one of CUDA or OpenCL; #pragma cll parallel CUDA or OPENCL says so$'
}


for what in regions_get_what_they_launched values_come_later_and_nothing_waits_before a_killed_program_leaves_records_without_times a_reset_device_loses_no_time streams_are_apart threads_are_apart failing_launches_keep_their_error captured_launches_are_not_launched too_much_work_leaves_times_unknown times_come_while_the_program_runs events_are_used_again device_off_measures_the_host_only programs_without_regions_need_no_run_time nvcc_gets_options_that_it_knows threads_launch_while_another_one_reports other_sources_say_what_is_missing; do
    checks=$((checks + 1))
    rm -f ./*.dat ./*.spool
    "$what"
done
finish
