# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are written: whole or not at all, with the permissions and links there were, and no
# success reported before.
. "$CLL_SOURCE/tests/llac/setup.sh"
unset TMPDIR
no_temporary_files() { is "$(find . -name '*.tmp')" "" "temporary files"; }

good 'save s.dat; export m.h'
is "$(stat -c %a s.dat)" "$(printf %o $((0666 & ~$(umask))))" "mode of s.dat"
chmod 600 s.dat
chmod 640 m.h
good 'where N > 5000; save s.dat; export m.h'
is "$(stat -c %a s.dat)" 600 "mode of s.dat"
is "$(stat -c %a m.h)" 640 "mode of m.h"
good 'fit sort' s.dat

mkdir real
ln -s real/s.dat link.dat
ln -s real/m.py link.py
good 'save link.dat; export link.py'
[ -L link.dat ] && [ -L link.py ] || fail 'a link was replaced'
filled real/s.dat
filled real/m.py
good 'save link.dat'
[ -L link.dat ] || fail 'the link was replaced'
no_temporary_files

what='save to the standard output: a pipe, a file'
"$llac" -e 'list; save /dev/stdout; list' "$data/demo.dat" >piped.txt
"$llac" -e 'list; save /dev/stdout; list' "$data/demo.dat" | cmp -s - piped.txt || fail 'pipe and file differ'
[ "$(head -1 piped.txt | cut -c1-8)" = '  sort  ' ] && [ "$(grep -c 'in demo.c:10-14' piped.txt)" = 2 ] ||
    fail 'what was printed before or after is missing'
mkfifo pipe.h
cat pipe.h >piped.h &
good 'export pipe.h'
wait

[ -p pipe.h ] || fail 'the pipe was replaced'
grep -q predict_sort piped.h || fail 'nothing came through the pipe'

# limited COMMANDS: under ulimit -f; the old files stay
limited() {
    what="ulimit -f: $1"
    printf 'old\n' >old.txt
    for f in o.dat o.h o.svg; do cp old.txt $f; done
    status=0
    (ulimit -f 1 && exec "$llac" -e "$1" "$data/demo.dat") 2>&1 >/dev/null | cat >err || true
    : >out
    has_text err 'File too large'
    for f in o.dat o.h o.svg; do same $f old.txt; done
    no_temporary_files
}
limited 'save o.dat'
command -v gnuplot >/dev/null && limited 'plot sort to o.svg'
what='the exit status under ulimit -f'
status=0
(ulimit -f 1 && exec "$llac" -e 'save o.dat' "$data/demo.dat") >/dev/null 2>/dev/null || status=$?
is "$status" 1 "exit status"

what='a closed standard output'
status=0
"$llac" -e 'list; save c.dat' "$data/demo.dat" >&- 2>err || status=$?
is "$status" 1 "exit status"
has_text err 'cannot write the output'
good 'list' c.dat

what='why the output cannot be written'
exits 1 printing_to /dev/full "$llac" -e 'list; fit sort; table sort' "$data/demo.dat"
has_text err 'llac: error: cannot write the output: No space left on device'

what='a gnuplot that stops in the middle'
mkdir bin
printf '#!/bin/sh\ncat >/dev/null\necho "<svg>"\n' >bin/gnuplot
chmod +x bin/gnuplot
cp old.txt o.svg
for x in svg png pdf; do
    exits 1 env PATH=$PWD/bin:$PATH "$llac" -e "plot sort to o.$x" "$data/demo.dat"
    has_text err 'did not complete the picture'
    lacks_text out drawn
done
same o.svg old.txt

what='TMPDIR'
exits 1 env TMPDIR=/nowhere PATH=$PWD/bin:$PATH "$llac" -e 'plot sort to o.svg' "$data/demo.dat"
has_text err 'set TMPDIR to a folder with room'

