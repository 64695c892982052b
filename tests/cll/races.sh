# SPDX-License-Identifier: GPL-3.0-or-later
# The run-time itself under sanitizers, with a device that computes its times (fake_cuda): its lanes, its pools of events and its
# records are changed by the threads that launch, and by the one that reports. (A report while others measure reads records that
# are being written, on purpose: no race sanitizer is asked about that.)
. "$CLL_SOURCE/tests/cll/setup.sh"
need "$call"
fake=$CLL_SOURCE/tests/cll/fake_cuda

# under SANITIZER MODE...: the program of fake_cuda in these modes
under() {
    local flags="-g -O1 -fsanitize=$1 -I$CLL_SOURCE/include -I$CLL_SOURCE/src -I$fake" wrapped mode
    wrapped=$(sed -n 's/^CLL_CUDA_WRAP(\(.*\))/-Wl,--wrap=\1/p' "$CLL_SOURCE/src/cll/cuda/wrapped.def")
    "$call" --outdir . --cc g++ --cflags "-I$fake" "$fake/work.cu" 2> err || fail "call"
    # shellcheck disable=SC2086
    {
        gcc -std=gnu11 $flags -fPIC -shared "$fake/fake.c" -Wl,-soname,libcuda.so.1 -o libcuda.so.1 -lpthread 2> err || skip "gcc has no sanitizer: $1"
        gcc -std=gnu11 $flags -c "$CLL_SOURCE"/src/{cll,spool}/*.c "$CLL_SOURCE"/src/cll/cuda/*.c || fail "the run-time does not compile"
        g++ $flags -x c++ work.cll.cu -x none ./*.o $wrapped -o work -L. -l:libcuda.so.1 -Wl,-rpath,"$PWD" -ldl -lpthread -lm || fail "work.cu does not compile"
    }
    for mode in "${@:2}"; do
        CLL_DEVICE=events TSAN_OPTIONS=exitcode=66 ./work "$mode" > out 2> err || { head -60 err >&2; fail "$1: $mode"; }
        empty err
    done
}

thread_sanitizer_finds_no_race_of_launches() {
    [ -z "$sanitize" ] || skip "another sanitizer is in use"
    under thread crowd threads reset
}
address_sanitizer_finds_nothing_in_launches() {
    [ -z "$sanitize" ] || skip "another sanitizer is in use"
    export ASAN_OPTIONS=detect_leaks=0
    under address,undefined plain streams storm failing captured reset flood
}
main "$1"
