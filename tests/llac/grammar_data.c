/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data sets of the generated scripts: small, good and degenerate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grammar.h"

enum kind {
    GOOD,
    TWO_VARIABLES,
    RANKS,
    JUMP,
    CONSTANT,
    COLLINEAR,
    ONLY_P,
    THINNED,
    ONE_POINT,
    ONE_SIZE,
    ZERO,
    NEGATIVE,
    EMPTY,
    OTHER_VARIABLES,
    MANY_VARIABLES,
    NOT_A_NUMBER,
    VARIABLE_NAN,
    INFINITE,
    HUGE_VALUES,
    TINY,
    MISSING,
    KINDS
};

const char *const grammar_data[] = {
    "good",   "two_variables", "ranks",     "jump",     "constant",     "collinear",
    "only_P", "thinned",       "one_point", "one_size", "zero",         "negative",
    "empty",  "other",         "many",      "nan",      "variable_nan", "infinite",
    "huge",   "tiny",          "missing",   NULL};

static int has_M(enum kind k)
{
    return k == TWO_VARIABLES || k == COLLINEAR || k == CONSTANT;
}

static const char *variables(enum kind k)
{
    return k == ONLY_P            ? ""
           : k == OTHER_VARIABLES ? " K"
           : k == MANY_VARIABLES  ? " N a b c d e f g h i j k"
           : has_M(k)             ? " N M"
                                  : " N";
}

static void write_header(FILE *f, enum kind k)
{
    fprintf(f,
            "# cll-data 1\n# program: grammar\n# driver: seq\n# world: 1\n# cores: 8\n%s"
            "# resolution: 1e-09\n# overhead: 2e-08 1e-09\n# abandoned: 0\n# oversubscribed: no\n"
            "# thinned: %s\n",
            k == THINNED ? "# clock: tsc\n# hosts: 2\n# hyper-threads: used\n"
                         : "# clock: simulated\n",
            k == THINNED ? "per-tuple" : "no");
    fprintf(f, "# experiment: f\n");
    if (k != MISSING)
        fprintf(f, "# formula: f CLOCK f[0] + f[1]*%s\n",
                k == ONLY_P            ? "P"
                : k == OTHER_VARIABLES ? "K"
                                       : "N*log(N)");
    if (*variables(k))
        fprintf(f, "# variables: f%s\n", variables(k));
    fprintf(
        f,
        "# source: f f.c:1-2\n# experiment: g\n# formula: g CLOCK g[0]*P\n# source: g f.c:3-4\n");
    if (k == THINNED)
        fprintf(f, "# tuple: f N=64 count=64 sum=0.0064 min=9e-05\n");
    fprintf(f, "experiment run seq start nested P rank thread count%s CLOCK events\n",
            variables(k));
}

static double clock_of(enum kind k, double N, double P, unsigned i)
{
    double noise = 1 + 0.01 * ((i * 7919u) % 13) / 13;
    switch (k) {
    case ZERO: return 0;
    case NEGATIVE: return -1e-3 * N;
    case NOT_A_NUMBER: return i % 3 ? 1e-6 * N : (double)NAN;
    case INFINITE: return i % 5 ? 1e-6 * N : (double)INFINITY;
    case HUGE_VALUES: return 1e300 * N;
    case TINY: return 1e-310 * (i + 1);
    case JUMP: return (N > 500 ? 5e-8 * N : 1e-8 * N) * noise;
    case ONLY_P: return 1e-5 * log(P + 1) * noise;
    default: return (1e-6 + 1e-8 * N * log(N + 1) / P) * noise;
    }
}

static void write_row(FILE *f, enum kind k, unsigned run, unsigned i, double N, double P,
                      unsigned rank)
{
    fprintf(f, "f %u %u %g 0 %g %u 0 %d", run, i, 0.001 * i, P, rank, k == THINNED ? 4 : 1);
    if (k == VARIABLE_NAN && i % 4 == 0)
        fprintf(f, " nan");
    else if (k != ONLY_P)
        fprintf(f, " %.17g", k == HUGE_VALUES ? N * 1e290 : k == TINY ? N * 1e-300 : N);
    if (has_M(k))
        fprintf(f, " %g", k == COLLINEAR ? 2 * N : k == CONSTANT ? 3.0 : 1.0 + i % 5);
    for (unsigned j = 0; k == MANY_VARIABLES && j < 11; j++)
        fprintf(f, " %u", (i >> j % 4) % 3 + j);
    fprintf(f, " %.17g %s\n", clock_of(k, N, P, i), k == MISSING ? "nan" : "17");
}

