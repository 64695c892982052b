#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpu.sh [translate | measure | judge | cost [FOLDER...] | profile | calls]: kernels and copies of CUDA (bench/gpu/kernels.cu),
# fitted on sizes up to 1/16 of the largest and predicted at 4, 8 and 16 times the largest of these; what a region adds to a launch,
# also of OpenCL (bench/gpu/opencl.c); and the times of the device beside those of the profiler ncu, which measure in turn. RUNS
# rounds (default 6) of the sizes that are fitted. MACHINE is the machine file of the device (examples/machines/h200.json). Without
# a word, the first three steps. They can run on different machines, with the folder build/gpu-bench carried between them: `measure`
# needs a device, nvcc, python3 and `make runtime`, not call and llac. CLL_BIN is the folder of call and llac, ARCH the option -arch
# of nvcc (native).
# OpenCL: the first accelerator, else the first device; OCL_ICD_FILENAMES=libpocl.so.2 leaves the processor alone.
# cost is the part of `measure` about launches alone, two minutes for two versions: the FOLDERs are source trees, `cost . OLDER`
# compares them, in turn, in ROUNDS rounds (default 4). profile, after it, is the part about the profiler (ROUNDS 5). calls is what
# each call of the driver costs (bench/gpu/calls.cu, calls-opencl.c); it needs nothing of CALL.
# The formulas are in the pragmas; they and the sizes were chosen before anything was measured. Formulas that ask the machine
# (machine_formula) are for the regions whose own formula is off by more than 5 %; they were written when that was known.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/gpu-bench
bin=${CLL_BIN:-$source/build/bin}
machine=${MACHINE:-$source/examples/machines/h200.json}
step=${1:-all}

translate() {
    mkdir -p "$work"
    "$bin/call" --outdir "$work" bench/gpu/kernels.cu
    "$bin/call" --outdir "$work" bench/gpu/opencl.c
}

# build FOLDER INTO: the programs kernels and opencl, with the run-time of this source tree
build() {
    local runtime=$1/build/runtime wrapped
    rm -rf "$2"
    mkdir -p "$2"
    make -s -j"$(nproc)" -C "$1" runtime RUNTIME_MPICC=none RUNTIME_SMPICC=none RUNTIME_NVCC= >"$2/log" 2>&1 || { cat "$2/log"; exit 1; }
    wrapped=$(sed -n 's/^CLL_CUDA_WRAP(\(.*\))/-Xlinker --wrap=\1/p' "$1/src/cll/cuda/wrapped.def")
    # shellcheck disable=SC2086
    nvcc -O2 -arch="${ARCH:-native}" -I"$runtime/include" "$work/kernels.cll.cu" -o "$2/kernels" $wrapped -L"$runtime/lib" \
        -lcll_cuda -Xlinker -rpath="$runtime/lib" -lcll -ldl
    gcc -O2 -I"$runtime/include" -Ibench/gpu "$work/opencl.cll.c" -o "$2/opencl" -L"$runtime/lib" -lcll_opencl -Wl,-rpath,"$runtime/lib" -lcll \
        -lOpenCL >"$2/log" 2>&1 || { echo "without OpenCL:"; tail -3 "$2/log"; }
}

# one VERSION HOW PROGRAM ARGUMENTS...: a line for judge.py cost
one() {
    CLL_DEVICE=$2 CLL_OUT=/dev/null "${@:3}" >"$work/line" || return 0
    sed "s|^a launch takes \(.*\) us, in a region \(.*\) us|$1 $(basename "$3") $2 \1 \2|" "$work/line"
}

