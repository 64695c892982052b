# SPDX-License-Identifier: GPL-3.0-or-later
# How the tests run cllprobe: three rounds, a small working set.
. "$CLL_SOURCE/tests/harness/lib.sh"
cllprobe=$CLL_BIN/cllprobe
short=(--seconds 0.05 --largest 64K)
unset OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE PMIX_RANK

# accepted FILE: llac reads it; what it prints is in out
accepted() {
    [ -x "$llac" ] || return 0 # make check-runtime
    exits 0 "$llac" -e "machine show \"$1\""
    empty err
}
