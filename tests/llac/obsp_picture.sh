# SPDX-License-Identifier: GPL-3.0-or-later
# obsp ... picture: the files, the words, what happens without gnuplot.
. "$CLL_SOURCE/tests/llac/setup.sh"

columns='process object pid nprocs step kind work calls wait transfer out in sent received partners end'
# trace P STEPS: each processor exchanges 1000 bytes with its neighbours on a ring, after a work of its own in each superstep
trace() {
    awk -v P="$1" -v steps="$2" -v columns="$columns" 'BEGIN {
        printf "# pub trace 1\n# processes: %d\n%s\n", P, columns
        for (i = 0; i < P; i++) {
            left = (i + P - 1) % P; right = (i + 1) % P; end = 0
            if (P == 1) partners = "-"; else if (left == right) partners = left
            else partners = left < right ? left "," right : right "," left
            for (s = 1; s <= steps; s++) {
                work = 1000 * (1 + (i * 7 + s * 3) % 5); end += work + 2000
                printf "%d m %d %d %d oblsync %d 0 500 1500 1000 1000 %d %d %s %d\n",
                    i, i, P, s, work, (P > 1), (P > 1), partners, end
            }
        }
    }'
}
{
    printf '# pub trace 1\n# processes: 2\n%s\n' "$columns"
    echo '0 m 0 2 1 oblsync 1000000 0 0 1000000 100 0 1 0 - 2000000'
    echo '0 m 0 2 2 oblsync 2000000 0 0 1000000 100 100 1 1 1 5000000'
    echo '1 m 1 2 1 oblsync 2000000 0 0 1000000 0 100 0 1 0 3000000'
    echo '1 m 1 2 2 oblsync 1000000 0 0 1000000 100 100 1 1 0 5000000'
} >figure1.trace
costs='g=1e-5 L=0'
for p in 1 4 64 100 1024; do trace $p 6 >p$p.trace; done

# ---- words

bad "obsp figure1.trace $costs picture x.doc" 'must end in .svg, .png or .pdf'
empty out # a wrong name is found before the evaluation
bad "obsp figure1.trace $costs picture measured" "'picture' needs a file: picture FILE.svg"
empty out
bad "obsp figure1.trace $costs picture x.svg wildly" 'not understood'
bad "obsp figure1.trace $costs picture x.svg from" "'from' needs a time such as"
bad "obsp figure1.trace $costs picture x.svg until soon" "'until' needs a time such as"
bad "obsp figure1.trace $costs picture x.svg from 2ms until 1ms" "'until' must be later than 'from'"
bad "obsp figure1.trace $costs picture x.svg from 2ms until 2ms" "'until' must be later than 'from'"
bad "obsp figure1.trace $costs picture x.svg from 2ms until 2.000000001ms" 'by at least a millionth of it'
bad 'obsp figure1.trace g=1e300 L=1e308 picture x.svg' 'more time than a number can hold'
bad "obsp figure1.trace $costs picture x.svg from 5ms" "nothing happens after 'from': the end is at 0.005 s"
sed 's/sync [0-9]* /sync 0 /' p1.trace >nothing.trace
bad 'obsp nothing.trace g=0 L=0 picture x.svg' 'the supersteps take no time, so there is nothing to draw'
bad 'obsp figure1.trace picture "x.svg' 'name of a file'

# ---- gnuplot

what='without gnuplot'
mkdir bin
ln -s "$llac" bin/llac
exits 1 env PATH=$PWD/bin "$llac" -e 'obsp p4.trace picture x.svg'
has_text err 'cannot start gnuplot'
gone x.svg
what='the script'
printf '#!/bin/sh\ncat >script.txt\n' >bin/gnuplot
chmod +x bin/gnuplot
script_of() {
    what=$1
    exits 1 env PATH=$PWD/bin:$PATH "$llac" -e "$1"
    has_text err 'gnuplot did not complete the picture'
}
script_of "obsp figure1.trace $costs picture x.svg"
has_text script.txt "set title 'figure1.trace: OBSP* 5 ms, BSP 6 ms, measured 5 ms' noenhanced"
has_text script.txt "title 'messages'"
has_text script.txt "title 'critical path'"
has_text script.txt "set xlabel 'time (ms)' noenhanced"
has script.txt "^set ytics .*('0' 0, '1' 1)"
script_of "obsp figure1.trace $costs picture x.svg measured"
has_text script.txt 'lower bars: measured'
has_text script.txt '$computes1'
lacks_text script.txt "title 'messages'"
script_of 'obsp p4.trace g=1e-9 L=1e-7 skip 2 picture x.svg'
has_text script.txt '; supersteps 1 to 2 as measured'
script_of 'obsp p1024.trace g=1e-9 L=1e-7 picture x.svg'
has_text script.txt 'each row: 32 processors, heights are shares of them; 12288 messages are not drawn'
has_text script.txt "'992-1023' 31)"
trace 4 2000 >many.trace
script_of 'obsp many.trace g=1e-9 L=1e-7 picture x.svg'
has_text script.txt 'heights are shares of the time; 16000 messages are not drawn'
what='the size of the script is bounded'
[ "$(wc -c <script.txt)" -lt 300000 ] || fail "$(wc -c <script.txt) bytes"

# Names that gnuplot, SVG or the terminal could take for their own.
n=0
for name in "it's'; system('touch ran'); '" '`touch ran`' '<script>alert(1)</script>&' '@x {/Symbol a}_2^3' $'red\033[31m.trace' \
    'a very long name of a file that has the results of a program.trace'; do
    cp figure1.trace "${name//\//:}"
    what="a file with the name ${name//\//:}"
    n=$((n + 1))
    cat >commands.llac <<END
obsp "${name//\//:}" $costs picture hostile$n.svg
END
    if command -v gnuplot >/dev/null; then
        exits 0 "$llac" -f commands.llac
        empty err
        lacks_text hostile$n.svg '<script>'
    fi
    gone ran
done

command -v gnuplot >/dev/null || { [ $failures != 0 ] || skip 'no gnuplot'; finish; }
good "obsp figure1.trace $costs picture x.svg"
has_text x.svg 'figure1.trace: OBSP* 5 ms, BSP 6 ms, measured 5 ms'
bad "obsp figure1.trace $costs picture no/folder/x.svg" 'cannot write no/folder/x.svg'
what='as JSON'
exits 0 "$llac" --json -e "obsp figure1.trace $costs picture x.svg"
is "$(wc -l <out)" 1 'lines of JSON'
has_text out '"picture":{"file":"x.svg","from":0,"until":0.005'
has_text out '{"first":0,"last":0,"computes_pct":60'
for p in 1 4 64 100 1024; do
    for x in svg png pdf; do
        good "obsp p$p.trace g=1e-9 L=1e-7 picture y.$x"
        has_text out "drawn into y.$x"
        filled y.$x
    done
    good "obsp p$p.trace g=1e-9 L=1e-7 picture y.svg measured from 2us until 20us"
done
head -c 4 y.png | grep -q PNG || fail 'y.png is not a PNG file'
head -c 4 y.pdf | grep -q PDF || fail 'y.pdf is not a PDF file'
good 'obsp many.trace g=1e-9 L=1e-7 picture many.svg'
[ "$(wc -c <many.svg)" -lt 1000000 ] || fail "many.svg has $(wc -c <many.svg) bytes"
if command -v python3 >/dev/null; then
    what='the SVG files are XML'
    for f in y.svg many.svg hostile*.svg; do
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$f" || fail "$f is not XML"
    done
fi
finish
