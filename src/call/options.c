/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options and its reader: --name VALUE, --name=VALUE, -n VALUE, -nVALUE. */
#include "call/options.h"
#include "base/completion.h"
#include "base/misprint.h"
#include "base/printable.h"

#include <stddef.h>
#include <string.h>

enum {
    COMMAND_RUNS = COMMAND_RUN | COMMAND_COUNT,
    COMMAND_BUILDS = COMMAND_RUNS | COMMAND_DISCOVER,
    COMMAND_ALL = COMMAND_TRANSLATE | COMMAND_BUILDS
};

static const struct entry {
    enum option id;
    int commands; /* enum command, or-ed */
    const char *letter, *name;
    const char *argument; /* NULL: takes none */
    const char *help;
} table[] = {
    {OPTION_OUTPUT, COMMAND_TRANSLATE, "-o", NULL, "FILE",
     "write the translated source to FILE and its header beside it (one source only)"},
    {OPTION_OUTDIR, COMMAND_TRANSLATE | COMMAND_RUNS, NULL, "--outdir", "DIR",
     "write into DIR: the translated files (call), the data files (call run), the report (call count)"},
    {OPTION_CHECK, COMMAND_TRANSLATE, NULL, "--check", NULL,
     "only check for errors, write nothing"},
    {OPTION_RAW, COMMAND_TRANSLATE, NULL, "--raw", NULL,
     "read the source as written, do not run the preprocessor on it"},
    {OPTION_CC, COMMAND_ALL, NULL, "--cc", "COMMAND",
     "the compiler; default: the environment variable CC, else cc; for MPI programs MPICC, else "
     "mpicc; for C++ CXX, c++, MPICXX, mpicxx; for Fortran FC, gfortran, MPIFC, mpif90; for CUDA "
     "NVCC, nvcc"},
    {OPTION_PREPROCESSOR, COMMAND_ALL, "-I", NULL, "DIR",
     "for the compiler: search this folder for headers"},
    {OPTION_PREPROCESSOR, COMMAND_ALL, "-D", NULL, "NAME[=VALUE]",
     "for the compiler: define a macro"},
    {OPTION_PREPROCESSOR, COMMAND_ALL, "-U", NULL, "NAME", "for the compiler: undefine a macro"},
    {OPTION_CFLAGS, COMMAND_ALL, NULL, "--cflags", "FLAGS",
     "flags for the compiler, separated by blanks; default of call run, call count and call discover: -O2"},
    {OPTION_LDFLAGS, COMMAND_BUILDS, NULL, "--ldflags", "FLAGS", "flags and libraries for linking"},
    {OPTION_ROUNDS, COMMAND_RUN, "-n", "--rounds", "ROUNDS",
     "run the program ROUNDS times; default: at least 15 s and 3 rounds, until the values are steady"},
    {OPTION_TIME, COMMAND_RUN, NULL, "--time", "TIME",
     "measure for this time: 30s, 10m, 2h; with -n: spread the rounds over it"},
    {OPTION_UNTIL, COMMAND_RUN, NULL, "--until", "PERCENT",
     "measure until every point is known to PERCENT of its value (2%), or --time is over"},
    {OPTION_LIVE, COMMAND_RUN, NULL, "--live", NULL,
     "show the constants and how well they are known while measuring; --until ends it"},
    {OPTION_FULL, COMMAND_RUN, NULL, "--full", NULL,
     "print every fit in full; default: up to 3 fits, and a line each if there are more"},
    {OPTION_OBSERVE, COMMAND_RUN, NULL, "--observe", "CPUTIME",
     "measure and fit the CPU time of every experiment, without a pragma that names it"},
    {OPTION_COUNTERS, COMMAND_RUN, NULL, "--counters", "NAMES",
     "also measure these counters of every experiment, in rounds of their own; auto: those that the machine has"},
    {OPTION_REPORT, COMMAND_RUN, NULL, "--report", "FILE",
     "at the end write a report of all fits: a page, FILE.html"},
    {OPTION_BASELINE, COMMAND_RUN, NULL, "--baseline", "OLD",
     "also run an older version in every round, and compare: its source, folder of sources, or program"},
    {OPTION_VERIFY, COMMAND_RUN, NULL, "--verify", "MODEL",
     "compare what is measured with what a model predicted: its data file, 'PATTERN' of files, or folder"},
    {OPTION_AT, COMMAND_RUN, NULL, "--at", "VAR=VALUE,...",
     "with --verify: only this place counts, N=1048576,M=8; may be given several times"},
    {OPTION_VARY, COMMAND_DISCOVER | COMMAND_RUN, NULL, "--vary", "NAME=RANGE",
     "the sizes that replace {NAME} in the command: n=100:1600:2 multiplies, n=8:64:+8 adds, n=10,25,40 lists; "
     "may be given several times"},
    {OPTION_BUILD, COMMAND_DISCOVER, NULL, "--build", "COMMAND",
     "build the program with this command, which uses the compilers in CC, CXX and FC; what follows '--' runs it"},
    {OPTION_PREPARE, COMMAND_DISCOVER, NULL, "--prepare", "COMMAND",
     "before each run make its input with this command, in which a size replaces {NAME} as well"},
    {OPTION_PROCS, COMMAND_DISCOVER, "-p", "--procs", "RANGE",
     "numbers of processors, the variable P; counts are sums over all processes or threads"},
    {OPTION_AT, COMMAND_DISCOVER, NULL, "--at", "NAME=SIZE,...",
     "predict counts and times at these sizes, n=1e5,m=1000; default: the largest ones that were counted; may be given several "
     "times, for several names"},
    {OPTION_ROUNDS, COMMAND_DISCOVER, "-n", "--rounds", "N",
     "measure N rounds; default: as many as 18 times the longest run allows, from 2 to 12"},
    {OPTION_COUNTS, COMMAND_DISCOVER, NULL, "--counts", NULL, "only count: measure no times"},
    {OPTION_AS_GIVEN, COMMAND_DISCOVER, NULL, "--as-given", NULL,
     "run no sizes but those of --vary; default: where all are multiples of a number, two more that are not, and for --at 4 "
     "times the largest ones, at which formulas must hold as well"},
    {OPTION_WRITE, COMMAND_DISCOVER, NULL, "--write", "FILE",
     "write a patch that puts regions with the formulas around the functions that matter; apply it with patch -p1"},
    {OPTION_DATA, COMMAND_DISCOVER, NULL, "--data", "FILE",
     "write the times of the functions as a data file for llac"},
    {OPTION_REPORT, COMMAND_DISCOVER, NULL, "--report", "FILE",
     "write a page about all functions, FILE.html"},
    {OPTION_SAVE, COMMAND_DISCOVER, NULL, "--save", "FILE",
     "write the formulas and counts to FILE, as JSON"},
    {OPTION_COMPARE, COMMAND_DISCOVER, NULL, "--check", "FILE",
     "compare with what --save wrote; the exit status is 1 if the formula of a count has changed"},
    {OPTION_LIMIT, COMMAND_DISCOVER, NULL, "--limit", "TIME",
     "count and measure for this time (30s, 10m, 2h) and report what was found until then; default: 10m"},
    {OPTION_PROCS, COMMAND_TRANSLATE | COMMAND_RUNS, "-p", "--procs", "RANGE",
     "numbers of processors: 1:32:2 multiplies, 1:8:+1 adds, 1,2,12 lists; default: the pragma's"},
    {OPTION_OVERSUBSCRIBE, COMMAND_RUNS, NULL, "--oversubscribe", NULL,
     "also run the pragma's numbers that exceed the processors of this machine"},
    {OPTION_LAUNCHER, COMMAND_BUILDS, NULL, "--launcher", "COMMAND",
     "the command that starts the program on {P} processors, such as 'srun -n {P}'; default: the MPI "
     "library's"},
    {OPTION_SIMULATE, COMMAND_RUN, NULL, "--simulate", "PLATFORM",
     "simulate the machine that this SimGrid file describes; all times are simulated"},
    {OPTION_MEASURED_COMPUTE, COMMAND_RUN, NULL, "--measured-compute", NULL,
     "with --simulate: computing takes the time that it takes here, not only the injected time"},
    {OPTION_HOSTFILE, COMMAND_RUN, NULL, "--hostfile", "FILE",
     "with --simulate: the hosts, one per line, in the order of the ranks; default: as in PLATFORM"},
    {OPTION_SMPI, COMMAND_RUN, NULL, "--smpi", "OPTIONS",
     "with --simulate: further options for smpirun, separated by blanks"},
    {OPTION_SLURM, COMMAND_TRANSLATE, NULL, "--slurm", NULL,
     "write a batch script for Slurm, FILE.cll.sbatch, besides FILE.cll.sh"},
    {OPTION_SLURM_TIME, COMMAND_TRANSLATE, NULL, "--slurm-time", "LIMIT",
     "its time limit; default 01:00:00 (this option and the following imply --slurm)"},
    {OPTION_SLURM_PARTITION, COMMAND_TRANSLATE, NULL, "--slurm-partition", "NAME", "its partition"},
    {OPTION_SLURM_NODES, COMMAND_TRANSLATE, NULL, "--slurm-nodes", "NODES",
     "its number of nodes; default: as many as Slurm needs for the most processors"},
    {OPTION_SLURM_THREADS, COMMAND_TRANSLATE, NULL, "--slurm-threads", "THREADS",
     "processors for each process of a program that uses MPI and OpenMP; default: OMP_NUM_THREADS"},
    {OPTION_SLURM_ARRAY, COMMAND_TRANSLATE, NULL, "--slurm-array", NULL,
     "one job for each round; default: one job for all rounds"},
    {OPTION_SLURM_OPTION, COMMAND_TRANSLATE, NULL, "--slurm-option", "OPTION",
     "a further option of sbatch, such as --account=NAME; may be given several times"},
    {OPTION_EXECUTIONS, COMMAND_COUNT, NULL, "--executions", "K",
     "count at most K executions of each point in each thread; default: 3"},
    {OPTION_LIMIT, COMMAND_COUNT, NULL, "--limit", "TIME",
     "end the program after this time (30s, 10m, 2h) and report what was counted; default: 10m"},
    {OPTION_CACHE, COMMAND_COUNT, NULL, "--cache", NULL,
     "also simulate the caches: D1_MISSES, LL_MISSES and others in the data file"},
    {OPTION_MACHINE, COMMAND_COUNT, NULL, "--machine", "NAME|FILE",
     "with --cache: the caches of this machine file, or of this machine in the folder of llac"},
    {OPTION_JSON, COMMAND_COUNT | COMMAND_DISCOVER, NULL, "--json", NULL,
     "print the report as JSON"},
    {OPTION_HTML, COMMAND_COUNT, NULL, "--html", NULL,
     "write PROGRAM.count.html: the source, coloured by the constant of each line"},
    {OPTION_ASSIGN, COMMAND_COUNT, NULL, "--assign", "FILE",
     "lines belong to other constants: an assignment that the page of --html saved"},
    {OPTION_GRAPH, COMMAND_COUNT, NULL, "--graph", NULL,
     "also print the execution graph of each region as an expression over the costs of its nodes, and write "
     "PROGRAM.count.dot: flow charts for Graphviz"},
    {OPTION_KEEP, COMMAND_RUNS, NULL, "--keep", NULL,
     "keep the translated sources and the program in a folder PROGRAM.call beside the data"},
    {OPTION_QUIET, COMMAND_BUILDS, "-q", "--quiet", NULL,
     "show neither the output of the program nor the progress"},
    {OPTION_COMPLETION, COMMAND_TRANSLATE, NULL, "--completion", "SHELL",
     "print the completion script of call for this shell: bash, zsh or fish"},
    {OPTION_HELP, COMMAND_ALL, "-h", "--help", NULL, "show this help"},
    {OPTION_VERSION, COMMAND_ALL, NULL, "--version", NULL,
     "show the version, the parts that are there and the compilers"},
};

