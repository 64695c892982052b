# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of call on which faults are tried. The compilers that it starts are left alone."""
import os
import shlex
import subprocess

from sweep import Case, judge_tool

CALL = os.path.join(os.environ["CLL_BIN"], "call")
CC = os.environ.get("CC", "cc")
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = b"""#include <stdio.h>
volatile double sink;
#pragma cll parallel OpenMP procs = 1:2:2
int main(void)
{
    for (int N = 1000; N <= 8000; N *= 2)
        for (int k = 0; k < 3; k++) {
#pragma cll f f[0] + f[1]*N
            for (int i = 0; i < N; i++)
                sink += i;
#pragma cll end f
        }
    printf("done\\n");
    return 0;
}
"""
PLAIN = SOURCE.replace(b"#pragma cll parallel OpenMP procs = 1:2:2\n", b"")

READS = ["alloc", "write", "read", "openread", "close", "mmap"]
WRITES = READS + ["open", "rename", "sync", "truncate"]
STARTS = ["fork", "exec", "pipe"]


def translated(scratch, folder, source):
    """What call wrote for this source: paths by name."""
    folder = os.path.join(scratch, folder)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "prog.c"), "wb") as f:
        f.write(source)
    subprocess.run([CALL, "--raw", "--slurm", "prog.c"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    names = ("prog.cll.c", "prog.cll.h", "prog.cll.sh", "prog.cll.sbatch")
    return {name: os.path.join(folder, name) for name in names}


def measured(name, content):
    """A program or a data file without what differs from run to run."""
    if name.endswith(".dat"):
        rows = [line.split()[0] for line in content.splitlines() if line and not line.startswith(b"#")]
        return b" ".join(rows)
    return b"a program" if content.startswith(b"\x7fELF") else b"" if name == "stdout" else content


def judge_translate(case, base, r):
    """When the preprocessor fails, call warns and reads the source as it is written, as with --raw."""
    if b"the preprocessor failed" in r.err and r.code == 0:
        r.files = {name: base.files[name] if content == case.raw[name] else content for name, content in r.files.items()}
    return judge_tool(case, base, r)


def judge_run(case, base, r):
    """A data file that cannot be put in place stays in the temporary folder, which is named."""
    r.left = [name for name in r.left if name.encode() not in r.err]
    return judge_tool(case, base, r)


def judge_command(case, base, r):
    """If a program of the command does not start, the samples of the others are kept."""
    if r.code != base.code and b"the command failed" in r.err:
        r.files = dict(r.files, **{"prog.cll.0.dat": base.files["prog.cll.0.dat"]})
    return judge_run(case, base, r)


def judge_sweep(case, base, r):
    """What there is of a run that is not complete stays in its folder."""
    if r.code != base.code:
        r.files = {name: content for name, content in r.files.items() if ".part" not in name}
    return judge_run(case, base, r)


def remembering_compiler(scratch):
    """A compiler that remembers what it compiled (remember-compiler)."""
    folder = os.path.join(scratch, "remembering")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.basename(CC))
    words = [os.path.join(HERE, "remember-compiler"), os.path.join(scratch, "remembered"), CC]
    with open(path, "w") as f:
        f.write("#!/bin/sh\nexec " + " ".join(map(shlex.quote, words)) + ' "$@"\n')
    os.chmod(path, 0o755)
    return path


def compiling(scratch, name, argv, files, classes, **more):
    """A command whose word CC is a compiler that remembers. Where programs cannot be started, the compiler is the real one,
    because those that it starts count, too."""
    remembering = remembering_compiler(scratch)
    yield Case(name, [remembering if word is CC else word for word in argv], files,
               classes=[c for c in classes if c != "exec"], **more)
    if "exec" in classes:
        yield Case(name + "_exec", argv, files, classes=["exec"], **more)


def fake_valgrind(scratch):
    """The folder of a valgrind that runs the program and writes a dump of callgrind: counting takes long."""
    folder = os.path.join(scratch, "bin")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "valgrind")
    with open(path, "w") as f:
        f.write("""#!/bin/sh
while :; do
    case $1 in
    --callgrind-out-file=*) out=${1#*=} ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
{
    echo "pid: 1"
    for n in 1000 2000 4000 8000; do
        printf 'desc: Trigger: Client Request: cll 0 1 %s %s f N=%s\\n' $n $n $n
        printf 'positions: instr line\\nevents: Ir\\nob=(1) prog\\nfl=(1) prog.c\\nfn=(1) main\\n'
        printf '0x4000000010 9 1\\n+4 +1 %s\\ntotals: %s\\n' $n $((n + 1))
    done
} >"${out%\\%p}1" || exit 1
exec "$@"
""".replace("\\\\", "\\"))
    os.chmod(path, 0o755)
    return folder


