# SPDX-License-Identifier: GPL-3.0-or-later
# tutorial.sh [installed]: every command of docs/user/tutorial.md, in its order, in one folder. The times are computed.
# installed: as a user of an installed tree, who has neither the sources nor the build: pages, examples and programs are those
# of the prefix, and where the system allows it, a mount hides the other two. Then the projects of docs/user/builds.md, and
# what the tutorial only mentions.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need gnuplot

# commands_of PAGE START: the blocks that begin with the line START
commands_of() { awk -v start="$2" '$0 == start {inside = 1; next} /^```$/ {inside = 0} inside' "$1"; }

walk_through() {
    commands_of "$pages/tutorial.md" '```sh' | sed 's/--time 20s/-n 8/' >commands
    [ "$(wc -l <commands)" -ge 15 ] || fail "the commands of the tutorial were not found"
    mkdir here && cd here
    bash -e ../commands >../out 2>&1 || { cat ../out; fail "a command of the tutorial fails"; }
    has_text ../out "f[2]"
    has_text ../out "grow[2]"
    has_text ../out "N is"
    has ../out '^     1048576  *0.11[0-9]*  *0.11[0-9]*   \[0.1.*\] .* yes$'
    has_text ../out '1 of 1 points inside their interval'
    [ -s sort.svg ] || fail "no plot"
    cd ..
}

# The projects that are built by what is installed here, from the chapters of the page.
build_projects() {
    local system program
    for system in make:make cmake:cmake meson:meson autotools:autoreconf; do
        program=${system#*:} system=${system%:*}
        command -v "$program" >/dev/null || continue
        commands_of "$pages/builds.md" '```sh '"$system" >commands
        mkdir "$system"
        (cd "$system" && bash -e ../commands) >out 2>&1 </dev/null || { cat out; fail "a command of the chapter about $system fails"; }
        has out '^  sieve\[1\] '
    done
}

# What the tutorial says beside its commands.
try_mentioned() {
    cp "$EXAMPLES/sort.c" .
    call run --live --until 2% sort.c -- 256 4096 >out 2>&1 || fail "--live"
    call run -q -n 4 --report sort.html sort.c -- 256 4096 >out 2>&1 || fail "--report"
    filled sort.html
    call run -n 4 --observe CPUTIME sort.c -- 256 4096 >out 2>&1 || fail "--observe"
    call run -q -n 2 "$EXAMPLES/cplusplus/words.cpp" >out 2>&1 || fail "C++"
    ! command -v gfortran >/dev/null || call run -q -n 2 "$EXAMPLES/fortran/sort.f90" >out 2>&1 || fail "Fortran"
    printf '#include <cll.h>\nint main(void)\n{\n    int n = 4;\n    CLL_REGION("r", "r[0]*n", n);\n    return 0;\n}\n' >r.c
    PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig sh -c 'cc r.c $(pkg-config --cflags --libs cll) -o r' && ./r || fail "pkg-config"
    has_text r.cll.0.dat '# experiment: r'
    for program in call llac cllprobe; do
        bash -c "eval \"\$($program --completion bash)\" && complete -p $program" >out 2>&1 || fail "completion of $program"
    done
    is "$(call --version | sed -n 's/^run-time: //p')" "$PREFIX/lib" "the run-time"
}

# In a folder that neither the sources nor the build are above, without them where the system lets us mount something else there.
leave_the_sources() {
    local hide
    far=$(mktemp -d)
    trap 'rm -rf "$far"' EXIT
    cmake --install "$CLL_BUILD" --prefix "$far/prefix" >install.log || { cat install.log; fail "install"; }
    mkdir -p "$far/tests/e2e" "$far/tests/harness" "$far/work"
    cp "$CLL_SOURCE"/tests/e2e/{tutorial,setup}.sh "$far/tests/e2e/"
    cp "$CLL_SOURCE/tests/harness/lib.sh" "$far/tests/harness/"
    ln -s prefix/include "$far/include"
    hide=$( (own_mounts && echo "$mounts") 2>/dev/null) || hide=
    cd "$far/work"
    # shellcheck disable=SC2086
    env CLL_SOURCE="$far" PREFIX="$far/prefix" CLL_BIN="$far/prefix/bin" PATH="$far/prefix/bin:/usr/local/bin:/usr/bin:/bin" CLL_BUILD=/nowhere \
        $hide bash -e -c '[ -z "$1" ] || { mount -t tmpfs none "$2" && mount -t tmpfs none "$3"; }; exec bash "$CLL_SOURCE/tests/e2e/tutorial.sh" away' \
        bash "$hide" "$CLL_BUILD" "$CLL_SOURCE"
}

unset CC CXX CFLAGS CMAKE_GENERATOR
export EXAMPLES=$CLL_SOURCE/examples PATH=$CLL_BIN:$PATH
pages=$CLL_SOURCE/docs/user
case ${1:-} in
installed)
    leave_the_sources
    exit
    ;;
away)
    EXAMPLES=$PREFIX/share/cll/examples
    pages=$(dirname "$(find "$PREFIX/share/doc" -name tutorial.md)")
    ;;
esac
takes 'is("f") ? (3.7e-6 + 7.6e-9*N*log(N))*(1 + 0.02*noise(1)) : 1e-6 + 1e-8*(e->nvars ? e->values[0] : 0)'
walk_through
[ "${1:-}" = away ] || exit 0
build_projects
try_mentioned
