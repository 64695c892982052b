# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of llac on which faults are tried."""
import os
import subprocess

from sweep import Case

LLAC = os.path.join(os.environ["CLL_BIN"], "llac")
DATA = os.path.join(os.environ["CLL_SOURCE"], "tests", "llac", "data")
TRACE = os.path.join(os.environ["CLL_SOURCE"], "examples", "data", "fft-pub.trace")
IMPORT = os.path.join(os.environ["CLL_SOURCE"], "tests", "data", "import")
OLD = b"what was there before\n"
STUB = b"#!/bin/sh\ncat >/dev/null\necho '<svg></svg>'\n"

# no file is made, no process started
READS = ["alloc", "write", "read", "openread", "close", "mmap"]
WRITES = READS + ["open", "rename", "sync", "truncate"]


def case(name, commands, files=("demo.dat",), classes=None, before=None, options=(), **more):
    have = {f: os.path.join(DATA, f) for f in files}
    have.update(before or {})
    argv = [LLAC, *options, "-e", commands, *files]
    return Case(name, argv, have, classes=classes or READS, **more)


def stub_gnuplot(scratch):
    folder = os.path.join(scratch, "bin")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "gnuplot")
    with open(path, "wb") as f:
        f.write(STUB)
    os.chmod(path, 0o755)
    return {"PATH": folder + ":" + os.environ["PATH"]}


def left_spool(scratch):
    """The spool of a program that died."""
    folder = os.path.join(scratch, "died")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "prog.c"), "w") as f:
        f.write("#include <stdlib.h>\nint main(void)\n{\n    for (int N = 1; N < 5; N++) {\n#pragma cll f f[0] + f[1]*N\n"
                "        ;\n#pragma cll end f\n    }\n    abort();\n}\n")
    call = os.path.join(os.environ["CLL_BIN"], "call")
    subprocess.run([call, "cc", os.environ.get("CC", "cc"), "-o", "prog", "prog.c"], cwd=folder, check=True)
    subprocess.run(["./prog"], cwd=folder, check=False, stderr=subprocess.DEVNULL)
    return os.path.join(folder, "prog.cll.0.spool")