def built(scratch):
    """A program that call cc built."""
    folder = os.path.join(scratch, "built")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "prog.c"), "wb") as f:
        f.write(PLAIN)
    subprocess.run([CALL, "cc", CC, "-O1", "-o", "prog", "prog.c"], cwd=folder, check=True)
    return os.path.join(folder, "prog")


def cases(scratch):
    new = translated(scratch, "older", SOURCE.replace(b"8000", b"4000").replace(b"f[0] + ", b""))
    new["prog.c"] = SOURCE
    yield from compiling(scratch, "check", [CALL, "--check", "--cc", CC, "prog.c"], {"prog.c": SOURCE}, READS + STARTS)
    yield Case("check_raw", [CALL, "--check", "--raw", "prog.c"], {"prog.c": SOURCE}, classes=READS)
    yield Case("translate_raw", [CALL, "--raw", "--slurm", "prog.c"], new, classes=WRITES)
    raw = {name: open(path, "rb").read() for name, path in translated(scratch, "raw", SOURCE).items()}
    raw["prog.c"] = SOURCE
    for case in compiling(scratch, "translate", [CALL, "--cc", CC, "--slurm", "prog.c"], new, WRITES + STARTS,
                          judge=judge_translate):
        case.raw = raw
        yield case
    yield Case("errors", [CALL, "--raw", "prog.c"], {"prog.c": SOURCE.replace(b"end f", b"end g")}, classes=READS, status=1)
    yield from compiling(scratch, "cc", [CALL, "cc", CC, "-O1", "-o", "prog", "prog.c"], {"prog.c": PLAIN}, WRITES + STARTS,
                         cleans=measured)
    yield from compiling(scratch, "run", [CALL, "run", "--cc", CC, "-n", "2", "prog.c"],
                         {"prog.c": PLAIN,
                          "prog.cll.0.dat": os.path.join(os.environ["CLL_SOURCE"], "tests/llac/data/demo.dat")},
                         WRITES + STARTS, cleans=measured, judge=judge_run, limit=60)
    yield from compiling(scratch, "sweep", [CALL, "run", "--cc", CC, "-n", "1", "-q", "--procs", "1,2", "prog.c"],
                         {"prog.c": SOURCE}, WRITES + STARTS, cleans=measured, judge=judge_sweep, limit=60)
    program = {"prog": built(scratch)}
    yield Case("run_built", [CALL, "run", "-n", "1", "-q", "./prog"], program, classes=WRITES + STARTS, cleans=measured,
               judge=judge_run, limit=60)
    yield Case("run_command", [CALL, "run", "-n", "1", "-q", "--", "sh", "-c", "./prog && ./prog"], program,
               classes=WRITES + STARTS, cleans=measured, judge=judge_command, limit=60)
    if os.path.exists(os.path.join(os.environ["CLL_BUILD"], "lib", "libcll_count.a")):
        yield from compiling(scratch, "count", [CALL, "count", "--cc", CC, "--html", "prog.c"], {"prog.c": PLAIN},
                             WRITES + STARTS, env={"PATH": fake_valgrind(scratch) + ":" + os.environ["PATH"]},
                             cleans=measured, judge=judge_run, limit=60)