# Whatever the system permits: fs.protected_symlinks may be off, and does not hold for this folder's owner.
mkdir shared drawing
chmod 1777 shared
printf '%s\n' '#!/bin/sh' 'cat >/dev/null' "echo '<svg></svg>'" >drawing/gnuplot
chmod +x drawing/gnuplot
if [ "$(id -u)" = 0 ] && ln -s ../old.txt shared/probe && chown -h 1234 shared/probe 2>/dev/null; then
    for c in 'save shared/o.dat' 'save session shared/o.llac' 'export shared/o.h' 'export shared/o.json' 'report shared/o.html' \
        'plot sort to shared/o.svg'; do
        name=${c##* }
        cp old.txt victim
        ln -s ../victim "$name"
        chown -h 1234 "$name"
        what="$c, a link of another user"
        exits 1 env PATH="$PWD/drawing:$PATH" "$llac" -e "fit sort; $c" "$data/demo.dat"
        has_text err "cannot write $name: the path has a symbolic link of another user"
        same victim old.txt
        rm victim
        exits 1 env PATH="$PWD/drawing:$PATH" "$llac" -e "fit sort; $c" "$data/demo.dat"
        gone victim
        rm "$name"
        what="$c, a file of another user"
        cp old.txt "$name"
        chown 1234 "$name"
        exits 1 env PATH="$PWD/drawing:$PATH" "$llac" -e "fit sort; $c" "$data/demo.dat"
        has_text err "cannot write $name: it belongs to another user"
        same "$name" old.txt
    done
    what='a link of the user'
    cp old.txt victim
    ln -s ../victim shared/own.h
    exits 0 "$llac" -e 'fit sort; export shared/own.h' "$data/demo.dat"
    [ -L shared/own.h ] && has_text victim sort || fail 'the file was not replaced'
    no_temporary_files
else
    echo 'links cannot be given to another user here'
fi

what='a signal while writing'
awk 'BEGIN { for (i = 0; i < 200000; i++) print "f 0 " i " 0 0 1 0 0 1 " i % 100 + 1 " 1e-3" }' >rows.txt
{
    printf '# cll-data 1\n# experiment: f\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    cat rows.txt
} >big.dat
cp old.txt big-out.dat
"$llac" -e 'save big-out.dat; save big-out.dat; save big-out.dat; save big-out.dat' big.dat >/dev/null 2>&1 &
pid=$!
for i in $(seq 500); do
    [ -n "$(find . -name 'big-out.dat.*.tmp' 2>/dev/null)" ] && break
    sleep 0.01
done
kill -TERM $pid 2>/dev/null || true
status=0
wait $pid || status=$?
is "$status" 143 "exit status"
no_temporary_files
[ "$(head -c 3 big-out.dat)" = old ] || [ "$(wc -l <big-out.dat)" -gt 200000 ] || fail 'half a file'

# A disk that is really full. unshare lets this process mount what others do not see.
for mounts in 'unshare -m' 'unshare -rm' ''; do
    [ -n "$mounts" ] && $mounts mount -t tmpfs none /mnt 2>/dev/null && break
done
if [ -n "$mounts" ]; then
    mkdir full
    cp "$data/demo.dat" demo.dat
    cat >on-full-disk <<'END'
mount -t tmpfs -o size=64k none full
for f in o.svg o.dat o.h; do cp old.txt full/$f; done
cat /dev/zero >full/fill 2>/dev/null
for c in 'plot sort to full/o.svg' 'save full/o.dat' 'export full/o.h'; do
    s=0
    "$1" -e "$c" demo.dat || s=$?
    echo "$c: $s"
done
for f in o.svg o.dat o.h; do cmp full/$f old.txt && echo $f stayed; done
find full -name '*.tmp'
END
    what='a full disk'
    status=0
    $mounts sh on-full-disk "$llac" >out 2>err || status=$?
    for f in o.svg o.dat o.h; do has_text out "$f stayed"; done
    has_text out 'save full/o.dat: 1'
    has_text out 'export full/o.h: 1'
    has_text err 'cannot write full/o.dat: No space left on device'
    lacks_text out 'written'
    lacks_text out 'drawn'
    lacks_text out '.tmp'
    if command -v gnuplot >/dev/null; then
        has_text out 'plot sort to full/o.svg: 1'
        has_text err 'cannot write full/o.svg: No space left on device'
    fi
else
    echo 'nothing can be mounted here: no full disk'
fi
# ---- three values of P, each with its own level: the pieces of f[0] cannot be told from f[2], and each is named once
{
    printf '# cll-data 1\n# clock: tsc\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N + f[2]*P\n# variables: f N\n'
    printf 'experiment run seq start nested P rank thread count N CLOCK\n'
    awk 'BEGIN {
        split("1 5 2", level, " "); seed = 7
        for (p = 1; p <= 3; p++) for (n = 1000; n <= 64000; n *= 2) for (k = 0; k < 6; k++) {
            seed = (seed * 16807) % 2147483647
            printf "f %d %d 0 0 %d 0 0 1 %d %.8g\n", k, k, p, n, (1e-3 * level[p] + 1e-7 * n) * (1 + 0.01 * (seed / 2147483647 - 0.5))
        }
    }'
} >levels.dat
bad 'fit f; predict f N=3000 P=4' 'the data cannot tell f[0] and f[2] apart, and this prediction depends on which is which: measure points where their terms differ' levels.dat
has_text out 'warning: f[0] and f[2] cannot be told apart'
good 'predict f N=3000 P=3' levels.dat
finish
