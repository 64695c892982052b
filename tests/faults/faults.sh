# SPDX-License-Identifier: GPL-3.0-or-later
# faults.sh GROUP [--all]: sweep.py with the programs of this build.
. "$CLL_SOURCE/tests/harness/lib.sh"
need python3
export CLL_FAULTS_INJECT=$CLL_BUILD/tests/faults_inject CLL_FAULTS_PRELOAD=$CLL_BUILD/tests/faults_preload.so
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$CLL_SOURCE/tests/faults/sweep.py" "$@"
