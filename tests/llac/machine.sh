# SPDX-License-Identifier: GPL-3.0-or-later
# machine: files that cllprobe wrote. data/machine.json is from mpirun -n 2 cllprobe --quick --seconds 0.1 --largest 64K.
. "$CLL_SOURCE/tests/llac/setup.sh"
file=$data/machine.json

good "machine show \"$file\""
has out '^  demo   Neoverse-N1, aarch64, 2 cores, 23.5 GB$'
has_text out 'measured 2026-'
has_text out 'by cllprobe 0.1.0 --quick, 3 rounds in'
has_text out 'L1 instruction 64 KB, L1 data 64 KB, L2 unified 1 MB, L3 unified 32 MB (shared by 2); from hwloc, not measured'
has_text out '2 processes on 1 host: Open MPI v4.1.4'
has out '^  operation  *latency ns  *cycles  *each ns  *cycles$'
has out '^  int_add  *0.4[0-9]*\** *1  *0.1[0-9]*\** *0.[0-9]*$'
has out '^  fp_mul  *1.2 *3 '
has out '^  store   *[0-9.]*\** *[0-9.]*$'
has out '^  operations branch.mispredicted .* ns    \[[0-9.]*, [0-9.]*\]$'
has out '^  openmp     barrier  *2 cores '
has out '^  bsp        g.exchange  *2 processes .* ns/B '
has out '^  memory  *latency ns  *read GB/s  *write GB/s  *copy GB/s   1 core$'
has out '^  memory  *latency ns  *read GB/s  *copy GB/s   2 cores$'
has out '^  64 KB  *1.6'
lacks_text out '5.5'$'625 KB' # only powers of two
has out '^  mpi  *pingpong ns  *alltoall ns   2 processes$'
has out '^  0 B  *[0-9.]*\** *$'
has out '^  \* [0-9]* of 125 figures were not steady$'

# the levels of the latency: the caches of a machine with two, and a TLB
cat >curve.awk <<'AWK'
BEGIN {
    n = split("4 1.6 8 1.6 16 1.6 32 1.6 64 1.6 128 5.4 256 5.5 512 6 1024 13 2048 30 4096 31 8192 80 16384 81 32768 82", x, " ")
    for (i = 1; i < n; i += 2)
        printf "%s{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": %d, \"cores\": 1, \"unit\": \"s\", \"value\": %ge-9, \"low\": %ge-9, \"high\": %ge-9, \"steady\": true, \"rounds\": 1, \"values\": [%ge-9]}", (i > 1 ? ",\n" : ""), x[i] * 1024, x[i + 1], x[i + 1], x[i + 1], x[i + 1]
}
AWK
{ sed '/^ "figures": \[/,$d; s/"name": "demo"/"name": "stairs"/' "$file"; echo ' "figures": ['; awk -f curve.awk; echo ']}'; } >stairs.json
good 'machine show stairs.json'
has out 'levels of the latency: [0-9.]* KB (L1 64 KB), [0-9.]* [KM]B (L2 1 MB), [0-9.]* MB; measured$'
exits 0 "$llac" --json -e 'machine show stairs.json'
has_text out '"levels":[{"bytes":'

# the folder of machines
export CLL_MACHINES=$PWD/new/machines
good 'machine list'
has_text out "there are no machines; cllprobe measures one, and 'machine add FILE' adds it"
bad 'machine show demo' "there is no machine and no file 'demo'; cllprobe measures a machine, and 'machine add FILE' adds its file"
good "machine add \"$file\"; machine add stairs.json"
has_text out "added as $CLL_MACHINES/demo.json"
same new/machines/demo.json "$file"
good 'machine list'
has out '^  demo  *Neoverse-N1, 2 cores, measured 2026-.* --quick$'
has out '^  stairs '
bad 'machine add stairs.json' "there is a machine 'stairs' already; 'machine add FILE replace' replaces it, and 'cllprobe --name' gives another name"
good 'machine add stairs.json replace'
bad 'machine add cut-off.json' 'cut-off.json: No such file'
bad 'machine add' 'a machine is missing: machine add FILE'
bad 'machine show other' "there is no machine and no file 'other'; the machines are demo, stairs"
good 'machine show stairs'
has out '^  stairs  '
echo '{' >new/machines/broken.json
good 'machine list'
has out '^  broken  *cannot be used: '
exits 0 "$llac" --json -e 'machine list; machine use demo; machine list; machine use none; machine add stairs.json replace'
has_text out '{"name":"broken","error":"'
has_text out '"quick":true,"in_use":true}'
has_text out '{"in_use":"demo"}'
has_text out '{"in_use":null}'
has_text out '{"added":"'
rm new/machines/broken.json
good 'machine use demo; machine list; machine show; machine use none'
has_text out 'demo is in use'
has out '^  demo .*   in use$'
has_text out 'no machine is in use'
has out '^  demo   Neoverse-N1'
bad 'machine show' 'no machine is in use; name one: machine show MACHINE, or machine use MACHINE'
bad 'machine use nosuch' "there is no machine and no file 'nosuch'"
good 'machine compare demo stairs'
has out '^  operations cycle  *0.4[0-9]*\** *0.4[0-9]*\** ns  *1 =$'
has out '^  memory     latency  *64 KB, 1 core  *1.6[0-9]*\** *1.6 ns '
lacks_text out 'write'
exits 0 "$llac" --json -e 'machine compare demo stairs'
has_text out '"a":"demo","b":"stairs"'
bad 'machine compare demo' 'a machine is missing: machine compare MACHINE MACHINE'
CLL_MACHINES=/dev/null/x bad "machine add \"$file\"" 'cannot write /dev/null/x/demo.json: Not a directory'
bad 'machine plot' "the word 'memory' or 'gpu' is expected here: machine plot memory"
bad 'machine plot gpu' 'no machine is in use; name one: machine plot gpu MACHINE'
bad 'machine plot gpu demo' 'the memory of an accelerator of demo was not measured: run cllprobe-cuda --only gpu, or cllprobe-opencl --only gpu'
bad 'machine plot memory' 'no machine is in use; name one: machine plot memory MACHINE'
bad 'machine plot memory demo to' "the name of a file is missing after 'to'"
bad 'machine plot memory demo to m.doc' 'must end in .svg, .png or .pdf'
bad 'machine plot memory nosuch' "there is no machine and no file 'nosuch'"
bad 'machine plot memory stairs' 'the memory of stairs was not measured: run cllprobe --only memory' # it has no bandwidth
exits 0 "$llac" --json -e 'machine plot memory demo'
has_text out '"machine":"demo","file":null,"latency":[{"cores":1,"points":[[4096,'
if command -v gnuplot >/dev/null; then
    good 'machine plot memory demo to m.svg; machine use demo; machine plot memory to m.png'
    has_text m.svg 'latency, ns'
    has_text m.svg '2 cores'
    has_text m.svg 'working set of each core'
