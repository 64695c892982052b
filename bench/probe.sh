#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# probe.sh [RUNS [OPTION...]]: runs cllprobe RUNS times (default 3) with these options, and compares the runs. Prints how long
# each took; how many figures it called not steady; which figures differ by more than 10 % although all runs called them
# steady; and the caches that the latency shows beside those that the system tells of.
# CLL_BIN is the folder of cllprobe and llac.
set -euo pipefail
runs=${1:-3}
shift || true
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${CLL_BIN:-$here/build/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/cll-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
for ((i = 1; i <= runs; i++)); do
    "$bin/cllprobe" --quiet --name "run$i" "$@" 2>/dev/null
    "$bin/llac" --json -e "machine show run$i.json" >"shown$i.json"
done
python3 - "$runs" <<'PY'
import json
import sys

machines = [json.load(open(f"shown{i + 1}.json")) for i in range(int(sys.argv[1]))]
for i, m in enumerate(machines):
    seconds = json.load(open(f"run{i + 1}.json"))["seconds"]
    unsteady = sum(not f["steady"] for f in m["figures"])
    print(f"run {i + 1}: {seconds:.1f} s, {len(m['figures'])} figures, {unsteady} of them not steady")


def key(f):
    return f["family"], f["name"], f.get("bytes", ""), f.get("cores", ""), f.get("processes", "")


figures = [{key(f): f for f in m["figures"]} for m in machines]
common = [k for k in figures[0] if all(k in f for f in figures)]
ratios = {k: max(f[k]["value"] for f in figures) / min(f[k]["value"] for f in figures) for k in common}
silent = [k for k in common if ratios[k] > 1.1 and all(f[k]["steady"] for f in figures)]
for k in silent:
    print("  " + " ".join(str(part) for part in k if part != "") + f" ratio {ratios[k]:.2f}")
print(f"figures that differ by more than 10 % although they are called steady: {len(silent)} of {len(common)}")
for i, m in enumerate(machines):
    caches = {c["level"]: c["bytes"] for c in m["caches"] if c["type"] != "instruction" and c["level"] < 3}
    for level, size in sorted(caches.items()):
        found = min((x["bytes"] for x in m["levels"]), key=lambda x: max(x / size, size / x), default=0)
        if found:
            print(f"run {i + 1}: L{level} of the latency {found / 1024:.0f} KB, of the system {size / 1024:.0f} KB, "
                  f"ratio {max(found / size, size / found):.2f} (wanted: at most 1.5)")
PY