def cases(scratch):
    path = stub_gnuplot(scratch)
    yield case("list", "list; show; show sort")
    yield case("prepare", "where N > 2000; let n = N*2; statistic deviation; fit sort; statistic median; ranks mean; rounds all; disturbed keep; outliers keep; show sort")
    yield case("fit", "fit sort; predict sort N=1000:100000:10; table sort")
    yield case("fit_json", "fit sort; predict sort N=1000:100000:10; table sort; list", options=["--json"])
    yield case("intervals", "fit init", ["cache.dat"])
    yield case("search", "search sort terms 1")
    yield case("all", "fit all")
    yield case("compare", "compare sort 'sort[0] + sort[1]*N' 'sort[0]*N*log(N)'; explain sort N=1000000")
    yield case("define", "define w(N, P) = sum(i, 0, 1, sort(N=N/2^i)) + fft[1]*log(P); predict w N=1000:100000:10 P=2; explain w N=5000 P=2")
    yield case("derive", "derive fft from fft[0], 2*fft[2]*N/P*log(N/P)", options=["--json"])
    yield case("observables", "let r = CLOCK(P=1)/CLOCK; show fft on r; where CLOCK > 0; show fft")
    yield case("advise", "fit sort; advise sort for N=100000000 budget 10s")
    yield case("rank", "fit init = init[0] + init[1]*N; rank N=100000000 P=64", sample=2)
    yield case("crossover", "crossover sort fft over N P=4", sample=2)
    yield case("self", "fit solve = solve[0] + solve[1]*N/P on SELF; predict solve N=1000 P=4", ["app.dat"], sample=2)
    # the copy has the samples of the same process: they count once, or the command fails
    yield case("once", "list; show solve", ["app.dat", "copy.dat"], before={"copy.dat": os.path.join(DATA, "app.dat")}, classes=["read", "openread"])
    spool = left_spool(scratch)
    yield case("once_spools", "list; show f", ["a.spool", "b.spool"], before={"a.spool": spool, "b.spool": spool}, classes=["read", "openread"])
    yield case("table_against", "fit sort; table sort against other.dat", before={"other.dat": os.path.join(DATA, "demo.dat")})
    yield case("machine", "machine show machine.json", files=(), before={"machine.json": os.path.join(DATA, "machine.json")})
    yield case("machine_terms", "machine use machine.json; fit sort = sort[0] + sort[1]*N*lat(sort.w*N); predict sort N=1000000; export m.h",
               before={"machine.json": os.path.join(DATA, "machine.json")}, sample=2)
    yield case("obsp_skip", "obsp fft.trace skip 1", files=(), before={"fft.trace": os.path.join(os.environ["CLL_SOURCE"], "examples", "data", "fft-pub.trace")})
    yield case("obsp", "obsp fft.trace", files=(), before={"fft.trace": os.path.join(os.environ["CLL_SOURCE"], "examples", "data", "fft-pub.trace")})
    yield case("obsp_models", "obsp figure-1.obsp w=sort(N=5000) g=sort[0] L=fft(N=5000, P=2)", sample=2,
               before={"figure-1.obsp": os.path.join(os.environ["CLL_SOURCE"], "examples", "obsp", "figure-1.obsp")})
    yield case("machine_add", "machine add new.json replace", files=(), classes=WRITES, env={"CLL_MACHINES": "machines"},
               before={"new.json": os.path.join(DATA, "machine.json"), "machines/demo.json": OLD})
    yield case("versions", "load demo.dat as a; merge other.dat as b; fit sort by version; fit fft@a by P; predict fft@a@P=2 N=1000; plot sort by version small",
               before={"other.dat": os.path.join(DATA, "demo.dat")})
    yield case("check", "check demo.dat other.dat", before={"other.dat": os.path.join(DATA, "demo.dat")})
    yield case("check_saved", "check model.json demo.dat", before={"model.json": os.path.join(DATA, "model.json")})
    yield case("errors", "fit nothing = 3", status=1)
    yield case("save", "where N > 2000; save new.dat", classes=WRITES, before={"new.dat": OLD})
    for end in ("h", "py", "js", "gp", "tex", "json", "csv"):
        yield case("export_" + end, f"fit sort; export model.{end}", classes=WRITES, before={f"model.{end}": OLD}, sample=2)
    yield case("report_html", "report new.html sort", classes=WRITES, before={"new.html": OLD}, sample=3,
               env={"SOURCE_DATE_EPOCH": "1000000000"})
    yield case("plot", "fit sort; plot sort to new.svg", classes=WRITES + ["fork", "pipe"], before={"new.svg": OLD},
               env=path)
    yield case("plot_constant", "plot sort[1] to new.svg", classes=["alloc", "open", "rename", "fork", "pipe"],
               before={"new.svg": OLD}, env=path)
    yield case("plot_exec", "plot sort to new.svg", classes=["exec"], before={"new.svg": OLD}, env=path)
    yield case("obsp_picture", "obsp fft.trace g=1e-9 L=1e-6 picture new.svg measured", files=(), before={"fft.trace": TRACE, "new.svg": OLD},
               classes=["alloc", "read", "openread", "open", "rename", "fork", "pipe"], env=path, sample=3)
    for name in sorted(os.listdir(IMPORT)):
        if name.startswith("bad") or os.path.isdir(os.path.join(IMPORT, name)):
            continue
        load = f"load {name} time=seconds variables=n,P; list; show" if name == "table.csv" else f"load {name}; list; show"
        yield Case("import_" + name, [LLAC, "-e", load], {name: os.path.join(IMPORT, name)}, classes=READS, sample=2)
    yield Case("script", [LLAC, "demo.dat"], {"demo.dat": os.path.join(DATA, "demo.dat")}, classes=READS,
               stdin=b"list\nfit sort\nquit\n")
