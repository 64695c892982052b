# SPDX-License-Identifier: GPL-3.0-or-later
# Regions of OpenCL programs, on whatever device is there; pocl makes one of the processor.
. "$CLL_SOURCE/tests/cll/setup.sh"
need "$call"
need "$llac"
# values FILE EXPERIMENT COLUMN...: these columns of its rows; times in microseconds
values() {
    awk -v e="$2" -v names="${*:3}" 'BEGIN {n = split(names, name, " ")} /^#/ {next} !head {for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next}
        $1 == e {line = ""; for (i = 1; i <= n; i++) {v = $at[name[i]]; if (v != "nan" && (name[i] == "DEVICE" || name[i] == "TRANSFER")) v = sprintf("%.0f", v * 1e6)
            line = line (i > 1 ? " " : "") v}; print line}' "$1"
}

opencl_regions_get_what_they_launched() {
    [ -e /usr/include/CL/cl.h ] || skip "the headers of OpenCL are not installed"
    [ -z "$sanitize" ] || skip "pocl has leaks and races of its own"
    # shellcheck disable=SC2086
    "$call" cc gcc -O1 "$CLL_SOURCE/tests/cll/cases/opencl.c" -o opencl -lOpenCL 2> err || fail "call cc"
    POCL_CACHE_DIR=$PWD ./opencl > out 2> err
    status=$?
    [ $status != 77 ] || skip "there is no device of OpenCL"
    is $status 0 "exit status"
    has out '^event 4 reference 1$'
    f=opencl.cll.0.dat
    has $f '^# device: .* compute units, times by OpenCL$'
    values $f add n grid block LAUNCHES BYTES_IN BYTES_OUT > got
    printf '%s\n' '1024 16 64 2 0 0' '2048 32 64 2 0 0' '4096 64 64 2 0 0' > want
    same got want
    values $f step n LAUNCHES BYTES_IN BYTES_OUT > got
    printf '%s\n' '1024 2 4096 4096' '2048 2 8192 8192' '4096 2 16384 16384' > want
    same got want
    awk '/^#/ {next} !d {for (i = 1; i <= NF; i++) {if ($i == "DEVICE") d = i; if ($i == "TRANSFER") t = i; if ($i == "sm") s = i}; next}
        !($d > 0) || ($1 == "add" && !($s > 0)) || ($1 == "step" && !($t > 0)) {exit 1}' $f || { cat $f >&2; fail "times"; }
    exits 0 "$llac" --json -e 'fit add on DEVICE' $f
    has out '"unit":"s"'
}
main "$1"
