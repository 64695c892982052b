# SPDX-License-Identifier: GPL-3.0-or-later
# libpub beside plain MPI, with as many processes as there are cores, up to 16.
set -eu
[ -x "$CLL_BUILD/bench/pub" ] || { echo "bench/pub: no Open MPI was found when this was built"; exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for p in 2 4 8 16; do
    [ "$p" -le "$(nproc)" ] || continue
    mpirun -n "$p" "$CLL_BUILD/bench/pub" 40
    echo "MPI may not read the memory of another process:"
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_sm_single_copy_mechanism=none \
        mpirun -n "$p" "$CLL_BUILD/bench/pub" 200 large
done
