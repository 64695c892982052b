#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpu.sh [translate | measure | judge]: kernels and copies of CUDA (bench/gpu/kernels.cu), fitted on sizes up to 1/16 of the largest
# and predicted at 4, 8 and 16 times the largest of these; what a region adds to a launch, also of OpenCL (bench/gpu/opencl.c);
# and the times of the device beside those of the profiler ncu, which measure in turn. RUNS rounds (default 6) of the sizes that
# are fitted. MACHINE is the machine file of the device (examples/machines/h200.json). Without a word, all three steps.
# They can run on different machines, with the folder build/gpu-bench carried between them: `measure` needs a device, nvcc and
# `make runtime`, not call and llac. CLL_BIN is the folder of call and llac, ARCH the option -arch of nvcc (native).
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

# cost_of_opencl RUNTIME: where there are a library and a device of OpenCL
cost_of_opencl() {
    gcc -O2 -I"$1/include" "$work/opencl.cll.c" -o "$work/opencl" -L"$1/lib" -lcll_opencl -Wl,-rpath,"$1/lib" -lcll -lOpenCL \
        >"$work/opencl.log" 2>&1 || { echo "opencl: not built"; return; }
    for how in off auto; do
        CLL_DEVICE=$how CLL_OUT=$work/data/cost.opencl.$how.dat "$work/opencl" | sed "s/^/opencl, CLL_DEVICE=$how: /" || return 0
    done
}

measure() {
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    local runtime=$source/build/runtime wrapped
    wrapped=$(sed -n 's/^CLL_CUDA_WRAP(\(.*\))/-Xlinker --wrap=\1/p' src/cll/cuda/wrapped.def)
    # shellcheck disable=SC2086
    nvcc -O2 -arch="${ARCH:-native}" -I"$runtime/include" "$work/kernels.cll.cu" -o "$work/kernels" $wrapped -L"$runtime/lib" \
        -lcll_cuda -Xlinker -rpath="$runtime/lib" -lcll -ldl
    rm -rf "$work/data"
    mkdir -p "$work/data"
    for ((round = 1; round <= ${RUNS:-6}; round++)); do
        CLL_RUN=$round CLL_OUT=$work/data/fit.$round.dat "$work/kernels" fit
    done
    for ((round = 1; round <= 3; round++)); do
        CLL_RUN=$round CLL_OUT=$work/data/beyond.$round.dat "$work/kernels" beyond
    done
    for how in off events cupti; do
        CLL_DEVICE=$how CLL_OUT=$work/data/cost.$how.dat "$work/kernels" cost | sed "s/^/$how: /"
        CLL_DEVICE=$how CLL_OUT=$work/data/wait.$how.dat "$work/kernels" wait
    done | tee "$work/data/cost.txt"
    cost_of_opencl "$runtime" | tee -a "$work/data/cost.txt"
    for ((round = 1; round <= 5; round++)); do
        command -v ncu >/dev/null || break
        for how in events cupti; do
            CLL_RUN=$round CLL_DEVICE=$how CLL_OUT=$work/data/profile.$how.$round.dat "$work/kernels" profile
        done
        CLL_RUN=$round CLL_OFF=1 ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv --page raw \
            "$work/kernels" profile >"$work/data/ncu.$round.csv" 2>"$work/data/ncu.err" || tail -5 "$work/data/ncu.err"
    done
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
    cat "$work/data/cost.txt"
    python3 bench/gpu/judge.py profile "$work/data"
}

case $step in
translate | measure | judge) "$step" ;;
all)
    translate
    measure
    judge
    ;;
*)
    echo "usage: gpu.sh [translate | measure | judge]" >&2
    exit 2
    ;;
esac
