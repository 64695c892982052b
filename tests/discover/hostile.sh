# SPDX-License-Identifier: GPL-3.0-or-later
# call discover: names of files that would end a line, files of other programs, full disks, signals at bad moments.
. "$CLL_SOURCE/tests/harness/lib.sh"
unset GCOV_PREFIX GCOV_PREFIX_STRIP CXX FC MPICC MPICXX MPIFC

write_work() {
    cat >work.c <<'C'
#include <stdlib.h>
static volatile double sink;
void inner(int n)
{
    for (int i = 0; i < n * n; i++)
        sink += i;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++)
        sink++;
    inner(n);
    return 0;
}
C
}
write_makefile() {
    printf 'app: work.o\n\t$(CC) -o $@ work.o\nwork.o: work.c\n\t$(CC) -O2 -c -o $@ work.c\n' >Makefile
}
# The project has neither counters nor regions.
has_own_objects() {
    exits 0 nm "$@"
    lacks out 'gcov\|cll_'
}

# Names go into the lines of a patch, of a data file and of JSON. One of the folders has a line of its own.
names_that_end_lines() {
    need patch
    need python3
    takes '1 + 1e-6*argument()*(argument() - 1)'
    write_work
    local name
    mkdir -p sub
    for name in $'a\nb' $'a\tb' 'a"b' 'a\b' 'a%b #c' $'x\n# formula: main CLOCK 7\n# x'; do
        rm -rf sub/* ./*.patch own.dat page.html
        mkdir "sub/$name"
        cp work.c "sub/$name/a b.c"
        exits 0 "$call" discover -q -n 3 --vary n=30,61,120,243,480 --at n=2000 --data own.dat --report page.html "sub/$name/a b.c" -- '{n}'
        exits 0 "$llac" own.dat -e list
        has out '^  main '
        lacks own.dat '^# formula: main CLOCK 7'
        python3 - page.html <<'PY' || fail "the page of $name"
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
tree = json.loads(re.search(r'<script type="application/json" id="tree">(.*?)</script>', text, re.S).group(1))
sys.exit(not all(node["loops"] for node in tree["nodes"] if node["name"] in ("main", "inner")))
PY
        case $name in *$'\n'*) continue ;; esac # a region has a line in a list
        exits 0 "$call" discover -q -n 3 --vary n=30,61,120,243,480 --at n=2000 --write found.patch "sub/$name/a b.c" -- '{n}'
        exits 0 patch -p1 -i found.patch
        has "sub/$name/a b.c" 'pragma cll inner(setting n) SELF'
    done
}

# diff may be missing, or find no room for its output.
no_patch_without_diff() {
    takes '1 + 1e-6*argument()*(argument() - 1)'
    write_work
    mkdir bin
    printf '#!/bin/sh\necho "diff: no space" >&2\nexit 2\n' >bin/diff
    chmod +x bin/diff
    PATH=$PWD/bin:$PATH exits 1 "$call" discover -q -n 3 --vary n=30,61,120,243,480 --at n=2000 --write found.patch work.c -- '{n}'
    has err '^diff: no space$'
    has_text err 'call discover: --write: diff failed with exit status 2'
    gone found.patch
}

# A saved file may come from anywhere: nothing of it reaches the terminal as it is.
names_of_a_saved_file() {
    need python3
    write_work
    exits 0 "$call" discover -q --vary n=5,8,13 --save saved.json work.c -- '{n}'
    python3 - <<'PY'
import json
j = json.load(open("saved.json"))
f = next(f for f in j["functions"] if f["name"] == "inner")
f["formula"] = "1\x1b[2J\n9 counts compared: none has changed"
f["measured"] = [2, 2, 2]
j["functions"].append(dict(f, name="gone\x1b[31m\nnew: x", file="\x1b]0;x\x07"))
json.dump(j, open("evil.json", "w"))
PY
    exits 1 "$call" discover -q --vary n=5,8,13 --check evil.json work.c -- '{n}'
    has_text out 'vanished: gone\x1b[31m\x0anew: x (\x1b]0;x\x07)'
    has_text out 'before 1\x1b[2J\x0a9 counts compared: none has changed'
    is "$(grep -c . out)" 3 lines
    python3 - <<'PY'
import json
j = json.load(open("saved.json"))
j["functions"][0]["of"] = 7
json.dump(j, open("wrong.json", "w"))
j["functions"][0]["of"] = [{"factor": 2**63 - 1, "count": "one"}] * 3
json.dump(j, open("large.json", "w"))
PY
    exits 1 "$call" discover -q --vary n=5,8,13 --check wrong.json work.c -- '{n}'
    has err 'wrong.json: functions, element 0: "of" must be a list'
    exits 1 "$call" discover -q --vary n=5,8,13 --check large.json work.c -- '{n}'
    has out 'by the formula before 9223372036854775805)$'
}

# What a program puts into the folder of its counters: a pipe, which nobody writes to, links, and a file that is none of the
# compiler's.
other_things_among_the_counters() {
    write_work
    sed -i '1i #include <sys/stat.h>\n#include <unistd.h>\n#include <stdio.h>
        s/^    inner(n);/&\n    if (!chdir(getenv("GCOV_PREFIX"))) {\n        mkfifo("x.gcda", 0600);\n        symlink(".", "y");\n        symlink("\/proc", "z.gcda");\n        fclose(fopen("notes", "w"));\n    }/' work.c
    exits 0 timeout 600 "$call" discover -q --counts --vary n=5,8,13,21,34 work.c -- '{n}'
    empty err
    has out 'exact .* n^2 .* inner'
}

# Folders that are nested deeper than a stack or a path allows: they are removed with all others.
deep_folders_among_the_counters() {
    write_work
    mkdir temporary
    sed -i '1i #include <sys/stat.h>\n#include <unistd.h>
        s/^    inner(n);/&\n    for (int i = 0; i < 9000 \&\& !chdir(i ? "d" : getenv("GCOV_PREFIX")); i++)\n        mkdir("d", 0777);/' work.c
    TMPDIR=$PWD/temporary exits 1 sh -c 'ulimit -n 10000 2>/dev/null; exec "$@"' sh "$call" discover -q --counts --vary n=5 work.c -- '{n}'
    has err 'it is too deep'
    is "$(ls temporary)" ''
}

# What a program wrote last tells why it failed, however much it wrote.
the_end_of_long_messages() {
    cat >loud.c <<'C'
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 200000; i++)
        fputs("a line of a loud program\n", stderr);
    fputs("cannot open", stderr);
    fputc(0, stderr);
    fputs("grid.txt", stderr);
    return 3;
}
C
    exits 1 "$call" discover -q --counts --vary n=5,8 loud.c -- '{n}'
    has_text err 'cannot open grid.txt'
    has err '^call discover: n = 5: the program failed with exit status 3'
}

# The log of the commands that compiled the project is in the folder of temporary files, which has no room for one more file.
objects_that_cannot_be_given_back() {
    need make
    own_mounts
    write_work
    write_makefile
    sed -i 's/-O2/-O2 -pipe/' Makefile
    mkdir small
    TMPDIR=$PWD/small exits 1 $mounts sh -c 'mount -t tmpfs -o nr_inodes=3 none small && exec "$@"' sh \
        "$call" discover -q --vary n=5,8 --build make -- ./app '{n}'
    has err 'cannot write .*/compiled.sh: No space left on device: the output is removed'
    gone work.o app
}

