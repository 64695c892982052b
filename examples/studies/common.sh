# SPDX-License-Identifier: MIT
#
# What the studies have in common. A study is a script with these commands:
#
#   study prepare DIR     copies into DIR what measuring needs: the programs, translated by call, the sources of the
#                         run-time, and the script itself. DIR can be carried to another machine.
#   study measure DIR [--seconds S] [--procs "1 2 4 8 16"]
#                         compiles and runs the programs, in rounds over all P until the time is used up. It needs a
#                         C compiler, make and MPI, and writes DIR/data. `sh DIR/study measure DIR` does it there.
#   study simulate DIR    simulates what the study has for SimGrid (some have nothing), into DIR/data
#   study report DIR      prints the tables, with llac
#
# Numbers of P above the number of cores are left out. SMALL=1 measures and simulates small sizes, as the tests do, with
# any P. CALL and LLAC name other programs, and so do MPICC, MPIRUN and CC. Several studies can share one copy of the
# run-time's sources: DIR/../runtime is used if it is there.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
call=${CALL:-call} llac=${LLAC:-llac} mpicc=${MPICC:-mpicc} mpirun=${MPIRUN:-mpirun}
small=${SMALL:-}
folder=$(cd "$(dirname "$0")" && pwd)

fail() { echo "study: $*" >&2; exit 1; }
usage() {
    echo "usage: study prepare|measure|simulate|report DIR [--seconds S] [--procs \"1 2 4\"]" >&2
    exit 2
}

# ---- prepare: `sources` are the programs of the study, relative to examples; `plain` those without regions;
# `translator` is the compiler of a study whose programs use no MPI (with an MPI compiler, call makes MPI programs of them)

# copy_runtime TO: what `make runtime` needs
copy_runtime() {
    mkdir -p "$1/src"
    root=$(cd "$folder/../../.." && pwd)
    [ -f "$root/cmake/runtime.mk" ] || fail "prepare is a command of the script in the sources of CALL"
    cp "$root/Makefile" "$1/"
    cp -r "$root/include" "$root/cmake" "$1/"
    for part in cll spool pub bsplib base probe; do cp -r "$root/src/$part" "$1/src/"; done
}

prepare() {
    examples=$(cd "$folder/../.." && pwd)
    mkdir -p "$dir"
    cp "$folder/study" "$folder/../common.sh" "$dir/"
    [ -d "$dir/../runtime" ] || copy_runtime "$dir/runtime"
    for source in $sources; do
        cp "$examples/$source" "$dir/"
        (cd "$dir" && "$call" --cc "${translator:-$mpicc}" "$(basename "$source")") || fail "$source cannot be translated"
    done
    for source in ${plain:-}; do cp "$examples/$source" "$dir/"; done
}

# ---- measure

build_runtime() {
    runtime=$dir/runtime
    [ -d "$runtime" ] || runtime=$dir/../runtime
    [ -d "$runtime" ] || fail "$dir has no folder 'runtime': 'study prepare' makes it"
    runtime=$(cd "$runtime" && pwd)
    make -s -C "$runtime" runtime RUNTIME_MPICC="$mpicc" RUNTIME_SMPICC=none >"$dir/data/runtime.log" 2>&1 ||
        { cat "$dir/data/runtime.log" >&2; fail "the run-time cannot be built"; }
    flavour=$(cd "$runtime" && src/cll/mpi/flavour "$mpicc") || fail "no MPI compiler: MPICC names one"
    libraries=$runtime/build/runtime/lib
    headers=$runtime/build/runtime/include
}

# compile NAME: NAME.cll.c as NAME, with regions. compile_plain NAME: NAME.c as NAME.plain, without
compile() {
    [ -f "$dir/$1.cll.c" ] || fail "$dir has no $1.cll.c: 'study prepare' makes it"
    "$mpicc" -O2 -w "$dir/$1.cll.c" -I"$headers" "$libraries/libcll_pub_$flavour.a" "$libraries/libpub_$flavour.a" \
        "$libraries/libcll.a" -lpthread -lm -o "$dir/$1" || fail "$1 cannot be compiled"
}
compile_plain() {
    "$mpicc" -O2 -w "$dir/$1.c" -I"$headers" "$libraries/libpub_$flavour.a" -lm -o "$dir/$1.plain" ||
        fail "$1 cannot be compiled"
}

