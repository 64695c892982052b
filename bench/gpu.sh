#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpu.sh [translate | measure | judge]: kernels and copies of CUDA (bench/gpu/kernels.cu), fitted on sizes up to 1/16 of the largest
# and predicted at 4, 8 and 16 times the largest of these; what a region adds to a launch; and the times of the device beside
# those of the profiler ncu. RUNS rounds (default 6) of the sizes that are fitted. Without a word, all three steps.
# They can run on different machines, with the folder build/gpu-bench carried between them: `measure` needs a device, nvcc and
# `make runtime`, not call and llac. CLL_BIN is the folder of call and llac, ARCH the option -arch of nvcc (native).
# The formulas are in the pragmas; they and the sizes were chosen before anything was measured.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/gpu-bench
bin=${CLL_BIN:-$source/build/bin}
step=${1:-all}

translate() {
    mkdir -p "$work"
    "$bin/call" --outdir "$work" bench/gpu/kernels.cu
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
    done | tee "$work/data/cost.txt"
    if command -v ncu >/dev/null; then
        for how in events cupti; do
            CLL_DEVICE=$how CLL_OUT=$work/data/profile.$how.dat "$work/kernels" profile
        done
        CLL_OFF=1 ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv --page raw \
            "$work/kernels" profile >"$work/data/ncu.csv" 2>"$work/data/ncu.err" || tail -5 "$work/data/ncu.err"
    fi
    for f in "$work"/data/*.dat; do
        sed -n 's/^# \(device\|date\): /\1 /p' "$f"
    done | sort -u | head -2
}

judge() {
    local kernels="axpy:n:DEVICE reduce:n:DEVICE stencil:n:DEVICE naive:m:DEVICE tiled:m:DEVICE spmv:n:DEVICE to_pinned:n:TRANSFER
        from_pinned:n:TRANSFER to_pageable:n:TRANSFER from_pageable:n:TRANSFER" k name size observable
    for k in $kernels; do
        IFS=: read -r name size observable <<<"$k"
        python3 bench/gpu/judge.py beyond "$bin/llac" "$work/data" "$name" "$size" "$observable"
    done | python3 bench/gpu/judge.py sum
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
