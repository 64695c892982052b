# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the tests of sweeps over numbers of processors.
. "$CLL_SOURCE/tests/harness/mpi.sh"
here=$CLL_SOURCE/tests/batch
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1
unset MPICC SLURM_JOB_ID SLURM_NTASKS SLURM_ARRAY_TASK_ID SLURM_RESTART_COUNT
cc=${CC:-gcc}
[ -z "$sanitize" ] || cc="$cc $sanitize"

# mpi NAME: NAME.c of this folder, its script, and the program, for Open MPI
mpi() {
    mpi_library openmpi
    cp -p "$here/$1.c" . # with its date, by which `shared` sees whether the program is newer
    "$call" --cc "$mpicc" "$1.c" || fail "$1 is not translated"
    # shellcheck disable=SC2086
    shared "$1" "$call" cc "$mpicc" -O1 $sanitize "$1.c" -o "$1" || fail "$1 does not compile"
}
# threads [NAME]: the OpenMP program under this name
threads() {
    local name=${1:-threads}
    [ -e "$name.c" ] || cp -p "$here/threads.c" "./$name.c"
    "$call" --cc "$cc" -o script.c "./$name.c" || fail "$name is not translated"
    local maker=
    [ "$name" != threads ] || maker="shared threads"
    # shellcheck disable=SC2086
    $maker "$call" cc $cc -O1 -fopenmp "./$name.c" -o "./$name" || fail "$name does not compile"
}
# data [FOLDER]: the data files, in order of P and round
data() { (cd "${1:-.}" && ls ./*.cll.p*.dat 2>/dev/null) | sed 's/^\.\///' | sort -V | tr '\n' ' '; }
# with_signals COMMAND...: in the background; a shell would let it ignore SIGINT
with_signals() {
    env --default-signal=INT,TERM "$@" >out 2>err </dev/null &
    pid=$!
}
