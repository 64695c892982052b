#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# discover.sh [counts] all|NAME..., discover.sh input NAME SIZE: how good are the answers of `call discover` on programs that were not written for it? Their sources come
# from Debian; without network it does nothing. The programs and their commands were chosen before any result was seen; those in `later`
# and `threaded` were chosen before any of them was run.
#
# Each program is predicted at 4 times and at 16 times the largest size that `call discover` runs, by two commands, in two copies of the sources, one
# after the other: two cores of a virtual machine may be one, which then is slower for both. Then the program runs there as its own command builds it: the best of three runs, at 16 times one run, by CPU time if
# it never waits.
# The binaries with counters and with regions, which `call discover` built, run there as well: they say what the counts are, and at 4 times the largest size the own
# times. bench/discover/judge.py compares, and prints the tables. A program whose time grows so fast that a run at 16
# times the size takes minutes has `-` there.
#
# input NAME SIZE: writes the input of a program.
#
# counts: only the counts; what is measured does not depend on how busy the machine is.
#
# CLL_BIN is the folder of call and llac; the sources and results are in build/discover (DISCOVER_WORK).
set -u
cd "$(dirname "$0")/.." || exit
source=$PWD
bin=${CLL_BIN:-$source/build/bin}
work=${DISCOVER_WORK:-$source/build/discover}
programs='bzip2 minigzip lz4 lua mawk bc minisat minpack tachyon cjpeg flac glpsol'
later='lzip fasttree tcc'
threaded='lbzip2 fasttreemp'
[ $# != 0 ] || { echo "left out: it downloads sources of others; bench/discover.sh all runs it"; exit 0; }
[ -x "$bin/call" ] || { echo "discover.sh: $bin/call is not there: build CALL, or set CLL_BIN" >&2; exit 1; }
counts=''
[ "$1" != counts ] || { counts=--counts; shift; }
[ "${1-}" != all ] || set -- $programs $later $threaded
export DISCOVER_WORK=$work
export PATH=$bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
inputs=$work/inputs
mkdir -p "$work" "$inputs"

# ---- sources, with lists of packages of its own ----

apt_setup() {
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache" "$work/packages"
    echo 'deb-src https://deb.debian.org/debian bookworm main' >"$work/apt/sources.list"
    cat >"$work/apt/conf" <<EOF
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$work/apt/lists";
Dir::Cache "$work/apt/cache";
APT::Sandbox::User "root";
EOF
    export APT_CONFIG=$work/apt/conf
    ls "$work/apt/lists/"*Sources* >/dev/null 2>&1 || apt-get -q update >"$work/apt/log" 2>&1
}
# unpack PACKAGE FOLDER: the sources as their authors published them, without Debian's patches
unpack() {
    local tar
    ls "$work/packages/$1"_*.orig.tar.* >/dev/null 2>&1 ||
        (cd "$work/packages" && apt-get -q source --tar-only --download-only "$1" >"$1.log" 2>&1) || return 1
    mkdir -p "$2"
    for tar in "$work/packages/$1"_*.orig.tar.*; do
        case $tar in *.asc) continue ;; esac
        [ "$(tar -tf "$tar" | cut -d/ -f1 | sort -u | wc -l)" != 1 ] # else all is in one folder
        tar -C "$2" --strip-components=$? -xf "$tar" || return 1
    done
}

# ---- the programs ----
# Of each: package, sizes, 4 and 16 times the largest, the command. prepare_NAME configures, in the folder of the sources;
# build_NAME is the command of --build; input_NAME SIZE writes the input, also for --prepare. `binary` is the program.

# input KIND SIZE: the file $inputs/KIND.SIZE
input() { [ -s "$inputs/$1.$2" ] || python3 "$source/bench/discover/inputs.py" "$1" "$2" "$inputs/$1.$2"; }

set_bzip2() { package=bzip2 sizes=1000,2003,4000,7001,10000 at4=40000 at16=160000 binary=bzip2 command="./bzip2 -kc $inputs/text.{n}"; }
build_bzip2='make bzip2 CC="$CC"'
input_bzip2() { input text "$1"; }

set_minigzip() { package=zlib sizes=500,1001,2000,4003,8000 at4=32000 at16=128000 binary=minigzip command="./minigzip -c $inputs/text.{n}"; }
prepare_minigzip() { ./configure --static; }
build_minigzip='make minigzip CC="$CC"'
input_minigzip() { input text "$1"; }