enum { ENTRIES = sizeof table / sizeof *table };

/* The commands; call cc has no options of its own. */
static const struct {
    int command;
    const char *name, *help, *operands;
} commands[] = {
    {COMMAND_TRANSLATE, "", NULL, "FILE.c"},
    {0, "cc", "compile and link instrumented, as the compiler would", "COMPILER ARGUMENTS"},
    {COMMAND_RUN, "run", "translate, compile, run in rounds, print the fits", "FILE.c or PROGRAM"},
    {COMMAND_COUNT, "count", "count which instructions the constants stand for", "FILE.c"},
    {COMMAND_DISCOVER, "discover", "find formulas and times of all functions, without a pragma",
     "FILE.c"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static enum option bad(const struct option_reader *r, const char *what)
{
    const char *command = "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].command == (int)r->command)
            command = commands[i].name;
    say("call%s%s: %s: %s; see 'call%s%s --help'\n", *command ? " " : "", command, r->name, what,
        *command ? " " : "", command);
    return OPTION_BAD;
}

/* No such option: another command may have it, or it is a misprint. */
static enum option unknown(const struct option_reader *r, const char *word)
{
    char name[64], what[160];
    const char *names[ENTRIES + 1], *meant;
    size_t n = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < ENTRIES; i++)
        if ((table[i].commands & (int)r->command) && table[i].name)
            names[n++] = table[i].name;
    names[n] = NULL;
    if ((meant = misprint_meant(name, names))) {
        snprintf(what, sizeof what, "no such option, did you mean '%s'?", meant);
        return bad(r, what);
    }
    for (size_t i = 0; i < ENTRIES; i++)
        for (size_t k = 0; table[i].name && !strcmp(table[i].name, name) && k < COMMANDS; k++)
            if (table[i].commands & commands[k].command) {
                snprintf(what, sizeof what, "no such option; 'call%s%s' has it",
                         *commands[k].name ? " " : "", commands[k].name);
                return bad(r, what);
            }
    return bad(r, "no such option");
}

/* Does the word spell this option? Sets the value in the same word, or NULL. */
static bool spells(const struct entry *e, const char *word, const char **joined)
{
    *joined = NULL;
    if (e->name) {
        size_t n = strlen(e->name);
        if (!strncmp(word, e->name, n) && (word[n] == '\0' || word[n] == '=')) {
            *joined = word[n] ? word + n + 1 : NULL;
            return true;
        }
    }
    if (e->letter && !strncmp(word, e->letter, 2) && (e->argument || !word[2])) {
        *joined = word[2] ? word + 2 : NULL;
        return true;
    }
    return false;
}

enum option options_next(struct option_reader *r)
{
    const char *word = *r->argv;
    if (!word)
        return OPTION_DONE;
    r->argv++;
    r->name = r->value = word;
    if (!strcmp(word, "--"))
        return OPTION_REST;
    if (word[0] != '-' || word[1] == '\0')
        return OPTION_FILE;
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct entry *e = &table[i];
        const char *joined;
        if (!(e->commands & (int)r->command) || !spells(e, word, &joined))
            continue;
        if (!e->argument)
            return joined ? bad(r, "takes no value") : e->id;
        r->value = joined ? joined : *r->argv;
        if (!r->value || (!joined && !strcmp(r->value, "--")))
            return bad(r, "needs a value");
        if (!joined)
            r->argv++;
        if (!r->value[0] && e->id != OPTION_CFLAGS && e->id != OPTION_LDFLAGS &&
            e->id != OPTION_SMPI)
            return bad(r, "needs a value");
        return e->id;
    }
    return unknown(r, word);
}

int options_completion(FILE *out, const char *shell)
{
    struct completion_option options[COMMANDS][ENTRIES];
    struct completion_command all[COMMANDS];
    for (size_t k = 0; k < COMMANDS; k++) {
        size_t n = 0;
        for (size_t i = 0; i < ENTRIES; i++)
            if (table[i].commands & commands[k].command)
                options[k][n++] = (struct completion_option){table[i].letter, table[i].name,
                                                             table[i].argument, table[i].help};
        all[k] = (struct completion_command){commands[k].name, commands[k].help,
                                             commands[k].operands, options[k], n};
    }
    if (!completion_print(out, shell, "call", all, COMMANDS))
        return 0;
    say("call: --completion: there is no completion for '%s'; the shells are bash, zsh and fish\n",
        shell);
    return 2;
}

void options_help(FILE *out, enum command command)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct entry *e = &table[i];
        char left[64];
        if (!(e->commands & (int)command))
            continue;
        snprintf(left, sizeof left, "%s%s%s%s%s", e->letter ? e->letter : "",
                 e->letter && e->name ? ", " : "", e->name ? e->name : "", e->argument ? " " : "",
                 e->argument ? e->argument : "");
        fprintf(out, "  %-24s %s\n", left, e->help);
    }
}