# A core for each process where there are enough, a hardware thread for each, or the system's choice.
place() {
    most=1
    for p in $procs; do [ "$p" -le "$most" ] || most=$p; done
    for options in "--map-by core --bind-to core" "--use-hwthread-cpus --map-by hwthread --bind-to hwthread" \
        "--oversubscribe --bind-to none"; do
        # shellcheck disable=SC2086
        if $mpirun $options -n "$most" true >/dev/null 2>&1; then break; fi
    done
    launch="$mpirun $options"
}

# Where processes may not read each other's memory, Open MPI says so with every large message: it copies twice then.
choose_copying() {
    # shellcheck disable=SC2086 # several arguments
    if $launch -n 2 "$1" $2 2>&1 | grep -q 'Read -1\|process_vm_readv'; then
        export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_sm_single_copy_mechanism=none OMPI_MCA_smsc='^cma'
        echo "messages: copied twice (processes may not read each other's memory)"
    else
        echo "messages: as Open MPI does by itself"
    fi
}

about() {
    date
    echo "placement: $launch"
    $mpirun --version | head -n 1
    ${CC:-cc} --version | head -n 1
    lscpu 2>/dev/null || cat /proc/cpuinfo
}

# run P NAME OUT ARGUMENTS...: a measured program; its samples are DIR/data/OUT.pP.rROUND.dat, its output the same with .out
run() {
    p=$1 name=$2 out=$dir/data/$3.p$1.r$round
    shift 3
    CLL_RUN=$round CLL_OUT=$out.dat timeout 120 $launch -n "$p" "$dir/$name" "$@" >"$out.out" 2>"$dir/data/err" </dev/null ||
        { cat "$dir/data/err" >&2; echo "study: $name $* with $p processes failed" >&2; failed=$((failed + 1)); rm -f "$out.out"; }
    [ $failed -lt 5 ] || fail "too many failures"
}
# trace P NAME OUT ARGUMENTS...: a program without regions; its trace is DIR/data/OUT.pP.rROUND.trace
trace() {
    p=$1 name=$2 out=$dir/data/$3.p$1.r$round
    shift 3
    PUB_TRACE=$out.trace timeout 120 $launch -n "$p" "$dir/$name.plain" "$@" >/dev/null 2>"$dir/data/err" </dev/null ||
        { cat "$dir/data/err" >&2; echo "study: $name $* with $p processes failed" >&2; failed=$((failed + 1)); }
    [ $failed -lt 5 ] || fail "too many failures"
}

# parameters P: what bsp_parameter finds; parameter-pub is one of plain_programs
parameters() {
    $launch -n "$1" "$dir/parameter-pub.plain" >"$dir/data/parameter.p$1.r$round.txt" 2>/dev/null </dev/null || failed=$((failed + 1))
}