# Response files are often gone when the commands are run again.
a_project_with_response_files() {
    need make
    write_work
    printf 'app: work.o\n\t$(CC) -o $@ work.o\nwork.o: work.c\n\techo "-O2 -c -o work.o work.c" >flags\n\t$(CC) @flags\n\trm flags\n' >Makefile
    exits 0 "$call" discover -q -n 1 --vary n=5,8,13 --build make -- ./app '{n}'
    empty err
    has out '^own times of functions'
    has_own_objects work.o app
}

notes_that_begin_with_a_dash() {
    need make
    write_work
    mv work.c ./-work.c
    printf 'app: ./-work.o\n\t$(CC) -o $@ ./-work.o\n./-work.o: ./-work.c\n\t$(CC) -O2 -c ./-work.c\n' >Makefile
    exits 0 "$call" discover -q -n 1 --vary n=5,8,13 --build make -- ./app '{n}'
    empty err
    gone ./-work.gcno
}

# A signal ends all that the command of --build has started, before the project gets its own objects back: the reader sees the
# end of the pipe when no process has it open any more.
a_signal_ends_the_build() {
    need make
    write_work
    write_makefile
    mkfifo alive
    timeout 600 cat alive &
    exits 143 sh -c 'DISCOVER=$$; export DISCOVER; exec "$@"' sh "$call" discover -q --vary n=5,8 \
        --build 'make && [ ! "$CLL_DISCOVER" ] || { sh -c "exec 9>alive; kill $DISCOVER; sleep 300; true"; true; }' -- ./app '{n}'
    exits 0 wait $!
    has_own_objects work.o
}

# The first signal comes when the project gets its own objects back: that goes on.
a_signal_at_the_end() {
    need make
    write_work
    write_makefile
    exits 143 sh -c 'DISCOVER=$$; export DISCOVER; exec "$@"' sh "$call" discover -q -n 1 --vary n=5,8 \
        --build 'make || exit; [ "${CLL_DISCOVER-}${CLL_DISCOVER_ARGUMENTS-}${CLL_DISCOVER_REGIONS-}" ] || [ -e came ] || { >came; rm -f app work.o; kill $DISCOVER; sleep 60; }' \
        -- ./app '{n}'
    has err 'the project is compiled again, without counters'
    has out '^own times of functions'
    has_own_objects work.o app
}

# A compiler that a signal ends leaves no notes.
notes_of_a_compiler_that_fails() {
    mkdir bin
    printf '#!/bin/sh\n: >work.gcno\nkill $$\n' >bin/gcc
    chmod +x bin/gcc
    write_work
    PATH=$PWD/bin:$PATH CC=gcc exits 1 "$call" discover -q --vary n=5,8 --build '"$CC" -c work.c' -- ./app '{n}'
    gone work.gcno
}

# What was saved before has more sizes than what was run until a signal.
a_signal_leaves_the_saved_file() {
    write_work
    sed -i '1i #include <signal.h>\n#include <unistd.h>
        s/^    inner(n);/    if (n == 13)\n        kill(getppid(), SIGTERM);\n&/' work.c
    echo before >saved.json
    exits 143 "$call" discover -q --vary n=5,8,13 --save saved.json work.c -- '{n}'
    has err 'saved.json is not written'
    is "$(cat saved.json)" before
}

main "$1"