set_lz4() { package=lz4 sizes=1000,2003,4000,8001,16000 at4=64000 at16=256000 binary=programs/lz4 command="./programs/lz4 -q -9 -c $inputs/text.{n}"; }
build_lz4='make -C programs lz4 CC="$CC"'
input_lz4() { input text "$1"; }

set_lua() { package=lua5.4 sizes=10000,20007,40000,80009,160000 at4=640000 at16=2560000 binary=src/lua command="./src/lua $inputs/work.lua {n}"; }
build_lua='make -C src lua CC="$CC -std=gnu99" MYCFLAGS=-DLUA_USE_POSIX'
input_lua() {
    cat >"$inputs/work.lua" <<'EOF'
local n = tonumber(arg[1])
local seed, words, count = 42, {}, {}
local function random(m) seed = (seed * 1103515245 + 12345) % 2147483648; return seed // 65536 % m end
for i = 1, n do
    local word = {}
    for k = 1, 2 + random(3) do word[k] = string.char(97 + random(26)) end
    words[i] = table.concat(word)
end
for _, w in ipairs(words) do count[w] = (count[w] or 0) + 1 end
table.sort(words)
local longest, vowels = 0, 0
for i = 2, n do if words[i] == words[i - 1] then longest = longest + 1 end end
for _, w in ipairs(words) do vowels = vowels + select(2, w:gsub("[aeiou]", "")) end
local sum = 0.0
for i = 1, n do sum = sum + math.sqrt(i) * (i % 7) end
print(longest, vowels, string.format("%.3f", sum))
EOF
}

set_mawk() { package=mawk sizes=500,1001,2000,4003,8000 at4=32000 at16=128000 binary=mawk command="./mawk -f $inputs/words.awk $inputs/text.{n}"; }
prepare_mawk() { ./configure; }
build_mawk='make mawk CC="$CC"'
input_mawk() {
    input text "$1"
    echo '{ for (i = 1; i <= NF; i++) { w = tolower($i); gsub(/[^a-z]/, "", w); count[w]++; letters += length(w) } }
        END { for (w in count) if (count[w] > most) { most = count[w]; best = w } print NR, letters, best, most }' >"$inputs/words.awk"
}

set_bc() { package=bc sizes=50,101,200,401,700 at4=2800 at16=- binary=bc/bc command="./bc/bc -l $inputs/pi.{n}"; }
prepare_bc() { CFLAGS=-O2 ./configure; }
build_bc='make -C lib CC="$CC" && make -C bc bc CC="$CC"'
input_bc() { printf 'scale=%s\nx = 4*a(1)\nx\nquit\n' "$1" >"$inputs/pi.$1"; }

set_cjpeg() { package=libjpeg-turbo sizes=250,501,1000,2003,4000 at4=16000 at16=64000 binary=cjpeg-static command="./cjpeg-static -progressive $inputs/picture.{n}"; }
prepare_cjpeg() { cmake -DWITH_SIMD=0 -DENABLE_SHARED=0 -DCMAKE_BUILD_TYPE=Release .; }
build_cjpeg='[ -f by ] || { cmake -DCMAKE_C_COMPILER="$CC" . && touch by; }; make cjpeg-static'
input_cjpeg() { input picture "$1"; }

set_flac() { package=flac sizes=200,401,800,1603,3000 at4=12000 at16=48000 binary=src/flac/flac command="./src/flac/flac -s -8 -c $inputs/sound.{n}"; }
prepare_flac() { CFLAGS=-O2 ./configure --disable-ogg --disable-shared --disable-cpplibs --disable-asm-optimizations; }
build_flac='make -C src/libFLAC CC="$CC" && make -C src/share CC="$CC" && make -C src/flac CC="$CC" flac'
input_flac() { input sound "$1"; }

set_glpsol() { package=glpk sizes=8,13,20,31,48 at4=192 at16=- binary=examples/glpsol command="./examples/glpsol --lp $inputs/transport.{n}"; }
prepare_glpsol() { CFLAGS=-O2 ./configure --disable-shared; }
build_glpsol='make -j2 -C src CC="$CC" && make -C examples glpsol CC="$CC"'
input_glpsol() { input transport "$1"; }

set_minisat() { package=minisat2 sizes=2000,4001,8000,16001,32000 at4=128000 at16=512000 binary=build/release/bin/minisat command="sh -c './build/release/bin/minisat -verb=0 $inputs/formula.{n}; [ \$? = 10 ]'"; }
build_minisat='make r CXX="$CXX -fpermissive -w"'
input_minisat() { input formula "$1"; }