static void write_rows(FILE *f, enum kind k)
{
    unsigned sizes = k == ONE_POINT || k == ONE_SIZE ? 1 : k == EMPTY ? 0 : 8;
    unsigned samples = k == ONE_POINT ? 1 : 3, i = 0;
    for (unsigned s = 0; s < sizes; s++)
        for (unsigned r = 0; r < samples; r++)
            for (unsigned rank = 0; rank < (k == RANKS ? 2u : 1u); rank++, i++)
                write_row(f, k, r, i, 32 << s, k == ONLY_P || k == RANKS ? 1 << s % 4 : 1, rank);
    for (i = 0; i < 4 && sizes > 1; i++) {
        fprintf(f, "g 0 %u %g 0 %u 0 0 1", i, 0.1 + 0.001 * i, i + 1);
        for (const char *p = variables(k); *p; p++)
            if (*p == ' ')
                fprintf(f, " nan");
        fprintf(f, " %g nan\n", 1e-5 * (i + 1));
    }
}

/* A machine with one figure of each kind. */
static void write_machine(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/machine.json", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fputs(
        "{\"cllprobe\": 1, \"program\": \"p\", \"name\": \"m\", \"date\": \"d\", \"quick\": true,\n"
        "\"rounds\": 1, \"seconds\": 1, \"system\": {\"architecture\": \"a\", \"processor\": \"p\",\n"
        "\"os\": \"o\", \"compiler\": \"c\", \"optimised\": true, \"cores\": 1, \"hardware_threads\": 1,\n"
        "\"memory\": 1, \"page\": 1}, \"families\": [], \"summary\": [], \"figures\": [\n"
        "{\"family\": \"operations\", \"name\": \"x.throughput\", \"unit\": \"s\", \"value\": 1,\n"
        "\"low\": 1, \"high\": 1e300, \"steady\": false, \"rounds\": 1, \"values\": [1]},\n"
        "{\"family\": \"memory\", \"name\": \"read\", \"bytes\": 0, \"cores\": 7, \"unit\": \"B/s\",\n"
        "\"value\": 1, \"low\": 1, \"high\": 1, \"steady\": true, \"rounds\": 1, \"values\": [1]},\n"
        "{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 4096, \"cores\": 1, \"unit\": \"s\",\n"
        "\"value\": 1e-9, \"low\": 1e-9, \"high\": 2e-9, \"steady\": true, \"rounds\": 1,\n"
        "\"values\": [1e-9]},\n"
        "{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 65536, \"cores\": 1, \"unit\": \"s\",\n"
        "\"value\": 9e-9, \"low\": 1e-9, \"high\": 9e-9, \"steady\": true, \"rounds\": 1,\n"
        "\"values\": [9e-9]},\n"
        "{\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 65536, \"cores\": 4, \"unit\": \"s\",\n"
        "\"value\": 9e-9, \"low\": 1e-9, \"high\": 9e-9, \"steady\": true, \"rounds\": 1,\n"
        "\"values\": [9e-9]}]}\n",
        f);
    if (fclose(f))
        abort();
}

/* A trace of two processes with a group, both kinds of synchronisation and several sizes. */
static void write_trace(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/program.trace", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fputs(
        "# pub trace 1\n# processes: 2\nprocess object pid nprocs step kind work calls wait transfer out in sent "
        "received partners end\n",
        f);
    for (int p = 0; p < 2; p++) {
        fprintf(f, "%d m.1:%d 0 1 1 partition 100 1 0 0 0 0 0 0 - 101\n", p, p);
        fprintf(f, "%d m.1:%d 0 1 1 done 500 2 0 0 0 0 0 0 - 603\n", p, p);
        for (int s = 1; s < 20; s++)
            fprintf(f, "%d m %d 2 %d %s %d 3 %d 5 %d %d 1 1 %d %d\n", p, p, s,
                    s % 3 ? "oblsync" : "sync", 1000 + p * s, 70 + 90 * s, 80 * s, 80 * s, 1 - p,
                    603 + 1200 * s);
    }
    if (fclose(f))
        abort();
}

/* A notation that asks the experiment f. */
static void write_notation(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/program.obsp", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fputs("param P = 2\nparam N = 512\nparam f[0] = 1e-9*N\nparam c = f(N=N/P)\n"
          "work c + f[0] if i == 0\nsend 1 - i : 8*N\noblsync\nwork f\nsync\n"
          "split in 2\n work (P - 1)*f[1] + c\nend\n",
          f);
    if (fclose(f))
        abort();
}

void grammar_write_data(const char *folder)
{
    write_machine(folder);
    write_trace(folder);
    write_notation(folder);
    _Static_assert(sizeof grammar_data / sizeof *grammar_data == KINDS + 1, "a name for each kind");
    for (int k = 0; k < KINDS; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.dat", folder, grammar_data[k]);
        FILE *f = fopen(path, "w");
        if (!f)
            abort();
        write_header(f, (enum kind)k);
        write_rows(f, (enum kind)k);
        if (fclose(f))
            abort();
    }
}