# cost FOLDER...: source trees
cost() {
    local folders=("$@") version into how builds=()
    [ $# -gt 0 ] || folders=("$source")
    for version in "${!folders[@]}"; do
        build "$(cd "${folders[version]}" && pwd)" "$work/version.$version" &
        builds+=($!)
    done
    for version in "${builds[@]}"; do
        wait "$version"
    done
    for ((round = 1; round <= ${ROUNDS:-4}; round++)); do
        for version in "${!folders[@]}"; do
            into=$work/version.$version
            for how in off events cupti; do
                one "${folders[version]}" $how "$into/kernels" cost
            done
            for how in off auto; do
                [ ! -e "$into/opencl" ] || one "${folders[version]}" $how "$into/opencl"
            done
        done
    done >"$work/cost.lines"
    python3 bench/gpu/judge.py cost <"$work/cost.lines"
    for version in "${!folders[@]}"; do
        for how in events cupti; do
            CLL_DEVICE=$how CLL_OUT=$work/version.$version/wait.$how.dat "$work/version.$version/kernels" wait
        done
        echo "${folders[version]}:"
        python3 bench/gpu/judge.py waits "$work/version.$version"
    done
}

calls() {
    mkdir -p "$work"
    nvcc -O2 -arch="${ARCH:-native}" bench/gpu/calls.cu -o "$work/calls" -ldl
    "$work/calls"
    gcc -O2 bench/gpu/calls-opencl.c -o "$work/calls-opencl" -lOpenCL && "$work/calls-opencl" || echo "calls-opencl: not built, or no device"
}

# The programs are there: cost has made them.
profile() {
    local kernels=$work/version.0/kernels how
    mkdir -p "$work/data"
    rm -f "$work"/data/profile.* "$work"/data/ncu.*
    for ((round = 1; round <= ${ROUNDS:-5}; round++)); do
        for how in events cupti; do
            CLL_RUN=$round CLL_DEVICE=$how CLL_OUT=$work/data/profile.$how.$round.dat "$kernels" profile
        done
        CLL_RUN=$round CLL_OFF=1 ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv --page raw \
            "$kernels" profile >"$work/data/ncu.$round.csv" 2>"$work/data/ncu.err" || tail -5 "$work/data/ncu.err"
    done
}

measure() {
    local kernels=$work/version.0/kernels
    rm -rf "$work/data"
    mkdir -p "$work/data"
    cost | tee "$work/data/cost.txt"
    for ((round = 1; round <= ${RUNS:-6}; round++)); do
        CLL_RUN=$round CLL_OUT=$work/data/fit.$round.dat "$kernels" fit
    done
    for ((round = 1; round <= 3; round++)); do
        CLL_RUN=$round CLL_OUT=$work/data/beyond.$round.dat "$kernels" beyond
    done
    command -v ncu >/dev/null && profile
    for f in "$work"/data/*.dat; do
        sed -n 's/^# \(device\|date\): /\1 /p' "$f"
    done | sort -u | head -2
}

# The bytes that a kernel moves, over the bandwidth of the working set: a step of the naive product needs 32 elements of b for the
# 8 rows of a block and 8 of a for its 32 columns, and waits for them; a row of the sparse product has 16 values and 16 columns, and
# other rows compute meanwhile; the sum reads while one of its 32 lanes adds to the result.
machine_formula() {
    case $1 in
    naive) echo 'naive[0] + naive[1]*m^3 + 0.625*m^3/gpu_bw(8*m^2)' ;;
    reduce) echo 'reduce[0] + max(reduce[1]*min(n/32, 16896), 4*n/gpu_bw(4*n))' ;;
    spmv) echo 'spmv[0] + max(spmv[1]*n, 132*n/gpu_bw(132*n))' ;;
    esac
}

# judge_all own|machine REGION:SIZE:OBSERVABLE...: a table; by the formulas of the pragmas, or those that ask the machine
judge_all() {
    local k name size observable
    for k in "${@:2}"; do
        IFS=: read -r name size observable <<<"$k"
        if [ "$1" = own ]; then
            python3 bench/gpu/judge.py beyond "$bin/llac" "$machine" "$work/data" "$name" "$size" "$observable"
        else
            python3 bench/gpu/judge.py beyond "$bin/llac" "$machine" "$work/data" "$name" "$size" "$observable" "$(machine_formula "$name")"
        fi
    done | python3 bench/gpu/judge.py sum
}

judge() {
    judge_all own axpy:n:DEVICE reduce:n:DEVICE stencil:n:DEVICE naive:m:DEVICE tiled:m:DEVICE spmv:n:DEVICE to_pinned:n:TRANSFER \
        from_pinned:n:TRANSFER to_pageable:n:TRANSFER from_pageable:n:TRANSFER
    echo 'with formulas that ask the machine:'
    judge_all machine naive:m:DEVICE reduce:n:DEVICE spmv:n:DEVICE
    echo 'chosen at the end:'
    judge_all own histogram:n:DEVICE sort:n:DEVICE
    echo 'sizes that do not fill the device:'
    judge_all own forces:n:DEVICE
    cat "$work/data/cost.txt"
    python3 bench/gpu/judge.py profile "$work/data"
}

case $step in
translate | measure | judge | calls) "$step" ;;
profile)
    profile
    python3 bench/gpu/judge.py profile "$work/data"
    ;;
cost) cost "${@:2}" ;;
all)
    translate
    measure
    judge
    ;;
*)
    echo "usage: gpu.sh [translate | measure | judge | cost [FOLDER...] | profile | calls]" >&2
    exit 2
    ;;
esac
