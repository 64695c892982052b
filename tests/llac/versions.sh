# SPDX-License-Identifier: GPL-3.0-or-later
# Files of different code, flags or machines are kept apart, with labels; f@LABEL, f@VAR=VALUE and 'fit f by ...'.
. "$CLL_SOURCE/tests/llac/setup.sh"
. "$CLL_SOURCE/tests/llac/version_data.sh"
version old.dat 1 1 "$old"
version old2.dat 1 2 "$old"
version new.dat 1.5 3 "$new"
version plain.dat 1 4

# ---- what is merged and what is not
good 'list' old.dat old2.dat
has_text out '  sort   420 samples'
good 'list' old.dat plain.dat # it does not state its code
has_text out '  sort   420 samples'
exits 0 "$llac" -e 'list' old.dat new.dat
has_text err 'old.dat and new.dat differ in the code of demo.c: their samples are kept apart, as sort@old and sort@new'
has_text out '  sort@old   210 samples'
has_text out '  scan@new   210 samples'
# differs HEADER TEXT: another file is told apart by this
differs() {
    what="differs in $2"
    version other.dat 1 5 "$1"
    exits 0 "$llac" -e 'list' old.dat other.dat
    has_text err "old.dat and other.dat differ in $2: "
    has_text out '  sort@other   210 samples'
}
differs '# cpu: B\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 1111\n# code: aaaa demo.c\n' "the processor ('A' and 'B')"
differs '# cpu: A\n# compiler: clang 14\n# flags: -O2\n# build: 1112\n# code: aaaa demo.c\n' "the compiler ('gcc 12.2.0' and 'clang 14')"
differs '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O3\n# build: 1113\n# code: aaaa demo.c\n' "the flags ('-O2' and '-O3')"
differs '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 1114\n# code: aaaa demo.c\n' 'the program (build-id 1111... and 1114...)'
differs '# cpu: A\n# flags: -O2\n# code: cccc demo2.c\n' 'the sources (demo.c and demo2.c)'
# a source that only one of them has, and one of the same text under another name, are no difference
version more.dat 1 6 "$old# code: dddd util.c\n"
good 'list' old.dat more.dat
version moved.dat 1 7 '# cpu: A\n# flags: -O2\n# build: 1111\n# code: aaaa main.c\n'
good 'list' old.dat moved.dat
# programs of one version have sources and build-ids of their own; what differs is told by what they have in common
program() { version "$1" 1 "$2" "$3" && sed 's/\bsort\b/find/g; s/\bscan\b/walk/g' "$1" >t && mv t "$1"; }
program find.dat 11 '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 4444\n# code: eeee find.c\n'
program find2.dat 12 '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 4444\n# code: eeee find.c\n'
program changed.dat 13 '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O2\n# build: 5555\n# code: ffff find.c\n'
good 'list; save both.dat' old.dat find.dat old2.dat find2.dat
has_text out '  sort   420 samples'
has_text out '  find   420 samples'
good 'list' both.dat old2.dat find2.dat
has_text out '  find   630 samples'
exits 0 "$llac" -e 'list' both.dat changed.dat
has_text err 'both.dat and changed.dat differ in the code of find.c: their samples are kept apart, as find@both and find@changed'
has_text out '  sort   420 samples'
program other_flags.dat 14 '# cpu: A\n# compiler: gcc 12.2.0\n# flags: -O3\n# build: 4445\n# code: eeee find.c\n'
good 'list' old.dat other_flags.dat # nothing that they have in common is kept apart
has_text out '  find   210 samples'
bad 'load old.dat other_flags.dat; save both.dat' "add 'version old' or 'version other_flags'"
# simulated and measured times are told apart by other means
version simulated.dat 1 8 '# clock: simulated\n# cpu: S\n# build: 9999\n# code: aaaa demo.c\n'
good 'list' old.dat simulated.dat

# ---- labels
good 'load old.dat as before; merge old2.dat as after; list' old.dat
has_text out '  versions: before (1 file), after (1 file)'
has_text out '  sort@before   210 samples'
good 'load old.dat as before; fit sort; merge new.dat as after; predict sort@before N=1000; fit sort@after; list'
has_text out 'sort@after = sort[0] + sort[1]*N'
exits 0 "$llac" -e 'load old.dat new.dat as both; list'
has_text err "the files of version 'both' differ in the code of demo.c: old.dat and new.dat"
has_text out '  sort   420 samples'
bad 'load old.dat as @' "a label is expected here"
bad 'load old.dat as' "a label is expected here"
exits 0 "$llac" --json -e 'load old.dat as before; merge new.dat as after'
has_text out '"versions":[{"label":"before","files":1},{"label":"after","files":1}]'

