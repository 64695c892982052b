/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command in one process, right and wrong, as text and as JSON: the leak check at its end
 * sees what any of them forgot. Then the same commands with little memory. */
#define _GNU_SOURCE
#include "harness/unit.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/without_memory.h"
#include "llac/session.h"

static char folder[] = "/tmp/cll-test-commands-XXXXXX";
static FILE *null;

#define LLAC     TESTS_FOLDER "/llac/data/"
#define IMPORT   TESTS_FOLDER "/data/import/"
#define FIGURE_1 TESTS_FOLDER "/../examples/obsp/figure-1.obsp"
#define TRACE    TESTS_FOLDER "/../examples/data/fft-pub.trace"

/* What keeps all its memory in arenas and mem_alloc. */
static const char *const pure[] = {
    "load \"" LLAC "demo.dat\"",
    "list",
    "show",
    "show init on page-faults",
    "show init spread",
    "show init on CLOCK spread",
    "show nothing",
    "let n = N/P",
    "fit fft = fft[0] + fft[1]*n*log(n) where P < 8 nonneg intervals none max 3 threshold 5%",
    "where N > 1000 and run > 0",
    "fit sort",
    "fit sort = sort[0] +",
    "where all",
    "let none",
    "statistic deviation",
    "show sort spread",
    "fit sort",
    "predict sort N=4096",
    "statistic min",
    "ranks mean",
    "rounds skip 1",
    "fit sort",
    "rounds all",
    "rounds auto",
    "disturbed keep",
    "disturbed",
    "outliers keep",
    "fit sort intervals auto",
    "fit sort intervals always",
    "predict sort N=1000:8000:2",
    "predict sort",
    "table sort",
    "explain sort N=1000",
    "define whole(N, P) = 2*sort[0] + sum(i, 0, log2(P) - 1, sort(N=N/2^i))",
    "define twice = 2*whole",
    "define sort = 3",
    "define",
    "predict twice N=1000:8000:2 P=4",
    "predict whole N=1000",
    "explain whole N=1000 P=2",
    "table whole against fft",
    "derive fft from whole, fft[0]",
    "let rate = N/CLOCK",
    "show init on rate",
    "where rate > 1e9",
    "where all",
    "let speedup = CLOCK(P=1)/CLOCK",
    "show fft on speedup",
    "let none",
    "define none",
    "compare sort, \"sort[0]*N\"",
    "statistic median",
    "undo",
    "fit sort = sort[0]*N",
    "undo",
    "undo all",
    "history",
    "history 2",
    "plot sort small",
    "advise sort for N=1e9",
    "explain fft on CLOCK N=1e6 P=4",
    "predict fft N=1e6 P=4 where P < 8",
    "explain fft N=1e6 P=4 where P < 8",
    "advise sort for N=1e7 where N > 1000",
    "plot fft over N where P == 4 small",
    "plot fft over N where P == 3 small",
    "show fft where P == 4",
    "load nothing*.dat",
    "fit fft on SELF",
    "rank N=x",
    "crossover sort fft over M",
    "table sort against \"" LLAC "demo.dat\" where N > 1000",
    "table sort against \"" LLAC "demo.dat\" \"broken.dat\"",
    "load \"no/such/file\"",
    "load \"broken.dat\"",
    "machine show \"" LLAC "machine.json\"",
    "machine show \"broken.dat\"",
    "machine use \"" LLAC "machine.json\"",
    "machine show",
    "machine compare \"" LLAC "machine.json\" \"" LLAC "machine.json\"",
    "boundaries f on \"" LLAC "machine.json\"",
    "boundaries f N=3 on \"" LLAC "machine.json\" working set 8*N",
    "machine use none",
    "machine use nosuch",
    "machine frobnicate",
    "obsp \"" TRACE "\"",
    "obsp \"" TRACE "\" on \"" LLAC "machine.json\" pattern shift h sum",
    "obsp \"" TRACE "\" g=1e-9 L*2 W*0.5 slower 3 by 2 supersteps all",
    "obsp \"" TRACE "\" slower 99 by 2",
    "obsp \"" TRACE "\" skip 1 h sum",
    "obsp \"" TRACE "\" skip 3",
    "obsp \"" TRACE "\" costs by process",
    "obsp \"" TRACE "\" costs median by process",
    "obsp \"" TRACE "\" g=1e-9 L=sort[0] replace 1 to 2 by W + sort(N=1000)",
    "obsp \"" TRACE "\" replace 2 by nosuch",
    "obsp \"" FIGURE_1 "\" w=sort(N=1000) g=0 L=1",
    "obsp \"" FIGURE_1 "\" w=sort[7] g=0 L=1",
    "obsp \"broken.dat\"",
    "obsp \"" TRACE "\" g=1e-9 L=1e-6 picture",
    "obsp \"" TRACE "\" g=1e-9 L=1e-6 picture x.svg from 1h",
    "help fit",
    "? plot",
    "no such command",
};