fi
what='without CLL_MACHINES'
(unset CLL_MACHINES && HOME=$PWD/home exec "$llac" -e "machine add \"$file\"") >out 2>err || fail 'machine add'
exists home/.local/share/cll/machines/demo.json
(unset CLL_MACHINES HOME && exec "$llac" -e 'machine list') >out 2>err && fail 'no folder is accepted'
has_text err 'there is no folder for machines: set CLL_MACHINES to one'

# as JSON: all figures, without the values of the rounds
exits 0 "$llac" --json -e "machine show \"$file\""
is "$(wc -l <out)" 1 'lines of JSON'
has_text out '"machine":"demo"'
has_text out '"name":"int_add.latency"'
has_text out '"rounds":3'
lacks_text out '"values"'

# errors name what is wrong
bad 'machine' "'machine' is followed by show, add, list, use, compare or plot"
bad 'machine file.json' "'machine' is followed by show"
bad 'machine show x.json y' "y"
bad 'machine show no/such.json' 'no/such.json: No such file or directory'
bad "machine show \"$data/demo.dat\"" 'demo.dat: this is not a machine file: cllprobe writes those'
head -c 5000 "$file" >cut.json
bad 'machine show cut.json' 'it is damaged or was cut off; copy it again, or make it again with cllprobe'
sed 's/"cllprobe": 1/"cllprobe": 2/' "$file" >newer.json
bad 'machine show newer.json' 'a newer cllprobe wrote this file (format 2, this program reads format 1)'
sed 's/"unit": "B.s"/"unit": "s"/' "$file" >units.json
bad 'machine show units.json' 'the unit of memory read is "B/s", not "s"'

# the machines that are shipped
for shipped in neoverse-2 xeon-16; do
    shipped=$CLL_SOURCE/examples/machines/$shipped.json
    good "machine show \"$shipped\""
    has out "^  $(basename "$shipped" .json)   "
    has_text out 'levels of the latency: '
    has out '^  mpi        barrier '
    has out '^  bsp        g.exchange '
done

h200=$CLL_SOURCE/examples/machines/h200.json
good "machine show \"$h200\""
has out '^      accelerator NVIDIA H200, 132 units, 139.8 GB, cache 60 MB: CUDA 13.0$'
has out '^      levels of its latency: 2[0-9.]* KB, 5[0-9.]* MB; measured$'
has out '^  gpu  *launch.latency '
has out '^  gpu  *latency ns  *read GB/s  *write GB/s  *copy GB/s  *atomic ns$'
has out '^  gpu  *to_device.pageable ns  *to_device.pinned ns  *from_device.pageable ns  *from_device.pinned ns$'
exits 0 "$llac" --json -e "machine show \"$h200\"; machine plot gpu \"$h200\"; machine show \"$file\""
has_text out '"gpu":{"device":"NVIDIA H200","library":"CUDA 13.0","units":132,"memory":150109880320,"cache":62914560,"levels":[{"bytes":'
has_text out '"machine":"h200","file":null,"latency":[{"cores":0,"points":[[4096,'
has_text out '"gpu":null'
sed 's/"units": 132/"units": 0/' "$h200" >units.json
bad 'machine show units.json' 'gpu: "units" must be'
if command -v gnuplot >/dev/null; then
    good "machine plot gpu \"$h200\" to g.svg"
    has_text g.svg 'accelerator'
    lacks_text g.svg 'of each core'
fi

# a machine of a publication: where its figures come from, in place of who measured them
t800=$CLL_SOURCE/examples/machines/t800.json
good "machine show \"$t800\""
has out '^  t800   Inmos T800, 25 MHz, transputer, 1 core, 4 MB$'
has_text out 'published 1993-11-30, not measured: Zemerly et al., Smart Integration'
has out 'levels of the latency: [0-9.]* KB$'
has out '^  fpldnlmulsn  *840  *21 *$'
has out '^  mpi        connect  *2 processes '
exits 0 "$llac" --json -e "machine show \"$t800\""
has_text out '"source":"Zemerly et al.'
exits 0 "$llac" --json -e "machine show \"$file\""
has_text out '"source":null'
good "machine add \"$t800\"; machine list"
has out '^  t800  *Inmos T800, 25 MHz, 1 core, published 1993-11-30$'

# names from a file cannot control the terminal
sed 's/Neoverse-N1/\\u001b[31mred/' "$file" >red.json
good 'machine show red.json'
has_text out '\x1b[31mred'
finish
