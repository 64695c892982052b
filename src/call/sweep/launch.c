/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of launchers and what is made of it (see launch.h). */
#define _GNU_SOURCE 1 /* sched_getaffinity */
#include "call/sweep/launch.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/quote.h"
#include "base/text.h"
#include "call/cc/compiler.h"
#include "call/cc/translate.h"

/* Simulated times that are affine in the size of messages and the same in every run: the stock
 * network model is piecewise, sends of its eager mode and its choice of collectives change with
 * size and P. */
static const char simulation[] =
    "-np {P} -platform {platform} -hostfile {hosts} -quiet "
    "--log=root.thresh:warning --cfg=network/model:CM02 --cfg=network/crosstraffic:0 "
    "--cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:{compute} "
    "--cfg=smpi/cpu-threshold:0 "
    "--cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/barrier:ompi_bruck --cfg=smpi/allreduce:rdb "
    "--cfg=smpi/reduce:binomial --cfg=smpi/bcast:binomial_tree --cfg=smpi/allgather:bruck "
    "--cfg=smpi/alltoall:bruck --cfg=smpi/alltoallv:ring --cfg=smpi/gather:ompi_binomial "
    "--cfg=smpi/scatter:ompi_binomial";

static const struct launcher table[] = {
    {.name = "plain", .about = "no launcher", .in_scripts = true},
    {.name = "openmp",
     .about = "OpenMP threads",
     .environment = "OMP_NUM_THREADS={P}",
     .in_scripts = true},
    {.name = "openmpi",
     .about = "Open MPI",
     .programs = {"mpirun.openmpi", "mpirun", "mpiexec"},
     .says = "Open MPI|OpenRTE",
     .options = "-n {P}",
     .crowded = "--oversubscribe",
     .threaded = "--bind-to none", /* else all threads of a process share one core */
     .pass = "-x",
     .as_root = "OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
     .processes = true,
     .in_scripts = true},
    {.name = "mpich",
     .about = "MPICH",
     .programs = {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich", "mpiexec", "mpirun"},
     .says = "HYDRA|MPICH|Intel(R) MPI",
     .options = "-n {P}",
     .processes = true,
     .in_scripts = true},
    {.name = "srun",
     .about = "Slurm's srun",
     .programs = {"srun"},
     .options = "-n {P}",
     .crowded = "--overcommit",
     .threaded = "--cpu-bind=none",
     .processes = true,
     .in_scripts = true},
    {.name = "smpi",
     .about = "SimGrid's smpirun",
     .programs = {"smpirun"},
     .options = simulation,
     .processes = true},
};

enum { LAUNCHERS = sizeof table / sizeof *table };

const struct launcher *launch_named(const char *name)
{
    for (size_t i = 0; i < LAUNCHERS; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

const struct launcher *launch_for(const struct driver *processes, bool openmp, const char *flavour)
{
    if (processes)
        return flavour ? launch_named(flavour) : NULL;
    return launch_named(openmp ? "openmp" : "plain");
}

/* ---- finding ---- */

/* Does `PROGRAM --version` print one of the texts? */
static bool says(struct arena *a, const char *program, const char *texts)
{
    const char *temporary = process_temporary(a);
    struct words w = {0};
    char *text;
    size_t size;
    bool found = false;
    if (!texts || !temporary)
        return true;
    const char *file = arena_printf(a, "%s/launcher-version", temporary);
    struct process_options o = {
        .in = PROCESS_NULL, .out = PROCESS_FILE, .err = PROCESS_NULL, .out_file = file};
    words_add(a, &w, program);
    words_add(a, &w, "--version");
    if (process_run(&w, &o) < 0 || source_read(file, 1 << 20, &text, &size))
        return false;
    for (const char *t = texts; *t && !found; t += strcspn(t, "|"), t += *t == '|')
        found = strstr(text, arena_strndup(a, t, strcspn(t, "|"))) != NULL;
    mem_free(text);
    return found;
}

static const char *find_program(struct arena *a, const struct launcher *l, const char *near)
{
    for (int beside = near ? 1 : 0; beside >= 0; beside--)
        for (size_t i = 0; l->programs[i]; i++) {
            const char *path = beside ? arena_printf(a, "%s/%s", near, l->programs[i])
                                      : compiler_on_path(a, l->programs[i]);
            if (path && !access(path, X_OK) && says(a, path, l->says))
                return path;
        }
    return NULL;
}

/* Open MPI refuses to run as root, and that is the user's to decide. */
static bool refuses_root(struct arena *a, const struct launcher *l)
{
    bool set = true;
    struct words w = {0};
    if (!l->as_root || geteuid() != 0)
        return false;
    words_split(a, &w, l->as_root);
    for (size_t i = 0; i < w.n; i++)
        set &= getenv(w.list[i]) != NULL;
    if (!set)
        say("call run: %s does not run programs for root; do it as another user, or set %s and "
            "%s to 1\n",
            l->about, w.list[0], w.list[1]);
    return !set;
}

int launch_find(struct arena *a, const struct launcher *l, const char *near, struct launch *out)
{
    *out = (struct launch){.launcher = l, .processes = l->processes};
    if (!l->programs[0])
        return 0;
    const char *program = find_program(a, l, near);
    if (!program) {
        const char *names = l->programs[0];
        for (size_t i = 1; l->programs[i]; i++)
            names = arena_printf(a, "%s, %s", names, l->programs[i]);
        say("call run: no launcher of %s is here to start the program with (looked for %s); "
            "install it, or give --launcher 'COMMAND {P}'\n",
            l->about, names);
        return -1;
    }
    if (refuses_root(a, l))
        return -1;
    words_add(a, &out->command, program);
    words_split(a, &out->command, l->options);
    return 0;
}

int launch_own(struct arena *a, const char *text, bool processes, struct launch *out)
{
    const struct launcher *l = launch_named(text);
    if (l && l->in_scripts && l->processes == processes)
        return launch_find(a, l, NULL, out);
    *out = (struct launch){.processes = processes};
    words_split(a, &out->command, text);
    if (out->command.n && (strstr(text, "{P}") || !processes))
        return 0;
    say("call run: --launcher: '%s' does not say where the number of processes goes: write "
        "{P} there, as in 'srun -n {P}'\n",
        text);
    return -1;
}

/* ---- commands ---- */

/* `word` with every {NAME} replaced. */
static const char *filled(struct arena *a, const struct launch *l, const char *word,
                          unsigned long P)
{
    const struct {
        const char *mark, *value;
    } marks[] = {{"{P}", arena_printf(a, "%lu", P)},
                 {"{platform}", l->platform},
                 {"{hosts}", l->hosts},
                 {"{compute}", l->compute}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = marks[i].value ? strstr(word, marks[i].mark) : NULL;
        if (at) {
            const char *rest = filled(a, l, at + strlen(marks[i].mark), P);
            return arena_printf(a, "%.*s%s%s", (int)(at - word), word, marks[i].value, rest);
        }
    }
    return word;
}

static void pass_variable(struct arena *a, const struct launcher *l, const char *variable,
                          struct words *out)
{
    if (strncmp(variable, "CLL_", 4))
        return;
    words_add(a, out, l->pass);
    words_add(a, out, arena_strndup(a, variable, strcspn(variable, "=")));
}

/* Is the variable among these? */
static bool is_among(const struct words *variables, const char *variable)
{
    size_t n = strcspn(variable, "=");
    for (size_t i = 0; i < variables->n; i++)
        if (!strncmp(variables->list[i], variable, n) && variables->list[i][n] == '=')
            return true;
    return false;
}

void launch_words(struct arena *a, const struct launch *l, unsigned long P,
                  const struct words *variables, struct words *words, struct words *environment)
{
    const struct launcher *t = l->launcher;
    for (size_t i = 0; i < l->command.n; i++)
        words_add(a, words, filled(a, l, l->command.list[i], P));
    if (t && t->crowded && P > launch_slots())
        words_split(a, words, t->crowded);
    if (t && t->threaded && l->threaded)
        words_split(a, words, t->threaded);
    for (size_t i = 0; t && t->pass && i < variables->n; i++)
        pass_variable(a, t, variables->list[i], words);
    for (char **e = environ; t && t->pass && *e; e++)
        if (!is_among(variables, *e))
            pass_variable(a, t, *e, words);
    const char *variable = t ? t->environment : l->processes ? NULL : "OMP_NUM_THREADS={P}";
    if (variable)
        words_add(a, environment, filled(a, l, variable, P));
}

/* ---- the machine ---- */

unsigned long launch_processors(void)
{
    cpu_set_t set;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (!sched_getaffinity(0, sizeof set, &set))
        n = CPU_COUNT(&set);
    return n > 0 ? (unsigned long)n : 1;
}

/* The first of the hardware threads that share a core with this one. */
static int first_sibling(int processor)
{
    char path[96], line[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             processor);
    FILE *f = fopen(path, "r");
    if (!f)
        return processor;
    long first = processor;
    if (fgets(line, sizeof line, f)) {
        char *end;
        long read = strtol(line, &end, 10);
        if (end != line && read >= 0 && read < CPU_SETSIZE)
            first = read;
    }
    fclose(f);
    return (int)first;
}

unsigned long launch_slots(void)
{
    cpu_set_t set, cores;
    const char *slurm = getenv("SLURM_NTASKS");
    long tasks = slurm ? strtol(slurm, NULL, 10) : 0;
    if (tasks > 0)
        return (unsigned long)tasks;
    if (sched_getaffinity(0, sizeof set, &set))
        return launch_processors();
    CPU_ZERO(&cores);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            CPU_SET(first_sibling(i), &cores);
    int n = CPU_COUNT(&cores);
    return n > 0 ? (unsigned long)n : 1;
}

unsigned long launch_threads(void)
{
    const char *variable = getenv("OMP_NUM_THREADS");
    long n = variable ? strtol(variable, NULL, 10) : 1;
    return n > 0 ? (unsigned long)n : 1;
}

bool launch_in_job(void)
{
    static const char *const variables[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return true;
    return false;
}

/* ---- scripts ---- */

static void set_variable(struct text *out, const char *name, const char *value)
{
    text_printf(out, " %s=", name);
    quote_shell(out, value ? value : "");
}

static void shell_entry(struct text *out, const struct launcher *l)
{
    struct text programs;
    text_init(&programs);
    for (size_t i = 0; l->programs[i]; i++)
        text_printf(&programs, "%s%s", i ? " " : "", l->programs[i]);
    text_printf(out, "    %s)\n       ", l->name);
    set_variable(out, "about", l->about);
    set_variable(out, "programs", programs.s);
    set_variable(out, "says", l->says);
    text_add(out, "\n       ");
    set_variable(out, "options", l->options);
    set_variable(out, "crowded", l->crowded);
    set_variable(out, "threaded", l->threaded);
    text_add(out, "\n       ");
    set_variable(out, "pass", l->pass);
    set_variable(out, "environment", l->environment);
    set_variable(out, "as_root", l->as_root);
    set_variable(out, "of_processes", l->processes ? "yes" : "no");
    text_add(out, " ;;\n");
    text_free(&programs);
}

void launch_shell(struct text *out)
{
    text_add(out, "launcher_entry() {\n    case $1 in\n");
    for (size_t i = 0; i < LAUNCHERS; i++)
        if (table[i].in_scripts)
            shell_entry(out, &table[i]);
    text_add(out, "    *) return 1 ;;\n    esac\n}\n");
}