# ---- naming
bad 'load old.dat as a; merge new.dat as b; fit sort' "sort has several versions: name one, sort@a, sort@b, or use 'fit sort by version'"
bad 'load old.dat as a; merge new.dat as b; predict sort N=5' 'sort has several versions'
bad 'load old.dat as a; merge new.dat as b; fit sort@c' "there is no experiment 'sort@c': the data has sort@a, scan@a, sort@b, scan@b"
good 'load old.dat as a; fit sort@a; show sort@a' # the only one has its label, too
good 'load old.dat as a; merge new.dat as b; fit sort@a = sort[0] + sort[1]*N; explain sort@a N=5; table sort@b; plot sort@b[1] to p.svg; search sort@a; compare sort@b "sort[0]" "sort[0] + sort[1]*N"; export m.h sort@a sort@b; show sort@b'
has_text m.h 'predict_sort_a(double N)'
has_text m.h 'predict_sort_b(double N)'

# ---- fit by
good 'load old.dat as a; merge new.dat as b; fit sort by version; predict sort N=1e6'
has_text out 'sort@a = sort[0] + sort[1]*N'
has_text out 'sort@b = sort[0] + sort[1]*N'
has out "^  sort@b$"
good 'load old.dat as a; merge new.dat as b; fit sort = sort[1]*N by version where N > 2000'
has_text out 'sort@b = sort[1]*N'
exits 0 "$llac" --json -e 'load old.dat as a; merge new.dat as b; fit sort by version; predict sort N=1e6'
has out '{"experiment":"sort","by":"version","sets":\[{"experiment":"sort@a",'
has out '^\[{"experiment":"sort@a".*{"experiment":"sort@b"'
levels() {
    printf '# cll-data 1\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N\n# variables: f level N\n'
    printf 'experiment run seq start nested P rank thread count level N CLOCK\n'
    awk 'BEGIN { for (l = 1; l <= 3; l++) for (n = 100; n <= 6400; n *= 2) for (k = 0; k < 4; k++)
        printf "f %d 0 0 0 1 0 0 1 %d %d %g\n", k, l, n, 1e-6 + l * 1e-9 * n * (1 + k / 1000)
        printf "f 0 0 0 0 1 0 0 1 7 100 1e-6\n" }'
}
levels >levels.dat
exits 0 "$llac" -e 'fit f by level; predict f level=2 N=10000; predict f level=1,3 N=100,200; plot f@level=3 to p.svg; export m.py; fit f@level=2; predict f@level=2 N=7' levels.dat
has_text out 'f@level=3 = f[0] + f[1]*N'
has_text out 'drawn into p.svg'
has_text err 'warning: f@level=7 could not be fitted'
has_text m.py 'def predict_f_level_3(N'
exits 0 "$llac" --json -e 'fit f by level; predict f level=2 N=10000' levels.dat
has_text out '"failed":[{"experiment":"f@level=7"'
has out '^\[{"experiment":"f@level=2","at":{"N":10000,"level":2}\|^\[{"experiment":"f@level=2","at":{"N":10000'
bad 'where level < 4; fit f by level; predict f N=5' 'f has a set of constants for each level: give level=VALUE' levels.dat
bad 'fit f by level; predict f level=9 N=5' "no sample of f has level = 9; 'show f' lists its points" levels.dat
exits 0 "$llac" -e 'fit f by level; fit f intervals none; predict f N=5' levels.dat # one model again
bad 'fit f by nosuch' "f has no variable 'nosuch'; 'fit f by version' fits each version" levels.dat
bad 'fit f by' "a variable or 'version' is missing" levels.dat
bad 'fit f@level=9' 'no sample of f has level = 9' levels.dat
bad 'fit f@nosuch=9' "f has no variable 'nosuch'" levels.dat
bad 'fit f@level=x' "'f@level=x' is not a part of the data" levels.dat
bad 'fit f = f[0]*nosuch by level' 'none of the 4 parts of f could be fitted' levels.dat
cp levels.dat levels2.dat
good 'load levels.dat as a; merge levels2.dat as b; fit f@a@level=2; predict f@b@level=3 N=5'
good 'fit f by P' levels.dat
has_text out 'f@P=1 = '

# ---- save
bad 'load old.dat as a; merge new.dat as b; save both.dat' "add 'version a' or 'version b' after the name of the file"
bad 'load old.dat as a; save x.dat version c' "there is no version 'c'; the only one is a"
bad 'load old.dat as a; merge new.dat as b; save x.dat version c' "there is no version 'c'; the versions are a, b"
good 'load old.dat as a; merge new.dat as b; save a.dat version a; load a.dat; list'
has_text a.dat '# label: a'
has_text a.dat '# code: aaaa demo.c'
lacks_text a.dat 'bbbb'
has_text out '  sort   210 samples'
version twin.dat 1 9 "$old# label: b\n"
good 'load a.dat twin.dat; list' # labels that files state keep them apart
has_text out '  sort@b   210 samples'
finish
