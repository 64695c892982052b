#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# totals.sh [NAME...]: how good are the run times that `call discover` predicts for programs whose behaviour is known (bench/discover/made)?
# CLL_BIN is the folder of call; what is built and found goes into build/totals (TOTALS_WORK).
set -eu
cd "$(dirname "$0")/.."
exec python3 bench/discover/made.py "${CLL_BIN:-$PWD/build/bin}/call" "${TOTALS_WORK:-$PWD/build/totals}" "$@"
