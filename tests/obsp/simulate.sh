# SPDX-License-Identifier: GPL-3.0-or-later
# simulate.sh FIRST LAST: llac obsp against a simulation of random programs with these seeds
. "$CLL_SOURCE/tests/harness/lib.sh"
need python3
python3 "$CLL_SOURCE/tests/obsp/simulate.py" "$llac" "$1" "$2" || fail 'the model and the simulation differ'