# A test program of MINPACK: hybrd on the tridiagonal function of Broyden, with arrays that are larger than its own.
set_minpack() { package=minpack sizes=60,113,200,301,500 at4=2000 at16=- binary=hybrd command="sh -c 'exec ./hybrd <$inputs/broyden.{n}'"; }
prepare_minpack() {
    sed -e 's/(40)/(4900)/g' -e 's/WA(2660)/WA(40000000)/' -e 's/2660/40000000/' ex/file15 >hybrd_test.f
    local parts='dpmpar enorm hybrd1 hybrd dogleg fdjac1 qform qrfac r1mpyq r1updt'
    {
        echo "objects = hybrd_test.o $(printf '%s.o ' $parts)"
        printf 'hybrd: $(objects)\n\t$(FC) -O2 -o $@ $(objects)\n%%.o: %%.f\n\t$(FC) -O2 -std=legacy -w -c -o $@ $<\n'
    } >makefile
}
build_minpack='make -f makefile FC="$FC"'
input_minpack() { printf '%5d%5d%5d\n%5d%5d%5d\n' 13 "$1" 1 0 0 0 >"$inputs/broyden.$1"; }

set_tachyon() { package=tachyon sizes=50,101,200,301,400 at4=1600 at16=- binary=compile/linux-mpi/tachyon command="mpirun -n 2 ./compile/linux-mpi/tachyon scenes/balls.dat +V -res {n} {n} -o /dev/null"; waits=1; }
prepare_tachyon() { sed -i 's/"CC = mpicc"/"CC = $(MPICC)"/; s/-DLinux \$(MISCFLAGS) \$(MPIFLAGS)/-O2 &/' unix/Make-arch; mkdir -p compile/linux-mpi/libtachyon; }
build_tachyon='make -C unix linux-mpi MPICC="$MPICC"'
input_tachyon() { :; }

# The later ones.

set_lzip() { package=lzip sizes=50,101,200,403,800 at4=3200 at16=12800 binary=lzip command="./lzip -kc $inputs/text.{n}"; }
prepare_lzip() { ./configure; }
build_lzip='make lzip CXX="$CXX"'
input_lzip() { input text "$1"; }

set_fasttree() { package=fasttree sizes=15,31,60,81,120 at4=480 at16=- binary=fasttree command="./fasttree -quiet -nt $inputs/sequences.{n}"; }
build_fasttree='$CC -O2 -c -o fasttree.o fasttree.c && $CC -O2 -o fasttree fasttree.o -lm'
input_fasttree() { input sequences "$1"; }

set_tcc() { package=tcc sizes=500,1001,2000,4003,8000 at4=32000 at16=128000 binary=tcc command="./tcc -B. -c -o functions.o $inputs/functions.{n}.c"; }
prepare_tcc() { ./configure; }
build_tcc='make tcc CC="$CC"'
input_tcc() { input functions "$1.c"; }

# Those with threads: pthreads and OpenMP.

set_lbzip2() { package=lbzip2 sizes=500,1001,2000,4003,8000 at4=32000 at16=128000 binary=src/lbzip2 command="./src/lbzip2 -n 2 -kc $inputs/text.{n}"; waits=1; }
prepare_lbzip2() { CFLAGS='-O2 -w' CPPFLAGS=-D_IO_ftrylockfile ./configure; } # which its copy of gnulib asks for
build_lbzip2='make -C lib CC="$CC" && make -C src lbzip2 CC="$CC"'
input_lbzip2() { input text "$1"; }

set_fasttreemp() { package=fasttree sizes=15,31,60,81,120 at4=480 at16=- binary=fasttree command="env OMP_NUM_THREADS=2 ./fasttree -quiet -nt $inputs/sequences.{n}"; waits=1; }
build_fasttreemp='$CC -O2 -DOPENMP -fopenmp -c -o fasttree.o fasttree.c && $CC -fopenmp -o fasttree fasttree.o -lm'
input_fasttreemp() { input sequences "$1"; }

# ---- one program ----

