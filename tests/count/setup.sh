# SPDX-License-Identifier: GPL-3.0-or-later
# How the tests of call count run it, and how they ask a report.
. "$CLL_SOURCE/tests/harness/mpi.sh"
need valgrind
[ -e "$CLL_BUILD/lib/libcll_count.a" ] || skip "valgrind's headers were not there when this was built"
export TMPDIR=$PWD/temporary
mkdir -p "$TMPDIR"

# count ARGUMENTS...: must end with 0; out, err
count() { exits 0 "$call" count "$@"; }

# ask FILE EXPRESSION: prints the value of a Python expression over the report r, and what these functions find:
#   line(EXPERIMENT, CONSTANT, LINE)   the instructions of a line per unit of a constant; None without it
#   total(EXPERIMENT, CONSTANT)        its instructions
#   sums(EXPERIMENT)                   is the sum of the constants the count of every point? (one variable, N)
ask() {
    python3 - "$1" "$2" <<'PYTHON'
import json, math, sys
r = json.load(open(sys.argv[1]))
def experiment(name):
    return next(e for e in r["experiments"] if e["name"] == name)
def constant(e, name):
    return next(c for c in experiment(e)["constants"] if c["name"] == name)
def line(e, name, number):
    return next((l["instructions"] for l in constant(e, name)["lines"] if l["line"] == number), None)
def total(e, name):
    return constant(e, name)["instructions"]
def sums(name):
    e = experiment(name)
    def at(c, N):
        term = c["term"].replace("^", "**").replace("log2", "math.log2")
        return c["instructions"] * eval(term, {"N": N, "math": math})
    return all(abs(sum(at(c, p["values"]["N"]) for c in e["constants"]) - p["instructions"]) < 1e-6 for p in e["points"])
print(eval(sys.argv[2]))
PYTHON
}
# says FILE EXPRESSION VALUE
says() { is "$(ask "$1" "$2")" "$3" "$2"; }