# measure: `programs` and `plain_programs` are compiled; then `first_of_all` once and `one_round` until the time is over.
# A round that would end later than that is not begun. The order of P alternates.
measure() {
    dir=$(cd "$dir" && pwd)
    mkdir -p "$dir/data"
    build_runtime
    for program in $programs; do compile "$program"; done
    for program in ${plain_programs:-}; do compile_plain "$program"; done
    place
    {
        about
        # shellcheck disable=SC2154 # check_program is the study's: a program that sends large messages
        if [ "${check_program:-}" ]; then choose_copying "$dir/$check_program" "$check_arguments"; fi
    } >"$dir/data/about.txt" 2>&1
    rm -f "$dir"/*.cll.*.dat
    failed=0 round=1 begin=$(date +%s)
    end=$((begin + seconds))
    first_of_all
    while :; do
        before=$(date +%s)
        one_round
        now=$(date +%s) round=$((round + 1))
        [ $((now + (now - before))) -lt $end ] || break
        reversed=
        for p in $procs; do reversed="$p $reversed"; done
        procs=$reversed
    done
    rm -f "$dir/data/err"
    echo "rounds: $((round - 1)), failed runs: $failed, seconds: $((now - begin))" | tee -a "$dir/data/about.txt"
}
first_of_all() { :; }
simulate() { echo "study: nothing to simulate"; }

# ---- simulate

# smpi P PLATFORM PROGRAM ARGUMENTS...: on the platform of examples/platforms, with exact costs. PROOF is a line of its output.
smpi() {
    p=$1 platform_file=$folder/../../platforms/$2.xml
    shift 2
    timeout 600 smpirun -quiet -np "$p" -platform "$platform_file" -hostfile "$dir/hosts" --log=root.thresh:warning \
        --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/test:1e-9 --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/barrier:ompi_bruck \
        --cfg=smpi/allreduce:rdb --cfg=smpi/reduce:binomial --cfg=smpi/bcast:binomial_tree "$@" \
        >"$dir/data/out" 2>"$dir/data/err" </dev/null
    grep -qx "$proof" "$dir/data/out" || { cat "$dir/data/err" >&2; fail "the simulation of $* with $p processes did not end"; }
}
# hosts_of PLATFORM: the hosts in the order of the file
hosts_of() {
    if [ "$1" = two-level ]; then
        for rack in 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
            seq -f "rack$rack-node%g" 0 63
        done
    else
        seq -f node%g 0 1023
    fi >"$dir/hosts"
}

# ---- report

# have PATTERN...: data that a report needs
have() {
    for pattern; do
        # shellcheck disable=SC2086 # the pattern is expanded here
        ls $dir/data/$pattern >/dev/null 2>&1 || fail "$dir/data has no $pattern: 'study measure $dir' makes them"
    done
}
# g_and_L P: what bsp_parameter found, the median over the rounds; seconds per byte and seconds
g_and_L() {
    cat "$dir"/data/parameter.p"$1".r*.txt | sed -n 's/^L = \([^ ]*\) s .*g = \([^ ]*\) s per byte.*/\2 \1/p' >"$work/found"
    g=$(cut -d' ' -f1 "$work/found" | sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }')
    L=$(cut -d' ' -f2 "$work/found" | sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }')
    [ "$g" ] || fail "$dir/data has no parameters of P = $1"
}
# members KEY... <FILE: of each line of llac's answers that has all of them, the numbers of these members (the first of each name)
members() {
    awk -v keys="$*" '{ n = split(keys, key, " "); line = ""
        for (i = 1; i <= n; i++) {
            at = index($0, "\"" key[i] "\":")
            if (!at) next
            x = substr($0, at + length(key[i]) + 3); sub(/[,}\]].*/, "", x); line = line (i > 1 ? " " : "") x
        }
        print line }'
}
# obsp TRACE [L]: `obsp bsp measured error` of a trace, with the g and L that are set
obsp() { "$llac" --json -e "obsp \"$1\" g=$g L=${2:-$L}" | members obsp bsp measured error_pct; }
# median_of FIELD: of lines with numbers
median_of() { sort -g -k"$1,$1" | awk '{ x[NR] = $0 } END { print x[int((NR + 1) / 2)] }'; }
command_is_there() { command -v "$1" >/dev/null || fail "there is no $1; set $2 to its path"; }

# main COMMAND DIR OPTIONS...: after the study has defined its own functions
main() {
    [ $# -ge 2 ] || usage
    command=$1 dir=$2
    shift 2
    procs="1 2 4 8 16"
    [ -z "$small" ] || procs="1 2 4"
    while [ $# -gt 0 ]; do
        [ $# -ge 2 ] || usage
        case $1 in
        --seconds) seconds=$2 ;;
        --procs) procs=$2 ;;
        *) usage ;;
        esac
        shift 2
    done
    case ${seconds:=60} in *[!0-9]*) usage ;; esac
    if [ -z "$small" ]; then
        kept=
        for p in $procs; do
            if [ "$p" -le "$(nproc)" ]; then kept="$kept $p"; fi
        done
        procs=$kept
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    case $command in
    prepare) command_is_there "$call" CALL && prepare ;;
    measure) measure ;;
    simulate) command_is_there "$call" CALL && mkdir -p "$dir/data" && dir=$(cd "$dir" && pwd) && simulate ;;
    report) command_is_there "$llac" LLAC && report ;;
    *) usage ;;
    esac
}