# Which of the builds of `call discover` this is.
kind='if [ "${CLL_DISCOVER-}" ]; then kind=counted; elif [ "${CLL_DISCOVER_ARGUMENTS-}" ]; then kind=told; elif [ "${CLL_DISCOVER_REGIONS-}" ]; then kind=timed; else kind=plain; fi'
# predict FOLDER PLACE: call discover in a copy of the sources; --build keeps what it built in built.counted, built.told, built.timed and
# built.plain, and the descriptions of the counters in gcno.tar
predict() (
    cd "$1" || exit 1
    printf '%s\n' "set -e" "${build}" "$kind" "cp $binary built.\$kind" \
        '[ $kind != counted ] || find . -name "*.gcno" | tar -cf gcno.tar -T -' >build-it
    eval "set -- \"\$2\" $command"
    place=$1
    shift
    local times=(${rounds:+-n "$rounds"} --data own.dat)
    [ -z "$counts" ] || times=(--counts)
    call discover "${times[@]}" --quiet --json --limit 5m --vary n="$sizes" --at n="$place" --build 'sh ./build-it' \
        --prepare "bash '$source/bench/discover.sh' input $name {n}" -- "$@" \
        >found.json 2>said || { echo "$name: call discover failed:" >&2; tail -5 said >&2; exit 1; }
)
# plain FOLDER SIZE TIMES: seconds of each run of the program without counters and regions
plain() (
    cd "$1" || exit 1
    cp built.plain "$binary"
    python3 "$source/bench/discover/seconds.py" "$waits" "$3" "${command//\{n\}/$2}" || echo "$name: the plain program failed at $2" >&2
)
# counts_there FOLDER SIZE: counts at this size, by the program with counters
counts_there() (
    cd "$1" || exit 1
    size=$2
    eval "set -- $command"
    call discover --quiet --json --counts --limit 5m --vary n="$size" --build "$kind; tar -xf gcno.tar && { [ ! -e built.\$kind ] || cp built.\$kind $binary; }" -- "$@" >counts.json 2>>said
)
# times_there FOLDER: own times at 4 times the largest size, by the program with regions; and how much slower the one with counters is
times_there() (
    cd "$1" || exit 1
    cp built.timed "$binary"
    rm -rf times4
    mkdir times4
    CLL_OUT=$PWD/times4/ CLL_SPOOL=off python3 "$source/bench/discover/seconds.py" 1 1 "${command//\{n\}/$at4}" >seconds.timed
    cp built.counted "$binary"
    GCOV_PREFIX=$PWD/counters python3 "$source/bench/discover/seconds.py" "$waits" 2 "${command//\{n\}/${sizes##*,}}" >seconds.counted
    cp built.plain "$binary"
    python3 "$source/bench/discover/seconds.py" "$waits" 2 "${command//\{n\}/${sizes##*,}}" >seconds.largest
)
# set_up FOLDER: unpacks the sources, and configures them
set_up() {
    unpack "$package" "$1" || { echo "$name: the sources of $package are not there" >&2; return 1; }
    (cd "$1" && { ! type "prepare_$name" >/dev/null 2>&1 || "prepare_$name"; } >prepared 2>&1) || { echo "$name: see $1/prepared" >&2; return 1; }
}
run_program() {
    name=$1 waits=0
    "set_$name"
    local build_name=build_$name folder=$work/$name size
    build=${!build_name}
    rm -rf "$folder"
    set_up "$folder/4" || return 1
    for size in ${sizes//,/ } "$at4" "$at16"; do
        [ "$size" = - ] || "input_$name" "$size"
    done
    if [ "$at16" != - ] && set_up "$folder/16" && predict "$folder/16" "$at16"; then
        counts_there "$folder/16" "$at16"
        [ "$counts" ] || plain "$folder/16" "$at16" 1 >"$folder/16/seconds"
    fi
    if predict "$folder/4" "$at4"; then
        counts_there "$folder/4" "$at4"
        [ "$counts" ] || { plain "$folder/4" "$at4" 3 >"$folder/4/seconds" && times_there "$folder/4"; }
    fi
    python3 "$source/bench/discover/judge.py" one "$folder" "$at4" "$at16"
}

[ "$1" != input ] || { "input_$2" "$3"; exit; }
apt_setup
judged=()
for program; do
    type "set_$program" >/dev/null 2>&1 || { echo "discover.sh: no program '$program'; there are: $programs $later $threaded" >&2; exit 2; }
    run_program "$program" && judged+=("$program")
done
[ ${#judged[@]} = 0 ] || python3 "$source/bench/discover/judge.py" all "$work" "${judged[@]}"