/* What goes through files, other libraries and other programs as well, or takes long. */
static const char *const others[] = {
    "search sort",
    "fit all",
    "search all terms 1",
    "rank N=1e9 P=64",
    "crossover sort fft over N P=4",
    "define both(N) = 2*sort(N)",
    "crossover both sort over N to N=1e9",
    "merge \"" LLAC "cache.dat\"",
    "merge \"" LLAC "cache.dat\"",
    "undo",
    "load \"saved.dat\"",
    "save session \"session.llac\"",
    "source \"session.llac\"",
    "undo",
    "source \"no/such/file\"",
    "machine list",
    "machine add \"" LLAC "machine.json\"",
    "machine add \"" LLAC "machine.json\"",
    "machine add \"" LLAC "machine.json\" replace",
    "machine list",
    "machine show demo",
    "save \"saved.dat\"",
    "load \"saved.dat\"",
    "load \"saved.dat\" \"saved.dat\"",
    "export \"x.h\"",
    "export \"x.py\"",
    "export \"x.gp\"",
    "export \"x.tex\"",
    "export \"x.json\"",
    "export \"x.csv\"",
    "export \"x.js\"",
    "report \"x.html\"",
    "report \"x.html\" rank N=1e9 P=64",
    "report \"x.html\" beside \"" LLAC "cache.dat\"",
    "report \"x.html\" beside \"" LLAC "demo.dat\"",
    "report \"x.html\" obsp \"" TRACE "\" g=1e-9 L=1e-6",
    "report \"x.unknown\"",
    "export \"x.unknown\"",
    "obsp \"" TRACE "\" g=1e-9 L=1e-6 picture x.svg",
    "obsp \"" TRACE "\" g=1e-9 L=1e-6 picture x.svg measured from 1ms until 11ms",
    "obsp \"" TRACE "\" g=1e-9 L=1e-6 picture x.unknown",
    "load \"" LLAC "grid.dat\"",
    "list",
    "load \"" IMPORT "table.csv\"",
    "load \"" IMPORT "extrap.txt\"",
    "load \"" IMPORT "extrap.json\"",
    "load \"" IMPORT "lines.jsonl\"",
    "load \"" IMPORT "benchmark.json\"",
    "load \"" IMPORT "hyperfine.json\"",
    "load \"" IMPORT "call1.4.json\" CLOCK=1",
    "help",
    "quit",
};

static void run(struct session *s, const char *command)
{
    session_run(s, "test", command, strlen(command), true);
}

static void run_all(bool json)
{
    struct session *s = session_create(null);
    s->json = json;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        run(s, pure[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        run(s, others[i]);
    assert_true(s->quit);
    session_destroy(s);
}

static void as_text(void **state)
{
    (void)state;
    run_all(false);
}

static void as_json(void **state)
{
    (void)state;
    run_all(true);
}

struct
try {
    struct session *session;
    const char *command;
};

static void run_once(const void *data)
{
    const struct try *t = data;
    run(t->session, t->command);
}

static void without_memory_llac_leaves(void **state)
{
    (void)state;
    struct session *s = session_create(null);
    long failures = 0;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        struct try t = {s, pure[i]};
        /* Every early allocation, then fewer and fewer: there are thousands, and a fork of a sanitized process is slow. */
        for (long n = 0; lacks_memory(n, run_once, &t); n += 1 + (is_thorough() ? n / 4 : 7 * n))
            failures++;
        run(s, pure[i]);
    }
    session_destroy(s);
    assert_true(failures > 100);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) || !(null = fopen("/dev/null", "w")))
        return 1;
    FILE *broken = fopen("broken.dat", "w");
    fputs("# cll-data 1\n# experiment: f\nx y\n1 2\n", broken);
    fclose(broken);
    setenv("CLL_MACHINES", "machines", 1);
    int terminal = dup(STDERR_FILENO); /* for the findings of sanitizers */
    if (terminal < 0 || dup2(fileno(null), STDERR_FILENO) < 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_text),
        cmocka_unit_test(as_json),
        cmocka_unit_test(without_memory_llac_leaves),
    };
    int status = RUN(tests);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    fclose(null);
    if (status == 0 && chdir("/") == 0)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return status;
}
