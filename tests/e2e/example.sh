# SPDX-License-Identifier: GPL-3.0-or-later
# example.sh NAME: an example builds plainly and through call cc, prints the same, and its data can be fitted.
. "$CLL_SOURCE/tests/e2e/setup.sh"
name=$1
cp "$CLL_SOURCE/examples/$name.c" .
case $name in
sort) args="256 4096" experiments="f" ;;
axpy) args="64 4096" experiments="axpy" ;;
matinit) args="8 96" experiments="jumping walking" ;;
matmul) args="8 48" experiments="mul" ;;
fft) args="512 8192" experiments="combine fft" ;;
search) args="8192" experiments="find" ;;
transpose) args="6" experiments="transpose" ;;
esac
"$CC" -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas "$name.c" -o plain -lm
"$call" cc "$CC" -O2 -Wall -Wextra -Werror "$name.c" -o "$name" -lm
./plain $args >plain.out
"./$name" $args >measured.out
cmp plain.out measured.out || fail "the instrumented program prints something else"
[ -f "$name.cll.0.dat" ] || fail "no data file"
for e in $experiments; do
    "$llac" --json -e "fit $e" "$name.cll.0.dat" >"$e.json"
    has_text "$e.json" "\"experiment\":\"$e\""
    "$llac" -e "fit $e; table $e" "$name.cll.0.dat" >"$e.txt"
    has_text "$e.txt" "$e[0]"
done
# the whole sweep in one command
"$call" run -n 2 "$name.c" -- $args >run.out 2>run.err || { cat run.out run.err; fail "call run"; }
for e in $experiments; do has_text run.out "$e[0]"; done
