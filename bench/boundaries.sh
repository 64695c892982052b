# SPDX-License-Identifier: GPL-3.0-or-later
#
# boundaries.sh translate | measure NAME | judge HERE MACHINE THERE MACHINE: do constants change on another machine where `boundaries` says?
# bench/caches.c reads numbers in order, follows a chain through cache lines, and updates an array, at 47 sizes. `measure` needs `make runtime` and a C compiler,
# not call and llac; carry build/boundaries between the machines. NAME is the folder of its data, HERE and THERE are two of these,
# each with its machine file. `judge` prints the boundaries that were moved from HERE beside those that were fitted THERE. ROUNDS: default 8.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/boundaries
bin=${CLL_BIN:-$PWD/build/bin}

translate() {
    mkdir -p "$work"
    "$bin/call" --outdir "$work" bench/caches.c
}

measure() {
    make -s runtime >"$work/runtime.log" 2>&1 || { cat "$work/runtime.log"; exit 1; }
    ${CC:-cc} -O2 -w "$work/caches.cll.c" -Ibuild/runtime/include build/runtime/lib/libcll.a -lpthread -lm -o "$work/caches"
    mkdir -p "$work/$1"
    for round in $(seq "${ROUNDS:-8}"); do
        CLL_RUN=$round CLL_OUT=$work/$1/caches.$round.dat "$work/caches" >/dev/null
    done
}

judge() {
    for region in random update ordered; do
        echo "== $region, moved from $1"
        "$bin/llac" --machine "$2" -e "fit $region; boundaries $region on $4 $([ $region != random ] || echo working set '64*n')" "$work/$1"/*.dat | sed -n '/carried from/,$p'
        echo "== $region, fitted to $3"
        "$bin/llac" -e "fit $region" "$work/$3"/*.dat | grep -E '^  (boundary|bend|smooth change)' || echo "  no boundary"
    done
}

case "${1:-} $#" in
"translate 1") translate ;;
"measure 2") measure "$2" ;;
"judge 5") judge "$2" "$3" "$4" "$5" ;;
*) sed -n '3,7s/^# //p' "$0" >&2; exit 2 ;;
esac
