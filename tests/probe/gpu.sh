# SPDX-License-Identifier: GPL-3.0-or-later
# cllprobe with an accelerator, which may be one that OpenCL simulates on the processor. A test is a function.
. "$CLL_SOURCE/tests/probe/setup.sh"
opencl=$CLL_BIN/cllprobe-opencl
export POCL_CACHE_DIR=$PWD/kernels # and not the user's folder
mkdir -p kernels

the_device_is_measured() {
    local name
    [ -x "$opencl" ] || skip 'no OpenCL library'
    "$opencl" --quick "${short[@]}" --only gpu,clock --name box -o x.json >out 2>err ||
        { has_text err 'OpenCL finds no device' && skip 'no OpenCL device'; }
    accepted x.json
    has out '^      accelerator .*: OpenCL'
    has out '^  gpu  *latency ns  *read GB/s  *write GB/s  *copy GB/s  *atomic ns$'
    has out '^  gpu  *to_device.pageable ns  *to_device.pinned ns  *from_device.pageable ns  *from_device.pinned ns$'
    for name in launch.latency launch.throughput synchronise flop_float; do has out "^  gpu  *$name  *[0-9]"; done
    has_text x.json '"name": "gpu", "measured": true'
    [ ! -x "$llac" ] || exits 0 "$llac" --machine ./x.json -e 'machine show' # its functions have values
}

the_plain_program_says_who_measures_devices() {
    exits 1 "$cllprobe" "${short[@]}" --only gpu -o x.json
    has_text err '--only gpu: cllprobe-cuda and cllprobe-opencl measure accelerators; start one of them'
    gone x.json
    exits 0 "$cllprobe" "${short[@]}" --only clock -o x.json
    lacks_text x.json '"gpu"'
}

a_machine_without_a_device_is_an_error() {
    local program found=no
    for program in "$CLL_BIN"/cllprobe-{opencl,cuda}; do
        [ -x "$program" ] || continue
        found=yes
        # no OpenCL library offers a device, and no device is visible to CUDA
        exits 1 env OCL_ICD_VENDORS=/none OPENCL_VENDOR_PATH=/none CUDA_VISIBLE_DEVICES= "$program" "${short[@]}" --only gpu -o x.json
        has err 'error: --only gpu: \(OpenCL\|CUDA\) finds no device'
        gone x.json
    done
    [ $found = yes ] || skip 'no cllprobe with OpenCL or CUDA was built'
}

the_version_names_the_library() {
    [ -x "$opencl" ] || skip 'no OpenCL library'
    exits 0 "$opencl" --version
    has out '^accelerators: OpenCL$'
}

several_processes_are_refused() {
    [ -x "$opencl" ] || skip 'no OpenCL library'
    exits 1 env OMPI_COMM_WORLD_SIZE=2 "$opencl" "${short[@]}" --only clock -o x.json
    has_text err 'a launcher started 2 processes, but this program measures on one; start it without the launcher'
    gone x.json
}

main "$1"
