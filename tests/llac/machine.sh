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

# as JSON: all figures, without the values of the rounds
exits 0 "$llac" --json -e "machine show \"$file\""
is "$(wc -l <out)" 1 'lines of JSON'
has_text out '"machine":"demo"'
has_text out '"name":"int_add.latency"'
has_text out '"rounds":3'
lacks_text out '"values"'

# errors name what is wrong
bad 'machine' 'machine needs a word that says what to do: machine show FILE'
bad 'machine show' 'machine show needs a file that cllprobe wrote: machine show FILE'
bad 'machine show x.json y' "y"
bad 'machine show no/such.json' 'no/such.json: No such file or directory'
bad "machine show \"$data/demo.dat\"" 'demo.dat: this is not a machine file: cllprobe writes those'
head -c 5000 "$file" >cut.json
bad 'machine show cut.json' 'it is damaged or was cut off; copy it again, or measure again with cllprobe'
sed 's/"cllprobe": 1/"cllprobe": 2/' "$file" >newer.json
bad 'machine show newer.json' 'a newer cllprobe wrote this file (format 2, this program reads format 1)'
sed 's/"unit": "B.s"/"unit": "s"/' "$file" >units.json
bad 'machine show units.json' 'the unit of memory read is "B/s", not "s"'

# names from a file cannot control the terminal
sed 's/Neoverse-N1/\\u001b[31mred/' "$file" >red.json
good 'machine show red.json'
has_text out '\x1b[31mred'
finish
